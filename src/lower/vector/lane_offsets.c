/* Values of the lanes that are not a constant apart, (i + lane) / 2 or (i + lane) % 4: how far each is from that of
 * lane 0; and loads of elements that are told so, or by memory. Of floor((a lane + c) / d) that is
 * floor((a lane + c mod d) / d), which is small. */
#include "lower/vector/lanes.h"

#include "lower/facts/facts.h"
#include "program/program.h"
#include "tree/layout.h"
#include "tree/visit.h"

/* LISTED: a longer list of loads is a loop. */
enum { LARGEST = 1 << 12, LISTED = 8 };

/* factor * floor((step * lane + rest) / divisor), 0 <= rest < divisor; divisor 1: factor * lane. */
struct distance {
    int64_t factor, step, divisor;
    const struct affine *rest;
    bool known; /* rest is the constant */
    int64_t constant;
};

struct distances {
    VEC(struct distance) at;
};

static bool non_negative(void *user, const struct affine *a)
{
    return facts_imply(user, a);
}

static bool add_floor(const struct lanes *lanes, struct distances *parts, const struct affine_term *term, int64_t unit)
{
    struct arena *arena = lanes->lowering->arena;
    struct distance part = {.factor = term->factor * unit, .divisor = term->atom->divisor};

    if (term->atom->kind != ATOM_FLOOR || !lanes_factor(lanes, term->atom->arg[0], &part.step) || part.step < 0 ||
        part.divisor > LARGEST || part.step > LARGEST)
        return false;
    part.rest = affine_mod(arena, lanes_first(lanes, term->atom->arg[0]), part.divisor);
    part.known = part.rest && facts_constant(lanes->facts, part.rest, &part.constant);
    part.rest = affine_mark_plain(arena, part.rest, non_negative, (void *)(uintptr_t)lanes->facts);
    VEC_PUSH(arena, &parts->at, part);
    return part.rest != NULL;
}

/* What a adds from lane to lane, unit elements of storage a step. */
static bool add_affine(const struct lanes *lanes, struct distances *parts, const struct affine *a, int64_t unit)
{
    for (int k = 0; k < a->n_term; k++) {
        const struct affine_term *term = &a->term[k];
        const struct affine one = {0, 1, term};
        if (!affine_uses(&one, lanes->lane))
            continue;
        if (unit == 0 || unit > LARGEST || term->factor > LARGEST || term->factor < -LARGEST)
            return false;
        if (term->atom->kind == ATOM_VAR)
            VEC_PUSH(lanes->lowering->arena, &parts->at,
                     ((struct distance){.factor = term->factor * unit, .divisor = 1}));
        else if (!add_floor(lanes, parts, term, unit))
            return false;
    }
    return true;
}

static const struct tree_expr *operation(struct arena *arena, enum expr_op op, const struct tree_expr *a,
                                         const struct tree_expr *b)
{
    return a ? tree_expr_binary(arena, op, b->type, a, b) : b;
}

/* All parts whose rests are known, as a list of numbers. */
static const struct tree_expr *known_list(const struct lanes *lanes, const struct distances *parts, enum type type)
{
    struct arena *arena = lanes->lowering->arena;
    int64_t *list = ARENA_ARRAY(arena, lanes->n, int64_t);
    struct tree_expr *ramp = tree_expr_new(arena, TREE_RAMP, type);
    bool any = false;

    for (int k = 0; k < parts->at.n; k++) {
        const struct distance *part = &parts->at.at[k];
        for (int l = 0; l < lanes->n && part->divisor == 1; l++)
            list[l] += part->factor * l;
        for (int l = 0; l < lanes->n && part->divisor > 1 && part->known; l++)
            list[l] += part->factor * floor_div(part->step * l + part->constant, part->divisor);
        any = any || part->divisor == 1 || part->known;
    }
    ramp->affine = affine_constant(arena, 0);
    ramp->integer = lanes->n;
    ramp->list = list;
    return any ? ramp : NULL;
}

/* Is x * factor >> shift the quotient of all 0 <= x <= most? */
static bool divides_by_product(int64_t most, int64_t divisor, int64_t factor, int shift)
{
    for (int64_t x = 0; x <= most; x++)
        if (x * factor >> shift != x / divisor)
            return false;
    return most * factor <= INT32_MAX;
}

/* floor((step * lane + rest) / divisor) of a rest that is known at run time only; NULL: there is no such form. */
static const struct tree_expr *quotient(const struct lanes *lanes, const struct distance *part, enum type type)
{
    struct arena *arena = lanes->lowering->arena;
    const int64_t most = part->step * (lanes->n - 1) + part->divisor - 1;
    struct tree_expr *ramp = tree_expr_new(arena, TREE_RAMP, type);
    int shift = 0;

    ramp->affine = part->rest;
    ramp->integer = part->step;
    while ((int64_t)1 << shift < part->divisor)
        shift++;
    if (part->divisor == (int64_t)1 << shift)
        return operation(arena, OP_SHR, ramp, tree_expr_integer(arena, type, shift));
    for (shift = 8; shift < 30 && most < 1 << 12; shift++) {
        const int64_t factor = ((int64_t)1 << shift) / part->divisor + 1;
        if (divides_by_product(most, part->divisor, factor, shift))
            return operation(arena, OP_SHR, operation(arena, OP_MUL, ramp, tree_expr_integer(arena, type, factor)),
                             tree_expr_integer(arena, type, shift));
    }
    return NULL;
}

