#include "target/c/file.h"

#include "base/template.h"
#include "caps/language.h"
#include "program/permit.h"
#include "target/c/several.h"
#include "target/clike/body.h"
#include "target/clike/memory.h"
#include "target/clike/storage.h"
#include "target/clike/nodes/texts.h"
#include "target/clike/types.h"
#include "target/clike/vector/vector.h"
#include "tree/visit.h"

#include <string.h>

static void use_array(struct c_file *file, const struct array *array, bool *used)
{
    const struct program *program = file->unit->program;

    if (array && !array->in_tiles && array >= program->array && array < program->array + program->n_array)
        used[array - program->array] = true;
}

static bool is_product(enum expr_op op, enum type type)
{
    return op == OP_MUL && type_is_float(type);
}

static bool is_sum(enum expr_op op, enum type type)
{
    return (op == OP_ADD || op == OP_SUB) && type_is_float(type);
}

static void note_expr(const struct tree_expr *expr, void *user)
{
    struct c_file *file = user;

    use_array(file, expr->element.array, file->array_used);
    use_array(file, expr->element.array, file->emitter.array_read);
    file->multiplies |= expr->kind == TREE_BINARY && is_product(expr->op, expr->type);
    file->adds |= expr->kind == TREE_CALL || expr->kind == TREE_DOT ||
                  ((expr->kind == TREE_BINARY || expr->kind == TREE_TOTAL) && is_sum(expr->op, expr->type));
}

static bool is_allocated(struct c_file *file, const struct array *array)
{
    const enum storage storage = storage_of(&file->emitter, array);

    return storage == STORAGE_HEAP || storage == STORAGE_HEAP_FLAT;
}

static void note_threads(struct c_file *file, const struct array *array, const struct threads *threads)
{
    int64_t *number = &file->emitter.array_threads[array - file->unit->program->array];

    if (*number < 1)
        *number = 1;
    if (threads && threads->number > *number)
        *number = threads->number;
}

/* What each thread of the loop has for itself; of loops that are one, the innermost has it. */
static void note_own(struct c_file *file, const struct node *node)
{
    const struct node *inner = node;

    for (int k = 1; node_is_parallel(node) && k < node->threads->collapse; k++)
        inner = inner->child[0];
    for (int k = 0; k < inner->n_own; k++)
        note_threads(file, inner->own[k], node->threads);
}

static void note_array(const struct node *node, void *user)
{
    struct c_file *file = user;

    if (!node_writes_vector(node))
        use_array(file, node->target.array, file->array_used);
    tree_expr_for_each(node->value, note_expr, file);
}

static void note_text(struct c_file *file, const struct node *text)
{
    texts_note(&file->emitter, text);
    /* the text may have products and sums, too */
    file->multiplies |= text_keeps_rounding(file->unit->program, text);
    for (int k = 0; k < file->unit->program->n_array; k++)
        if (text_writes(file->unit->program, text, &file->unit->program->array[k]))
            file->emitter.array_stored[k] = true;
}

/* Notes what the loops use: names, arrays, kinds of operations. */
static void note_node(const struct node *node, void *user)
{
    struct c_file *file = user;

    for (int k = 0; k < node->n_local; k++)
        if (!is_allocated(file, node->local[k]))
            use_array(file, node->local[k], file->emitter.array_local);
    file->has_threads |= node->threads != NULL;
    file->has_simd |= node->simd;
    file->has_tiles |= node->kind == NODE_TILES;
    note_own(file, node);
    if (node->declares)
        use_array(file, node->target.array, file->emitter.array_local);
    if (node->var && !names_has(&file->emitter.names, node->var->name))
        names_add(&file->emitter.names, node->var->name);
    if (!node_writes_vector(node))
        use_array(file, node->target.array, file->array_used);
    if (node->kind == NODE_TEXT)
        note_text(file, node);
    if (node->kind == NODE_ASSIGN && !node->tile)
        use_array(file, node->target.array, file->emitter.array_stored);
    if (node->kind == NODE_ASSIGN && node->op != OP_NONE)
        use_array(file, node->target.array, file->emitter.array_updated);
    if (node->kind == NODE_ASSIGN) {
        file->scales |= is_product(node->op, node->target.array->type);
        file->adds |= is_sum(node->op, node->target.array->type);
    }
    for (int k = 0; node->target.indirect && k < node->target.array->n_dim; k++)
        tree_expr_for_each(node->target.indirect[k], note_expr, file);
    tree_expr_for_each(node->value, note_expr, file);
    tree_expr_for_each(node->guard_value, note_expr, file);
    if (node->threads)
        tree_expr_for_each(node->threads->condition, note_expr, file);
}

