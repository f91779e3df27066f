#include "auto/distance.h"

#include "auto/part.h"
#include "poly/keep.h"

#include <isl/ilp.h>
#include <isl/val.h>

/* One dependence. */
struct distance {
    int from, to; /* indices of statements */
    int array;    /* index */
    int n;        /* loops that both are in */
    bool descends[MAX_DEPTH];
    isl_set *step;            /* { [d0,..] }: later less earlier in these loops, values */
    int known[MAX_DEPTH + 1]; /* loops that are held: 0: not asked; 1: there are pairs; -1: there are none */
    struct reach reach[MAX_DEPTH][MAX_DEPTH]; /* loops held, loop; with any where it is known */
};

struct distances {
    struct arena *arena;
    const struct dependences *dependences;
    VEC(struct distance *) list;
};

/* The loops around the statement in its nest, outermost first; how many. */
static int loops_around(const part_vec *parts, const struct statement *statement, const struct nest_part **around)
{
    for (int k = 0; k < parts->n; k++) {
        const struct nest_part *part = parts->at[k];

        if (!part_has(part, statement))
            continue;
        if (!part->loop)
            return 0;
        around[0] = part;
        return 1 + loops_around(&part->child, statement, around + 1);
    }
    return 0;
}

/* { S[i,..] -> T[j,..] } as the differences in the first n dimensions. */
static __isl_give isl_set *steps_of(__isl_keep isl_map *pairs, int n)
{
    isl_map *shared = isl_map_copy(pairs);
    const unsigned n_in = (unsigned)isl_map_dim(shared, isl_dim_in), n_out = (unsigned)isl_map_dim(shared, isl_dim_out);

    shared = isl_map_project_out(shared, isl_dim_in, (unsigned)n, n_in - (unsigned)n);
    shared = isl_map_project_out(shared, isl_dim_out, (unsigned)n, n_out - (unsigned)n);
    shared = isl_map_reset_tuple_id(isl_map_reset_tuple_id(shared, isl_dim_in), isl_dim_out);
    return isl_map_deltas(shared);
}

static bool is_deep(const struct program *program)
{
    for (int k = 0; k < program->n_statement; k++)
        if (program->statement[k]->n_loop > MAX_DEPTH)
            return true;
    return false;
}

static void add(struct distances *distances, const part_vec *parts, const struct dependence *dependence)
{
    const struct statement *from = dependence->from->statement, *to = dependence->to->statement;
    const struct nest_part *a[MAX_DEPTH + 1], *b[MAX_DEPTH + 1];
    struct distance *distance = ARENA_NEW(distances->arena, struct distance);

    distance->from = from->index;
    distance->to = to->index;
    distance->array = (int)(dependence->from->array - distances->dependences->program->array);
    if (from->nest == to->nest) {
        const int n_a = loops_around(parts, from, a), n_b = loops_around(parts, to, b);

        while (distance->n < n_a && distance->n < n_b && a[distance->n] == b[distance->n]) {
            distance->descends[distance->n] = a[distance->n]->descends;
            distance->n++;
        }
    }
    distance->step = steps_of(dependence->map, distance->n);
    poly_keep_set(distances->arena, distance->step);
    VEC_PUSH(distances->arena, &distances->list, distance);
}

struct distances *distances_new(struct arena *arena, const struct dependences *dependences)
{
    const struct program *program = dependences->program;
    struct distances *distances = ARENA_NEW(arena, struct distances);
    part_vec *parts = ARENA_ARRAY(arena, program->n_nest, part_vec);

    if (is_deep(program))
        return NULL;
    distances->arena = arena;
    distances->dependences = dependences;
    for (int k = 0; k < program->n_nest; k++)
        if (!program->nest[k].order)
            parts[k] = part_of_nest(arena, &program->nest[k]);
    for (int k = 0; k < dependences->n; k++)
        if (!dependences->list[k].reduction)
            add(distances, &parts[dependences->list[k].from->statement->nest - program->nest], &dependences->list[k]);
    return distances;
}

/* The pairs within one iteration of the first `outer` loops. */
static __isl_give isl_set *held(const struct distance *distance, int outer)
{
    isl_set *step = isl_set_copy(distance->step);

    for (int k = 0; k < outer; k++)
        step = isl_set_fix_si(step, isl_dim_set, (unsigned)k, 0);
    return step;
}

static bool has_pairs(struct distance *distance, int outer)
{
    if (distance->n < outer)
        return false;
    if (!distance->known[outer]) {
        isl_set *step = held(distance, outer);

        distance->known[outer] = isl_set_is_empty(step) == isl_bool_true ? -1 : 1;
        isl_set_free(step);
    }
    return distance->known[outer] > 0;
}

/* The bound as a number between -FAR and FAR; where it is unknown that in direction sign. */
static int bounded(__isl_take isl_val *bound, int sign)
{
    int number = sign * FAR;

    if (bound && isl_val_is_int(bound) == isl_bool_true && isl_val_cmp_si(bound, FAR) < 0 &&
        isl_val_cmp_si(bound, -FAR) > 0)
        number = (int)isl_val_get_num_si(bound);
    isl_val_free(bound);
    return number;
}

static struct reach reach_of(struct distance *distance, int outer, int dim)
{
    struct reach *reach = &distance->reach[outer][dim];

    if (!reach->any) {
        isl_set *step = held(distance, outer);
        const int least = bounded(isl_set_dim_min_val(isl_set_copy(step), dim), -1);
        const int most = bounded(isl_set_dim_max_val(step, dim), 1);

        *reach = distance->descends[dim] ? (struct reach){true, -most, -least} : (struct reach){true, least, most};
    }
    return *reach;
}

const struct dependences *distances_dependences(const struct distances *distances)
{
    return distances->dependences;
}

struct reach distance_in(struct distances *distances, const bool *member, int outer, int dim)
{
    return distance_apart(distances, member, NULL, outer, dim);
}

struct reach distance_apart(struct distances *distances, const bool *member, const bool *apart, int outer, int dim)
{
    struct reach all = {0};

    for (int k = 0; k < distances->list.n; k++) {
        struct distance *distance = distances->list.at[k];
        struct reach one = {true, -FAR, FAR};

        if (!member[distance->from] || !member[distance->to] || (apart && apart[distance->array]) ||
            !has_pairs(distance, outer))
            continue;
        if (dim < distance->n)
            one = reach_of(distance, outer, dim);
        all.least = !all.any || one.least < all.least ? one.least : all.least;
        all.most = !all.any || one.most > all.most ? one.most : all.most;
        all.any = true;
    }
    return all;
}

bool distance_between(struct distances *distances, const bool *from, const bool *to, int outer)
{
    for (int k = 0; k < distances->list.n; k++) {
        struct distance *distance = distances->list.at[k];

        if (from[distance->from] && to[distance->to] && has_pairs(distance, outer))
            return true;
    }
    return false;
}
