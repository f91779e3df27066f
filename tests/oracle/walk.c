/* Nests in their original order: blocks as written, polyhedral nests by enumeration. */
#include "interpret.h"

#include <isl/map.h>
#include <isl/point.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

static void walk_block(struct run *run, const struct block *block, int depth);

static bool condition_holds(struct run *run, const struct block *block)
{
    if (!block->condition)
        return true;
    return block->condition_affine ? evaluate_index(run, block->condition)
                                   : datum_true(evaluate(run, block->condition));
}

static void walk_items(struct run *run, const struct block *block, int depth)
{
    if (!condition_holds(run, block))
        return;
    for (int k = 0; k < block->n_item && !run->fault[0]; k++)
        if (block->item[k].statement)
            execute(run, block->item[k].statement);
        else
            walk_block(run, block->item[k].block, depth);
}

/* The first n_done loops of the block have values; depth counts all enclosing loops. */
static void walk_loops(struct run *run, const struct block *block, int n_done, int depth)
{
    if (n_done == block->n_loop) {
        walk_items(run, block, depth);
        return;
    }
    const struct nest_loop *loop = &block->loop[n_done];
    const int64_t low =
        (loop->lower ? evaluate_index(run, loop->lower) : 0) + (loop->lower && loop->lower_strict);
    const int64_t high = evaluate_index(run, loop->upper) - loop->upper_strict;
    const int64_t first = loop->step > 0 ? low : high;

    for (int64_t i = first; low <= i && i <= high && !run->fault[0]; i += loop->step) {
        run->loop[depth] = i;
        walk_loops(run, block, n_done + 1, depth + 1);
    }
}

static void walk_block(struct run *run, const struct block *block, int depth)
{
    walk_loops(run, block, 0, depth);
}

/* Instances of a polyhedral nest with their dates. */
struct instance {
    const struct statement *statement;
    int64_t *value; /* n_loop values of the instance, then n_date of its date */
    int n_date;
};

struct instances {
    struct instance *at;
    size_t n, capacity;
    const struct statement *statement; /* whose points are being added */
    int n_date;
};

static isl_stat add_point(__isl_take isl_point *point, void *user)
{
    struct instances *list = user;
    const int n = list->statement->n_loop + list->n_date;
    struct instance instance = {list->statement, calloc((size_t)n + 1, sizeof(int64_t)), list->n_date};

    for (int k = 0; k < n; k++) {
        isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, k);
        instance.value[k] = isl_val_get_num_si(value);
        isl_val_free(value);
    }
    if (list->n == list->capacity) {
        list->capacity = 2 * list->capacity + 64;
        list->at = realloc(list->at, list->capacity * sizeof(*list->at));
    }
    list->at[list->n++] = instance;
    isl_point_free(point);
    return isl_stat_ok;
}

static __isl_give isl_set *fix_params(const struct program *program, __isl_take isl_set *set,
                                      const int64_t *param)
{
    for (int k = 0; k < program->n_param; k++) {
        const int at = isl_set_find_dim_by_name(set, isl_dim_param, program->param[k].name);
        if (at >= 0)
            set = isl_set_fix_si(set, isl_dim_param, (unsigned)at, (int)param[k]);
    }
    return isl_set_project_out(set, isl_dim_param, 0, (unsigned)isl_set_dim(set, isl_dim_param));
}

static void add_instances(struct run *run, struct instances *list, const struct nest *nest,
                          const struct statement *statement)
{
    isl_union_map *dates =
        isl_union_map_intersect_domain(isl_union_map_copy(nest->order),
                                       isl_union_set_from_set(isl_set_copy(statement->domain)));

    if (isl_union_map_is_empty(dates)) {
        isl_union_map_free(dates);
        return;
    }
    isl_map *date = isl_map_from_union_map(dates);
    list->statement = statement;
    list->n_date = (int)isl_map_dim(date, isl_dim_out);
    isl_set *points = fix_params(run->program, isl_map_wrap(date), run->param);
    isl_set_foreach_point(points, add_point, list);
    isl_set_free(points);
}

/* Short dates end in zeros; ties run in textual order. */
static int compare_instances(const void *pa, const void *pb)
{
    const struct instance *a = pa, *b = pb;

    for (int k = 0; k < a->n_date || k < b->n_date; k++) {
        const int64_t at_a = k < a->n_date ? a->value[a->statement->n_loop + k] : 0;
        const int64_t at_b = k < b->n_date ? b->value[b->statement->n_loop + k] : 0;
        if (at_a != at_b)
            return at_a < at_b ? -1 : 1;
    }
    return a->statement->index - b->statement->index;
}

static void walk_polyhedral(struct run *run, const struct nest *nest)
{
    struct instances list = {0};

    for (int k = 0; k < nest->n_statement; k++)
        add_instances(run, &list, nest, run->program->statement[nest->first_statement + k]);
    if (list.n > 0)
        qsort(list.at, list.n, sizeof(*list.at), compare_instances);
    for (size_t k = 0; k < list.n; k++) {
        const struct instance *instance = &list.at[k];
        memcpy(run->loop, instance->value, (size_t)instance->statement->n_loop * sizeof(int64_t));
        if (!run->fault[0])
            execute(run, instance->statement);
        free(instance->value);
    }
    free(list.at);
}

bool run_allowed(const struct program *program, const int64_t *param)
{
    isl_set *context = isl_set_copy(program->context);
    bool allowed;

    for (int k = 0; k < program->n_param; k++)
        context = isl_set_fix_si(context, isl_dim_param, (unsigned)k, (int)param[k]);
    allowed = isl_set_is_empty(context) == isl_bool_false;
    isl_set_free(context);
    return allowed;
}

void run_init(struct run *run, const struct program *program, const int64_t *param)
{
    *run = (struct run){.program = program};
    run->param = calloc((size_t)program->n_param + 1, sizeof(*run->param));
    memcpy(run->param, param, (size_t)program->n_param * sizeof(*param));
    run->scalar = calloc((size_t)program->n_scalar + 1, sizeof(*run->scalar));
    run->storage = calloc((size_t)program->n_array + 1, sizeof(*run->storage));
    for (int k = 0; k < program->n_array; k++)
        storage_init(&run->storage[k], program, &program->array[k], run->param);
}

void run_free(struct run *run)
{
    for (int k = 0; k < run->program->n_array; k++)
        storage_free(&run->storage[k]);
    free(run->storage);
    free(run->scalar);
    free(run->param);
}

bool run_program(struct run *run)
{
    for (int k = 0; k < run->program->n_nest && !run->fault[0]; k++)
        if (run->program->nest[k].order)
            walk_polyhedral(run, &run->program->nest[k]);
        else
            walk_block(run, run->program->nest[k].body, 0);
    return !run->fault[0];
}
