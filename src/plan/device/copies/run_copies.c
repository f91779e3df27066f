#include "plan/device/copies/run_copies.h"

#include "plan/loop_plan.h"
#include "poly/graph.h"
#include "poly/keep.h"
#include "program/accesses.h"
#include "program/expr/affine.h"
#include "program/expr/index_expr.h"

#include <isl/space.h>
#include <isl/val.h>

#include <string.h>

struct search {
    const struct program *program;
    const struct array *buffer;
    struct path path; /* to what is looked at, with room for more */
    int head;         /* identity of the one tuple that has runs; 0: none yet */
    bool several;     /* there is another one */
};

static const struct loop_plan *runs_of(const struct order *loop)
{
    return loop->info->plan && loop->info->plan->run ? loop->info->plan : NULL;
}

/* The elements other than the buffer's that the copy uses, one after the other: { S[..] -> [a0,..] } */
static __isl_give isl_map *others_used(const struct statement *copy)
{
    isl_map *used = isl_map_from_domain(isl_set_copy(copy->domain));

    for (int k = 0; k < copy->n_access; k++)
        if (strcmp(copy->access[k].array->name, copy->copies) != 0)
            used = isl_map_flat_range_product(used, isl_map_copy(copy->access[k].map));
    return isl_map_reset_tuple_id(used, isl_dim_out);
}

/* The path's loops with runs are from the first one on n of them. */
static int first_of_tuple(const struct path *path, int *n)
{
    int first = -1;

    *n = 0;
    for (int k = 0; k < path->depth; k++)
        if (runs_of(path->loop[k])) {
            first = first < 0 ? k : first;
            ++*n;
        }
    return first;
}

/* { [the tuple's counts] -> [those of the other loops, what is copied] } */
static __isl_give isl_map *copied_in(const struct path *path, const struct order *leaf, const struct program *program)
{
    isl_map *all = poly_graph(path_iteration(path, leaf->statement));
    int n, first = first_of_tuple(path, &n);

    all = isl_map_reset_tuple_id(isl_map_intersect_domain(all, isl_set_copy(leaf->domain)), isl_dim_out);
    all = isl_map_flat_range_product(all, others_used(leaf->statement));
    all = isl_map_intersect_params(all, isl_set_copy(program->context));
    all = isl_map_from_range(isl_map_range(all));
    return isl_map_move_dims(all, isl_dim_in, 0, isl_dim_out, (unsigned)first, (unsigned)n);
}

/* The counts in set at which the launch has positions along dimension k, that of the loop. */
static __isl_give isl_set *within(__isl_take isl_set *set, const struct loop_plan *plan, int k)
{
    isl_space *space = isl_set_get_space(set);
    isl_pw_aff *place = isl_pw_aff_from_aff(
        isl_aff_var_on_domain(isl_local_space_from_space(isl_space_copy(space)), isl_dim_set, (unsigned)k));
    isl_pw_aff *size = expr_pw_aff(space, plan->size), *first = isl_pw_aff_from_aff(isl_aff_copy(plan->origin));

    place = isl_pw_aff_sub(place, isl_pw_aff_insert_domain(first, space));
    set = isl_set_intersect(set, isl_pw_aff_nonneg_set(isl_pw_aff_copy(place)));
    return isl_set_intersect(set, isl_pw_aff_lt_set(place, size));
}

/* All positions of the tuple, whether there are iterations at them or not. */
static __isl_give isl_set *positions_of(const struct path *path, __isl_take isl_space *space)
{
    isl_set *set = isl_set_universe(space);
    int n, first = first_of_tuple(path, &n);

    for (int k = 0; k < n; k++)
        set = within(set, runs_of(path->loop[first + k]), k);
    return set;
}

/* Has the tuple an iteration wherever the launch has positions for it, or one at each of these if it has any? */
static bool are_for_positions(const struct search *search, __isl_keep isl_set *iterations)
{
    isl_set *positions = positions_of(&search->path, isl_set_get_space(iterations));
    isl_set *some = isl_set_params(isl_set_copy(iterations)), *launched;
    bool are;

    positions = isl_set_intersect_params(positions, isl_set_copy(search->program->context));
    launched = isl_set_params(isl_set_copy(positions));
    are = isl_set_is_subset(launched, some) == isl_bool_true;
    positions = isl_set_intersect_params(positions, isl_set_copy(some));
    are = are || isl_set_is_equal(positions, iterations) == isl_bool_true;
    isl_set_free(positions);
    isl_set_free(launched);
    isl_set_free(some);
    return are;
}

/* Is the same copied in all iterations of the tuple? Then threads that have none may take part. */
static bool is_same(const struct search *search, const struct order *leaf)
{
    isl_map *copied = copied_in(&search->path, leaf, search->program), *product;
    isl_set *iterations = isl_map_domain(isl_map_copy(copied));
    bool same;

    product = isl_map_from_domain_and_range(isl_set_copy(iterations), isl_map_range(isl_map_copy(copied)));
    same = isl_map_is_equal(copied, product) == isl_bool_true && are_for_positions(search, iterations);
    isl_map_free(copied);
    isl_map_free(product);
    isl_set_free(iterations);
    return same;
}

