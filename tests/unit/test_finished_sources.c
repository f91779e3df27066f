/* Unit tests of finished/sources.h: copies of tiles, and trees in which S would read something else. */
#include "tile_copies.h"

#include "poly/keep.h"

START_TEST(filled)
{
    ck_assert(is_shown(each(both(fill(), reading()))));
    ck_assert(is_shown(each(both(both(tile(FILL, 0, 3, 0), tile(FILL, 4, 7, 0)), reading()))));
    ck_assert(is_shown(each(both(fill(), tile(READ, 2, 6, 0)))));
    ck_assert(is_shown(each(both(fill(), both(reading(), reading())))));
}
END_TEST

START_TEST(filled_too_little)
{
    ck_assert(!is_shown(each(both(tile(FILL, 0, 6, 0), reading()))));
    ck_assert(!is_shown(each(both(tile(FILL, 1, 7, 0), reading()))));
    ck_assert(!is_shown(each(reading())));
}
END_TEST

START_TEST(filled_too_late)
{
    ck_assert(!is_shown(each(both(reading(), fill()))));
    ck_assert(!is_shown(both(each(fill()), each(reading()))));
}
END_TEST

/* The buffer's elements are the right ones, but not those of x. */
START_TEST(filled_from_elsewhere)
{
    ck_assert(!is_shown(each(both(tile(FILL, 0, 7, 8), reading()))));
    ck_assert(!is_shown(each(both(fill(), tile(READ, 0, 7, 8)))));
}
END_TEST

/* Sets could tell some of the many reads only. */
START_TEST(overwritten)
{
    const struct node *reads = tile(READ, 0, 2, 0);

    ck_assert(!is_shown(each(both(both(fill(), tile(FILL, 0, 7, 8)), reading()))));
    ck_assert(!is_shown(each(both(fill(), both(tile(FILL, 3, 3, 8), reading())))));
    ck_assert(is_shown(each(both(tile(FILL, 3, 3, 8), both(fill(), reading())))));
    ck_assert(!is_shown(each(both(tile(FILL, 3, 3, 8), both(tile(FILL, 0, 2, 0), reading())))));
    ck_assert(is_shown(each(both(fill(), both(reading(), tile(FILL, 0, 7, 8))))));
    for (int k = 0; k < 4; k++)
        reads = both(reads, reads);
    ck_assert(is_shown(each(both(both(tile(FILL, 0, 2, 0), tile(FILL, 3, 6, 8)), reads))));
    ck_assert(!is_shown(each(both(both(tile(FILL, 0, 2, 0), tile(FILL, 2, 6, 8)), tile(READ, 0, 2, 0)))));
}
END_TEST

/* Each iteration stores for another element what the next one loads. */
START_TEST(overwritten_by_neighbours)
{
    const struct affine *i = affine_add(s.read.arena, at(s.j), at(s.l));
    const struct node *use = assign(READ, i, load(s.buffer));
    const struct node *next = assign(FILL, plus(i, 9), load(&s.read.program->array[0]));
    const struct node *same = assign(FILL, i, load(&s.read.program->array[0]));

    ck_assert(!is_shown(each(both(tile(FILL, 0, 7, 0), through(0, 6, both(use, next))))));
    ck_assert(is_shown(each(both(tile(FILL, 0, 7, 0), through(0, 6, both(use, same))))));
    ck_assert(is_shown(both(each(both(tile(FILL, 0, 7, 0), tile(READ, 0, 7, 0))),
                            each(both(tile(FILL, 0, 7, 0), tile(READ, 0, 7, 0))))));
    ck_assert(is_shown(each(through(0, 6, both(same, use)))));
}
END_TEST

/* What S reads is loaded by a name around it. */
START_TEST(loaded_ahead)
{
    struct node *use = assign(READ, at(s.j), named());

    ck_assert(is_shown(each(both(fill(), let(load(s.buffer), use)))));
    ck_assert(!is_shown(each(let(load(s.buffer), both(fill(), use)))));
}
END_TEST

