#include "report/draw/held.h"

#include "poly/number.h"
#include "program/expr/affine.h"

#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/point.h>
#include <isl/val.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* An element that one instance of a copy moves. */
struct moved {
    const struct instance *copy;
    int64_t *at;        /* of the array */
    int64_t place;      /* in the buffer */
    const int64_t *key; /* the iteration of the loops outside of the copy */
    int n_at, n_key;
    bool fills;
};

struct moving {
    struct arena *arena;
    const struct instances *instances;
    isl_set *sizes;
    const struct cached *cached;
    const struct array *array, *buffer;
    const int64_t *extent; /* of the buffer's dimensions behind the iteration, where all are known; else NULL */
    const struct statement *copy;
    bool fills;
    VEC(struct moved) list;
};

/* The extents of the buffer at the sizes; NULL: they are not known. */
static const int64_t *extents_of(const struct moving *moving)
{
    const struct array *buffer = moving->buffer;
    int64_t *extent = ARENA_ARRAY(moving->arena, buffer->n_dim + 1, int64_t);
    isl_space *space = program_params_space(moving->instances->program);
    bool known = true;

    for (int k = buffer->n_iteration; k < buffer->n_dim; k++) {
        isl_pw_aff *size = expr_pw_aff(space, buffer->shape[k]);
        size = isl_pw_aff_intersect_params(size, isl_set_copy(moving->sizes));
        known &= size && poly_number(isl_set_dim_max_val(isl_set_from_pw_aff(size), 0), &extent[k]);
    }
    isl_space_free(space);
    return known ? extent : NULL;
}

/* Is it a copy between the array and this buffer? */
static bool is_copy_of(const struct statement *statement, const struct array *buffer)
{
    return statement->copies && strcmp(statement->copies, buffer->name) == 0 && statement->n_access == 2 &&
           (statement->access[0].array == buffer) != (statement->access[1].array == buffer);
}

/* { C[..] -> [x] }: the element of the buffer, or the one of the array. */
static __isl_give isl_map *map_of(const struct moving *moving, bool of_buffer)
{
    const struct access *access = moving->copy->access;
    const int k = (access[0].array == moving->buffer) == of_buffer ? 0 : 1;

    return isl_map_reset_tuple_id(isl_map_copy(access[k].map), isl_dim_out);
}

/* Where the buffer has an element, by its subscripts without the iteration. */
static int64_t place_of(const struct moving *moving, const int64_t *subscript)
{
    int64_t place = 0;

    for (int k = moving->buffer->n_iteration; moving->extent && k < moving->buffer->n_dim; k++)
        place = place * moving->extent[k] + subscript[k];
    return moving->extent ? place : -1;
}

/* { [C[c,a] -> [x, b]] }: an element of the array and the one of the buffer that it is copied to, or from. */
static isl_stat add_moved(__isl_take isl_point *point, void *user)
{
    struct moving *moving = user;
    const int n_loop = moving->copy->n_loop, n = n_loop + moving->array->n_dim + moving->buffer->n_dim;
    int64_t *at = ARENA_ARRAY(moving->arena, n + 1, int64_t);
    struct moved moved = {.fills = moving->fills};

    for (int k = 0; k < n; k++)
        poly_number(isl_point_get_coordinate_val(point, isl_dim_set, k), &at[k]);
    isl_point_free(point);
    moved.copy = instances_at(moving->instances, moving->copy, at);
    moved.key = at;
    moved.at = at + n_loop;
    moved.n_at = moving->array->n_dim;
    moved.n_key = moving->cached->n_outside < n_loop ? moving->cached->n_outside : n_loop;
    moved.place = place_of(moving, moved.at + moving->array->n_dim);
    if (moved.copy)
        VEC_PUSH(moving->arena, &moving->list, moved);
    return isl_stat_ok;
}

static void add_copy(struct moving *moving, const struct statement *copy)
{
    isl_map *map;
    isl_set *points;

    moving->copy = copy;
    moving->fills = copy->access[0].array == moving->buffer;
    moving->array = copy->access[moving->fills ? 1 : 0].array;
    map = isl_map_flat_range_product(map_of(moving, false), map_of(moving, true));
    map = isl_map_intersect_params(map, isl_set_copy(moving->sizes));
    map = isl_map_intersect_domain(map, instances_box(moving->instances, copy));
    points = isl_map_wrap(map);
    isl_set_foreach_point(points, add_moved, moving);
    isl_set_free(points);
}

