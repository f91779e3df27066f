/* Part of pass "texts": are nodes of the tree the parts of a call (read/calls.h), unchanged, and on which operands?
 * The function's own program has the same parts, of its operands. */
#include "lower/instr/comparison.h"

#include "lower/body/bodies.h"
#include "tree/visit.h"

/* A loop of one iteration, which the tree has no more. */
static const struct node *only_iteration(struct comparison *c, int k)
{
    struct node *loop = ARENA_NEW(c->arena, struct node);

    *loop = (struct node){.kind = NODE_LOOP, .var = c->own_var[k], .lower = affine_constant(c->arena, 0), .step = 1};
    loop->upper = loop->lower;
    return loop;
}

static bool is_loop_named(const struct node *node, const char *name)
{
    return node->kind == NODE_LOOP && node->info && strcmp(node->info->name, name) == 0;
}

/* Loop k has as many iterations as the function's, which tells its parameters. */
static bool same_count(struct comparison *c, int k, const struct expr *extent)
{
    const struct affine *n = same_iterations(c, c->loop[k]);
    int64_t constant;

    if (!n || same_moves(c, n))
        return false;
    if (extent->kind == EXPR_PARAM)
        return same_bind(c, extent->param, tree_expr_index(c->arena, TYPE_I64, n));
    return affine_is_constant(n, &constant) && constant == extent->integer;
}

/* The operand that the part reads or writes, whose dimensions its loops are; NULL: it has none. */
static const struct array *operand_of(const struct statement *own)
{
    for (int k = 0; k < own->n_access; k++)
        if (!own->access[k].array->is_call)
            return own->access[k].array;
    return NULL;
}

/* Node is loops around the assignment of that part; the loops of own are c->loop[*first] and those behind it. *first
 * moves behind them. NULL: it is not. */
static const struct node *part_of(struct comparison *c, const struct statement *own, const struct statement *statement,
                                  const struct node *node, int *first)
{
    const struct array *operand = operand_of(own);
    const int outer = statement->n_loop - own->n_loop;

    for (int d = 0; d < own->n_loop; d++, ++*first) {
        const bool here = is_loop_named(node, statement->loop_name[outer + d]);

        c->loop[*first] = here ? node : only_iteration(c, *first);
        if (here && (!same_is_plain_loop(node) || node->step != 1))
            return same_differ(c, "there is something else around its parts"), NULL;
        if (!same_count(c, *first, operand->shape[d]))
            return same_differ(c, "a part has another number of iterations"), NULL;
        node = here ? node->child[0] : node;
    }
    return node;
}

/* The function's own statement as the loops from own_var[first] on run it. */
static const struct node *own_part(struct comparison *c, const struct statement *statement, int first)
{
    struct lowering lowering = lower_again(c->arena, c->own, c->own_vars, NULL);
    const struct affine **argument = ARENA_ARRAY(c->arena, statement->n_loop + 1, const struct affine *);

    for (int d = 0; d < statement->n_loop; d++)
        argument[d] = affine_var(c->arena, c->own_var[first + d]);
    return lower_bodies(&lowering, c->own, NULL, node_statement(c->arena, statement, argument));
}

/* { [i] -> A[a0,a1] }: what the part does to its operand in an iteration i of the loops around the call. */
static __isl_give isl_map *elements_of(const struct statement *statement, int n_own)
{
    const struct access *access = NULL;
    isl_map *map;

    for (int k = 0; k < statement->n_access; k++)
        if (!statement->access[k].array->is_call)
            access = &statement->access[k];
    if (!access)
        return NULL;
    map = isl_map_intersect_domain(isl_map_copy(access->map), isl_set_copy(statement->domain));
    map = isl_map_project_out(map, isl_dim_in, (unsigned)(statement->n_loop - n_own), (unsigned)n_own);
    return isl_map_reset_tuple_id(map, isl_dim_in);
}

/* Are the elements that two parts of the call use different ones in each iteration of the loops around it? */
static bool are_disjoint(const struct comparison *c, int a, int b)
{
    isl_map *both = elements_of(c->part[a], c->own->statement[a]->n_loop);

    both = isl_map_intersect(both, elements_of(c->part[b], c->own->statement[b]->n_loop));
    const isl_bool empty = isl_map_is_empty(both);
    isl_map_free(both);
    return empty == isl_bool_true;
}

