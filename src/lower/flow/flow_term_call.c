/* Terms of the functions of expressions. */
#include "lower/flow/flow_term_parts.h"

#include "program/program.h"

static int64_t floor_quotient(int64_t a, int64_t b)
{
    return b == 0 ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Of two numbers where both are known. */
static struct term floor_call(enum function function, const struct term *arg)
{
    const int64_t a = (int64_t)arg[0].hash, b = (int64_t)arg[1].hash;
    const int64_t floor = arg[0].kind == TERM_NUMBER && arg[1].kind == TERM_NUMBER ? floor_quotient(a, b) : 0;

    if (arg[0].kind != TERM_NUMBER || arg[1].kind != TERM_NUMBER)
        return flow_term_value(TYPE_I64, flow_term_mix(flow_term_mix(TAG_CALL + function, flow_term_identity(arg[0])),
                                                       flow_term_identity(arg[1])));
    return flow_term_number(function == FUNCTION_FLOOR ? floor : a - b * floor);
}

static struct term fused(const struct algebra *algebra, enum type type, const struct term *arg)
{
    if (!(algebra->permit & (PERMIT_CONTRACT | PERMIT_REASSOCIATE)))
        return flow_term_value(type,
                               flow_term_mix(flow_term_signed_mix(TAG_CALL + FUNCTION_FMA, flow_term_identity(arg[0]),
                                                                  flow_term_identity(arg[1]), true),
                                             flow_term_identity(arg[2])));
    return flow_term_binary(algebra, OP_ADD, type, flow_term_binary(algebra, OP_MUL, type, arg[0], arg[1]), arg[2]);
}

/* A set's type is that of its members; the number among them may be a negative one. */
static bool is_unsigned(struct term a)
{
    const enum type type = a.type;

    return a.kind != TERM_NUMBER && type != TYPE_NONE && !type_is_float(type) && !type_is_signed(type) &&
           (a.kind != TERM_SET || !a.has_number || a.number >= 0);
}

static struct term absolute(enum type type, struct term a)
{
    if (is_unsigned(a))
        return a;
    if (a.kind == TERM_NUMBER)
        return flow_term_number((int64_t)flow_term_size(a.hash));
    return flow_term_value(type, flow_term_size(
                                     flow_term_mix(TAG_CALL + FUNCTION_ABS, flow_term_size(flow_term_identity(a)))));
}

struct term flow_term_call(const struct algebra *algebra, enum function function, enum type type,
                           const struct term *arg, int n)
{
    uint64_t hash = TAG_CALL + function + ((algebra->permit & PERMIT_APPROXIMATE) ? 0 : (uint64_t)type << 8);

    for (int k = 0; k < n; k++)
        if (arg[k].kind == TERM_POISON || arg[k].kind == TERM_GROUP)
            return flow_term_poison();
    switch (function) {
    case FUNCTION_MIN:
        return flow_term_binary(algebra, OP_MIN, type, arg[0], arg[1]);
    case FUNCTION_MAX:
        return flow_term_binary(algebra, OP_MAX, type, arg[0], arg[1]);
    case FUNCTION_RELU:
        return flow_term_binary(algebra, OP_MAX, type, arg[0], flow_term_number(0));
    case FUNCTION_FMA:
        return fused(algebra, type, arg);
    case FUNCTION_ABS:
        return absolute(type, arg[0]);
    case FUNCTION_FLOOR:
    case FUNCTION_MOD:
        if (n == 2)
            return floor_call(function, arg);
        break;
    default:
        break;
    }
    for (int k = 0; k < n; k++)
        hash = flow_term_mix(hash, flow_term_identity(arg[k]));
    return flow_term_value(type, hash);
}