/* A fill that may not happen, of data or in another function's place. */
START_TEST(filled_perhaps)
{
    struct arena *arena = s.read.arena;
    struct node *perhaps = assign(FILL, at(s.j), load(&s.read.program->array[0]));
    struct node *stray = assign(FILL, at(s.j), load(&s.read.program->array[0]));

    ck_assert(is_shown(each(both(perhaps, assign(READ, at(s.j), load(s.buffer))))));
    perhaps->guard_value = tree_expr_integer(arena, TYPE_I32, 1);
    ck_assert(!is_shown(each(both(perhaps, assign(READ, at(s.j), load(s.buffer))))));
    stray->argument = NULL;
    stray->target.array = s.buffer;
    ck_assert(!is_shown(each(both(both(fill(), stray), reading()))));
}
END_TEST

/* The same buffer element stands for something else in S. */
START_TEST(read_for_another)
{
    s.scheduled.statement[READ]->value = s.read.program->statement[READ]->value;
    ck_assert(!is_shown(each(both(fill(), reading()))));
}
END_TEST

/* x is a temporary: its elements are known by their subscripts as long as it is stored as it was scheduled. */
START_TEST(filled_from_a_temporary)
{
    struct array *array = ARENA_ARRAY(s.read.arena, 3, struct array);

    s.read.program->array[0].role = ROLE_TEMP;
    ck_assert(is_shown(each(both(fill(), reading()))));
    ck_assert(!is_shown(each(both(tile(FILL, 0, 7, 8), reading()))));
    memcpy(array, s.read.program->array, 3 * sizeof(*array));
    s.scheduled.array = array;
    array[0].shape = array[2].shape;
    ck_assert(!is_shown(each(both(fill(), reading()))));
}
END_TEST

static const struct var *position(enum axis axis, const char *name)
{
    struct var *var = var_new(s.vars, VAR_VALUE, name);

    var->position = axis;
    return var;
}

/* The statement at j + l + more for 8 l at once, by a warp. */
static struct node *whole_tile(int number, int64_t more)
{
    const struct affine *i = affine_add(s.read.arena, at(s.j), at(s.l));
    const struct array *array = number == FILL ? &s.read.program->array[0] : s.buffer;
    struct node *node = assign(number, plus(i, more), load(array));
    struct inner_dim *inner = ARENA_NEW(s.read.arena, struct inner_dim);

    *inner = (struct inner_dim){s.l, 8, false};
    node->inner = inner;
    node->n_inner = 1;
    node->tensor = ARENA_NEW(s.read.arena, struct tensor);
    return node;
}

/* In each block one warp, for a tile. */
static const struct node *by_warps(const struct node *body)
{
    struct arena *arena = s.read.arena;
    struct launch *launch = ARENA_NEW(arena, struct launch);
    const struct affine *block = at(position(AXIS_BLOCK_X, "block"));

    launch->extent[AXIS_BLOCK_X] = affine_floor(arena, end(), 8);
    launch->extent[AXIS_THREAD_X] = constant(32);
    s.buffer->memory = MEMORY_LOCAL;
    return node_kernel(arena, launch, node_value(arena, s.j, affine_scale(arena, block, 8), body));
}

/* Tiles that the threads of a warp have together. */
START_TEST(filled_by_warps)
{
    const struct affine *i = affine_add(s.read.arena, at(s.j), at(position(AXIS_THREAD_X, "thread")));
    const struct node *own = assign(FILL, i, load(&s.read.program->array[0]));

    ck_assert(is_shown(by_warps(both(whole_tile(FILL, 0), whole_tile(READ, 0)))));
    ck_assert(!is_shown(by_warps(both(whole_tile(FILL, 8), whole_tile(READ, 0)))));
    ck_assert(!is_shown(by_warps(both(whole_tile(READ, 0), whole_tile(FILL, 0)))));
    ck_assert(!is_shown(by_warps(both(own, whole_tile(READ, 0)))));
}
END_TEST

