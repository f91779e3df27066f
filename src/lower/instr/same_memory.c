/* Part of pass "texts": which elements an operand is. The subscripts of a reference in the instruction and in the tree
 * give the step along each dimension; from these and any reference follows the first element, on which all references
 * have to agree. */
#include "lower/instr/comparison.h"
#include "lower/instr/tensor_tile.h"
#include "tree/layout.h"
#include "tree/visit.h"

/* a where the instruction's own loops are at 0. */
static const struct affine *at_first(const struct comparison *c, const struct affine *a)
{
    for (int k = c->n_loop; k-- > 0;)
        a = affine_substitute(c->arena, a, c->loop[k]->var, c->start[k]);
    return a;
}

/* a of loops that start at 0: where `j` starts at `i`, `x[j]` moves with `i`, too. */
static const struct affine *from_zero(const struct comparison *c, const struct affine *a)
{
    for (int k = c->n_loop; k-- > 0;) {
        const struct var *var = c->loop[k]->var;
        a = affine_substitute(c->arena, a, var, affine_add(c->arena, affine_var(c->arena, var), c->start[k]));
    }
    return a;
}

/* What a grows by from one iteration of loop k to the next; false where that is not one number. */
static bool growth(const struct comparison *c, const struct affine *a, int k, int64_t *by)
{
    a = from_zero(c, a);
    if (!a || !affine_linear_factor(c->arena, a, c->loop[k]->var, by))
        return false;
    *by *= c->loop[k]->step;
    return true;
}

/* The loop that moves the own reference in dimension d and in no other, and how far; -1: there is none. */
static int loop_of_dimension(const struct comparison *c, const struct element *own, int d, int64_t *by)
{
    for (int k = 0; k < c->n_loop; k++) {
        bool alone =
            c->loop[k]->n_child && affine_linear_factor(c->arena, own->index[d], c->own_var[k], by) && *by != 0;

        for (int other = 0; other < own->array->n_dim && alone; other++)
            alone = other == d || !affine_uses(own->index[other], c->own_var[k]);
        if (alone)
            return k;
    }
    return -1;
}

/* What a step in dimension d of the own array is in the other one. */
static bool find_step(struct comparison *c, struct operand *operand, int d)
{
    for (int p = 0; p < operand->pair.n; p++) {
        const struct pair *pair = &operand->pair.at[p];
        int64_t own_by, by;
        const int k = loop_of_dimension(c, pair->own, d, &own_by);

        for (int e = 0; k >= 0 && e < operand->other->n_dim; e++) {
            if (!growth(c, pair->other->index[e], k, &by) || by % own_by != 0)
                return false;
            operand->step[d][e] = by / own_by;
        }
        operand->known[d] = k >= 0;
        if (k >= 0)
            return true;
    }
    return true;
}

/* Which element of dimension d the own reference is where loops are at 0; false: that is not one number, or it is not
 * known how far the operand's first element is from there. */
static bool find_first(const struct comparison *c, const struct operand *operand, const struct element *own, int d,
                       int64_t *first)
{
    const struct affine *at = own->index[d];

    for (int k = 0; k < c->n_loop; k++)
        at = affine_substitute(c->arena, at, c->own_var[k], affine_constant(c->arena, 0));
    return at && affine_is_constant(at, first) && (*first == 0 || operand->known[d]);
}

