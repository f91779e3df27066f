/* Conditions as masks. One that costs an instruction to invert stays inverted as long as that is possible: conditions
 * are joined by and, or, and-not, and a choice swaps its values,
 *     a <= b ? x : y   ->   blend(x, y, a > b)                       where there is no "less or equal",
 * which also keeps gcc 12 from mistaking the values for each other (doc/COMPILERS.md, "blends on inverted masks").
 */
#include "target/clike/vector/each.h"

#include "program/expr/range.h"
#include "target/clike/expr.h"
#include "target/clike/index.h"
#include "tree/visit.h"

/* `lanes_16(N - j)` */
static const char *first_lanes(struct vec_lanes *lanes, const char *count, enum type type)
{
    const struct simd_type *simd = vec_register(lanes, type);

    if (!simd)
        return vec_lack(lanes, "masks", type);
    vec_use_helpers(lanes->emitter, simd->lanes_name);
    return arena_printf(lanes->emitter->arena, "%s(%s)", simd->lanes_name, count);
}

/* The count as C divides: where it is negative, there are as few lanes as at 0, to which that rounds at most. */
static const struct affine *plain_count(struct arena *arena, const struct affine *count)
{
    const struct atom *atom = count->n_term == 1 && count->constant <= 0 ? count->term[0].atom : NULL;
    const bool opposite = atom && count->term[0].factor == -1;

    if (!atom || atom->kind != ATOM_FLOOR || affine_has_floor(atom->arg[0]) ||
        (count->term[0].factor != 1 && !opposite))
        return count;
    const struct affine **arg = ARENA_ARRAY(arena, 1, const struct affine *);
    struct atom *plain = ARENA_NEW(arena, struct atom);
    arg[0] = opposite ? affine_sub(arena, affine_constant(arena, atom->divisor - 1), atom->arg[0]) : atom->arg[0];
    *plain = *atom;
    plain->arg = arg;
    plain->plain = true;
    return arg[0] ? affine_add_constant(arena, affine_atom(arena, plain), count->constant) : count;
}

static const char *count_text(struct vec_lanes *lanes, const struct affine *count)
{
    return index_affine(lanes->emitter, plain_count(lanes->emitter->arena, count)).text;
}

/* Are masks vectors, which an instruction inverts? */
static bool stays_inverted(const struct vec_lanes *lanes, enum type type)
{
    const struct simd_type *simd = vec_register(lanes, type);

    return simd && simd->row[VECTOR_MASK_ANDNOT];
}

/* Where truth does not hold. */
static struct vec_truth opposite(struct vec_lanes *lanes, struct vec_truth truth, enum type type)
{
    if (stays_inverted(lanes, type))
        truth.inverted = !truth.inverted;
    else
        truth.text = vec_instruction(lanes, VECTOR_MASK_NOT, type, (struct vec_operands){.a = truth.text});
    return truth;
}

const char *vec_plain_mask(struct vec_lanes *lanes, struct vec_truth truth, enum type type)
{
    return truth.inverted ? vec_instruction(lanes, VECTOR_MASK_NOT, type, (struct vec_operands){.a = truth.text})
                          : truth.text;
}

/* Where both hold; one without a text holds everywhere. */
static struct vec_truth both(struct vec_lanes *lanes, struct vec_truth a, struct vec_truth b, enum type type)
{
    const enum vector_op op = a.inverted && b.inverted   ? VECTOR_MASK_OR
                              : a.inverted || b.inverted ? VECTOR_MASK_ANDNOT
                                                         : VECTOR_MASK_AND;
    const bool turned = b.inverted && !a.inverted;

    if (!a.text || !b.text)
        return a.text ? a : b;
    return (struct vec_truth){vec_instruction(lanes, op, type,
                                              (struct vec_operands){.a = turned ? b.text : a.text,
                                                                    .b = turned ? a.text : b.text}),
                              a.inverted && b.inverted};
}

/* Where one of them holds: not where neither does. */
static struct vec_truth either(struct vec_lanes *lanes, struct vec_truth a, struct vec_truth b, enum type type)
{
    struct vec_truth neither;

    a.inverted = !a.inverted;
    b.inverted = !b.inverted;
    neither = both(lanes, a, b, type);
    neither.inverted = !neither.inverted;
    return neither;
}