/* Names of the description and its loops, which are there already, come before all others. */
static void claim_names(struct c_file *file)
{
    struct names *names = &file->emitter.names;

    file->emitter.n_described = names->used.n;
    for (int k = 0; file->unit->several && k < file->unit->several->taken.n; k++)
        if (!names_has(names, file->unit->several->taken.at[k]))
            names_add(names, file->unit->several->taken.at[k]);
    texts_claim_names(&file->emitter);
    vector_name_helpers(&file->emitter);
}

static void print_into(struct c_file *file, struct text *out)
{
    file->emitter.writer = (struct writer){out, 1, out == &file->body};
}

void c_print_unused(const struct program *program, const char *code, struct text *out)
{
    struct writer writer = {out, 1, false};

    for (int k = 0; k < program->n_param; k++)
        if (!c_mentions(code, program->param[k].name))
            write_linef(&writer, "(void)%s;", program->param[k].name);
    for (int k = 0; k < program->n_scalar; k++)
        if (!c_mentions(code, program->scalar[k].name))
            write_linef(&writer, "(void)%s;", program->scalar[k].name);
    for (int k = 0; k < program->n_array; k++)
        if (array_is_argument(&program->array[k]) && !c_mentions(code, program->array[k].name))
            write_linef(&writer, "(void)%s;", program->array[k].name);
}

static bool uses_helper(const struct c_file *file, enum helper first, enum helper last)
{
    for (int helper = (int)first; helper <= (int)last; helper++)
        if (helper_used(&file->emitter.helpers, (enum helper)helper))
            return true;
    return false;
}

void c_print_includes(const struct c_file *file, struct text *out)
{
    const bool sorts = helper_used(&file->emitter.helpers, HELPER_DISTINCT);
    const bool allocates = sorts || uses_helper(file, HELPER_ALLOCATE, HELPER_COPY_OF_ALIGNED);
    const bool copies = uses_helper(file, HELPER_FROM_BF16, HELPER_F64_TO_F16) || sorts ||
                        uses_helper(file, HELPER_COPY_OF, HELPER_COPY_OF_ALIGNED) ||
                        uses_helper(file, HELPER_IS_OTHER, HELPER_IS_FAR) ||
                        helper_used(&file->emitter.helpers, HELPER_ALLOCATE_ALIGNED_ZERO) || file->emitter.uses_memory;
    const bool null = helper_used(&file->emitter.helpers, HELPER_IS_THERE);
    const char *vectors = file->emitter.uses_vectors && !file->asks ? file->emitter.simd->header : NULL;
    const struct {
        const char *name;
        bool used;
    } headers[] = {
        {"errno.h", c_returns_status(file)},
        {vectors, vectors != NULL},
        {"math.h", file->emitter.uses_math},
        {"stdatomic.h", file->emitter.fenced.n > 0},
        {"stdbool.h", file->emitter.uses_bool},
        {"stddef.h", null && !allocates},
        {"stdio.h", file->compares},
        {"stdlib.h", allocates},
        {"string.h", copies},
    };

    for (size_t k = 0; k < sizeof(headers) / sizeof(headers[0]); k++)
        if (headers[k].used)
            text_addf(out, "#include <%s>\n", headers[k].name);
    texts_add_includes(&file->emitter, out);
}