/* Does the pair agree with the steps, and with the first element, which it may tell? */
static bool agrees(const struct comparison *c, struct operand *operand, const struct pair *pair)
{
    for (int e = 0; e < operand->other->n_dim; e++) {
        const struct affine *base = at_first(c, pair->other->index[e]);

        for (int k = 0; k < c->n_loop; k++) {
            int64_t by, own_by, sum = 0;
            for (int d = 0; d < pair->own->array->n_dim; d++) {
                if (!affine_linear_factor(c->arena, pair->own->index[d], c->own_var[k], &own_by))
                    return false;
                sum += own_by * operand->step[d][e];
            }
            if (!growth(c, pair->other->index[e], k, &by) || by != sum)
                return false;
        }
        for (int d = 0; d < pair->own->array->n_dim; d++) {
            int64_t first;
            if (!find_first(c, operand, pair->own, d, &first))
                return false;
            base = affine_add_constant(c->arena, base, -first * operand->step[d][e]);
        }
        if (!operand->base[e])
            operand->base[e] = base;
        if (!base || !affine_equal(base, operand->base[e]))
            return false;
    }
    return true;
}

/* Elements of memory from one step in dimension e of the array to the next; NULL: not known as one expression. */
static const struct tree_expr *stride_along(const struct comparison *c, const struct array *array, int e)
{
    const struct scope scope = {c->same->site->program, c->same->site->param_var, NULL};
    const struct tree_expr *product = NULL;
    const struct affine *factor = affine_constant(c->arena, 1);

    if (array->stride)
        return affine_from_expr(c->arena, &scope, array->stride[e], &factor)
                   ? tree_expr_index(c->arena, TYPE_I64, factor)
                   : NULL;
    for (int k = array->n_dim - 1; k >= 0 && array_dense_dimension(array, k) != e; k--) {
        const struct affine *extent;
        int64_t value;

        if (!affine_from_expr(c->arena, &scope, array->shape[array_dense_dimension(array, k)], &extent) || !extent)
            return NULL;
        if (affine_is_constant(extent, &value) || affine_is_constant(factor, &value)) {
            factor = affine_is_constant(extent, &value) ? affine_scale(c->arena, factor, value)
                                                        : affine_scale(c->arena, extent, factor->constant);
            continue;
        }
        product =
            product ? tree_expr_binary(c->arena, OP_MUL, TYPE_I64, product, tree_expr_index(c->arena, TYPE_I64, factor))
                    : tree_expr_index(c->arena, TYPE_I64, factor);
        factor = extent;
    }
    if (!factor)
        return NULL;
    return product ? tree_expr_binary(c->arena, OP_MUL, TYPE_I64, product, tree_expr_index(c->arena, TYPE_I64, factor))
                   : tree_expr_index(c->arena, TYPE_I64, factor);
}

/* factor * expr */
static const struct tree_expr *scaled(const struct comparison *c, const struct tree_expr *expr, int64_t factor)
{
    if (factor == 1)
        return expr;
    if (expr->kind == TREE_INT)
        return tree_expr_integer(c->arena, TYPE_I64, expr->integer * factor);
    if (expr->kind == TREE_INDEX)
        return tree_expr_index(c->arena, TYPE_I64, affine_scale(c->arena, expr->affine, factor));
    return tree_expr_binary(c->arena, OP_MUL, TYPE_I64, tree_expr_integer(c->arena, TYPE_I64, factor), expr);
}

static const struct affine *as_affine(const struct comparison *c, const struct tree_expr *expr)
{
    return expr->kind == TREE_INT ? affine_constant(c->arena, expr->integer) : expr->affine;
}

/* The same from one step in dimension d of the instruction's array to the next. */
static const struct tree_expr *distance_of(const struct comparison *c, const struct operand *operand, int d)
{
    const struct tree_expr *sum = NULL;

    for (int e = 0; e < operand->other->n_dim; e++) {
        const struct tree_expr *stride;

        if (operand->step[d][e] == 0)
            continue;
        stride = stride_along(c, operand->other, e);
        stride = stride ? scaled(c, stride, operand->step[d][e]) : NULL;
        if (!stride || (sum && (!as_affine(c, sum) || !as_affine(c, stride))))
            return NULL;
        sum = sum ? tree_expr_index(c->arena, TYPE_I64, affine_add(c->arena, as_affine(c, sum), as_affine(c, stride)))
                  : stride;
    }
    return sum ? sum : tree_expr_index(c->arena, TYPE_I64, affine_constant(c->arena, 0));
}