static bool leaf_needs_each(struct search *search, const struct order *leaf)
{
    int n, first = first_of_tuple(&search->path, &n);
    const int head = first < 0 ? 0 : search->path.loop[first]->info->id;
    const char *copies = leaf->statement->copies;

    search->several |= head && search->head && head != search->head;
    search->head = head ? head : search->head;
    if (!statement_uses_array(leaf->statement, search->buffer))
        return false;
    if (copies && strcmp(copies, search->buffer->name) == 0)
        return head == 0 || !is_same(search, leaf);
    return leaf->statement->target->array == search->buffer;
}

/* Is something in order written to the buffer, or copied, that is not the same for all iterations? */
static bool needs_each(struct search *search, const struct order *order)
{
    const bool loop = order->kind == ORDER_LOOP;
    bool each = order->kind == ORDER_LEAF && leaf_needs_each(search, order);

    if (loop)
        search->path.loop[search->path.depth++] = order;
    for (int k = 0; k < order->n_child; k++)
        each |= needs_each(search, order->child[k]);
    search->path.depth -= loop;
    return each;
}

static int depth_of(const struct order *order)
{
    int most = 0;

    for (int k = 0; k < order->n_child; k++) {
        const int depth = depth_of(order->child[k]);
        most = depth > most ? depth : most;
    }
    return most + (order->kind == ORDER_LOOP);
}

bool run_needs_each(const struct program *program, const struct path *around, const struct order *kernel,
                    const struct array *buffer)
{
    struct search search = {.program = program, .buffer = buffer};
    bool each;

    search.path.loop = ARENA_ARRAY(program->arena, around->depth + depth_of(kernel) + 1, const struct order *);
    for (int k = 0; k < around->depth; k++)
        search.path.loop[search.path.depth++] = around->loop[k];
    each = needs_each(&search, kernel);
    return each || search.several;
}

static void add_digit(struct arena *arena, struct array *array)
{
    struct stored_dim *digit = ARENA_ARRAY(arena, array->n_digit + 1, struct stored_dim);

    digit[0] = (struct stored_dim){0, 1, 0};
    for (int k = 0; k < array->n_digit; k++) {
        digit[k + 1] = array->digit[k];
        digit[k + 1].dim++;
    }
    array->digit = digit;
    array->n_digit++;
}

static void add_dimension(struct arena *arena, struct array *array)
{
    struct expr **shape = ARENA_ARRAY(arena, array->n_dim + 1, struct expr *);
    int *dim_order = ARENA_ARRAY(arena, array->n_dim + 1, int);
    isl_set *elements = isl_set_insert_dims(isl_set_copy(array->elements), isl_dim_set, 0, 1);

    shape[0] = index_constant(arena, array->run);
    for (int k = 0; k < array->n_dim; k++) {
        shape[k + 1] = array->shape[k];
        dim_order[k + 1] = (array->dim_order ? array->dim_order[k] : k) + 1;
    }
    if (array->digit)
        add_digit(arena, array);
    elements = isl_set_upper_bound_si(isl_set_lower_bound_si(elements, isl_dim_set, 0, 0), isl_dim_set, 0,
                                      (int)array->run - 1);
    array->elements = poly_keep_set(arena, isl_set_set_tuple_name(elements, array->name));
    array->shape = shape;
    array->dim_order = array->dim_order ? dim_order : NULL;
    array->is_fine = NULL;
    array->n_dim++;
}

/* expr with a first subscript of accesses to arrays that got a dimension. */
static struct expr *with_subscripts(struct arena *arena, struct expr *expr)
{
    struct expr *copy = ARENA_NEW(arena, struct expr);
    const bool more = expr && expr->kind == EXPR_ACCESS && expr->array->run;

    if (!expr)
        return NULL;
    *copy = *expr;
    copy->n_arg = expr->n_arg + more;
    copy->arg = ARENA_ARRAY(arena, copy->n_arg + 1, struct expr *);
    if (more)
        copy->arg[0] = index_constant(arena, 0);
    for (int k = 0; k < expr->n_arg; k++)
        copy->arg[k + more] = with_subscripts(arena, expr->arg[k]);
    return copy;
}

void run_add_dimensions(struct program *program)
{
    struct arena *arena = program->arena;
    bool any = false;

    for (int k = 0; k < program->n_array; k++)
        if (program->array[k].run) {
            add_dimension(arena, &program->array[k]);
            any = true;
        }
    for (int s = 0; any && s < program->n_statement; s++) {
        struct statement *statement = program->statement[s];
        statement->target = with_subscripts(arena, statement->target);
        statement->value = with_subscripts(arena, statement->value);
        statement->guard = with_subscripts(arena, statement->guard);
        statement_accesses(program, statement);
    }
}
