/* Parts of the program that are functions of their own: they stand in front of the function that has the first call;
 * calls of what reads the same share one. */
#include "target/c/file.h"

#include "target/clike/body.h"
#include "target/clike/declare.h"
#include "target/clike/index.h"
#include "target/clike/storage.h"
#include "target/clike/nodes/texts.h"
#include "target/clike/types.h"
#include "tree/visit.h"

#include <stddef.h>
#include <string.h>

/* How a function uses the arrays. */
struct uses {
    const struct program *program;
    bool *used, *written, *own; /* by array; own: declared inside */
    bool *all;                  /* threads inside take their own of what the caller has for all of them */
};

static void note_array(struct uses *uses, const struct array *array, bool *list)
{
    if (array && array >= uses->program->array && array < uses->program->array + uses->program->n_array)
        list[array - uses->program->array] = true;
}

static void note_expr(const struct tree_expr *expr, void *user)
{
    struct uses *uses = user;

    note_array(uses, expr->element.array, uses->used);
}

static void note_node(const struct node *node, void *user)
{
    struct uses *uses = user;

    if (!node_writes_vector(node))
        note_array(uses, node->target.array, uses->used);
    if (node->kind == NODE_ASSIGN)
        note_array(uses, node->target.array, uses->written);
    for (int k = 0; node->kind == NODE_TEXT && k < uses->program->n_array; k++)
        uses->written[k] |= text_writes(uses->program, node, &uses->program->array[k]);
    if (node->declares)
        note_array(uses, node->target.array, uses->own);
    for (int k = 0; k < node->n_local; k++)
        note_array(uses, node->local[k], uses->own);
    for (int k = 0; k < node->n_own; k++)
        note_array(uses, node->own[k], uses->all);
    for (int k = 0; node->target.indirect && k < node->target.array->n_dim; k++)
        tree_expr_for_each(node->target.indirect[k], note_expr, uses);
    tree_expr_for_each(node->value, note_expr, uses);
    tree_expr_for_each(node->guard_value, note_expr, uses);
}

static struct uses uses_of(struct c_file *file, const struct node *call)
{
    const struct program *program = file->unit->program;
    struct arena *arena = file->emitter.arena;
    const int n = program->n_array + 1;
    struct uses uses = {program, ARENA_ARRAY(arena, n, bool), ARENA_ARRAY(arena, n, bool), ARENA_ARRAY(arena, n, bool),
                        ARENA_ARRAY(arena, n, bool)};

    node_for_each(call, note_node, &uses);
    return uses;
}

static const char *joined(struct arena *arena, const char *list, const char *item)
{
    return *list ? arena_printf(arena, "%s, %s", list, item) : item;
}

static bool is_heap(enum storage storage)
{
    return storage == STORAGE_HEAP || storage == STORAGE_HEAP_FLAT;
}

/* Is the array declared outside of the function, and not for the whole file? */
static bool is_passed(struct c_file *file, const struct uses *uses, int k)
{
    const struct array *array = &file->unit->program->array[k];
    const bool heap = is_heap(storage_of(&file->emitter, array));

    return uses->used[k] && array->role != ROLE_CONST && !array->in_tiles && (heap || !(uses->own[k] || uses->all[k]));
}

/* What the caller calls it. */
static const char *passed_name(struct c_file *file, const struct uses *uses, int k)
{
    const struct array *array = &file->unit->program->array[k];

    return uses->all[k] ? declare_all_name(&file->emitter, array) : array->name;
}

/* "const float *restrict A", "float (*restrict Ap)[256]", "float t" */
static const char *array_parameter(struct c_file *file, const struct uses *uses, int k)
{
    struct arena *arena = file->emitter.arena;
    const struct array *array = &file->unit->program->array[k];
    const enum storage storage = storage_of(&file->emitter, array);
    const char *type = emitter_type(&file->emitter, array->type);
    const char *name = arena_printf(arena, "%s %s", file->emitter.dialect->restrict_word, passed_name(file, uses, k));
    const bool rows = array->n_dim > 1 && (storage == STORAGE_LOCAL || storage == STORAGE_HEAP);

    if (storage == STORAGE_VALUE && array_is_argument(array))
        return c_value_argument(file, array->name, array->type);
    if (storage == STORAGE_VALUE)
        return arena_printf(arena, "%s %s", type, array->name);
    if (rows)
        return arena_printf(arena, "%s %s", type, declare_rows(&file->emitter, array, name));
    return arena_printf(arena, "%s%s *%s", uses->written[k] ? "" : "const ", type, name);
}

