#include "target/clike/index.h"

#include "target/clike/types.h"

#include <inttypes.h>
#include <limits.h>

const char *parenthesised(struct emitter *emitter, const char *text, enum precedence precedence, enum precedence needed)
{
    return precedence < needed ? arena_printf(emitter->arena, "(%s)", text) : text;
}

static const struct param *param_of(const struct emitter *emitter, const struct var *var)
{
    for (int k = 0; k < emitter->program->n_param; k++)
        if (emitter->scope.param_var[k] == var)
            return &emitter->program->param[k];
    return NULL;
}

static bool fits_int(int64_t low, int64_t high)
{
    return low >= -INT_MAX && high <= INT_MAX;
}

bool index_is_narrow(const struct emitter *emitter, const struct var *var)
{
    const struct param *param = param_of(emitter, var);

    return param ? param->type != TYPE_NONE && c_widens(param->type, TYPE_I32) : var->narrow;
}

static struct index_text wide_text(const char *text, enum precedence precedence)
{
    return (struct index_text){text, precedence, true, 0, 0};
}

static struct index_text widened(struct emitter *emitter, struct index_text a)
{
    if (a.wide)
        return a;
    const char *text = parenthesised(emitter, a.text, a.precedence, PREC_UNARY);
    return wide_text(arena_printf(emitter->arena, "(int64_t)%s", text), PREC_UNARY);
}

const char *index_name(const struct emitter *emitter, const struct var *var)
{
    if (var->position == AXIS_NONE)
        return var->name;
    return arena_printf(emitter->arena, "(%s)%s", var->narrow ? "int" : "int64_t",
                        emitter->dialect->device->position[var->position]);
}

static struct index_text var_text(struct emitter *emitter, const struct var *var)
{
    const struct param *param = param_of(emitter, var);
    struct index_text text = {index_name(emitter, var), PREC_PRIMARY, true, var->low, var->high};

    if (index_is_narrow(emitter, var)) {
        const bool unknown = !var->low && !var->high;
        text.wide = false;
        text.low = unknown ? -INT_MAX : var->low;
        text.high = unknown ? INT_MAX : var->high;
        return text;
    }
    text.wide = !param || param->type == TYPE_I64 || param->type == TYPE_NONE;
    return widened(emitter, text);
}

/* a / divisor or a % divisor, rounded down. */
static struct index_text quotient_text(struct emitter *emitter, const struct affine *operand, int64_t divisor,
                                       bool plain, bool rest)
{
    struct index_text a = index_affine(emitter, operand);

    if (!plain) {
        const enum helper helper = rest ? HELPER_FLOOR_MOD : HELPER_FLOOR_DIV;
        return wide_text(arena_printf(emitter->arena, "%s(%s, %" PRId64 ")",
                                      helper_use(&emitter->helpers, helper, TYPE_I64), a.text, divisor),
                         PREC_PRIMARY);
    }
    a.text = arena_printf(emitter->arena, "%s %c %" PRId64, parenthesised(emitter, a.text, a.precedence, PREC_PRODUCT),
                          rest ? '%' : '/', divisor);
    a.precedence = PREC_QUOTIENT;
    a.wide |= divisor > INT_MAX;
    a.low = 0;
    a.high = rest && divisor - 1 < a.high ? divisor - 1 : rest ? a.high : a.high / divisor;
    return a;
}

static struct index_text extreme_text(struct emitter *emitter, const struct atom *atom)
{
    const enum helper helper = atom->kind == ATOM_MIN ? HELPER_MIN : HELPER_MAX;
    const char *name = helper_use(&emitter->helpers, helper, TYPE_I64);
    const char *text = index_affine(emitter, atom->arg[0]).text;

    for (int k = 1; k < atom->n_arg; k++)
        text = arena_printf(emitter->arena, "%s(%s, %s)", name, text, index_affine(emitter, atom->arg[k]).text);
    return wide_text(text, PREC_PRIMARY);
}

/* v - v % d */
static struct index_text multiple_text(struct emitter *emitter, const struct atom *atom)
{
    const struct affine *operand = atom->arg[0];
    struct index_text whole = var_text(emitter, operand->term[0].atom->var);
    const struct index_text rest = quotient_text(emitter, operand, atom->divisor, true, true);

    whole.text = arena_printf(emitter->arena, "%s - %s", whole.text, rest.text);
    whole.precedence = PREC_SUM;
    whole.wide |= rest.wide;
    return whole;
}

static struct index_text base_text(struct emitter *emitter, const struct summand *item)
{
    if (!item->atom)
        return quotient_text(emitter, item->operand, item->divisor, item->plain, true);
    if (item->multiple)
        return multiple_text(emitter, item->atom);
    if (item->atom->kind == ATOM_VAR)
        return var_text(emitter, item->atom->var);
    if (item->atom->kind == ATOM_FLOOR)
        return quotient_text(emitter, item->atom->arg[0], item->atom->divisor, item->atom->plain, false);
    return extreme_text(emitter, item->atom);
}

static struct index_text constant_text(struct emitter *emitter, int64_t value)
{
    const bool wide = !fits_int(value, value);

    if (value == INT64_MIN)
        return wide_text("INT64_MIN", PREC_PRIMARY);
    return (struct index_text){arena_printf(emitter->arena, "%" PRId64, value), value < 0 ? PREC_UNARY : PREC_PRIMARY,
                               wide, value, value};
}

/* Is it written as what is subtracted? INT64_MIN has no opposite. */
static bool is_subtracted(int64_t number)
{
    return number < 0 && number != INT64_MIN;
}

