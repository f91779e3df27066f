#include "target/clike/declare.h"

#include "target/clike/index.h"
#include "target/clike/memory.h"
#include "target/clike/scope.h"
#include "target/clike/storage.h"
#include "target/clike/types.h"
#include "target/clike/vector/vector.h"
#include "tree/visit.h"

#include <inttypes.h>
#include <string.h>

/* "[480][256]" of dimensions first..last - 1, slowest first. */
static const char *extents_text(struct emitter *emitter, const struct array *array, int first, int last)
{
    const char *text = "";

    for (int k = first; k < last; k++) {
        const struct affine *extent = param_affine(emitter, array->shape[array_dense_dimension(array, k)]);
        text = arena_printf(emitter->arena, "%s[%s]", text, index_affine(emitter, extent).text);
    }
    return text;
}

/* "[480][256]", or the one extent of an array with a flat index. */
static const char *brackets_text(struct emitter *emitter, const struct array *array)
{
    int64_t size;

    if (storage_of(emitter, array) == STORAGE_LOCAL || !constant_size(emitter, array, &size))
        return extents_text(emitter, array, 0, array->n_dim);
    return arena_printf(emitter->arena, "[%" PRId64 "]", size);
}

bool declare_with_zeros(struct emitter *emitter, const struct array *array, const struct doubt *doubt)
{
    enum { SMALL = 8, UNROLLED = 64 };
    const bool doubtful = array->is_buffer ? doubt->elements : doubt->fixed;
    const int64_t most = doubt->lanes ? UNROLLED : doubtful ? SMALL : 0;
    int64_t size;

    return array->init_zero || (array->is_buffer && doubt->rows) ||
           (most > 0 && constant_size(emitter, array, &size) && size <= most);
}

const char *declare_fragment(struct emitter *emitter, const struct fragment *fragment, enum type type)
{
    static const char *const words[] = {
        [FRAGMENT_SUMS] = "accumulator", [FRAGMENT_ROWS] = "matrix_a", [FRAGMENT_COLUMNS] = "matrix_b"};
    const bool sums = fragment->use == FRAGMENT_SUMS;

    return arena_printf(emitter->arena, "wmma::fragment<wmma::%s, %d, %d, %d, %s%s>", words[fragment->use], fragment->m,
                        fragment->n, fragment->k,
                        !sums && type == TYPE_F32 ? "wmma::precision::tf32" : emitter_type(emitter, type),
                        sums                   ? ""
                        : fragment->by_columns ? ", wmma::col_major"
                                               : ", wmma::row_major");
}

/* Of an array in the stack. Where its rows fill vectors of 32 bytes, gcc 12 may use these as if they were aligned, and
 * not align the stack (doc/COMPILERS.md). */
static int64_t alignment(const struct emitter *emitter, const struct array *array)
{
    enum { VECTOR = 32 };
    int64_t row = c_type_bytes(array->type);

    if (emitter->dialect->device || array->memory == MEMORY_STATIC || array->n_dim < 2 || array->align >= VECTOR)
        return array->align;
    for (int k = 1; k < array->n_dim; k++) {
        const struct expr *extent = array->shape[array_dense_dimension(array, k)];
        if (extent->kind != EXPR_INT || __builtin_mul_overflow(row, extent->integer, &row))
            return array->align;
    }
    return row % VECTOR == 0 ? VECTOR : array->align;
}

const char *declare_text(struct emitter *emitter, const struct node *node, const struct array *array)
{
    struct arena *arena = emitter->arena;
    const bool is_static = array->memory == MEMORY_STATIC;
    const int64_t bytes = alignment(emitter, array);
    const bool aligned = bytes > c_type_bytes(array->type);
    const char *align = aligned ? arena_printf(arena, "%s(%" PRId64 ") ", emitter->dialect->alignas_word, bytes) : "";
    const struct doubt doubt = memory_doubt(emitter, node, array);
    const char *where = is_static ? "static " : array->memory == MEMORY_SHARED ? "__shared__ " : "";

    if (array->fragment)
        return arena_printf(arena, "%s %s%s", declare_fragment(emitter, array->fragment, array->type), array->name,
                            extents_text(emitter, array, 0, array->n_dim));
    if (array->n_dim == 0 && array->memory == MEMORY_SHARED)
        return arena_printf(arena, "%s%s %s", where, emitter_type(emitter, array->type), array->name);
    if (array->n_dim == 0)
        return arena_printf(arena, "%s %s", emitter_type(emitter, array->type), variable_text(emitter, array));
    if (vector_array(emitter, array))
        return arena_printf(arena, "%s %s%s%s%s", vector_array_type(emitter, array), array->name,
                            extents_text(emitter, array, 0, array->n_dim - 1), vector_array_row(emitter, array),
                            doubt.rows ? " = {0}" : "");
    return arena_printf(arena, "%s%s%s %s%s%s", where, align, emitter_type(emitter, array->type), array->name,
                        brackets_text(emitter, array),
                        is_static || array->memory == MEMORY_SHARED || !declare_with_zeros(emitter, array, &doubt) ? ""
                        : emitter_has_class(emitter, array->type) ? " = {}"
                                                                  : " = {0}");
}