const char *vec_choice(struct vec_lanes *lanes, enum type type, struct vec_truth truth, const char *a, const char *b)
{
    return vec_instruction(lanes, VECTOR_SELECT, type,
                           (struct vec_operands){.m = truth.text,
                                                 .a = truth.inverted ? b : a,
                                                 .b = truth.inverted ? a : b});
}

void vec_note_inverted(struct emitter *emitter, const struct var *mask)
{
    VEC_PUSH(emitter->arena, &emitter->inverted, mask);
}

static bool is_inverted(const struct emitter *emitter, const struct var *mask)
{
    for (int k = 0; k < emitter->inverted.n; k++)
        if (emitter->inverted.at[k] == mask)
            return true;
    return false;
}

/* The lanes below the count, or their name. */
static const char *active_text(struct vec_lanes *lanes, enum type type)
{
    const struct vector *vector = lanes->vector;

    if (vector->mask)
        return vec_mask_for(lanes, vec_name(lanes->emitter, vector->mask, vector->mask_place), vector->mask_type, type);
    return first_lanes(lanes, count_text(lanes, vector->count), type);
}

bool vec_is_masked(const struct vec_lanes *lanes)
{
    return lanes->vector->count || lanes->vector->active || lanes->condition;
}

struct vec_truth vec_active(struct vec_lanes *lanes, enum type type)
{
    const struct vector *vector = lanes->vector;
    struct vec_truth active = {vector->count ? active_text(lanes, type) : NULL, false};
    struct vec_lanes outside = *lanes;

    if (vector->active)
        active = both(lanes, active, vec_truth(lanes, vector->active, type), type);
    outside.condition = NULL;
    if (lanes->condition)
        active = both(lanes, active, vec_truth(&outside, lanes->condition, type), type);
    return active;
}

const char *vec_mask(struct vec_lanes *lanes, enum type type)
{
    return vec_plain_mask(lanes, vec_active(lanes, type), type);
}

static bool is_comparison(const struct tree_expr *expr)
{
    return expr->kind == TREE_BINARY && expr->op >= OP_LT && expr->op <= OP_NE;
}

/* Is expr the least value of the type, or the greatest? */
static bool is_end(const struct tree_expr *expr, enum type type, bool greatest)
{
    const struct range range = type_range(type);

    while (expr->kind == TREE_CAST && expr->arg[0]->kind == TREE_INT)
        expr = expr->arg[0];
    if (type == TYPE_U64 && greatest)
        return expr->kind == TREE_UNARY && expr->op == OP_NOT && is_end(expr->arg[0], type, false);
    return expr->kind == TREE_INT && expr->integer == (greatest ? range.greatest : range.least);
}

/* The operator that says the same where only the one end of integers is less, or not greater, than b: a > b of the
 * least b is a != b. gcc 12 makes that of it, too, and then takes the wrong side of a blend (doc/COMPILERS.md). */
static enum expr_op without_order(enum expr_op op, const struct tree_expr *a, const struct tree_expr *b)
{
    const enum type type = a->type;

    if (type_is_float(type))
        return op;
    if (((op == OP_GT || op == OP_LE) && is_end(b, type, false)) ||
        ((op == OP_LT || op == OP_GE) && is_end(b, type, true)))
        return op == OP_GT || op == OP_LT ? OP_NE : OP_EQ;
    if (((op == OP_LT || op == OP_GE) && is_end(a, type, false)) ||
        ((op == OP_GT || op == OP_LE) && is_end(a, type, true)))
        return op == OP_GT || op == OP_LT ? OP_NE : OP_EQ;
    return op;
}

/* A comparison as a mask; a > b is b < a, and what there is no instruction for not the opposite:
 *     a <= b   ->   not b < a,        a < b   ->   not b <= a,        a != b   ->   not a == b */
static struct vec_truth comparison(struct vec_lanes *lanes, const struct tree_expr *expr)
{
    static const enum vector_op rows[] = {VECTOR_LT, VECTOR_LE, VECTOR_LT, VECTOR_LE, VECTOR_EQ, VECTOR_NE};
    static const enum vector_op opposites[] = {VECTOR_LE, VECTOR_LT, VECTOR_LE, VECTOR_LT, VECTOR_NE, VECTOR_EQ};
    const enum type type = expr->arg[0]->type;
    const struct simd_type *simd = vec_register(lanes, type);
    const bool has_opposites = simd && simd->row[VECTOR_NE];
    const enum expr_op said = has_opposites ? expr->op : without_order(expr->op, expr->arg[0], expr->arg[1]);
    const int op = (int)said - OP_LT;
    const bool inverted = simd && !simd->row[rows[op]] && simd->row[opposites[op]];
    const bool turned = (said == OP_GT || said == OP_GE) != (inverted && rows[op] != VECTOR_NE);
    const char *a = vec_operand(lanes, said, expr->arg[0], expr->arg[1]);
    const char *b = vec_operand(lanes, said, expr->arg[1], expr->arg[0]);