/* a of the instruction's parameters, as far as these are known; NULL: not all of them. */
static const struct affine *translated(const struct comparison *c, const struct affine *a)
{
    const struct affine *sum = a ? affine_constant(c->arena, a->constant) : NULL;

    for (int k = 0; a && k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        const struct tree_expr *known = atom->kind == ATOM_VAR ? c->param[atom->var->id] : NULL;
        const struct affine *value = known ? as_affine(c, known) : NULL;
        sum = value ? affine_add(c->arena, sum, affine_scale(c->arena, value, a->term[k].factor)) : NULL;
    }
    return sum;
}

/* The rows of the operand are as far apart as the instruction has them; a stride that is a parameter is what it is. */
static bool same_distance(struct comparison *c, const struct array *own, int d)
{
    const struct tile_site site = {.arena = c->arena, .program = c->own, .param_var = c->own_vars->param};
    const struct operand *operand = same_operand_of(c, own);
    const struct tree_expr *distance = distance_of(c, operand, d);
    const struct affine *wanted;

    if (!distance)
        return same_differ(c, arena_printf(c->arena, "the distance of elements of `%s` is no one expression",
                                           operand->other->name));
    if (own->stride && own->stride[d]->kind == EXPR_PARAM)
        return same_bind(c, own->stride[d]->param, distance) ||
               same_differ(c, arena_printf(c->arena, "its `%s` would have two values", own->stride[d]->param->name));
    if (own->stride)
        wanted = own->stride[d]->kind == EXPR_INT ? affine_constant(c->arena, own->stride[d]->integer) : NULL;
    else
        wanted = translated(c, tile_distance(&site, own, d));
    return (wanted && as_affine(c, distance) && affine_equal(wanted, as_affine(c, distance))) ||
           same_differ(c, arena_printf(c->arena,
                                       "elements of `%s` lie in another order or distance than those of its `%s`",
                                       operand->other->name, own->name));
}

/* What all values of the expression are multiples of; 0: it is 0. */
static int64_t multiple_of(const struct comparison *c, const struct tree_expr *expr)
{
    if (expr->kind == TREE_INT || expr->kind == TREE_INDEX)
        return tile_multiple_of(c->same->site, as_affine(c, expr));
    return multiple_of(c, expr->arg[0]) * multiple_of(c, expr->arg[1]);
}

/* What the position of element 0 of the array is a multiple of; 0: it is 0. */
static int64_t multiple_of_offset(const struct comparison *c, const struct array *array)
{
    const struct scope scope = {c->same->site->program, c->same->site->param_var, NULL};
    const struct affine *offset = NULL;

    if (!array->offset)
        return 0;
    return affine_from_expr(c->arena, &scope, array->offset, &offset) && offset
               ? tile_multiple_of(c->same->site, offset)
               : 1;
}

/* The first element is where the instruction needs it; what is no argument starts there when it is asked to. */
static bool same_alignment(struct comparison *c, const struct array *own)
{
    const struct operand *operand = same_operand_of(c, own);
    struct array *other = (struct array *)(uintptr_t)operand->other;
    const int64_t bytes = type_bits(other->type) / 8;
    bool aligned = own->align == 0 || !array_is_argument(other) || (other->align > 0 && other->align % own->align == 0);

    aligned = aligned && (own->align == 0 || multiple_of_offset(c, other) * bytes % own->align == 0);

    for (int e = 0; own->align && e < other->n_dim && aligned; e++) {
        const struct tree_expr *stride = stride_along(c, other, e);
        const int64_t base = tile_multiple_of(c->same->site, operand->base[e]);

        aligned = base == 0 || (stride && base * multiple_of(c, stride) * bytes % own->align == 0);
    }
    if (!aligned)
        return same_differ(c, arena_printf(c->arena, "`%s` is not known to start at a multiple of %d bytes",
                                           other->name, (int)own->align));
    if (!array_is_argument(other) && other->align < own->align)
        other->align = own->align;
    return true;
}