/* The item, or its opposite where that is subtracted; computed in int64_t if wide. */
static struct index_text item_text(struct emitter *emitter, const struct summand *item, bool wide)
{
    const int64_t factor = is_subtracted(item->factor) ? -item->factor : item->factor;
    const struct index_text base = base_text(emitter, item);

    if (factor == 1)
        return wide ? widened(emitter, base) : base;
    const bool fits = !base.wide && fits_int(factor, factor) && fits_int(base.low * factor, base.high * factor);
    const struct index_text operand = wide || !fits ? widened(emitter, base) : base;
    const char *text = parenthesised(emitter, operand.text, operand.precedence, PREC_UNARY);
    text = arena_printf(emitter->arena, "%s * %s", constant_text(emitter, factor).text, text);
    if (operand.wide)
        return wide_text(text, PREC_PRODUCT);
    return (struct index_text){text, PREC_PRODUCT, false, base.low * factor, base.high * factor};
}

/* The terms seen so far, read from the left as C does. */
struct sum {
    struct emitter *emitter;
    struct text text;
    int n;
    bool wide, overflows; /* overflows: an int so far that may be too large for one */
    int64_t low, high;
    enum precedence precedence;
};

static void sum_bounds(struct sum *sum, const struct index_text *term, bool negative)
{
    sum->wide |= term->wide;
    if (sum->wide)
        return;
    sum->low += negative ? -term->high : term->low;
    sum->high += negative ? -term->low : term->high;
    sum->overflows |= !fits_int(sum->low, sum->high);
}

static void sum_add(struct sum *sum, struct index_text term, bool negative)
{
    const bool first = sum->n++ == 0;
    const enum precedence needed = negative && term.text[0] == '-' ? PREC_PRIMARY : negative ? PREC_QUOTIENT : PREC_SUM;
    const char *text = parenthesised(sum->emitter, term.text, term.precedence, needed);

    text_add(&sum->text, first ? (negative ? "-" : "") : (negative ? " - " : " + "));
    text_add(&sum->text, text);
    if (!first)
        sum->precedence = PREC_SUM;
    else if (!negative)
        sum->precedence = term.precedence;
    else
        sum->precedence = term.precedence >= PREC_UNARY ? PREC_UNARY : PREC_PRODUCT;
    sum_bounds(sum, &term, negative);
}

static void sum_constant(struct sum *sum, int64_t constant)
{
    const bool negative = sum->n && is_subtracted(constant);

    if (constant || !sum->n)
        sum_add(sum, constant_text(sum->emitter, negative ? -constant : constant), negative);
}

static struct index_text sum_take(struct sum *sum)
{
    struct index_text result = {arena_copy(sum->emitter->arena, text_str(&sum->text)), sum->precedence, sum->wide,
                                sum->low, sum->high};

    text_free(&sum->text);
    return result;
}

static void sum_items(struct sum *sum, const struct items *items, bool wide)
{
    const bool constant_first = !sum->n && !items->n_positive && items->constant > 0;

    if (constant_first)
        sum_constant(sum, items->constant);
    for (int k = 0; k < items->n; k++) {
        const struct summand *item = &items->item[k];
        sum_add(sum, item_text(sum->emitter, item, wide && k == 0), is_subtracted(item->factor));
    }
    if (!constant_first)
        sum_constant(sum, items->constant);
}

struct index_text index_items(struct emitter *emitter, const struct items *items)
{
    struct sum sum = {.emitter = emitter};

    sum_items(&sum, items, false);
    if (sum.overflows) {
        text_free(&sum.text);
        sum = (struct sum){.emitter = emitter};
        sum_items(&sum, items, true);
        sum.wide = true;
    }
    return sum_take(&sum);
}

struct index_text index_affine(struct emitter *emitter, const struct affine *affine)
{
    const struct items items = items_of(emitter->arena, affine);

    return index_items(emitter, &items);
}

struct index_text index_product(struct emitter *emitter, struct index_text a, struct index_text b)
{
    const bool fits = fits_int(a.low * b.low, a.high * b.high) && fits_int(a.low * b.high, a.high * b.low);

    if (!a.wide && !b.wide && !fits)
        a = widened(emitter, a);
    const char *left = parenthesised(emitter, a.text, a.precedence, PREC_PRODUCT);
    const char *right = parenthesised(emitter, b.text, b.precedence, PREC_UNARY);
    struct index_text result = wide_text(arena_printf(emitter->arena, "%s * %s", left, right), PREC_PRODUCT);
    result.wide = a.wide || b.wide;
    result.low = result.wide ? 0 : a.low * b.low;
    result.high = result.wide ? 0 : a.high * b.high;
    return result;
}

/* a + b, or a - b */
static struct index_text joined(struct emitter *emitter, struct index_text a, struct index_text b, bool subtract)
{
    struct sum sum = {.emitter = emitter};

    sum_add(&sum, a, false);
    sum_add(&sum, b, subtract);
    if (sum.overflows) {
        text_free(&sum.text);
        return joined(emitter, widened(emitter, a), b, subtract);
    }
    return sum_take(&sum);
}

struct index_text index_join(struct emitter *emitter, struct index_text a, struct index_text b)
{
    return joined(emitter, a, b, false);
}

struct index_text index_difference(struct emitter *emitter, struct index_text a, struct index_text b)
{
    return joined(emitter, a, b, true);
}

struct index_text index_sum(struct emitter *emitter, struct index_text a, const struct affine *b)
{
    const struct items items = items_of(emitter->arena, b);
    struct sum sum = {.emitter = emitter};

    if (!items.n && !items.constant)
        return a;
    sum_add(&sum, a, false);
    sum_items(&sum, &items, false);
    if (sum.overflows) {
        text_free(&sum.text);
        return index_sum(emitter, widened(emitter, a), b);
    }
    return sum_take(&sum);
}
