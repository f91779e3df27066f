#include "lower/instr/comparison.h"

#include "lower/body/bodies.h"
#include "program/expr/range.h"
#include "program/permit.h"
#include "tree/layout.h"
#include "tree/visit.h"

bool same_differ(struct comparison *c, const char *difference)
{
    if (!c->same->difference)
        c->same->difference = difference;
    return false;
}

struct operand *same_operand_of(struct comparison *c, const struct array *array)
{
    return &c->operand[array - c->own->array];
}

bool same_bind(struct comparison *c, const struct param *param, const struct tree_expr *value)
{
    const struct tree_expr **bound = &c->param[param - c->own->param];

    if (!*bound)
        *bound = value;
    return tree_expr_equal(*bound, value);
}

bool same_moves(const struct comparison *c, const struct affine *a)
{
    for (int k = 0; k < c->n_loop; k++)
        if (affine_uses(a, c->loop[k]->var))
            return true;
    return false;
}

/* Is that never less than 0? Of a name for a minimum facts know no more than that it is not larger. */
static bool is_count(const struct comparison *c, const struct affine *n)
{
    const struct same_nest *same = c->same;

    for (int k = same->n_value; n && k-- > 0;)
        n = affine_substitute(c->arena, n, same->value[k]->var, same->value[k]->lower);
    return n && facts_imply(same->facts, n);
}

const struct affine *same_not_negative(const struct comparison *c, const struct affine *count)
{
    const struct affine *both[2] = {count, affine_constant(c->arena, 0)};

    return is_count(c, count) ? count : affine_extreme(c->arena, ATOM_MAX, both, 2);
}

/* How many iterations the loop has; NULL: not known as one expression. */
const struct affine *same_iterations(const struct comparison *c, const struct node *loop)
{
    const struct affine *span = affine_sub(c->arena, loop->upper, loop->lower);
    int64_t value;

    if (affine_is_constant(span, &value) && loop->step > 0)
        return affine_constant(c->arena, floor_div(value, loop->step) + 1);
    span = loop->step == 1 ? affine_add_constant(c->arena, span, 1) : NULL;
    return span ? same_not_negative(c, span) : NULL;
}

bool same_is_plain_loop(const struct node *node)
{
    return node->kind == NODE_LOOP && !node->threads && !node->joined && !node->simd && !node->guard_value &&
           !node->continues && node->axis == AXIS_NONE && node->n_pragma == 0 && node->n_local == 0 &&
           node->n_own == 0 && node->unroll == 0;
}

/* The loops have the instruction's numbers of iterations, which tell its parameters. */
static enum sameness same_loops(struct comparison *c, const struct node *node)
{
    const struct nest_loop *own = instruction_loops(c->same->instruction)->loop;
    enum sameness sameness = NEST_SAME;

    for (int k = 0; k < c->n_loop; k++, node = node->child[0]) {
        if (!same_is_plain_loop(node))
            return same_differ(c, "there is something else around its statements"), NEST_OTHER;
        c->loop[k] = node;
        c->start[k] = node->lower;
    }
    for (int k = 0; k < c->n_loop; k++) {
        const struct affine *n = same_iterations(c, c->loop[k]);
        int64_t constant;

        if (own[k].upper->kind == EXPR_PARAM &&
            (!n || same_moves(c, n) || !same_bind(c, own[k].upper->param, tree_expr_index(c->arena, TYPE_I64, n))))
            return same_differ(c, "loops have other numbers of iterations"), NEST_OTHER;
        if (own[k].upper->kind == EXPR_INT &&
            (!n || !affine_is_constant(n, &constant) || constant != own[k].upper->integer))
            sameness = NEST_PARTIAL;
    }
    return sameness;
}

static bool is_plain_assign(const struct node *node)
{
    return node->kind == NODE_ASSIGN && !node->vector && !node->tensor && !node->tile && !node->atomic &&
           !node->warp_sum && !node->asynchronous && !node->streams && node->neighbours == 0 &&
           (node->declares == DECLARE_NOTHING || node->target.array->is_call);
}

static bool same_element(struct comparison *c, const struct element *own, const struct element *other)
{
    struct operand *operand = same_operand_of(c, own->array);

    if (own->array->type != other->array->type)
        return same_differ(c, arena_printf(c->arena, "`%s` is %s, not %s", other->array->name,
                                           type_name(other->array->type), type_name(own->array->type)));
    if (own->indirect || other->indirect || other->base)
        return same_differ(c, arena_printf(c->arena, "data choose elements of `%s`", other->array->name));
    if (other->array->in_registers || other->array->fragment || other->array->in_tiles)
        return same_differ(c, arena_printf(c->arena, "`%s` is in registers", other->array->name));
    if (operand->other && operand->other != other->array)
        return same_differ(c, arena_printf(c->arena, "`%s` would be both `%s` and `%s`", own->array->name,
                                           operand->other->name, other->array->name));
    operand->other = other->array;
    VEC_PUSH(c->arena, &operand->pair, ((struct pair){own, other}));
    return true;
}