/* In the order of the function that calls: parameters, variables, scalars, arrays. */
static const char *parameters_text(struct c_file *file, const struct node *call, const struct uses *uses,
                                   const char *body)
{
    const struct program *program = file->unit->program;
    struct arena *arena = file->emitter.arena;
    const char *list = "";

    for (int k = 0; k < program->n_param; k++)
        if (c_mentions(body, program->param[k].name))
            list = joined(arena, list,
                          arena_printf(arena, "%s %s", c_type_name(program->param[k].type), program->param[k].name));
    for (int k = 0; k < call->n_argument_var; k++)
        if (c_mentions(body, call->argument_var[k]->name))
            list = joined(arena, list,
                          arena_printf(arena, "%s %s",
                                       index_is_narrow(&file->emitter, call->argument_var[k]) ? "int" : "int64_t",
                                       call->argument_var[k]->name));
    for (int k = 0; k < program->n_scalar; k++)
        if (c_mentions(body, program->scalar[k].name))
            list = joined(arena, list, c_value_argument(file, program->scalar[k].name, program->scalar[k].type));
    for (int k = 0; k < program->n_array; k++)
        if (is_passed(file, uses, k))
            list = joined(arena, list, array_parameter(file, uses, k));
    return list;
}

/* The same as the caller has them. */
static const char *arguments_text(struct c_file *file, const struct node *call, const struct uses *uses,
                                  const char *body, const bool *referred)
{
    const struct program *program = file->unit->program;
    struct arena *arena = file->emitter.arena;
    const char *list = "";

    for (int k = 0; k < program->n_param; k++)
        if (c_mentions(body, program->param[k].name))
            list = joined(arena, list, program->param[k].name);
    for (int k = 0; k < call->n_argument_var; k++)
        if (c_mentions(body, call->argument_var[k]->name))
            list = joined(arena, list, call->argument_var[k]->name);
    for (int k = 0; k < program->n_scalar; k++)
        if (c_mentions(body, program->scalar[k].name))
            list = joined(arena, list, program->scalar[k].name);
    for (int k = 0; k < program->n_array; k++) {
        const struct array *array = &program->array[k];
        const bool address = referred[k] && storage_of(&file->emitter, array) == STORAGE_VALUE;
        if (is_passed(file, uses, k))
            list = joined(arena, list, address ? arena_printf(arena, "&%s", array->name) : passed_name(file, uses, k));
    }
    return list;
}

/* Variables of the caller that the function writes: it gets their addresses. */
static bool *referred_to(struct c_file *file, const struct uses *uses)
{
    const struct program *program = file->unit->program;
    bool *referred = ARENA_ARRAY(file->emitter.arena, program->n_array + 1, bool);

    for (int k = 0; k < program->n_array; k++)
        referred[k] = file->emitter.by_reference[k] ||
                      (uses->written[k] && !uses->own[k] && !uses->all[k] && program->array[k].n_dim == 0);
    return referred;
}

/* The name of the function with this text; a new one is added. */
static const char *shared_name(struct c_file *file, const struct routine *routine, const char *parameters,
                               const char *body)
{
    struct c_function function = {NULL, routine->comment, parameters, body, false};

    for (int k = 0; k < file->function.n; k++)
        if (strcmp(file->function.at[k].parameters, parameters) == 0 && strcmp(file->function.at[k].body, body) == 0)
            return file->function.at[k].name;
    function.name = names_unique(&file->emitter.names, routine->name);
    VEC_PUSH(file->emitter.arena, &file->function, function);
    return function.name;
}

void c_print_functions(struct c_file *file, struct text *out)
{
    const struct dialect *dialect = file->emitter.dialect;
    struct writer writer = {out, 0, false};

    for (int k = 0; k < file->function.n; k++) {
        const struct c_function *function = &file->function.at[k];
        if (function->comment)
            write_linef(&writer, "/* %s */", comment_text(file->emitter.arena, function->comment));
        if (function->inlined)
            write_line(&writer, dialect->inlined_words);
        write_linef(&writer, "%s%s%s(%s)", function->inlined ? "" : dialect->function_words,
                    function->inlined ? "" : " ", function->name,
                    *function->parameters ? function->parameters : "void");
        write_body(out, function->body);
        text_char(out, '\n');
    }
}

static const char *body_text(struct c_file *file, const struct node *call)
{
    struct emitter *emitter = &file->emitter;
    const struct writer writer = emitter->writer;
    const int canonical = emitter->canonical;
    struct text text = {0};
    const char *body;

    emitter->writer = (struct writer){&text, 1, true};
    emitter->canonical = 0;
    body_print_function(emitter, call);
    emitter->writer = writer;
    emitter->canonical = canonical;
    body = arena_copy(emitter->arena, text_str(&text));
    text_free(&text);
    return body;
}

const char *c_call_text(struct emitter *emitter, const struct node *call)
{
    struct c_file *file = (struct c_file *)((char *)emitter - offsetof(struct c_file, emitter));
    const struct uses uses = uses_of(file, call);
    bool *outer = emitter->by_reference, *referred = referred_to(file, &uses);
    const char *body, *parameters, *name;

    emitter->by_reference = referred;
    body = body_text(file, call);
    parameters = parameters_text(file, call, &uses, body);
    emitter->by_reference = outer;
    name = shared_name(file, call->routine, parameters, body);
    return arena_printf(emitter->arena, "%s(%s);", name, arguments_text(file, call, &uses, body, referred));
}
