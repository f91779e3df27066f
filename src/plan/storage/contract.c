#include "plan/storage/contract.h"

#include "dep/box.h"
#include "plan/device/copies/cooperate.h"
#include "plan/storage/contract_refusals.h"
#include "plan/storage/footprint.h"
#include "plan/storage/window.h"
#include "plan/storage/zeros.h"
#include "poly/coalesce.h"
#include "program/expr/index_expr.h"
#include "program/rewrite.h"

#include <isl/space.h>

#include <string.h>

/* A program under change. */
struct change {
    struct arena *arena;
    const struct program *original;
    struct program *program;
    struct rewriting accesses;
    bool any; /* array differs */
};

/* The digits of an array in blocks that are left of the dimensions that are, which are numbered anew. */
static void shrink_digits(struct change *change, const struct footprint *footprint, const int *number,
                          struct array *array)
{
    const struct array *before = footprint->array;
    struct stored_dim *digit = ARENA_ARRAY(change->arena, before->n_digit + 1, struct stored_dim);

    array->n_digit = 0;
    for (int k = 0; k < before->n_digit; k++) {
        struct stored_dim one = before->digit[k];
        const int64_t size = footprint->size[one.dim];
        if (number[one.dim] < 0 || (size && one.unit >= size))
            continue;
        if (size && one.size && one.unit * one.size >= size)
            one.size = 0;
        one.dim = number[one.dim];
        digit[array->n_digit++] = one;
    }
    array->digit = before->digit && array->n_digit > 0 ? digit : NULL;
}

/* The order in memory of the dimensions that are left, that of lanes last; NULL: their own. */
static int *shrunk_order(struct change *change, const struct footprint *footprint, const int *number)
{
    const struct array *before = footprint->array;
    int *order = ARENA_ARRAY(change->arena, before->n_dim + 1, int);
    int n = 0;

    for (int k = 0; k < before->n_dim; k++) {
        const int dim = before->dim_order ? before->dim_order[k] : k;

        if (number[dim] >= 0 && dim != footprint->lane)
            order[n++] = number[dim];
    }
    if (footprint->lane >= 0 && number[footprint->lane] >= 0)
        order[n++] = number[footprint->lane];
    return n > 0 && (before->dim_order || footprint->lane >= 0) ? order : NULL;
}

/* The array with the footprint's extents; dimensions of one element are left out. */
static struct array shrunk(struct change *change, const struct footprint *footprint)
{
    struct array array = *footprint->array;
    int *number = ARENA_ARRAY(change->arena, footprint->array->n_dim + 1, int);

    array.n_dim = 0;
    array.shape = ARENA_ARRAY(change->arena, footprint->array->n_dim + 1, struct expr *);
    array.stride = NULL;
    array.offset = NULL;
    for (int d = 0; d < footprint->array->n_dim; d++) {
        const int64_t size = footprint->size[d];
        number[d] = size == 1 ? -1 : array.n_dim;
        if (size == 0)
            array.shape[array.n_dim++] = footprint->extent[d] ? footprint->extent[d] : footprint->array->shape[d];
        else if (size > 1)
            array.shape[array.n_dim++] = index_constant(change->arena, size);
    }
    array.dim_order = shrunk_order(change, footprint, number);
    shrink_digits(change, footprint, number, &array);
    return array;
}

static isl_stat keep_function(__isl_take isl_set *domain, __isl_take isl_aff *aff, void *user)
{
    isl_pw_aff **function = user;

    isl_set_free(domain);
    isl_pw_aff_free(*function);
    *function = isl_pw_aff_from_aff(aff);
    return isl_stat_ok;
}

/* A function of one piece without a condition: where it does not hold there is no such access. */
static __isl_give isl_pw_aff *unconditional(__isl_take isl_pw_aff *index)
{
    isl_pw_aff *function = NULL;

    if (isl_pw_aff_n_piece(index) != 1)
        return index;
    isl_pw_aff_foreach_piece(index, keep_function, &function);
    isl_pw_aff_free(index);
    return function;
}