static bool is_literal(const struct tree_expr *expr)
{
    const bool is_long = expr->kind == TREE_UNARY && expr->op == OP_NOT && expr->arg[0]->kind == TREE_INT;

    return expr->kind == TREE_SCALAR || expr->kind == TREE_INT || expr->kind == TREE_REAL || is_long;
}

static bool same_scalar(struct comparison *c, const struct tree_expr *own, const struct tree_expr *other)
{
    const struct tree_expr **bound = &c->scalar[own->scalar - c->own->scalar];

    if (!is_literal(other) || other->type != own->type)
        return same_differ(c, arena_printf(c->arena, "what would be its `%s` is no scalar or number of type %s",
                                           own->scalar->name, type_name(own->type)));
    if (!*bound)
        *bound = other;
    return tree_expr_equal(*bound, other) ||
           same_differ(c, arena_printf(c->arena, "its `%s` would have two values", own->scalar->name));
}

/* The number that a widened scalar would have to be, of the scalar's type: numbers are widened when they are read.
 * NULL: own is no such scalar, or other no number that it can be. */
static const struct tree_expr *narrowed(const struct comparison *c, const struct tree_expr *own,
                                        const struct tree_expr *other)
{
    const bool widened = own->kind == TREE_CAST && own->arg[0]->kind == TREE_SCALAR && other->kind == TREE_INT &&
                         own->type == other->type && !type_is_float(own->arg[0]->type);
    const struct range range = type_range(widened ? own->arg[0]->type : TYPE_I64);

    return widened && other->integer >= range.least && other->integer <= range.greatest
               ? tree_expr_integer(c->arena, own->arg[0]->type, other->integer)
               : NULL;
}

static const struct affine *as_affine(struct arena *arena, const struct tree_expr *expr)
{
    return expr->kind == TREE_INT     ? affine_constant(arena, expr->integer)
           : expr->kind == TREE_INDEX ? expr->affine
                                      : NULL;
}

/* own, of a loop of the instruction's, counts as the loop of the tree does. */
static bool same_index(struct comparison *c, const struct affine *own, const struct tree_expr *other)
{
    const struct affine *count = own, *value = as_affine(c->arena, other);

    for (int k = 0; k < c->n_loop; k++) {
        const struct affine *at = affine_sub(c->arena, affine_var(c->arena, c->loop[k]->var), c->start[k]);
        count = affine_substitute(c->arena, count, c->own_var[k], at);
    }
    return (count && value && affine_equal(count, value)) || same_differ(c, "loops do not start where those of it do");
}

/* What was found out so far, to go back to. */
struct mark {
    const struct array **other; /* of each operand */
    int *n_pair;
    const struct tree_expr **scalar;
    const char *difference;
};

static struct mark mark_here(const struct comparison *c)
{
    const size_t scalars = (size_t)c->own->n_scalar * sizeof(*c->scalar);
    struct mark mark = {.other = ARENA_ARRAY(c->arena, c->own->n_array + 1, const struct array *),
                        .n_pair = ARENA_ARRAY(c->arena, c->own->n_array + 1, int),
                        .scalar = ARENA_ARRAY(c->arena, c->own->n_scalar + 1, const struct tree_expr *),
                        .difference = c->same->difference};

    for (int k = 0; k < c->own->n_array; k++) {
        mark.other[k] = c->operand[k].other;
        mark.n_pair[k] = c->operand[k].pair.n;
    }
    memcpy(mark.scalar, c->scalar, scalars);
    return mark;
}

static void go_back(struct comparison *c, const struct mark *mark)
{
    for (int k = 0; k < c->own->n_array; k++) {
        c->operand[k].other = mark->other[k];
        c->operand[k].pair.n = mark->n_pair[k];
    }
    memcpy(c->scalar, mark->scalar, (size_t)c->own->n_scalar * sizeof(*c->scalar));
    c->same->difference = mark->difference;
}

static bool same_expr(struct comparison *c, const struct tree_expr *own, const struct tree_expr *other);

/* Is it the same whichever operand comes first? */
static bool commutes(const struct tree_expr *expr)
{
    return expr->kind == TREE_BINARY &&
           (expr->op == OP_ADD || expr->op == OP_MUL || expr->op == OP_AND || expr->op == OP_OR || expr->op == OP_XOR);
}

