#include "program/instruction.h"

#include <isl/printer.h>
#include <stdlib.h>
#include <string.h>

static void add_isl(struct text *out, char *text)
{
    text_add(out, text ? text : "(isl error)");
    free(text);
}

static void dump_array(struct text *out, const struct array *array)
{
    text_addf(out, "array %s %s %s[", role_name(array->role), type_name(array->type), array->name);
    for (int k = 0; k < array->n_dim; k++) {
        text_add(out, k ? ", " : "");
        expr_print(out, array->shape[k], NULL);
    }
    text_add(out, "]");
    for (int k = 0; array->stride && k < array->n_dim; k++) {
        text_add(out, k ? ", " : " strides ");
        expr_print(out, array->stride[k], NULL);
    }
    if (array->offset) {
        text_add(out, " offset ");
        expr_print(out, array->offset, NULL);
    }
    for (int k = 0; !array->stride && k < array->n_dim; k++)
        text_addf(out, "%s%d", k ? ", " : " order ", array->dim_order[k]);
    text_add(out, array->init_zero ? " init 0\n" : "\n");
}

static void dump_access(struct text *out, const struct access *access)
{
    text_addf(out, "    %s%s ", access->may ? "may " : "", access->write ? "write" : "read");
    add_isl(out, isl_map_to_str(access->map));
    text_char(out, '\n');
}

static void print_assignment(struct text *out, const struct statement *statement)
{
    expr_print(out, statement->target, statement->loop_name);
    text_addf(out, " %s= ", op_symbol(statement->op));
    expr_print(out, statement->value, statement->loop_name);
}

void statement_print(struct text *out, const struct statement *statement)
{
    if (statement->call)
        text_add(out, statement->call->written);
    else
        print_assignment(out, statement);
}

static void dump_statement(struct text *out, const struct statement *statement)
{
    text_addf(out, "  %s: ", statement->label);
    print_assignment(out, statement);
    if (statement->guard) {
        text_add(out, " if ");
        expr_print(out, statement->guard, statement->loop_name);
    }
    text_add(out, "\n    domain ");
    add_isl(out, isl_set_to_str(statement->domain));
    text_char(out, '\n');
    for (int k = 0; k < statement->n_access; k++)
        dump_access(out, &statement->access[k]);
}

static void dump_nest(struct text *out, const struct program *program, const struct nest *nest)
{
    text_addf(out, "nest %s\n", nest->name);
    if (nest->order) {
        text_add(out, "  order ");
        add_isl(out, isl_union_map_to_str(nest->order));
        text_char(out, '\n');
    }
    for (int k = 0; k < nest->n_statement; k++)
        dump_statement(out, program->statement[nest->first_statement + k]);
}

static void dump_step(struct text *out, const char *list, const struct step *step)
{
    text_addf(out, "%s %d: ", list, step->number);
    step_print(out, step);
    text_char(out, '\n');
}

void program_dump(struct text *out, const struct program *program)
{
    text_addf(out, "program %s\ncontext ", program->name);
    add_isl(out, isl_set_to_str(program->context));
    text_char(out, '\n');
    for (int k = 0; k < program->n_scalar; k++)
        text_addf(out, "scalar %s %s\n", type_name(program->scalar[k].type), program->scalar[k].name);
    for (int k = 0; k < program->n_array; k++)
        dump_array(out, &program->array[k]);
    for (int k = 0; k < program->n_nest; k++)
        dump_nest(out, program, &program->nest[k]);
    for (int k = 0; k < program->n_schedule; k++)
        dump_step(out, "schedule", &program->schedule[k]);
    for (int k = 0; k < program->n_plan; k++)
        dump_step(out, "plan", &program->plan[k]);
}