void c_print_heads(const struct c_file *file, struct text *out)
{
    if (file->emitter.uses_threads)
        text_add(out, template_named("c/thread_numbers"));
    if ((file->multiplies || (file->scales && file->adds)) &&
        !(program_permit_everywhere(file->unit->program) & PERMIT_CONTRACT))
        text_add(out, template_named(file->emitter.dialect->no_contraction));
    if (file->emitter.uses_vectors && c_has_overlap(file))
        text_add(out, template_named("c/no_commoning"));
    if (c_is_distributed(file))
        text_add(out, template_named("c/no_distribution"));
    if (!file->asks)
        texts_add_declarations(&file->emitter, out);
}

void c_print_helpers(struct c_file *file, struct text *out)
{
    const size_t before = out->size;

    if (!file->asks)
        vector_print_helpers(&file->emitter, out);
    text_add(out, out->size > before && helpers_any(&file->emitter.helpers) ? "\n" : "");
    helpers_print(&file->emitter.helpers, out);
}

void c_print_code(struct c_file *file, struct text *out)
{
    struct text code = {0};

    text_add(&code, text_str(&file->checks));
    text_add(&code, text_str(&file->body));
    c_print_functions(file, out);
    c_signature(file, out, "restrict", "");
    text_add(out, "{\n");
    const size_t start = out->size;
    c_print_unused(file->unit->program, text_str(&code), out);
    text_add(out, out->size > start ? "\n" : "");
    write_broken(out, text_str(&code));
    text_add(out, "}\n");
    text_free(&code);
}

static void print_source(struct c_file *file, struct text *out)
{
    c_comment(file, out, false);
    text_addf(out, "#include \"%s\"\n", file->unit->header_name);
    const size_t included = out->size;
    text_char(out, '\n');
    c_print_includes(file, out);
    if (out->size > included + 1)
        text_char(out, '\n');
    c_print_heads(file, out);
    const size_t before = out->size;
    c_print_helpers(file, out);
    text_add(out, out->size > before ? "\n" : "");
    if (file->tables.size)
        text_addf(out, "%s\n", text_str(&file->tables));
    c_print_code(file, out);
}

void c_parts_free(struct c_parts *parts)
{
    text_free(&parts->includes);
    text_free(&parts->heads);
    text_free(&parts->helpers);
    text_free(&parts->tables);
    text_free(&parts->code);
}

/* What the function is that another one compares. */
static void note_scheduled(struct c_file *file, const struct c_parts *parts)
{
    struct self_check *self = file->unit->self_check;

    self->returns_status = c_returns_status(file);
    self->allocates = file->allocates;
    self->has_tiles = file->has_tiles && !file->asks;
    self->tables = arena_copy(self->arena, text_str(&parts->tables));
}

enum status c_leave_parts(struct c_file *file, const struct c_parts *parts, struct diags *diags)
{
    struct several *several = file->unit->several;
    const bool is_part = file->unit->self_check != NULL;
    struct text declaration = {0};
    bool added;

    if (is_part)
        note_scheduled(file, parts);
    if (!several->header_name)
        several_name(several, file->unit->header_name);
    c_declaration(file, arena_printf(file->emitter.arena, "%s_RESTRICT", several->macro), &declaration);
    added =
        several_add(several, &(struct function_text){.name = file->unit->name,
                                                     .includes = text_str(&parts->includes),
                                                     .heads = text_str(&parts->heads),
                                                     .helpers = text_str(&parts->helpers),
                                                     .tables = text_str(&parts->tables),
                                                     .code = text_str(&parts->code),
                                                     .declaration = is_part ? NULL : text_str(&declaration),
                                                     .shows_bool = program_shows_type(file->unit->program, TYPE_BOOL),
                                                     .has_pointers = c_has_pointers(file),
                                                     .uses_f16 = c_uses_f16(file)});
    text_free(&declaration);
    if (!added && several->again)
        diag_hint(diags,
                  diag_error(diags, "functions", file->unit->program->name_place,
                             "`%s` is something else in a function before it in the file", several->clash),
                  "give it another name, or the function a file of its own");
    return added ? STATUS_OK : STATUS_REFUSED;
}