static const struct tree_expr *sum_of(const struct lanes *lanes, const struct distances *parts, enum type type)
{
    struct arena *arena = lanes->lowering->arena;
    const struct tree_expr *sum = known_list(lanes, parts, type);

    for (int k = 0; k < parts->at.n; k++) {
        const struct distance *part = &parts->at.at[k];
        if (part->divisor == 1 || part->known)
            continue;
        const struct tree_expr *value = quotient(lanes, part, type);
        if (!value)
            return NULL;
        if (part->factor != 1 && part->factor != -1)
            value = operation(arena, OP_MUL, value, tree_expr_integer(arena, type, part->factor));
        if (part->factor == -1)
            sum = operation(arena, OP_SUB, sum ? sum : tree_expr_integer(arena, type, 0), value);
        else
            sum = operation(arena, OP_ADD, sum, value);
    }
    return sum;
}

const struct tree_expr *lanes_distances(const struct lanes *lanes, const struct affine *a, enum type type)
{
    struct distances parts = {0};

    return add_affine(lanes, &parts, a, 1) ? sum_of(lanes, &parts, type) : NULL;
}

/* What the place in storage adds from lane to lane; false: that has no form. */
static bool add_element(const struct lanes *lanes, struct distances *parts, const struct element *element)
{
    const struct lowering *lowering = lanes->lowering;
    const struct array *array = element->array;
    const struct scope parameters = {lowering->program, lowering->param_var, NULL};
    int *order = ARENA_ARRAY(lowering->arena, array->n_dim + 1, int);
    int64_t *ratio = ARENA_ARRAY(lowering->arena, array->n_dim + 1, int64_t), unit = array->stride ? 0 : 1;

    array_steps(lowering->arena, &parameters, array, order, ratio);
    for (int k = array->n_dim - 1; k >= 0; k--) {
        const struct affine *index = element->index[order[k]];
        if (!index || !add_affine(lanes, parts, index, unit))
            return false;
        unit *= ratio[k];
    }
    return true;
}

const struct tree_expr *lanes_offsets(const struct lanes *lanes, const struct element *element)
{
    struct distances parts = {0};

    return add_element(lanes, &parts, element) ? sum_of(lanes, &parts, TYPE_I32) : NULL;
}

/* How far lane k is from lane 0, where the rests that are not known are all this one. */
static int64_t distance_of(const struct distances *parts, int k, int64_t rest)
{
    int64_t distance = 0;

    for (int p = 0; p < parts->at.n; p++) {
        const struct distance *part = &parts->at.at[p];
        distance +=
            part->divisor == 1
                ? part->factor * k
                : part->factor * floor_div(part->step * k + (part->known ? part->constant : rest), part->divisor);
    }
    return distance;
}

static bool differ_with(const struct distances *parts, int n, int64_t rest)
{
    for (int b = 1; b < n; b++)
        for (int a = 0; a < b; a++)
            if (distance_of(parts, a, rest) == distance_of(parts, b, rest))
                return false;
    return true;
}

bool lanes_differ(const struct lanes *lanes, const struct element *element)
{
    const struct distance *open = NULL;
    struct distances parts = {0};
    bool differ;

    if (element->indirect || !add_element(lanes, &parts, element))
        return false;
    for (int p = 0; p < parts.at.n; p++) {
        const struct distance *part = &parts.at.at[p];
        if (part->divisor == 1 || part->known)
            continue;
        if (open && (open->divisor != part->divisor || !affine_equal(open->rest, part->rest)))
            return false;
        open = part;
    }
    differ = differ_with(&parts, lanes->n, 0);
    for (int64_t rest = 1; open && differ && rest < open->divisor; rest++)
        differ = differ_with(&parts, lanes->n, rest);
    return differ;
}

/* a in lane k, with divisions as C's where that is the same. */
static const struct affine *in_lane(struct lanes *lanes, const struct affine *a, int k)
{
    struct arena *arena = lanes->lowering->arena;
    const struct affine *lane = affine_constant(arena, k);

    return affine_mark_plain(arena, affine_substitute(arena, a, lanes->lane, lane), non_negative,
                             (void *)(uintptr_t)lanes->facts);
}

/* The subscript of the fastest dimension, when that alone is another in each lane, and told by memory; *which: the
 * dimension. NULL: not so. */