/* Where j + least <= N: body. */
static const struct node *where_left(int64_t least, const struct node *body)
{
    struct condition *left = ARENA_NEW(s.read.arena, struct condition);
    struct guard *guard = ARENA_NEW(s.read.arena, struct guard);

    *left = (struct condition){plus(affine_sub(s.read.arena, end(), at(s.j)), -least), false};
    *guard = (struct guard){left, 1};
    return node_if(s.read.arena, guard, 1, body);
}

/* The full tiles by one loop, the last one by another: each needs its condition. */
START_TEST(filled_in_parts)
{
    struct arena *arena = s.read.arena;
    const struct node *whole = where_left(8, fill()), *either = node_with_else(arena, whole, fill());

    ck_assert(is_shown(each(both(either, reading()))));
    ck_assert(is_shown(each(both(node_with_else(arena, whole, tile(FILL, 0, 6, 0)), reading()))));
    ck_assert(!is_shown(each(both(whole, reading()))));
    ck_assert(!is_shown(each(both(node_with_else(arena, whole, tile(FILL, 0, 5, 0)), reading()))));
    ck_assert(!is_shown(each(both(node_with_else(arena, whole, tile(FILL, 0, 7, 8)), reading()))));
}
END_TEST

/* The tile at the loop's first iteration, in front of it. */
static const struct node *first_tile(int64_t last, int64_t more)
{
    return node_substitute(s.read.arena, tile(FILL, 0, last, more), s.j, constant(0));
}

static const struct node *ahead(int64_t more)
{
    return tile(FILL, 0, 7, more);
}

/* body for each of more * 8 digits of the positions through which blocks of 8 threads walk. */
static const struct node *walking(const struct affine *more, const struct node *body)
{
    struct arena *arena = s.read.arena;
    struct launch *launch = ARENA_NEW(arena, struct launch);
    struct node *tuple = ARENA_NEW(arena, struct node);
    struct part *part = ARENA_ARRAY(arena, 2, struct part);
    const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);
    const struct affine *block = at(position(AXIS_BLOCK_X, "block")), *thread = at(position(AXIS_THREAD_X, "thread"));

    child[0] = body;
    launch->run[AXIS_BLOCK_X] = 8;
    launch->threads_axis[AXIS_BLOCK_X] = AXIS_THREAD_X;
    launch->blocks[AXIS_BLOCK_X] = 4;
    launch->extent[AXIS_THREAD_X] = launch->extent[AXIS_BLOCK_X] = constant(8);
    launch->extent[axis_digit(AXIS_BLOCK_X, 1)] = more;
    part[0] = (struct part){var_new(s.vars, VAR_LOOP, "p"), constant(0), more};
    part[1] = (struct part){var_new(s.vars, VAR_LOOP, "q"), constant(0), constant(8)};
    *tuple = (struct node){.kind = NODE_TUPLE,
                           .child = child,
                           .n_child = 1,
                           .var = s.t,
                           .axis = AXIS_BLOCK_X,
                           .lower = affine_combine(arena, block, 8, thread, 1),
                           .step = 8,
                           .part = part,
                           .n_part = 2};
    return node_kernel(arena, launch, tuple);
}

/* By all positions, of which there may be none: only their digits tell. */
START_TEST(filled_by_digits)
{
    const struct node *use = node_substitute(s.read.arena, reading(), s.j, constant(0));

    ck_assert(is_shown(both(first_tile(7, 0), use)));
    ck_assert(!is_shown(both(walking(plus(end(), -2000), first_tile(7, 0)), use)));
}
END_TEST