static bool element_moves(const struct element *element, const struct var *var)
{
    for (int d = 0; d < element->array->n_dim; d++)
        if (affine_uses(element->index[d], var))
            return true;
    return false;
}

/* Do the same loops move both? */
static bool move_alike(const struct comparison *c, const struct tree_expr *own, const struct tree_expr *other)
{
    bool alike = own->kind == other->kind && own->n_arg == other->n_arg;

    if (alike && own->kind == TREE_LOAD)
        for (int k = 0; k < c->n_loop && alike; k++)
            alike = element_moves(&own->element, c->own_var[k]) == element_moves(&other->element, c->loop[k]->var);
    for (int k = 0; k < own->n_arg && alike && own->kind != TREE_LOAD; k++)
        alike = move_alike(c, own->arg[k], other->arg[k]);
    return alike;
}

static bool same_pair(struct comparison *c, const struct tree_expr *own, const struct tree_expr *other, bool swapped)
{
    return same_expr(c, own->arg[0], other->arg[swapped]) && same_expr(c, own->arg[1], other->arg[!swapped]);
}

/* Operands that commute are taken in the order in which they move as the instruction's own do, else as they stand. */
static bool same_operands_of(struct comparison *c, const struct tree_expr *own, const struct tree_expr *other)
{
    const struct mark mark = mark_here(c);
    const bool as_written = move_alike(c, own->arg[0], other->arg[0]) && move_alike(c, own->arg[1], other->arg[1]);
    const bool swapped =
        !as_written && move_alike(c, own->arg[0], other->arg[1]) && move_alike(c, own->arg[1], other->arg[0]);
    const char *difference;

    if (same_pair(c, own, other, swapped))
        return true;
    difference = c->same->difference;
    go_back(c, &mark);
    if (same_pair(c, own, other, !swapped))
        return true;
    go_back(c, &mark);
    return same_differ(c, difference);
}

static bool same_args(struct comparison *c, const struct tree_expr *own, const struct tree_expr *other)
{
    if (commutes(own))
        return same_operands_of(c, own, other);
    for (int k = 0; k < own->n_arg; k++)
        if (!same_expr(c, own->arg[k], other->arg[k]))
            return false;
    return true;
}

static bool same_expr(struct comparison *c, const struct tree_expr *own, const struct tree_expr *other)
{
    const struct tree_expr *number = narrowed(c, own, other);

    if (own->kind == TREE_SCALAR || number)
        return same_scalar(c, number ? own->arg[0] : own, number ? number : other);
    if (own->kind == TREE_INDEX && c->same->instruction->is_called)
        return same_index(c, own->affine, other);
    if (own->kind != other->kind || own->type != other->type || own->op != other->op ||
        own->function != other->function || own->n_arg != other->n_arg)
        return same_differ(c, "a statement computes something else");
    if (own->kind == TREE_LOAD)
        return same_element(c, &own->element, &other->element);
    if (own->kind == TREE_INDEX)
        return same_differ(c, "a statement computes with values of its loops");
    if (own->n_arg == 0)
        return tree_expr_equal(own, other) || same_differ(c, "a statement has another number");
    return same_args(c, own, other);
}

bool same_statement(struct comparison *c, const struct node *own, const struct node *other)
{
    if (!is_plain_assign(other) || (other->guard_value && !other->statement->call))
        return same_differ(c, "a statement is no plain assignment here");
    if (other->wrap && type_is_signed(other->target.array->type) && !type_is_float(other->target.array->type))
        return same_differ(c, "integers are summed up in another order, in which they may overflow");
    if (own->op != other->op)
        return same_differ(c, "a statement computes something else");
    if (statement_permit(c->own, own->statement) & ~statement_permit(c->same->site->program, other->statement))
        return same_differ(c, "it may do what the statement does not permit");
    return same_element(c, &own->target, &other->target) && same_expr(c, own->value, other->value);
}

/* The instruction's statements, of variables of its own. */
static const struct node *own_statements(struct comparison *c)
{
    const struct block *block = instruction_loops(c->same->instruction);
    struct lowering lowering = lower_again(c->arena, c->own, c->own_vars, NULL);
    const struct affine **argument = ARENA_ARRAY(c->arena, c->n_loop, const struct affine *);
    const struct node **child = ARENA_ARRAY(c->arena, block->n_item, const struct node *);
    struct node *all = ARENA_NEW(c->arena, struct node);

    for (int k = 0; k < c->n_loop; k++)
        argument[k] = affine_var(c->arena, c->own_var[k]);
    for (int k = 0; k < block->n_item; k++) {
        struct node *statement = ARENA_NEW(c->arena, struct node);
        *statement = (struct node){.kind = NODE_STATEMENT, .statement = block->item[k].statement, .argument = argument};
        child[k] = statement;
    }
    *all = (struct node){.kind = NODE_BLOCK, .child = child, .n_child = block->n_item};
    return lower_bodies(&lowering, c->own, NULL, all);
}

