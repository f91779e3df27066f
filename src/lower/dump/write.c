#include "lower/dump/writer.h"

#include "caps/simd.h"
#include "program/program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void write_guard(struct writer *writer, const struct guard *guard)
{
    text_char(writer->out, '(');
    for (int k = 0; k < guard->n; k++) {
        text_add(writer->out, k ? " and " : "");
        dump_write_affine(writer, guard->condition[k].affine);
        text_add(writer->out, guard->condition[k].equal ? " == 0" : " >= 0");
    }
    text_char(writer->out, ')');
}

static void write_number(struct writer *writer, const struct field *field, int64_t number)
{
    if (field->kind == FIELD_STEP && number == LANES_APART)
        text_add(writer->out, "apart");
    else
        text_addf(writer->out, "%" PRId64, number);
}

static void write_word(struct writer *writer, const struct field *field, int number)
{
    if (field->kind == FIELD_OPERATOR)
        text_addf(writer->out, "%s=", number == OP_NONE ? "" : op_symbol((enum expr_op)number));
    else if (field->kind == FIELD_WORD)
        text_add(writer->out, field->words->word(number));
    else
        text_addf(writer->out, "%d", number);
}

/* What there is by name. */
static void write_reference(struct writer *writer, const struct field *field, const void *thing)
{
    const struct simd *simd = simd_by_name(writer->scope->stored->target.simd);

    if (field->kind == FIELD_TEXT)
        dump_write_quoted(writer->out, thing);
    else if (field->kind == FIELD_ARRAY)
        dump_write_name(writer, ((const struct array *)thing)->name);
    else if (field->kind == FIELD_STATEMENT)
        dump_write_name(writer, ((const struct statement *)thing)->label);
    else if (field->kind == FIELD_LOOP)
        dump_write_name(writer, handle_of_loop(&writer->loops, thing));
    else if (field->kind == FIELD_CONDITION)
        dump_write_quoted(writer->out, ((const struct value *)thing)->string);
    else
        text_addf(writer->out, "%d", (int)((const struct simd_product *)thing - simd->tiles->product));
}

static void write_value(struct writer *writer, const struct field *field, const void *value)
{
    switch (field->kind) {
    case FIELD_FLAG:
        text_add(writer->out, *(const bool *)value ? "yes" : "no");
        break;
    case FIELD_INT:
    case FIELD_WORD:
    case FIELD_OPERATOR:
        write_word(writer, field, *(const int *)value);
        break;
    case FIELD_NUMBER:
    case FIELD_STEP:
        write_number(writer, field, *(const int64_t *)value);
        break;
    case FIELD_GUARD:
        write_guard(writer, value);
        break;
    case FIELD_ELEMENT:
        dump_write_element(writer, value);
        break;
    case FIELD_OBJECT:
        text_char(writer->out, '{');
        dump_write_fields(writer, field->object, value);
        text_char(writer->out, '}');
        break;
    default:
        if (!*(const void *const *)value)
            text_add(writer->out, "none");
        else if (field->kind == FIELD_AFFINE)
            dump_write_affine(writer, *(const struct affine *const *)value);
        else if (field->kind == FIELD_EXPR)
            dump_write_expr(writer, *(const struct tree_expr *const *)value);
        else if (field->kind == FIELD_VAR)
            dump_write_var(writer, *(const struct var *const *)value);
        else
            write_reference(writer, field, *(const void *const *)value);
    }
}

static void write_list(struct writer *writer, const struct field *field, const char *item, int n)
{
    text_char(writer->out, '[');
    for (int k = 0; k < n; k++) {
        text_add(writer->out, k ? ", " : "");
        write_value(writer, field, item + (size_t)k * value_size(field));
    }
    text_char(writer->out, ']');
}

static void write_field(struct writer *writer, const struct field *field, const void *object)
{
    const char *value = (const char *)object + field->at;
    const char *target =
        field->how == HOLD_ONE || field->how == HOLD_ROW ? value : *(const char *const *)(const void *)value;

    text_add(writer->out, field->word);
    if (field->kind == FIELD_FLAG)
        return;
    text_add(writer->out, *field->word ? " " : "");
    if (field->how == HOLD_LIST || field->how == HOLD_ROW)
        write_list(writer, field, target, field_length(field, object));
    else
        write_value(writer, field, target);
}

void dump_write_fields(struct writer *writer, const struct object *table, const void *object)
{
    bool first = true;

    for (int k = 0; k < table->n; k++) {
        if (field_is_omitted(&table->field[k], object))
            continue;
        text_add(writer->out, first ? "" : ", ");
        write_field(writer, &table->field[k], object);
        first = false;
    }
}

static void write_line(struct writer *writer, const struct node *node)
{
    const struct head *head = dump_head(node->kind);

    text_add(writer->out, head->word);
    for (int k = 0; k < head->n; k++)
        if (!field_is_omitted(&head->field[k], node)) {
            text_char(writer->out, ' ');
            write_field(writer, &head->field[k], node);
        }
    for (int k = 0; k < dump_node.n; k++)
        if (dump_has(node->kind, &dump_node.field[k]) && !field_is_omitted(&dump_node.field[k], node)) {
            text_add(writer->out, ", ");
            write_field(writer, &dump_node.field[k], node);
        }
    text_char(writer->out, '\n');
}

/* Is it nothing but its children, not one of them alone? */
static bool is_plain_block(const struct node *node)
{
    return node->kind == NODE_BLOCK && node->n_child != 1 && !node->comment && !node->n_local && !node->n_own &&
           !node->scope;
}

