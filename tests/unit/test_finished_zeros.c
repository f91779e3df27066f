/* Unit tests of finished/sources.h: what starts as zero, and elements that exist in lanes of variables only. */
#include "tile_copies.h"

/* Zeros are for nothing that a schedule's instance reads of x. */
START_TEST(filled_with_zeros)
{
    ck_assert(is_shown(each(both(tile(ZERO, 0, 7, 0), both(fill(), reading())))));
    ck_assert(is_shown(each(both(tile(ZERO, 7, 7, 0), both(tile(FILL, 0, 6, 0), tile(READ, 0, 6, 0))))));
    ck_assert(!is_shown(each(both(tile(ZERO, 0, 7, 0), reading()))));
    ck_assert(!is_shown(each(both(tile(ZERO, 7, 7, 0), both(tile(FILL, 0, 6, 0), reading())))));
    ck_assert(!is_shown(each(both(fill(), both(tile(ZERO, 7, 7, 0), reading())))));
    ck_assert(is_shown(each(both(fill(), both(tile(ZERO, 7, 7, 0), tile(READ, 0, 6, 0))))));
}
END_TEST

/* Where least <= j + l: body, for l from first to 7. */
static const struct node *from(int64_t least, const struct node *body)
{
    struct arena *arena = s.read.arena;
    struct condition *condition = ARENA_NEW(arena, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);
    const struct affine *past = affine_sub(arena, affine_add(arena, at(s.j), at(s.l)), end());

    *condition = (struct condition){plus(past, -least), false};
    *guard = (struct guard){condition, 1};
    return node_loop(arena, s.l, constant(0), constant(7), 1, NULL, node_if(arena, guard, 1, body));
}

/* The schedule has no instance behind x[N - 4], and nothing is copied from there on: the rest of a tile reads zeros. */
START_TEST(filled_with_zeros_behind)
{
    const struct affine *i = affine_add(s.read.arena, at(s.j), at(s.l));
    const struct node *zero = assign(ZERO, i, load(&s.read.program->array[0]));
    const struct node *copy = assign(FILL, i, load(&s.read.program->array[0]));
    isl_set *before = isl_set_read_from_str(s.read.program->ctx, "[N] -> { S[i] : 0 <= i <= N - 4 and N >= 1000 }");
    struct condition *inside = ARENA_NEW(s.read.arena, struct condition);
    struct guard *guard = ARENA_NEW(s.read.arena, struct guard);
    const struct node *fills, *zeros = from(-3, zero);

    *inside = (struct condition){plus(affine_sub(s.read.arena, end(), i), -4), false};
    *guard = (struct guard){inside, 1};
    fills = node_loop(s.read.arena, s.l, constant(0), constant(7), 1, NULL, node_if(s.read.arena, guard, 1, copy));
    ck_assert(!is_shown(each(both(zeros, both(fills, reading())))));
    s.scheduled.statement[READ]->domain = before;
    ck_assert(is_shown(each(both(zeros, both(fills, reading())))));
    ck_assert(is_shown(each(both(fills, both(zeros, reading())))));
    ck_assert(!is_shown(each(both(fills, reading()))));
    ck_assert(!is_shown(each(both(from(-2, zero), both(fills, reading())))));
    ck_assert(!is_shown(each(both(fills, both(from(-4, zero), reading())))));
    ck_assert(!is_shown(each(both(both(zeros, fills), both(tile(FILL, 0, 7, 8), reading())))));
    isl_set_free(before);
}
END_TEST

/* Zeros at j where some j + l is behind x[N - 4], l from 0 to 7: not the first one alone. */
START_TEST(filled_with_zeros_by_some)
{
    const struct tree_expr *value = load(&s.read.program->array[0]);
    isl_set *before = isl_set_read_from_str(s.read.program->ctx, "[N] -> { S[i] : 0 <= i <= N - 4 and N >= 1000 }");
    const struct node *zeros = from(-3, assign(ZERO, at(s.j), value)), *copy = assign(FILL, at(s.j), value);
    const struct node *use = assign(READ, at(s.j), load(s.buffer));

    s.scheduled.statement[READ]->domain = before;
    ck_assert(!is_shown(each(both(copy, both(zeros, use)))));
    ck_assert(is_shown(each(both(zeros, both(copy, use)))));
    isl_set_free(before);
}
END_TEST

/* S reads b when it is scheduled, too, which starts as zero there. */
static void read_zeros(void)
{
    const struct expr *value = s.read.program->statement[READ]->value;
    struct expr *product = ARENA_NEW(s.read.arena, struct expr), *access = ARENA_NEW(s.read.arena, struct expr);
    struct array *array = ARENA_NEW(s.read.arena, struct array);

    *array = *s.buffer;
    array->init_zero = true;
    *access = *value->arg[1];
    access->array = array;
    *product = *value;
    product->arg = ARENA_ARRAY(s.read.arena, 2, struct expr *);
    product->arg[0] = value->arg[0];
    product->arg[1] = access;
    s.scheduled.statement[READ]->value = product;
}