/* What is written is no other operand: the parts' statements tell where operands are of one array. */
static bool no_overlap(struct comparison *c)
{
    for (int a = 0; a < c->own->n_statement; a++)
        for (int b = 0; b < c->own->n_statement; b++) {
            const struct array *written = c->own->statement[a]->target->array,
                               *other = operand_of(c->own->statement[b]);

            if (written->is_call || !other || written == other ||
                same_operand_of(c, written)->other != same_operand_of(c, other)->other || are_disjoint(c, a, b))
                continue;
            return same_differ(c, arena_printf(c->arena,
                                               "elements of `%s` would be in its `%s` and in its `%s`, which it writes",
                                               same_operand_of(c, written)->other->name, other->name, written->name));
        }
    return true;
}

static bool same_part(struct comparison *c, const struct call *call, int k, const struct node *node, int *first)
{
    const struct statement *own = c->own->statement[k], *statement = NULL;
    const int from = *first;
    const struct node *inner = node;

    while (inner->kind == NODE_LOOP)
        inner = inner->child[0];
    statement = inner->kind == NODE_ASSIGN ? inner->statement : NULL;
    if (!statement || statement->call != call || statement->part != k)
        return same_differ(c, "its parts are not one after the other");
    c->part[k] = statement;
    inner = part_of(c, own, statement, node, first);
    if (!inner || inner->kind != NODE_ASSIGN)
        return same_differ(c, "there is something else around its parts");
    if (!c->guard != !inner->guard_value || (c->guard && !tree_expr_equal(inner->guard_value, c->guard)))
        return same_differ(c, "its parts have different conditions");
    return same_statement(c, own_part(c, own, from), inner);
}

static struct comparison comparison(struct same_nest *same)
{
    const struct program *own = same->instruction->program;
    struct comparison c = {.same = same,
                           .arena = same->arena,
                           .own = own,
                           .own_vars = vars_of_program(same->arena, own),
                           .param = ARENA_ARRAY(same->arena, own->n_param + 1, const struct tree_expr *),
                           .scalar = ARENA_ARRAY(same->arena, own->n_scalar + 1, const struct tree_expr *),
                           .part = ARENA_ARRAY(same->arena, own->n_statement + 1, const struct statement *),
                           .operand = ARENA_ARRAY(same->arena, own->n_array + 1, struct operand)};
    int n = 0;

    for (int k = 0; k < own->n_statement; k++)
        n += own->statement[k]->n_loop;
    c.own_var = ARENA_ARRAY(same->arena, n + 1, const struct var *);
    c.loop = ARENA_ARRAY(same->arena, n + 1, const struct node *);
    for (int k = 0; k < own->n_statement; k++)
        for (int d = 0; d < own->statement[k]->n_loop; d++)
            c.own_var[c.n_loop++] = var_new(c.own_vars, VAR_LOOP, own->statement[k]->loop_name[d]);
    for (int k = 0; k < c.n_loop; k++)
        c.loop[k] = only_iteration(&c, k);
    return c;
}

/* Notes what no part of the call tells: the distance of rows where there is one. */
static bool untold(struct comparison *c)
{
    int k = 0;

    while (k < c->own->n_param && c->param[k])
        k++;
    return same_differ(c, k < c->own->n_param
                              ? arena_printf(c->arena, "its `%s` is not known, a stride in a dimension of one element",
                                             c->own->param[k].name)
                              : "not all of its operands are known");
}

bool same_call_find(struct same_nest *same, const struct call *call, const struct node *const *part)
{
    struct comparison c = comparison(same);
    int first = 0;

    c.guard = part[0]->guard_value;
    for (int k = 0; k < call->n_part; k++)
        if (!same_part(&c, call, k, part[k], &first))
            return false;
    for (int k = 0; k < instruction_arrays(same->instruction); k++)
        if (c.operand[k].other && !same_memory(&c, &c.own->array[k]))
            return false;
    if (!no_overlap(&c))
        return false;
    same->operands = same_operands(&c);
    return same->operands || untold(&c);
}