static void write_node(struct writer *writer, const struct node *node, int depth);

/* What is inside of a node: a block has no line of its own there. */
static void write_body(struct writer *writer, const struct node *body, int depth)
{
    if (!is_plain_block(body)) {
        write_node(writer, body, depth);
        return;
    }
    for (int k = 0; k < body->n_child; k++)
        write_node(writer, body->child[k], depth);
}

static void write_node(struct writer *writer, const struct node *node, int depth)
{
    if (node->comment)
        text_addf(writer->out, "%*s# %s\n", 4 * depth, "", node->comment);
    text_addf(writer->out, "%*s", 4 * depth, "");
    write_line(writer, node);
    for (int k = 0; k < node->n_child; k++) {
        if (node->kind == NODE_IF && k == 1)
            text_addf(writer->out, "%*selse\n", 4 * depth, "");
        if (node->kind == NODE_SWITCH)
            text_addf(writer->out, "%*scase %" PRId64 "\n", 4 * depth, "", node->label[k]);
        if (node->kind == NODE_BLOCK)
            write_node(writer, node->child[k], depth + 1);
        else
            write_body(writer, node->child[k], depth + 1);
    }
    if (node->computes)
        write_body(writer, node->computes, depth + 1);
}

static int compare_vars(const void *a, const void *b)
{
    const struct var *x = ((const struct handle *)a)->thing, *y = ((const struct handle *)b)->thing;

    return (x->id > y->id) - (x->id < y->id);
}

static void add_params(struct writer *writer)
{
    const struct dump_scope *scope = writer->scope;

    for (int k = 0; k < scope->stored->n_param; k++)
        VEC_PUSH(scope->arena, &writer->vars,
                 ((struct handle){.thing = scope->vars->param[k], .name = scope->vars->param[k]->name}));
}

/* The variables of the tree, in the order of their identities. */
static void collect_vars(struct writer *writer, const struct node *tree)
{
    struct text nowhere = {0}, *out = writer->out;

    add_params(writer);
    writer->collects = true;
    writer->out = &nowhere;
    write_body(writer, tree, 0);
    writer->collects = false;
    writer->out = out;
    text_free(&nowhere);
    qsort(writer->vars.at, (size_t)writer->vars.n, sizeof(*writer->vars.at), compare_vars);
    handles_set(writer->scope->arena, &writer->vars);
}

static void write_vars(struct writer *writer)
{
    for (int k = writer->scope->stored->n_param; k < writer->vars.n; k++) {
        text_add(writer->out, "var ");
        dump_write_name(writer, writer->vars.at[k].handle);
        text_add(writer->out, ": ");
        dump_write_fields(writer, &dump_var, writer->vars.at[k].thing);
        text_char(writer->out, '\n');
    }
}

/* Which dimensions of `before` the array still has. */
static void write_kept(struct text *out, const struct array *array, const struct array *before)
{
    if (array->stored_dim || array->n_dim == before->n_dim) {
        text_add(out, "keeps all");
        return;
    }
    text_add(out, "keeps [");
    for (int k = 0, dim = 0; k < array->n_dim; k++, dim++) {
        while (before->shape[dim] != array->shape[k])
            dim++;
        text_addf(out, "%s%d", k ? ", " : "", dim);
    }
    text_add(out, "]");
}

/* Has a pass set the member? */
static bool is_set(const struct field *field, const struct array *array, const struct array *before)
{
    const size_t size = field->how == HOLD_POINTER ? sizeof(void *) : value_size(field);

    return memcmp((const char *)array + field->at, (const char *)before + field->at, size) != 0;
}

static void write_array(struct writer *writer, const struct array *array, const struct array *before)
{
    bool changed = !array->stored_dim && array->n_dim < before->n_dim;

    for (int k = 0; k < dump_array.n; k++)
        changed = changed || is_set(&dump_array.field[k], array, before);
    if (!changed)
        return;
    text_add(writer->out, "array ");
    dump_write_name(writer, array->name);
    text_add(writer->out, ": ");
    write_kept(writer->out, array, before);
    for (int k = 0; k < dump_array.n; k++)
        if (is_set(&dump_array.field[k], array, before)) {
            text_add(writer->out, ", ");
            write_field(writer, &dump_array.field[k], array);
        }
    text_char(writer->out, '\n');
}

static void write_guarded(struct writer *writer, int id)
{
    for (int k = 0; k < writer->loops.n; k++)
        if (((const struct loop_info *)writer->loops.at[k].thing)->id == id) {
            text_add(writer->out, "guarded ");
            dump_write_name(writer, writer->loops.at[k].handle);
            text_char(writer->out, '\n');
            return;
        }
}

void dump_begin(struct text *out)
{
    text_addf(out, "polynest-dump %d\n", DUMP_VERSION);
}

void dump_write(struct text *out, const struct dump_scope *scope, const char *pass, const int *guarded, int n_guarded,
                const struct node *tree)
{
    struct writer writer = {.out = out, .scope = scope, .loops = handles_of_loops(scope)};

    text_addf(out, "== %s\n", pass);
    for (int k = 0; k < n_guarded; k++)
        write_guarded(&writer, guarded[k]);
    for (int k = 0; k < scope->arrays->n_array && scope->arrays != scope->stored; k++)
        write_array(&writer, &scope->arrays->array[k], &scope->stored->array[k]);
    collect_vars(&writer, tree);
    write_vars(&writer);
    write_body(&writer, tree, 0);
}