static bool same_statements(struct comparison *c)
{
    const struct node *body = c->loop[c->n_loop - 1]->child[0], *own = own_statements(c);
    const bool several = body->kind == NODE_BLOCK;

    if (body->kind != NODE_ASSIGN && !several)
        return same_differ(c, "there are conditions around its statements");
    if (!own || own->n_child != (several ? body->n_child : 1) || (several && (body->n_local || body->n_own)))
        return same_differ(c, "there are other statements inside");
    for (int k = 0; k < own->n_child; k++)
        if (!same_statement(c, own->child[k], several ? body->child[k] : body))
            return false;
    return true;
}

bool same_writes(const struct comparison *c, const struct array *own)
{
    for (int k = 0; k < c->own->n_statement; k++)
        if (c->own->statement[k]->target->array == own)
            return true;
    return false;
}

/* An array that is written is one operand only. */
static bool no_overlap(struct comparison *c)
{
    for (int a = 0; a < c->own->n_array; a++)
        for (int b = 0; b < c->own->n_array; b++)
            if (a != b && c->operand[a].other && c->operand[a].other == c->operand[b].other &&
                same_writes(c, &c->own->array[a]))
                return same_differ(c, arena_printf(c->arena, "`%s` would be its `%s` and its `%s`, which it writes",
                                                   c->operand[a].other->name, c->own->array[b].name,
                                                   c->own->array[a].name));
    return true;
}

static const struct tree_expr *address(const struct comparison *c, const struct operand *operand)
{
    struct tree_expr *load = tree_expr_new(c->arena, TREE_LOAD, operand->other->type);

    load->element = (struct element){.array = operand->other, .index = operand->base};
    return load;
}

/* NULL where one is not known. */
const struct tree_expr *same_operands(const struct comparison *c)
{
    const struct program *own = c->own;
    struct tree_expr *all = tree_expr_new(c->arena, TREE_OPERANDS, TYPE_NONE);
    const struct tree_expr **arg =
        ARENA_ARRAY(c->arena, own->n_param + own->n_scalar + own->n_array, const struct tree_expr *);

    for (int k = 0; k < own->n_param; k++)
        arg[all->n_arg++] = c->param[k];
    for (int k = 0; k < own->n_scalar; k++)
        arg[all->n_arg++] = c->scalar[k];
    for (int k = 0; k < instruction_arrays(c->same->instruction); k++)
        arg[all->n_arg++] = c->operand[k].other ? address(c, &c->operand[k]) : NULL;
    all->arg = arg;
    for (int k = 0; k < all->n_arg; k++)
        if (!arg[k])
            return NULL;
    return all;
}

static struct comparison comparison(struct same_nest *same)
{
    const struct block *block = instruction_loops(same->instruction);
    const struct program *own = same->instruction->program;
    struct comparison c = {.same = same,
                           .arena = same->arena,
                           .own = own,
                           .own_vars = vars_of_program(same->arena, own),
                           .n_loop = block->n_loop,
                           .own_var = ARENA_ARRAY(same->arena, block->n_loop, const struct var *),
                           .loop = ARENA_ARRAY(same->arena, block->n_loop, const struct node *),
                           .start = ARENA_ARRAY(same->arena, block->n_loop, const struct affine *),
                           .param = ARENA_ARRAY(same->arena, own->n_param + 1, const struct tree_expr *),
                           .scalar = ARENA_ARRAY(same->arena, own->n_scalar + 1, const struct tree_expr *),
                           .operand = ARENA_ARRAY(same->arena, own->n_array + 1, struct operand)};

    for (int k = 0; k < block->n_loop; k++)
        c.own_var[k] = var_new(c.own_vars, VAR_LOOP, block->loop[k].name);
    return c;
}

enum sameness same_nest_find(struct same_nest *same, const struct node *node)
{
    struct comparison c = comparison(same);
    const enum sameness sameness = same_loops(&c, node);

    if (sameness != NEST_SAME)
        return sameness;
    if (!same_statements(&c))
        return NEST_OTHER;
    for (int k = 0; k < c.own->n_array; k++)
        if (c.operand[k].other && !same_memory(&c, &c.own->array[k]))
            return NEST_OTHER;
    if (!no_overlap(&c))
        return NEST_OTHER;
    same->operands = same_operands(&c);
    if (!same->operands)
        return same_differ(&c, "not all of its operands are known"), NEST_OTHER;
    return sameness;
}