/* How many elements the own array has in dimension d; INT64_MAX: any number. */
static int64_t extent_of(const struct comparison *c, const struct array *own, int d)
{
    const struct expr *extent = own->shape[d];
    const struct tree_expr *value = extent->kind == EXPR_PARAM ? c->param[extent->param - c->own->param] : NULL;
    int64_t constant;

    if (extent->kind == EXPR_INT)
        return extent->integer;
    return value && affine_is_constant(as_affine(c, value), &constant) ? constant : INT64_MAX;
}

/* Do all references have the same subscript in dimension d, in which nothing moves? */
static bool stands_still(const struct operand *operand, int d)
{
    for (int p = 0; p < operand->pair.n; p++)
        if (operand->pair.at[p].own->index[d]->constant != operand->pair.at[0].own->index[d]->constant)
            return false;
    return !operand->known[d];
}

/* Does the subscript in dimension e of the other array tell the own one in d, whatever those are that are not told yet?
 * A step in d is then longer than all that these make together. */
static bool tells(const struct comparison *c, const struct array *own, const struct operand *operand, const bool *told,
                  int d, int e)
{
    int64_t most = 0, span;

    for (int k = 0; k < own->n_dim; k++)
        if (k != d && !told[k] && operand->step[k][e] != 0 &&
            (__builtin_mul_overflow(llabs(operand->step[k][e]), extent_of(c, own, k) - 1, &span) ||
             __builtin_add_overflow(most, span, &most)))
            return false;
    return llabs(operand->step[d][e]) > most;
}

/* Are different elements of the own array different ones of the other? Texts may write several of them at once. */
static bool are_apart(const struct comparison *c, const struct array *own, const struct operand *operand)
{
    bool *told = ARENA_ARRAY(c->arena, own->n_dim + 1, bool);
    bool more = true, all = true;

    for (int d = 0; d < own->n_dim; d++)
        told[d] = extent_of(c, own, d) == 1 || stands_still(operand, d);
    while (more) {
        more = false;
        for (int d = 0; d < own->n_dim; d++)
            for (int e = 0; e < operand->other->n_dim && !told[d]; e++) {
                told[d] = tells(c, own, operand, told, d, e);
                more = more || told[d];
            }
    }
    for (int d = 0; d < own->n_dim; d++)
        all = all && told[d];
    return all;
}

bool same_memory(struct comparison *c, const struct array *own)
{
    struct operand *operand = same_operand_of(c, own);
    const int n = operand->other->n_dim;

    operand->base = ARENA_ARRAY(c->arena, n + 1, const struct affine *);
    operand->step = ARENA_ARRAY(c->arena, own->n_dim + 1, int64_t *);
    operand->known = ARENA_ARRAY(c->arena, own->n_dim + 1, bool);
    for (int d = 0; d < own->n_dim; d++) {
        operand->step[d] = ARENA_ARRAY(c->arena, n + 1, int64_t);
        if (!find_step(c, operand, d))
            return same_differ(c, arena_printf(c->arena, "`%s` is not walked through like its `%s`",
                                               operand->other->name, own->name));
    }
    for (int p = 0; p < operand->pair.n; p++)
        if (!agrees(c, operand, &operand->pair.at[p]))
            return same_differ(c, arena_printf(c->arena, "`%s` is not walked through like its `%s`",
                                               operand->other->name, own->name));
    if (same_writes(c, own) && !are_apart(c, own, operand))
        return same_differ(c, arena_printf(c->arena, "one element of `%s` would be several of its `%s`",
                                           operand->other->name, own->name));
    for (int d = 0; d < own->n_dim; d++)
        if (operand->known[d] && !same_distance(c, own, d))
            return false;
    return same_alignment(c, own);
}
