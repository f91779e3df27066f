#include "lower/body/value_checks.h"

#include "base/names.h"
#include "lower/body/element_loops.h"
#include "lower/body/preconditions.h"
#include "poly/coalesce.h"
#include "program/expr/affine.h"
#include "program/expr/range.h"
#include "tree/layout.h"
#include "tree/translate.h"
#include "tree/vars.h"

/* The test of one array. */
struct test {
    struct arena *arena;
    const struct program *program;
    struct vars *vars;
    const struct array *array;
    struct element_loops loops;
    const struct var *value;
};

static void make_vars(struct test *test)
{
    struct names names = {.arena = test->arena};

    element_loops_begin(&test->loops, &names);
    test->value = var_new(test->vars, VAR_VALUE, names_unique(&names, "value"));
}

/* { [value] }: what the element's type can hold; everything, if it has 64 bits. */
static __isl_give isl_set *type_values(struct test *test, __isl_take isl_space *space)
{
    const enum type type = test->array->type;
    isl_ctx *ctx = isl_space_get_ctx(space);
    isl_set *set = isl_set_universe(space);
    struct range range;

    if (type_bits(type) > 32)
        return set;
    range = type_range(type);
    set = isl_set_lower_bound_val(set, isl_dim_set, 0, isl_val_int_from_si(ctx, (long)range.least));
    return isl_set_upper_bound_val(set, isl_dim_set, 0, isl_val_int_from_si(ctx, (long)range.greatest));
}

/* { [value] }: what the element may be, without what its type and the parameters say anyway. */
static __isl_give isl_set *allowed_values(struct test *test)
{
    isl_space *space = isl_space_set_from_params(isl_set_get_space(test->program->context));
    isl_set *values, *known;

    space = isl_space_add_dims(space, isl_dim_set, 1);
    values = expr_set(space, test->array->values);
    known = type_values(test, space);
    if (test->array->type == TYPE_U64)
        values = isl_set_lower_bound_si(values, isl_dim_set, 0, 0);
    known = isl_set_intersect_params(known, isl_set_copy(test->program->context));
    return isl_set_gist(poly_set_coalesce(values), known);
}

static const struct node *let(struct test *test, const struct node *body)
{
    struct node *node = ARENA_NEW(test->arena, struct node);
    const struct node **child = ARENA_ARRAY(test->arena, 1, const struct node *);

    child[0] = body;
    *node = (struct node){.kind = NODE_LET, .child = child, .n_child = 1, .var = test->value};
    node->value = element_loops_value(&test->loops, TYPE_I64);
    return node->value && body ? node : NULL;
}

static bool is_positive(void *user, const struct affine *a)
{
    return affine_least(a, user) >= 0;
}

/* floor(a / divisor), as C divides where a is not negative. */
static const struct affine *quotient(struct test *test, const struct affine *a, int64_t divisor)
{
    const int64_t whole = a ? floor_div(a->constant, divisor) : 0;
    const int64_t *least = lower_param_least(test->arena, test->program);

    a = affine_floor(test->arena, affine_add_constant(test->arena, a, -whole * divisor), divisor);
    a = a ? affine_mark_plain(test->arena, a, is_positive, (void *)(uintptr_t)least) : NULL;
    return affine_add_constant(test->arena, a, whole);
}

/* The condition with the value itself instead of its multiple, of which a number that is not allowed has none in 64
 * bits; that it is a multiple is a condition of its own. How many conditions that makes; 0: an overflow. */
static int of_value_itself(struct test *test, const struct condition *condition, struct condition *made)
{
    struct arena *arena = test->arena;
    const int64_t factor = affine_factor(condition->affine, test->value), size = factor < 0 ? -factor : factor;
    const struct affine *value = affine_var(arena, test->value);
    const struct affine *rest = affine_sub(arena, condition->affine, affine_scale(arena, value, factor));
    int n = 0;

    if (size < 2 || !rest || affine_uses(rest, test->value)) {
        made[0] = *condition;
        return rest ? 1 : 0;
    }
    if (condition->equal)
        made[n++] = (struct condition){affine_mod(arena, rest, size), true};
    rest = affine_add(arena, affine_scale(arena, value, factor < 0 ? -1 : 1), quotient(test, rest, size));
    made[n] = (struct condition){rest, condition->equal};
    return rest && made[0].affine ? n + 1 : 0;
}

/* Is the value a part of a quotient? It must be known to be in bounds there. */
static bool divides_value(const struct test *test, const struct condition *condition)
{
    int64_t factor;

    return !affine_linear_factor(test->arena, condition->affine, test->value, &factor);
}

/* guard, whose arithmetic stays in 64 bits whatever the value is: bounds first. */
static bool without_overflow(struct test *test, struct guard *guard)
{
    struct condition *made = ARENA_ARRAY(test->arena, 2 * guard->n + 1, struct condition);
    int n = 0;

    for (int divided = 0; divided < 2; divided++)
        for (int k = 0; k < guard->n; k++) {
            if (divides_value(test, &guard->condition[k]) != (divided == 1))
                continue;
            const int more = of_value_itself(test, &guard->condition[k], &made[n]);
            if (more == 0)
                return false;
            n += more;
        }
    *guard = (struct guard){made, n};
    return true;
}

/* The alternatives of the element's value in condition; false: an overflow, or isl failed. */
static bool set_alternatives(struct test *test, struct node *condition, __isl_take isl_set *allowed)
{
    const struct guard *all =
        lower_alternatives(test->arena, allowed, test->vars->param, test->value, &condition->n_alternative);
    struct guard *own = ARENA_ARRAY(test->arena, condition->n_alternative + 1, struct guard);

    for (int k = 0; all && k < condition->n_alternative; k++) {
        own[k] = all[k];
        if (!without_overflow(test, &own[k]))
            return false;
    }
    condition->alternative = own;
    return all != NULL;
}

static bool test_array(struct test *test, const struct node **node)
{
    isl_set *allowed = allowed_values(test);
    struct node *condition = ARENA_NEW(test->arena, struct node);

    if (isl_set_plain_is_universe(allowed) == isl_bool_true) {
        isl_set_free(allowed);
        return true;
    }
    make_vars(test);
    condition->kind = NODE_IF;
    if (!set_alternatives(test, condition, allowed))
        return false;
    *node = element_loops_around(&test->loops, condition->n_alternative ? let(test, condition) : condition);
    return *node != NULL;
}

const struct node *const *lower_value_checks(struct arena *arena, const struct program *program,
                                             const struct program *laid_out, struct vars *vars)
{
    const struct node **checks = ARENA_ARRAY(arena, program->n_array + 1, const struct node *);

    for (int k = 0; k < program->n_array; k++) {
        const struct array *array = &program->array[k];
        struct test test = {.arena = arena,
                            .program = program,
                            .vars = vars,
                            .array = array,
                            .loops = {arena, program, laid_out, vars, array, NULL}};
        if (array_is_argument(test.array) && test.array->values && !test_array(&test, &checks[k]))
            return NULL;
    }
    return checks;
}