/* What is stored in each tile makes these zeros, or is for something else. */
START_TEST(read_of_what_starts_as_zero)
{
    s.scheduled.statement[READ]->value = s.read.program->statement[READ]->value;
    ck_assert(!is_shown(each(both(tile(ZERO, 0, 7, 0), reading()))));
    read_zeros();
    ck_assert(is_shown(each(both(tile(ZERO, 0, 7, 0), reading()))));
    ck_assert(!is_shown(each(both(tile(ZERO, 0, 6, 0), reading()))));
    ck_assert(!is_shown(each(both(reading(), tile(ZERO, 0, 7, 0)))));
    ck_assert(!is_shown(each(both(tile(ZERO, 0, 7, 0), both(fill(), reading())))));
}
END_TEST

/* The array itself starts as zero. */
START_TEST(never_stored)
{
    struct node *tiles = ARENA_NEW(s.read.arena, struct node);
    const struct array *own[] = {s.buffer};

    ck_assert(!is_shown(each(reading())));
    read_zeros();
    ck_assert(!is_shown(each(reading())));
    s.buffer->init_zero = true;
    ck_assert(is_shown(each(reading())));
    ck_assert(is_shown(each(both(tile(ZERO, 0, 6, 0), reading()))));
    ck_assert(!is_shown(each(both(reading(), fill()))));
    ck_assert(!is_shown(both(each(fill()), each(reading()))));
    ck_assert(is_shown(both(each(reading()), each(fill()))));
    *tiles = *each(reading());
    tiles->local = own;
    tiles->n_local = 1;
    ck_assert(!is_shown(tiles));
    s.scheduled.statement[READ]->value = s.read.program->statement[BEFORE]->value;
    ck_assert(!is_shown(each(reading())));
}
END_TEST

/* F at that instance, which is what b is in a variable, in so many lanes. */
static struct node *variable(const struct var *var, const struct affine *instance, int64_t lanes,
                             const struct node *body)
{
    struct node *node = assign(FILL, instance, load(&s.read.program->array[0]));
    struct inner_dim *inner = ARENA_NEW(s.read.arena, struct inner_dim);
    struct vector *vector = ARENA_NEW(s.read.arena, struct vector);
    const struct node **child = ARENA_ARRAY(s.read.arena, 1, const struct node *);

    *inner = (struct inner_dim){s.l, lanes, true};
    *vector = (struct vector){.lanes = (int)lanes};
    child[0] = body;
    node->kind = body ? NODE_LET : NODE_ASSIGN;
    node->var = var;
    node->declares = body ? DECLARE_VARIABLE : DECLARE_NOTHING;
    node->child = body ? child : NULL;
    node->n_child = body != NULL;
    node->inner = inner;
    node->n_inner = 1;
    vector->sum = body ? NULL : var;
    node->vector = vector;
    return node;
}

/* S at that instance, in so many lanes, which reads the variable. */
static const struct node *of_variable(const struct var *var, const struct affine *instance, int64_t lanes)
{
    struct tree_expr *value = ARENA_NEW(s.read.arena, struct tree_expr);
    struct node *node = variable(NULL, instance, lanes, NULL);
    struct node *use = assign(READ, instance, value);

    *value = (struct tree_expr){.kind = TREE_NAMED, .type = TYPE_F32, .var = var};
    use->inner = node->inner;
    use->n_inner = 1;
    use->vector = node->vector;
    return use;
}

/* Each lane has an element of b for itself. */
START_TEST(filled_in_variables)
{
    const struct affine *i = affine_add(s.read.arena, at(s.j), at(s.l));
    const struct affine *twice = affine_add(s.read.arena, i, at(s.l));
    const struct node *use = of_variable(s.name, i, 4), *fill = variable(s.name, plus(i, 8), 4, NULL);
    const struct node *same = variable(s.name, i, 4, NULL);

    ck_assert(is_shown(each(variable(s.name, i, 4, use))));
    ck_assert(is_shown(each(variable(s.name, i, 4, both(same, use)))));
    ck_assert(!is_shown(each(variable(s.name, i, 4, both(fill, use)))));
    ck_assert(!is_shown(each(variable(s.name, plus(i, 1), 4, use))));
    ck_assert(!is_shown(each(variable(s.name, twice, 4, use))));
    ck_assert(!is_shown(each(variable(s.name, i, 4, of_variable(s.name, i, 8)))));
    ck_assert(!is_shown(each(variable(s.name, i, 4, both(use, tile(FILL, 0, 7, 0))))));
}
END_TEST

START_TEST(filled_in_other_variables)
{
    const struct affine *i = affine_add(s.read.arena, at(s.j), at(s.l));
    const struct var *other = var_new(s.vars, VAR_VALUE, "other");
    const struct node *use = of_variable(s.name, i, 4), *wrong = of_variable(other, i, 4);

    ck_assert(is_shown(each(variable(s.name, i, 4, variable(other, plus(i, 8), 4, use)))));
    ck_assert(!is_shown(each(variable(s.name, i, 4, variable(other, plus(i, 8), 4, wrong)))));
}
END_TEST

UNIT_MAIN_WITH("finished_zeros", set_up, tear_down, filled_in_variables, filled_in_other_variables, filled_with_zeros,
               filled_with_zeros_behind, filled_with_zeros_by_some, read_of_what_starts_as_zero, never_stored)