/* Subscript dim of an access as a function of its instances; NULL: it is none, as one that data choose. */
static __isl_give isl_pw_aff *subscript_of(const struct access *access, int dim)
{
    isl_map *map = box_dimension(access->map, dim);
    isl_pw_multi_aff *function;
    isl_pw_aff *subscript = NULL;

    if (isl_map_is_single_valued(map) == isl_bool_true) {
        function = isl_pw_multi_aff_from_map(isl_map_copy(map));
        subscript = isl_pw_multi_aff_get_pw_aff(function, 0);
        isl_pw_multi_aff_free(function);
    }
    isl_map_free(map);
    return subscript;
}

/* The first element of an iteration in dimension dim, as a function of the instances, which may depend on the array's
 * own iteration in the access. */
static __isl_give isl_pw_aff *first_element(const struct footprint *footprint, const struct statement *statement,
                                            const struct access *access, int dim)
{
    isl_aff *offset = footprint->offset[dim];
    isl_multi_pw_aff *iteration = footprint_iteration(footprint, statement);
    const int n = (int)isl_aff_dim(offset, isl_dim_in) - footprint->depth;

    for (int d = 0; d < n; d++)
        iteration =
            isl_multi_pw_aff_flat_range_product(iteration, isl_multi_pw_aff_from_pw_aff(subscript_of(access, d)));
    return isl_pw_aff_pullback_multi_pw_aff(isl_pw_aff_from_aff(isl_aff_copy(offset)), iteration);
}

/* Subscript dim of an access relative to the iteration's first element, as a function of the instances in domain; NULL:
 * it is none. */
static __isl_give isl_pw_aff *relative_index(const struct footprint *footprint, const struct statement *statement,
                                             const struct access *access, int dim, __isl_take isl_set *domain)
{
    isl_pw_aff *index = subscript_of(access, dim);

    if (!index) {
        isl_set_free(domain);
        return NULL;
    }
    index = poly_pw_aff_coalesce(isl_pw_aff_sub(index, first_element(footprint, statement, access, dim)));
    return unconditional(isl_pw_aff_gist(index, domain));
}

/* The same as an expression; NULL: it has no single one. Not all instances of the statement need to have the access. A
 * subscript that is clamped stays so, max(i - 1, 0) - first. */
static struct expr *relative_expr(const struct change *change, const struct footprint *footprint,
                                  const struct statement *statement, const struct access *access, int dim)
{
    isl_set *domain = isl_set_copy(statement->domain);
    struct expr *expr = index_expr_of_integer(change->arena, change->program,
                                              relative_index(footprint, statement, access, dim, domain));
    isl_pw_aff *first;

    if (expr)
        return expr;
    domain = isl_map_domain(isl_map_copy(access->map));
    expr = index_expr_of_integer(change->arena, change->program,
                                 relative_index(footprint, statement, access, dim, domain));
    if (expr || (access->may && dim >= footprint->array->n_iteration) || access->expr->n_arg != footprint->array->n_dim)
        return expr;
    first = unconditional(
        isl_pw_aff_gist(first_element(footprint, statement, access, dim), isl_set_copy(statement->domain)));
    return index_expr_difference(change->arena, access->expr->arg[dim],
                                 index_expr_of_integer(change->arena, change->program, first));
}

/* Subscript dim of an access after the contraction; NULL: it has no single expression. */
static struct expr *shrunk_index(const struct change *change, const struct footprint *footprint,
                                 const struct statement *statement, const struct access *access, int dim)
{
    struct expr *index =
        footprint->offset[dim] ? relative_expr(change, footprint, statement, access, dim) : access->expr->arg[dim];

    return index && footprint->window[dim] ? index_binary(change->arena, index, OP_MOD, footprint->size[dim]) : index;
}