/* A choice by a value that nobody knows: what it may store is not lost sight of. */
START_TEST(filled_by_choice)
{
    struct arena *arena = s.read.arena;
    const int64_t label[] = {1};
    const struct node *other = tile(FILL, 0, 7, 8);
    const struct node *choice = node_switch(arena, at(s.name), label, &other, 1);
    const struct tree_expr *value = load(&s.read.program->array[0]);

    ck_assert(is_shown(each(let(value, both(fill(), reading())))));
    ck_assert(!is_shown(each(let(value, both(both(fill(), choice), reading())))));
}
END_TEST

/* More loops around a store than are looked at, and a condition further out. */
START_TEST(filled_in_many_loops)
{
    const struct node *deep = assign(FILL, at(s.j), load(&s.read.program->array[0]));
    const struct node *use = assign(READ, at(s.j), load(s.buffer));

    for (int k = 0; k < 50; k++)
        deep = node_loop(s.read.arena, s.t, constant(0), constant(1), 1, NULL, deep);
    ck_assert(is_shown(each(both(deep, use))));
    ck_assert(!is_shown(each(both(where_left(8, deep), use))));
}
END_TEST

/* Elements one by one, each of which a loop stores again and again. */
START_TEST(filled_one_by_one)
{
    const struct node *fills = NULL;

    for (int l = 0; l < 8; l++) {
        const struct node *one = through(0, 7, assign(FILL, plus(at(s.j), l), load(&s.read.program->array[0])));
        if (l == 7)
            ck_assert(!is_shown(each(both(fills, reading()))));
        fills = fills ? both(fills, one) : one;
    }
    ck_assert(is_shown(each(both(fills, tile(READ, 0, 5, 0)))));
    ck_assert(!is_shown(each(both(through(9, 8, fills), tile(READ, 0, 5, 0)))));
}
END_TEST

START_TEST(filled_an_iteration_ahead)
{
    ck_assert(is_shown(both(first_tile(7, 0), each(both(reading(), ahead(8))))));
    ck_assert(is_shown(both(both(first_tile(7, 8), first_tile(7, 0)), each(both(reading(), ahead(8))))));
    ck_assert(!is_shown(each(both(reading(), ahead(8)))));
    ck_assert(!is_shown(both(first_tile(6, 0), each(both(reading(), ahead(8))))));
    ck_assert(!is_shown(both(first_tile(7, 8), each(both(reading(), ahead(8))))));
    ck_assert(!is_shown(both(both(first_tile(7, 0), first_tile(7, 8)), each(both(reading(), ahead(8))))));
    ck_assert(!is_shown(both(first_tile(7, 0), each(both(reading(), ahead(16))))));
    ck_assert(!is_shown(both(first_tile(7, 0), each(both(reading(), ahead(0))))));
    ck_assert(!is_shown(both(first_tile(7, 0), each(both(reading(), tile(FILL, 0, 6, 8))))));
    ck_assert(!is_shown(both(first_tile(7, 0), each(both(ahead(8), reading())))));
    ck_assert(!is_shown(both(first_tile(7, 0), each(both(both(reading(), ahead(8)), tile(FILL, 2, 2, 16))))));
    ck_assert(!is_shown(both(first_tile(7, 0), each(both(tile(FILL, 2, 2, 16), both(reading(), ahead(8)))))));
}
END_TEST

/* A loop whose iterations do not follow each other, or that have a buffer of their own. */
START_TEST(filled_by_no_iteration_before)
{
    struct arena *arena = s.read.arena;
    const struct array *own[] = {s.buffer};
    const struct threads threads = {.collapse = 1};
    struct node *loop = ARENA_NEW(arena, struct node);

    *loop = *each(both(reading(), ahead(8)));
    loop->threads = &threads;
    ck_assert(!is_shown(both(first_tile(7, 0), loop)));
    loop->threads = NULL;
    ck_assert(is_shown(both(first_tile(7, 0), loop)));
    loop->local = own;
    loop->n_local = 1;
    ck_assert(!is_shown(both(first_tile(7, 0), loop)));
}
END_TEST