    return (struct vec_truth){vec_instruction(lanes, inverted ? opposites[op] : rows[op], type,
                                              (struct vec_operands){.a = turned ? b : a, .b = turned ? a : b}),
                              inverted};
}

/* A condition that is the same in all lanes: all of them, or none. */
static const char *uniform_truth(struct vec_lanes *lanes, const struct tree_expr *expr, enum type type)
{
    struct emitter *emitter = lanes->emitter;
    const struct expr_text truth = expr_truth(emitter, expr);

    return first_lanes(lanes,
                       arena_printf(emitter->arena, "%s ? %d : 0",
                                    parenthesised(emitter, truth.text, truth.precedence, PREC_LOR),
                                    lanes->vector->lanes),
                       type);
}

/* Does expr load elements of the lanes? */
static bool reads_lanes(const struct tree_expr *expr)
{
    bool reads = expr->kind == TREE_LOAD && expr->element.lane_step != 0;

    for (int k = 0; k < expr->n_arg; k++)
        reads = reads || reads_lanes(expr->arg[k]);
    return reads;
}

const struct tree_expr *vec_logical(struct arena *arena, enum expr_op op, const struct tree_expr *a,
                                    const struct tree_expr *b)
{
    struct tree_expr *expr = ARENA_NEW(arena, struct tree_expr);
    const struct tree_expr **arg = ARENA_ARRAY(arena, 2, const struct tree_expr *);

    if (!a)
        return b;
    arg[0] = a;
    arg[1] = b;
    *expr = (struct tree_expr){
        .kind = b ? TREE_BINARY : TREE_UNARY, .type = TYPE_BOOL, .op = op, .arg = arg, .n_arg = b ? 2 : 1};
    return expr;
}

/* a && b, a || b: b reads memory only where it decides. */
static struct vec_truth joined_truth(struct vec_lanes *lanes, const struct tree_expr *expr, enum type type)
{
    struct arena *arena = lanes->emitter->arena;
    const bool all = expr->op == OP_LAND;
    const struct tree_expr *first = expr->arg[0], *second = expr->arg[1];
    const struct vec_truth truth = vec_truth(lanes, first, type);
    struct vec_lanes inside = *lanes;

    if (reads_lanes(second))
        inside.condition =
            vec_logical(arena, OP_LAND, lanes->condition, all ? first : vec_logical(arena, OP_LNOT, first, NULL));
    return (all ? both : either)(lanes, truth, vec_truth(&inside, second, type), type);
}

/* A mask of lanes of from as one of lanes of to. */
static struct vec_truth truth_for(struct vec_lanes *lanes, struct vec_truth truth, enum type from, enum type to)
{
    truth.text = vec_mask_for(lanes, truth.text, from, to);
    return truth;
}

struct vec_truth vec_truth(struct vec_lanes *lanes, const struct tree_expr *expr, enum type type)
{
    if (tree_expr_uniform(expr))
        return (struct vec_truth){uniform_truth(lanes, expr, type), false};
    if (expr->kind == TREE_NAMED)
        return truth_for(lanes, (struct vec_truth){expr->var->name, is_inverted(lanes->emitter, expr->var)}, expr->type,
                         type);
    if (expr->kind == TREE_MASK)
        return (struct vec_truth){first_lanes(lanes, count_text(lanes, expr->affine), type), false};
    if (is_comparison(expr))
        return truth_for(lanes, comparison(lanes, expr), expr->arg[0]->type, type);
    if (expr->kind == TREE_UNARY && expr->op == OP_LNOT)
        return opposite(lanes, vec_truth(lanes, expr->arg[0], type), type);
    if (expr->kind != TREE_BINARY || (expr->op != OP_LAND && expr->op != OP_LOR))
        return (struct vec_truth){vec_lack(lanes, "this condition", type), false};
    return joined_truth(lanes, expr, type);
}