/* The subscripts of an access after the contraction; false when one has no single expression. */
static bool rewrite_access(struct change *change, const struct footprint *footprint, const struct statement *statement,
                           const struct access *access, struct expr *rewritten)
{
    const int n = footprint->array->n_dim;
    struct expr **arg = ARENA_ARRAY(change->arena, n + 1, struct expr *);
    int n_arg = 0;

    *rewritten = *access->expr;
    for (int d = 0; d < n; d++) {
        if (footprint->size[d] == 1)
            continue;
        arg[n_arg] = shrunk_index(change, footprint, statement, access, d);
        if (!arg[n_arg++])
            return false;
    }
    rewritten->arg = arg;
    rewritten->n_arg = n_arg;
    return true;
}

/* Adds the replacements for every access to the array; false, and none added, when one cannot be expressed. */
static bool rewrite_accesses(struct change *change, const struct footprint *footprint, const struct array *array)
{
    const int before = change->accesses.list.n;

    for (int s = 0; s < change->original->n_statement; s++) {
        const struct statement *statement = change->original->statement[s];
        for (int k = 0; k < statement->n_access; k++) {
            const struct access *access = &statement->access[k];
            struct expr *rewritten = ARENA_NEW(change->arena, struct expr);
            if (access->array != footprint->array)
                continue;
            if (!rewrite_access(change, footprint, statement, access, rewritten)) {
                change->accesses.list.n = before;
                return false;
            }
            rewritten->array = array;
            rewriting_add(&change->accesses, access->expr, rewritten);
        }
    }
    return true;
}

/* Subscripts that read arrays, which may have been replaced, too. */
static void replace_in_subscripts(struct change *change)
{
    for (int r = 0; r < change->accesses.list.n; r++) {
        struct expr *new = change->accesses.list.at[r].new;
        for (int k = 0; k < new->n_arg; k++)
            new->arg[k] = rewriting_apply(&change->accesses, new->arg[k]);
    }
}

/* The statements with the replaced expressions; sets and maps stay those of the original elements. */
static void replace_everywhere(struct change *change)
{
    replace_in_subscripts(change);
    for (int s = 0; s < change->program->n_statement; s++) {
        struct statement *copy = change->program->statement[s];
        copy->target = rewriting_apply(&change->accesses, copy->target);
        copy->value = rewriting_apply(&change->accesses, copy->value);
        copy->guard = rewriting_apply(&change->accesses, copy->guard);
    }
}

static const struct order *with_own_statements(void *data, const struct order *node)
{
    struct change *change = data;

    if (node->kind != ORDER_LEAF)
        return node;
    return order_leaf(change->arena, change->program->statement[node->statement->index], isl_set_copy(node->domain));
}

/* The loops that the array's values live in. */
static void set_within(struct change *change, const struct footprint *footprint, struct array *array)
{
    int *within = ARENA_ARRAY(change->arena, footprint->depth + 1, int);

    for (int k = 0; k < footprint->depth; k++)
        within[k] = footprint->loop[k]->info->id;
    array->within = within;
    array->n_within = footprint->depth;
    change->any = true;
}

/* Does an iteration of the loops hold one of the array's iterations in dimension dim, or a constant number of them? */
static bool holds_iterations(const struct footprint *footprint, int dim)
{
    const struct array *array = footprint->array;
    const bool several = !array->is_buffer && !array->is_while && !array->is_call && footprint->end != END_COLLAPSED;

    return footprint_is_one(footprint, dim) || (several && footprint->size[dim] != 0);
}

static void contract(struct change *change, const struct footprint *footprint, int number)
{
    struct array *array = &change->program->array[number];
    struct array smaller = shrunk(change, footprint);

    if (!rewrite_accesses(change, footprint, array))
        return;
    change->any = true;
    smaller.init_zero = false;
    set_within(change, footprint, &smaller);
    smaller.contracted_from = footprint->array;
    smaller.iterations_gone = true;
    for (int d = 0; d < footprint->array->n_iteration; d++)
        smaller.iterations_gone = smaller.iterations_gone && holds_iterations(footprint, d);
    *array = smaller;
}

