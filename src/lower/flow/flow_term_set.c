/* Minima, maxima and bit operations as sets of what they are of. */
#include "lower/flow/flow_term_parts.h"

#include <math.h>

int64_t flow_term_folded(enum expr_op op, int64_t a, int64_t b)
{
    switch (op) {
    case OP_MIN:
        return a < b ? a : b;
    case OP_MAX:
        return a > b ? a : b;
    case OP_AND:
        return a & b;
    case OP_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static struct term_set *new_set(const struct algebra *algebra, int n)
{
    struct term_set *set = ARENA_NEW(algebra->arena, struct term_set);

    set->member = ARENA_ARRAY(algebra->arena, n + 1, uint64_t);
    return set;
}

static void add_member(struct term_set *set, uint64_t hash)
{
    ((uint64_t *)set->member)[set->n++] = hash;
    set->sum += flow_term_mix(hash, 3);
}

/* The term as a set of one. */
static struct term set_of(const struct algebra *algebra, enum expr_op op, struct term a)
{
    struct term_set *set;
    struct term one = {.kind = TERM_SET, .type = a.type, .op = (unsigned char)op};

    if (a.kind == TERM_SET && a.op == op)
        return a;
    set = new_set(algebra, 1);
    one.hash = (uint64_t)(uintptr_t)set;
    if (a.kind == TERM_NUMBER && (int64_t)a.hash == (int32_t)a.hash) {
        one.type = TYPE_NONE;
        one.has_number = true;
        one.number = (int32_t)a.hash;
    } else {
        add_member(set, flow_term_identity(a));
    }
    return one;
}

/* What is in either; of what is exclusive, in one of them only. */
static const struct term_set *united(const struct algebra *algebra, const struct term_set *a, const struct term_set *b,
                                     bool exclusive)
{
    struct term_set *set = new_set(algebra, a->n + b->n);
    int x = 0, y = 0;

    while (x < a->n || y < b->n) {
        const bool from_a = y == b->n || (x < a->n && a->member[x] <= b->member[y]);
        const bool both = x < a->n && y < b->n && a->member[x] == b->member[y];
        if (!both || !exclusive)
            add_member(set, from_a ? a->member[x] : b->member[y]);
        x += from_a;
        y += !from_a || both;
    }
    return set;
}

static enum type type_of_both(enum type a, enum type b)
{
    if (a == TYPE_NONE || b == TYPE_NONE)
        return a == TYPE_NONE ? b : a;
    return type_holds(a, b) ? a : type_holds(b, a) ? b : type_is_float(a) || type_is_float(b) ? TYPE_F64 : TYPE_I64;
}

/* Of integers of that type, what leaves every other operand as it is. */
static bool is_neutral_number(enum expr_op op, enum type type, int64_t number)
{
    const bool whole = !type_is_signed(type) && type_bits(type) == 64;
    int64_t least, most;

    if (!flow_term_range(type, &least, &most))
        return false;
    switch (op) {
    case OP_MIN:
        return number == (whole ? -1 : most);
    case OP_MAX:
        return number == least;
    case OP_AND:
        return number == -1 || (number == most && !type_is_signed(type) && !whole);
    default:
        return number == 0;
    }
}

struct term flow_term_neutral(enum expr_op op, enum type type)
{
    const bool whole = !type_is_signed(type) && type_bits(type) == 64;
    int64_t least = 0, most = 0;
    const bool integer = flow_term_range(type, &least, &most);

    switch (op) {
    case OP_MUL:
        return flow_term_number(1);
    case OP_MIN:
        return integer ? flow_term_number(whole ? -1 : most) : flow_term_real(type, (double)INFINITY);
    case OP_MAX:
        return integer ? flow_term_number(least) : flow_term_real(type, (double)-INFINITY);
    case OP_AND:
        return flow_term_number(-1);
    default:
        return flow_term_number(0);
    }
}

/* The same; of floats an infinity in a minimum or a maximum. */
static bool is_neutral(enum expr_op op, enum type type, struct term a)
{
    if (a.kind == TERM_NUMBER)
        return is_neutral_number(op, type, (int64_t)a.hash);
    return a.kind == TERM_VALUE &&
           ((op == OP_MIN && a.hash == flow_term_infinite()) || (op == OP_MAX && a.hash == 0 - flow_term_infinite()));
}

/* Sums that wrap around are computed as u32, and leave numbers as they are: the number as an operand of op. Bits beside
 * what is unknown are the same with and without a sign. */
static struct term operand(enum expr_op op, enum type type, struct term a)
{
    const bool compared = op == OP_MIN || op == OP_MAX;

    if (a.kind != TERM_NUMBER || type != TYPE_U32 || ((int64_t)a.hash < INT32_MIN || (int64_t)a.hash > UINT32_MAX))
        return a;
    return flow_term_number(compared ? (int64_t)(uint32_t)a.hash : (int64_t)(int32_t)(uint32_t)a.hash);
}

struct term flow_term_in_set(const struct algebra *algebra, enum expr_op op, enum type type, struct term a,
                             struct term b)
{
    if (op == OP_MIN || op == OP_MAX) {
        a = operand(op, type, a);
        b = operand(op, type, b);
    }
    if (is_neutral(op, type, a))
        return b;
    if (is_neutral(op, type, b))
        return a;
    if (a.kind == TERM_NUMBER && b.kind == TERM_NUMBER)
        return flow_term_number(flow_term_folded(op, (int64_t)a.hash, (int64_t)b.hash));
    a = set_of(algebra, op, operand(op, type, a));
    b = set_of(algebra, op, operand(op, type, b));
    a.hash = (uint64_t)(uintptr_t)united(algebra, (const struct term_set *)(uintptr_t)a.hash,
                                         (const struct term_set *)(uintptr_t)b.hash, op == OP_XOR);
    a.type = (unsigned char)type_of_both(a.type, b.type);
    if (b.has_number)
        a.number = a.has_number ? (int32_t)flow_term_folded(op, a.number, b.number) : b.number;
    a.has_number |= b.has_number;
    return a;
}