/* What print_source prints, but for the header that it includes. */
static enum status leave_source(struct c_file *file, struct diags *diags)
{
    struct c_parts parts = {0};
    enum status status;

    c_print_includes(file, &parts.includes);
    c_print_heads(file, &parts.heads);
    c_print_helpers(file, &parts.helpers);
    if (file->tables.size)
        text_addf(&parts.tables, "%s\n", text_str(&file->tables));
    c_comment(file, &parts.code, false);
    c_print_code(file, &parts.code);
    status = c_leave_parts(file, &parts, diags);
    c_parts_free(&parts);
    return status;
}

static void print_function(struct c_file *file)
{
    print_into(file, &file->body);
    body_print(&file->emitter, file->unit->tree);
    print_into(file, &file->checks);
    if (c_checks_args(file))
        c_print_checks(file);
    c_print_tile_check(file);
    c_round_values(file);
    c_print_declarations(file);
    print_into(file, &file->body);
    c_print_release(file);
    c_merge_functions(file);
    c_print_tables(file, &file->tables);
}

enum { MOST_ON_STACK = 1 << 20 }; /* bytes of one array that was asked for there */

/* What keeps array from the memory that was asked for, or NULL. */
static const char *memory_obstacle(struct emitter *emitter, const struct array *array)
{
    int64_t size;

    if (array->role != ROLE_TEMP)
        return NULL;
    if (array->n_dim == 0)
        return array->memory == MEMORY_HEAP || array->memory == MEMORY_STATIC ? "one element of it is left, a variable"
                                                                              : NULL;
    if (array->memory != MEMORY_STACK && array->memory != MEMORY_STATIC)
        return NULL;
    if (array->memory == MEMORY_STATIC && emitter->array_threads[array - emitter->program->array] > 0)
        return "the threads of a parallel loop would share it";
    if (!constant_size(emitter, array, &size))
        return "its size is not known before the call";
    if (size < 1)
        return "it has no elements";
    return array->memory == MEMORY_STACK && size > MOST_ON_STACK / c_type_bytes(array->type) ? "it is larger than 1 MiB"
                                                                                             : NULL;
}

static const char *memory_words(enum memory memory)
{
    return memory == MEMORY_STACK ? "on the stack" : memory == MEMORY_HEAP ? "on the heap" : "static";
}

static enum status check_memories(struct c_file *file, struct diags *diags)
{
    const struct program *program = file->unit->program;
    enum status status = STATUS_OK;

    for (int k = 0; k < program->n_array; k++) {
        const struct array *array = &program->array[k];
        const char *obstacle = file->array_used[k] ? memory_obstacle(&file->emitter, array) : NULL;
        if (!obstacle)
            continue;
        diag_hint(diags,
                  diag_error(diags, "memory", array_memory_place(array), "`%s` cannot be %s: %s", array->name,
                             memory_words(array->memory), obstacle),
                  array->n_dim ? "\"memory\": \"heap\" takes any size" : "leave the memory out");
        status = STATUS_REFUSED;
    }
    return status;
}

static enum status refuse_index(struct diags *diags)
{
    diag_error(diags, "index", PLACE_NONE, "an index does not fit 64 bits");
    return STATUS_REFUSED;
}

/* The last step that asked for vectors; the function's name where none did. */
static struct place vector_place(const struct program *program)
{
    struct place place = program->name_place;

    for (int k = 0; k < program->n_plan; k++)
        if (strcmp(program->plan[k].primitive->name, "vectorize") == 0 ||
            strcmp(program->plan[k].primitive->name, "kernelize") == 0)
            place = program->plan[k].place;
    return place;
}

/* Of the function, and where it is a part of one that checks itself of that and its other part. */
static void claim_functions(struct names *names, const struct unit *unit)
{
    const struct self_check *self = unit->self_check;
    const char *const name[] = {unit->name, self ? self->name : NULL, self ? self->scheduled : NULL,
                                self ? self->written : NULL};

    for (int k = 0; k < 4; k++)
        if (name[k] && !names_has(names, name[k]))
            names_add(names, name[k]);
}