static const struct tree_expr *read_subscript(const struct lanes *lanes, const struct element *element, int *which)
{
    const struct lowering *lowering = lanes->lowering;
    const struct array *array = element->array;
    const struct scope parameters = {lowering->program, lowering->param_var, NULL};
    int *order = ARENA_ARRAY(lowering->arena, array->n_dim + 1, int);
    int64_t *ratio = ARENA_ARRAY(lowering->arena, array->n_dim + 1, int64_t);

    array_steps(lowering->arena, &parameters, array, order, ratio);
    *which = order[array->n_dim - 1];
    if (array->stride || !element->indirect || element->index[*which])
        return NULL;
    for (int k = 0; k + 1 < array->n_dim; k++)
        if (element->index[order[k]] ? affine_uses(element->index[order[k]], lanes->lane)
                                     : lanes_vary(lanes, element->indirect[order[k]]))
            return NULL;
    return tree_expr_unwidened(element->indirect[*which]);
}

/* Are its values, as signed numbers of 32 or 64 bits, what they are? */
static bool is_number(const struct tree_expr *expr)
{
    return !type_is_float(expr->type) && expr->type != TYPE_U64 && expr->type != TYPE_U32 && expr->type != TYPE_BOOL;
}

/* The element from which the numbers that the lanes have count, and these numbers, in *number; NULL: not such. */
static struct element by_subscript(struct lanes *lanes, const struct element *element, const struct tree_expr **number)
{
    struct arena *arena = lanes->lowering->arena;
    const struct affine **index = ARENA_ARRAY(arena, element->array->n_dim + 1, const struct affine *);
    struct element result = *element;
    bool others = false;
    int which;

    *number = read_subscript(lanes, element, &which);
    if (!*number || !is_number(*number)) {
        *number = NULL;
        return result;
    }
    for (int k = 0; k < element->array->n_dim; k++) {
        index[k] = k == which ? affine_constant(arena, 0) : element->index[k];
        others = others || !index[k];
    }
    result.index = index;
    result.indirect = others ? element->indirect : NULL;
    result.lane_step = LANES_APART;
    return result;
}

/* number, of each lane its own, in all lanes. */
static const struct tree_expr *numbers_read(struct lanes *lanes, const struct tree_expr *number)
{
    const enum type type = number->type == TYPE_I64 ? TYPE_I64 : TYPE_I32;

    return lanes_expr(lanes, tree_expr_cast(lanes->lowering->arena, type, number));
}

/* A load of the elements whose numbers the lanes have; NULL: not such. */
static const struct tree_expr *load_by_subscript(struct lanes *lanes, const struct tree_expr *load)
{
    const struct tree_expr *number, **arg = ARENA_ARRAY(lanes->lowering->arena, 1, const struct tree_expr *);
    struct tree_expr *copy = ARENA_NEW(lanes->lowering->arena, struct tree_expr);

    *copy = *load;
    copy->element = by_subscript(lanes, &load->element, &number);
    if (!number)
        return NULL;
    arg[0] = numbers_read(lanes, number);
    copy->arg = arg;
    copy->n_arg = 1;
    return arg[0] ? copy : NULL;
}

bool lanes_store_by_subscript(struct lanes *lanes, struct element *target)
{
    const struct tree_expr *number;
    const struct element apart = by_subscript(lanes, target, &number);
    const char *refusal;
    int64_t step;

    if (!number || number->kind != TREE_LOAD)
        return false;
    if (!number->element.array->injective || !lanes_step(lanes, &number->element, &step) || step == 0) {
        refusal = arena_printf(lanes->lowering->arena, "the elements of `%s` that `%s` tells the lanes may be the same",
                               target->array->name, number->element.array->name);
        lanes_refuse(lanes, "\"injective\": true of an index array says that its elements differ", refusal);
        return true;
    }
    *target = apart;
    target->distance = numbers_read(lanes, number);
    return true;
}

const struct tree_expr *lanes_load_apart(struct lanes *lanes, const struct tree_expr *load)
{
    struct arena *arena = lanes->lowering->arena;
    const struct element *element = &load->element;
    const int n = element->array->n_dim;
    const struct affine **index = ARENA_ARRAY(arena, n * lanes->n + 1, const struct affine *);
    const struct tree_expr **arg = ARENA_ARRAY(arena, 1, const struct tree_expr *);
    struct tree_expr *copy = ARENA_NEW(arena, struct tree_expr);
    int64_t step;

    if (n == 0 || element->array->in_registers || lanes_step(lanes, element, &step))
        return NULL;
    if (element->indirect)
        return load_by_subscript(lanes, load);
    arg[0] = lanes_offsets(lanes, element);
    const struct simd_type *type = simd_type_of(lanes->simd, load->type, lanes->n);
    const bool masked = lanes->count || lanes->active || lanes->chosen;
    const bool is_long = lanes->n > LISTED && simd_type_of(lanes->simd, TYPE_I32, lanes->n);
    for (int k = 0; arg[0] && k < n * lanes->n; k++)
        index[k] = in_lane(lanes, element->index[k % n], k / n);
    *copy = *load;
    copy->arg = arg;
    copy->n_arg = !type || type->row[VECTOR_GATHER] || masked || is_long ? 1 : 0;
    copy->element.index = index;
    copy->element.lane_step = LANES_APART;
    copy->element.lane_index = index;
    copy->element.n_lane_index = n * lanes->n;
    return arg[0] ? copy : NULL;
}