/* Two elements at a time as far as they go in a tile of 8, then the rest by a loop that begins where these end, `more`
 * further on. */
static const struct node *pairs_and_rest(int64_t more)
{
    struct arena *arena = s.read.arena;
    const struct affine *const left[] = {constant(8), affine_sub(arena, end(), at(s.j))};
    const struct affine *n = affine_extreme(arena, ATOM_MIN, left, 2);
    const struct affine *whole = affine_scale(arena, affine_floor(arena, n, 2), 2);
    const struct affine *i = affine_add(arena, at(s.j), at(s.l));
    const struct tree_expr *value = load(&s.read.program->array[0]);
    const struct node *pair =
        node_loop(arena, s.t, constant(0), constant(1), 1, NULL, assign(FILL, affine_add(arena, i, at(s.t)), value));

    return both(node_loop(arena, s.l, constant(0), plus(n, -2), 2, NULL, pair),
                node_loop(arena, s.l, plus(whole, more), plus(n, -1), 1, NULL, assign(FILL, i, value)));
}

/* Tiles of an array, each of them in two parts, which are read behind all of them, by more than sets could tell. */
START_TEST(filled_to_a_quotient)
{
    const struct node *reads;

    tear_down();
    set_up_with("'N'", "i");
    reads = reading();
    for (int k = 0; k < 4; k++)
        reads = both(reads, reads);
    ck_assert(is_shown(both(each(pairs_and_rest(0)), each(reads))));
    ck_assert(!is_shown(both(each(pairs_and_rest(1)), each(reads))));
}
END_TEST

/* For each j in steps of 1: F at j + more, S at j where it is at least first. */
static const struct node *window(int64_t more, int64_t first, int64_t step)
{
    struct arena *arena = s.read.arena;
    const struct affine *last = plus(end(), -1);
    struct condition *from = ARENA_NEW(arena, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);
    const struct node *body;

    *from = (struct condition){plus(at(s.j), -first), false};
    *guard = (struct guard){from, 1};
    body = both(assign(FILL, plus(at(s.j), more), load(&s.read.program->array[0])),
                node_if(arena, guard, 1, assign(READ, at(s.j), load(s.buffer))));
    return node_loop(arena, s.j, step > 0 ? constant(0) : last, step > 0 ? last : constant(0), step, NULL, body);
}

/* F at first + factor * l, for five of these. */
static const struct node *five(const struct affine *first, int64_t factor)
{
    struct arena *arena = s.read.arena;
    const struct affine *i = affine_combine(arena, first, 1, at(s.l), factor);

    return node_loop(arena, s.l, constant(0), constant(4), 1, NULL, assign(FILL, i, load(&s.read.program->array[0])));
}

/* What an iteration loads was stored some iterations before, or in front of the loop. */
START_TEST(filled_some_iterations_before)
{
    tear_down();
    set_up_with("'N'", "i");
    ck_assert(is_shown(window(5, 5, 1)));
    ck_assert(!is_shown(window(5, 4, 1)));
    ck_assert(!is_shown(window(-5, 0, 1)));
    ck_assert(is_shown(both(five(constant(0), 1), window(5, 0, 1))));
    ck_assert(!is_shown(both(five(constant(1), 1), window(5, 0, 1))));
    ck_assert(!is_shown(window(-5, 0, -1)));
    ck_assert(is_shown(both(five(plus(end(), -1), -1), window(-5, 0, -1))));
    ck_assert(!is_shown(both(five(plus(end(), -1), -1), window(5, 0, -1))));
    tear_down();
    set_up();
    ck_assert(is_shown(window(5, 5, 1)));
    ck_assert(!is_shown(window(9, 9, 1)));
}
END_TEST