void c_prepare(struct c_file *file, const struct dialect *dialect, struct arena *arena, const struct unit *unit)
{
    *file = (struct c_file){.unit = unit};
    file->emitter = (struct emitter){.arena = arena,
                                     .program = unit->program,
                                     .dialect = dialect,
                                     .names = {.arena = arena},
                                     .param_least = unit->param_least};
    file->emitter.scope = (struct scope){unit->program, unit->param_var, NULL};
    file->emitter.helpers.names = &file->emitter.names;
    file->array_used = ARENA_ARRAY(arena, unit->program->n_array, bool);
    file->emitter.simd = simd_by_name(unit->program->target.simd);
    file->asks = unit->dispatch && unit->program->when_supported;
    file->emitter.own_end = file->asks ? c_asked_end(arena, unit->program->target.simd) : NULL;
    vector_note(&file->emitter, unit->tree);
    file->emitter.by_reference = ARENA_ARRAY(arena, unit->program->n_array, bool);
    file->emitter.call = c_call_text;
    file->emitter.array_local = ARENA_ARRAY(arena, unit->program->n_array, bool);
    file->emitter.array_stored = ARENA_ARRAY(arena, unit->program->n_array, bool);
    file->emitter.array_threads = ARENA_ARRAY(arena, unit->program->n_array, int64_t);
    file->emitter.array_read = ARENA_ARRAY(arena, unit->program->n_array, bool);
    file->emitter.array_updated = ARENA_ARRAY(arena, unit->program->n_array, bool);
    claim_functions(&file->emitter.names, unit);
    program_add_names(unit->program, &file->emitter.names);
    node_for_each(unit->tree, note_array, file);
    memory_limit_stack(&file->emitter, file->array_used);
    memory_find_doubts(&file->emitter, unit->tree);
    node_for_each(unit->tree, note_node, file);
    claim_names(file);
}

enum status c_check_lacks(const struct c_file *file, struct diags *diags)
{
    const struct emitter *emitter = &file->emitter;
    struct diag *diag;

    if (!file->emitter.lacks)
        return STATUS_OK;
    diag =
        diag_error(diags, "target", emitter->lacks_place.source ? emitter->lacks_place : vector_place(emitter->program),
                   "%s", emitter->lacks);
    if (file->emitter.lacks_hint)
        diag_hint(diags, diag, "%s", file->emitter.lacks_hint);
    return STATUS_REFUSED;
}

static enum status print(const struct dialect *dialect, struct arena *arena, const struct unit *unit,
                         struct text *source, struct text *header, struct diags *diags)
{
    enum status status = STATUS_OK;
    struct c_file file;

    if (!unit->tree)
        return refuse_index(diags);
    c_prepare(&file, dialect, arena, unit);
    if (check_memories(&file, diags) != STATUS_OK)
        return STATUS_REFUSED;
    c_note_rounded(&file);
    c_note_overtaken(&file);
    print_function(&file);
    if (unit->dispatch) {
        status = c_print_variant(&file, source, header, diags);
    } else if (unit->self_check && unit->self_check->is_last) {
        status = c_print_self_check(&file, diags);
    } else if (unit->several) {
        status = leave_source(&file, diags);
    } else {
        print_source(&file, source);
        c_header(&file, header);
    }
    text_free(&file.checks);
    text_free(&file.body);
    text_free(&file.tables);
    if (status != STATUS_OK || c_check_lacks(&file, diags) != STATUS_OK)
        return STATUS_REFUSED;
    return file.emitter.failed ? refuse_index(diags) : STATUS_OK;
}

static const struct dialect dialect = {
    .alignas_word = "_Alignas",
    .unread_word = "(void)",
    .unroll_word = "GCC unroll",
    .table_word = "static",
    .function_words = "static void",
    .inlined_words = "static inline __attribute__((always_inline)) void",
    .restrict_word = "restrict",
    .invalid = "EINVAL",
    .no_contraction = "c/no_contraction",
};

const struct language language_c = {"c", "C", NULL};
const struct target target_c = {"c", "a C11 compiler; gcc and clang are tested", print, &dialect};