static bool may_contract(const struct program *program, const struct zeros *zeros, int number)
{
    const struct array *array = &program->array[number];

    return array->role == ROLE_TEMP && !array->full_storage && (!array->init_zero || zeros->settled[number]) &&
           !(program->unused && program->unused[number]);
}

static bool any_temporary(const struct program *program)
{
    for (int k = 0; k < program->n_array; k++)
        if (program->array[k].role == ROLE_TEMP)
            return true;
    return false;
}

static bool find_part(struct footprint *footprint, const struct schedule *schedule, const struct program *program,
                      const struct order *order)
{
    const bool shrinks = footprint_find(footprint, schedule, program, order, footprint->array);

    return window_find(footprint, program, order) || shrinks;
}

/* Does no statement access it, as where a cache took all of its values over? */
static bool is_unused(const struct program *program, const struct array *array)
{
    bool used = false;

    for (int s = 0; s < program->n_statement && !used; s++)
        for (int k = 0; k < program->statement[s]->n_access && !used; k++)
            used = program->statement[s]->access[k].array == array;
    return !used;
}

/* Array number `number`: what compute_at or a cache put in front of its subscripts must go. */
static enum status contract_array(struct change *change, const struct schedule *schedule, const struct zeros *zeros,
                                  int number)
{
    const struct array *before = &change->original->array[number];
    struct array *array = &change->program->array[number];
    enum status status = STATUS_OK;
    struct footprint footprint = {.array = before};

    if (!may_contract(change->original, zeros, number))
        ;
    else if (find_part(&footprint, schedule, change->original, zeros->order))
        contract(change, &footprint, number);
    else if (before->n_dim == 0 && footprint.depth > 0)
        set_within(change, &footprint, array);
    if (before->n_iteration > 0 && !array->iterations_gone && !is_unused(change->original, before))
        status = contract_refuse_iterations(schedule, &footprint);
    else if (before->must_window && !array->contracted_from)
        status = contract_refuse_window(schedule, array, window_is_bound(&footprint, zeros->order));
    footprint_release(&footprint);
    return status;
}

static enum status contract_all(struct change *change, const struct schedule *schedule, const struct zeros *zeros)
{
    const struct program *program = change->original;
    enum status status = STATUS_OK;

    for (int k = 0; k < program->n_array; k++) {
        if (program->array[k].init_zero && zeros->settled[k]) {
            change->program->array[k].init_zero = false;
            change->any = true;
        }
        if (contract_array(change, schedule, zeros, k) != STATUS_OK)
            status = STATUS_REFUSED;
    }
    return status;
}

enum status contract_temporaries(struct schedule *schedule, const struct program **contracted,
                                 const struct order **contracted_order)
{
    struct arena *arena = schedule->arena;
    struct change change = {.arena = arena};
    struct zeros zeros;
    enum status status;

    *contracted = schedule->program;
    *contracted_order = schedule->order;
    if (!any_temporary(schedule->program))
        return STATUS_OK;
    zeros = zeros_place(schedule);
    zeros.order = cooperate_in(schedule, zeros.order);
    if (!zeros.order)
        return STATUS_REFUSED;
    change.original = zeros.program;
    change.program = program_copy(arena, zeros.program);
    change.program->array = ARENA_ARRAY(arena, zeros.program->n_array, struct array);
    memcpy(change.program->array, zeros.program->array, (size_t)zeros.program->n_array * sizeof(struct array));
    change.accesses = (struct rewriting){.arena = arena, .from = zeros.program->array, .to = change.program->array};
    status = contract_all(&change, schedule, &zeros);
    if (change.any) {
        replace_everywhere(&change);
        *contracted = change.program;
        *contracted_order = order_rewrite(arena, zeros.order, with_own_statements, &change);
    }
    return status;
}