const char *declare_reference(struct emitter *emitter, const struct array *array, const char *place)
{
    const char *type = emitter_type(emitter, array->type);
    const char *brackets = array->n_dim ? brackets_text(emitter, array) : "";

    return arena_printf(emitter->arena, array->n_dim ? "%s (&%s)%s = *(%s (*)%s)%s" : "%s &%s%s = *(%s *%s)%s", type,
                        array->name, brackets, type, brackets, place);
}

const char *declare_rows(struct emitter *emitter, const struct array *array, const char *name)
{
    return arena_printf(emitter->arena, "(*%s)%s", name, extents_text(emitter, array, 1, array->n_dim));
}

const char *declare_pointer(struct emitter *emitter, const struct array *array, const char *name)
{
    if (storage_of(emitter, array) == STORAGE_HEAP && array->n_dim > 1)
        return declare_rows(emitter, array, name);
    return arena_printf(emitter->arena, "*%s", name);
}

const char *declare_pointer_type(struct emitter *emitter, const struct array *array)
{
    return arena_printf(emitter->arena, "%s %s", emitter_type(emitter, array->type),
                        declare_pointer(emitter, array, ""));
}

const char *declare_all_name(struct emitter *emitter, const struct array *array)
{
    const int n_used = emitter->names.used.n;
    const char *name = names_unique(&emitter->names, arena_printf(emitter->arena, "%s_all", array->name));

    emitter->names.used.n = n_used; /* the same each time */
    return name;
}

/* `float (*Ap)[256] = Ap_all + omp_get_thread_num() * 480`: this thread's. Beside the function's own threads there is
 * one, whatever number it has among its caller's: `Ap_all`. */
static const char *declare_own(struct emitter *emitter, const struct array *array)
{
    const struct affine *rows = array_own_rows(emitter, array);
    const struct index_text thread = {.text = "(int64_t)omp_get_thread_num()", .precedence = PREC_UNARY, .wide = true};
    struct index_text own = index_product(emitter, thread, index_affine(emitter, rows));

    if (storage_of(emitter, array) != STORAGE_HEAP)
        for (int k = 1; k < array->n_dim; k++)
            own = index_product(emitter, own,
                                index_affine(emitter,
                                             param_affine(emitter, array->shape[array_dense_dimension(array, k)])));
    if (!emitter->in_team)
        return arena_printf(emitter->arena, "%s %s = %s", emitter_type(emitter, array->type),
                            declare_pointer(emitter, array, array->name), declare_all_name(emitter, array));
    emitter->uses_threads = true;
    return arena_printf(emitter->arena, "%s %s = %s + %s", emitter_type(emitter, array->type),
                        declare_pointer(emitter, array, array->name), declare_all_name(emitter, array), own.text);
}

static bool is_heap(struct emitter *emitter, const struct array *array)
{
    const enum storage storage = storage_of(emitter, array);

    return storage == STORAGE_HEAP || storage == STORAGE_HEAP_FLAT;
}

/* Arrays on the heap are declared with the function, and those whose elements became vectors here not at all. */
static bool is_declared_here(struct emitter *emitter, const struct node *node, const struct array *array, bool own)
{
    if (!uses_array(node, array))
        return false;
    if (own)
        return is_heap(emitter, array) || !emitter->array_local[array - emitter->program->array];
    return !is_heap(emitter, array);
}

const char *declare_target(struct emitter *emitter, const struct node *assign)
{
    if (assign->declares == DECLARE_NOTHING)
        return "";
    return arena_printf(emitter->arena, "%s%s ", assign->declares == DECLARE_CONSTANT ? "const " : "",
                        emitter_type(emitter, assign->target.array->type));
}

bool declare_has_locals(struct emitter *emitter, const struct node *node)
{
    bool any = false;

    for (int k = 0; k < node->n_local; k++)
        any = any || is_declared_here(emitter, node, node->local[k], false);
    for (int k = 0; k < node->n_own; k++)
        any = any || is_declared_here(emitter, node, node->own[k], true);
    return any;
}

static void declare_local(struct emitter *emitter, const struct node *node, const struct array *array)
{
    const bool heap = is_heap(emitter, array);

    write_linef(&emitter->writer, "%s;", heap ? declare_own(emitter, array) : declare_text(emitter, node, array));
    if (!heap && !node_reads(node, array))
        write_linef(&emitter->writer, "%s%s;", emitter->dialect->unread_word, array->name);
}

void declare_locals(struct emitter *emitter, const struct node *node)
{
    for (int k = 0; k < node->n_own; k++)
        if (is_declared_here(emitter, node, node->own[k], true))
            declare_local(emitter, node, node->own[k]);
    for (int k = 0; k < node->n_local; k++)
        if (is_declared_here(emitter, node, node->local[k], false))
            declare_local(emitter, node, node->local[k]);
}