/* F copies so many neighbours at j + l, for l = 0, 4, up to last. */
static const struct node *copies(int64_t neighbours, int64_t stated, int64_t last)
{
    struct arena *arena = s.read.arena;
    const struct affine *i = affine_add(arena, at(s.j), at(s.l));
    struct node *copy = assign(FILL, i, load(&s.read.program->array[0]));

    s.read.program->statement[FILL]->neighbours = stated;
    copy->neighbours = neighbours;
    return node_loop(arena, s.l, constant(0), constant(last), 4, NULL, copy);
}

START_TEST(filled_by_neighbours)
{
    ck_assert(is_shown(each(both(copies(4, 4, 7), reading()))));
    ck_assert(!is_shown(each(both(copies(4, 4, 3), reading()))));
    ck_assert(!is_shown(each(both(copies(3, 3, 7), reading()))));
    ck_assert(!is_shown(each(both(copies(4, 2, 7), reading()))));
    ck_assert(!is_shown(each(both(copies(0, 0, 7), reading()))));
}
END_TEST

static void assume(const char *what)
{
    struct program *program = s.read.program;
    isl_set *more = isl_set_read_from_str(program->ctx, what);

    program->context = poly_keep_set(s.read.arena, isl_set_intersect(isl_set_copy(program->context), more));
}

/* A fill of whole tiles only: there are no others where N is a multiple. */
START_TEST(filled_in_whole_tiles)
{
    const struct node *tree = each(both(where_left(8, fill()), reading()));

    ck_assert(!is_shown(tree));
    assume("[N] -> { : N mod 4 = 0 }");
    ck_assert(!is_shown(tree));
    assume("[N] -> { : N mod 8 = 0 }");
    ck_assert(is_shown(tree));
    ck_assert(!is_shown(each(both(where_left(9, fill()), reading()))));
    ck_assert(!is_shown(each(both(where_left(8, tile(FILL, 0, 6, 0)), reading()))));
    ck_assert(!is_shown(each(both(where_left(8, tile(FILL, 0, 7, 8)), reading()))));
}
END_TEST

/* What one branch of a condition stores for something else is overwritten in it. */
START_TEST(filled_again_in_a_branch)
{
    struct arena *arena = s.read.arena;
    const struct node *other = tile(FILL, 0, 7, 8);
    const struct node *again = where_left(8, both(other, fill())), *late = where_left(8, both(fill(), other));
    const struct node *part = where_left(8, both(other, tile(FILL, 0, 6, 0)));

    ck_assert(is_shown(each(both(node_with_else(arena, again, fill()), reading()))));
    ck_assert(!is_shown(each(both(node_with_else(arena, late, fill()), reading()))));
    ck_assert(!is_shown(each(both(node_with_else(arena, part, fill()), reading()))));
    ck_assert(!is_shown(each(both(node_with_else(arena, again, other), reading()))));
    ck_assert(!is_shown(each(both(again, reading()))));
    ck_assert(!is_shown(each(both(node_loop(arena, s.t, constant(0), constant(1), 1, NULL, late), reading()))));
}
END_TEST

/* One behind a multiple is none. */
START_TEST(filled_but_for_the_last)
{
    assume("[N] -> { : N mod 8 = 1 }");
    ck_assert(!is_shown(each(both(where_left(8, fill()), reading()))));
}
END_TEST

UNIT_MAIN_WITH("finished_sources", set_up, tear_down, filled, filled_too_little, filled_too_late, filled_from_elsewhere,
               overwritten, overwritten_by_neighbours, loaded_ahead, filled_perhaps, read_for_another,
               filled_from_a_temporary, filled_by_warps, filled_in_parts, filled_by_choice, filled_in_many_loops,
               filled_to_a_quotient, filled_some_iterations_before, filled_one_by_one, filled_an_iteration_ahead,
               filled_by_no_iteration_before, filled_by_neighbours, filled_in_whole_tiles, filled_but_for_the_last,
               filled_again_in_a_branch, filled_by_digits)