/* By iteration of the loops outside, then by element; fills first. */
static int by_element(const void *a, const void *b)
{
    const struct moved *x = a, *y = b;
    const int key = compare_counts(x->key, y->key, x->n_key);
    const int at = key ? key : compare_counts(x->at, y->at, x->n_at);

    return at ? at : y->fills - x->fills;
}

/* What is moved in one iteration of the loops outside. */
struct filling {
    const struct moved *moved;
    int n, from, to; /* from: before the fill; to: before the flush, INT_MAX where there is none */
};

static struct filling filling_at(const struct moved *moved, int n)
{
    struct filling filling = {.moved = moved, .from = INT_MAX, .to = INT_MAX};

    while (filling.n < n && compare_counts(moved->key, moved[filling.n].key, moved->n_key) == 0) {
        const struct moved *next = &moved[filling.n++];
        int *when = next->fills ? &filling.from : &filling.to;
        *when = next->copy->rank < *when ? next->copy->rank : *when;
    }
    return filling;
}

/* What is only flushed is there from the flush before on. */
static int time_of(const struct filling *filling)
{
    return filling->from < INT_MAX ? filling->from : filling->to;
}

static int by_time(const void *a, const void *b)
{
    const struct filling *x = a, *y = b;
    const int times = time_of(x) - time_of(y);

    return times ? times : x->moved < y->moved ? -1 : 1;
}

/* Fills in the order of time. A buffer keeps what it has until it is filled again, one of n buffers for n fills. */
static void add_fills(struct moving *moving, struct held *held, const struct filling *filling, int n)
{
    const struct step *step = moving->cached->step;
    const int lives = (int)step_int(step, "buffers", step_int(step, "double_buffer", 0) != 0 ? 2 : 1);

    held->fill = ARENA_ARRAY(moving->arena, n + 1, struct fill);
    held->n_fill = n;
    for (int k = 0; k < n; k++)
        held->fill[k].from = filling[k].from < INT_MAX ? filling[k].from : k > 0 ? filling[k - 1].to : 0;
    for (int k = 0; k < n; k++)
        held->fill[k].to = k + lives < n ? held->fill[k + lives].from : moving->instances->n_rank;
}

/* The elements of each fill; one that is filled and flushed once. */
static void add_elements(struct moving *moving, struct held *held, const struct filling *filling)
{
    held->list = ARENA_ARRAY(moving->arena, moving->list.n + 1, struct held_element);
    for (int k = 0; k < held->n_fill; k++)
        for (int i = 0; i < filling[k].n; i++) {
            const struct moved *moved = &filling[k].moved[i];
            if (i == 0 || compare_counts(moved->at, moved[-1].at, moved->n_at) != 0)
                held->list[held->n++] = (struct held_element){moved->at, moved->place, k};
        }
}

static void collect(struct moving *moving, struct held *held)
{
    VEC(struct filling) filling = {0};

    qsort(moving->list.at, (size_t)moving->list.n, sizeof(struct moved), by_element);
    for (int k = 0; k < moving->list.n; k += filling.at[filling.n - 1].n)
        VEC_PUSH(moving->arena, &filling, filling_at(&moving->list.at[k], moving->list.n - k));
    qsort(filling.at, (size_t)filling.n, sizeof(struct filling), by_time);
    add_fills(moving, held, filling.at, filling.n);
    add_elements(moving, held, filling.at);
}

bool held_find(struct arena *arena, const struct schedule *schedule, const struct instances *instances,
               __isl_keep isl_set *sizes, const struct cached *cached, struct held *held)
{
    const struct program *program = schedule->program;
    struct moving moving = {.arena = arena, .instances = instances, .sizes = sizes, .cached = cached};

    *held = (struct held){.cached = cached};
    moving.buffer = cached->name ? program_array(program, cached->name) : NULL;
    if (!moving.buffer)
        return false;
    moving.extent = extents_of(&moving);
    for (int s = 0; s < program->n_statement; s++)
        if (is_copy_of(program->statement[s], moving.buffer))
            add_copy(&moving, program->statement[s]);
    if (moving.list.n == 0)
        return false;
    held->array = moving.array;
    collect(&moving, held);
    return true;
}
