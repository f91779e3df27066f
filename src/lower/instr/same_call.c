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

/* value, an expression of the tree's loops, as one of the function's own; NULL: it uses other variables. */
static const struct affine *in_own(const struct comparison *c, const struct affine *value)
{
    bool own = true;

    for (int k = 0; k < c->n_loop; k++)
        value = affine_substitute(c->arena, value, c->loop[k]->var,
                                  affine_add(c->arena, affine_var(c->arena, c->own_var[k]), c->start[k]));
    for (int t = 0; value && t < value->n_term; t++) {
        bool found = false;
        for (int k = 0; k < c->n_loop; k++)
            found = found || value->term[t].atom->var == c->own_var[k];
        own = own && found;
    }
    return own ? value : NULL;
}

/* Finds where loop k starts of a part with some elements only. argument: the value of the part's dimension in the
 * tree's loops; loop: NULL where the tree has none, as for one iteration. */
static bool find_start(struct comparison *c, int k, const struct node *loop, const struct affine *argument)
{
    if (!loop) {
        c->only[k] = in_own(c, argument);
        return c->only[k] || same_differ(c, "which element of a row a part has does not follow from the row");
    }
    c->start[k] = affine_sub(c->arena, affine_var(c->arena, loop->var), argument);
    return (c->start[k] && affine_is_constant(c->start[k], NULL)) ||
           same_differ(c, "a part does not count its elements one by one");
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

/* Does the part go over some elements of its operand only? */
static bool is_of_some(const struct statement *own)
{
    const struct array *operand = operand_of(own);

    return operand && (own->target->array == operand ? operand->writes : operand->reads);
}

/* Matches node, loops around `assign`, with the loops of part `own`, which become c->loop[*first] and the next ones;
 * *first then is the one after them. Returns what is inside of these loops; NULL where they differ. Of a part with some
 * elements only no loop is counted. The proof of instances (lower/prove) says that each instance runs once; since the
 * call's first part runs here, in the same iteration of the loops around, so do all elements of this one. */
static const struct node *part_of(struct comparison *c, const struct statement *own, const struct node *assign,
                                  const struct node *node, int *first)
{
    const struct statement *statement = assign->statement;
    const int outer = statement->n_loop - own->n_loop;

    for (int d = 0; d < own->n_loop; d++, ++*first) {
        const bool here = is_loop_named(node, statement->loop_name[outer + d]);

        c->loop[*first] = here ? node : only_iteration(c, *first);
        c->start[*first] = c->loop[*first]->lower;
        c->only[*first] = here ? NULL : c->start[*first];
        if (here && (!same_is_plain_loop(node) || node->step != 1))
            return same_differ(c, "there is something else around its parts"), NULL;
        if (is_of_some(own) && !find_start(c, *first, here ? node : NULL, assign->argument[outer + d]))
            return NULL;
        if (!is_of_some(own) && !same_count(c, *first, operand_of(own)->shape[d]))
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
        argument[d] = c->only[first + d] ? c->only[first + d] : affine_var(c->arena, c->own_var[first + d]);
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

/* Do both stand in the same iteration of the n loops around the call? */
static bool same_iteration(struct comparison *c, const struct node *a, const struct node *b, int n)
{
    bool same = a->argument && b->argument;

    for (int k = 0; k < n && same; k++)
        same = affine_equal(a->argument[k], b->argument[k]);
    return same || same_differ(c, "its parts are in different iterations");
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
    c->first = k == 0 ? inner : c->first;
    if (!same_iteration(c, c->first, inner, statement->n_loop - own->n_loop))
        return false;
    inner = part_of(c, own, inner, node, first);
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
    c.start = ARENA_ARRAY(same->arena, n + 1, const struct affine *);
    c.only = ARENA_ARRAY(same->arena, n + 1, const struct affine *);
    for (int k = 0; k < own->n_statement; k++)
        for (int d = 0; d < own->statement[k]->n_loop; d++)
            c.own_var[c.n_loop++] = var_new(c.own_vars, VAR_LOOP, own->statement[k]->loop_name[d]);
    for (int k = 0; k < c.n_loop; k++) {
        c.loop[k] = only_iteration(&c, k);
        c.start[k] = c.loop[k]->lower;
    }
    return c;
}

/* The name that a node around gives to the value, or the value. */
static const struct affine *named(const struct comparison *c, const struct affine *value)
{
    for (int k = c->same->n_value; k-- > 0;)
        if (affine_equal(c->same->value[k]->lower, value))
            return affine_var(c->arena, c->same->value[k]->var);
    return value;
}

/* Parameters that no loop of a part determines are what the call passes for them. */
static void bind_passed(struct comparison *c, const struct call *call)
{
    const struct scope scope = {c->same->site->program, c->same->site->param_var, c->first->argument};

    for (int k = 0; k < c->own->n_param; k++) {
        const struct affine *size = NULL;

        if (!c->param[k] && call->size[k] && affine_from_expr(c->arena, &scope, call->size[k], &size) && size)
            size = same_not_negative(c, size);
        if (size)
            c->param[k] = tree_expr_index(c->arena, TYPE_I64, named(c, size));
    }
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
    bind_passed(&c, call);
    for (int k = 0; k < instruction_arrays(same->instruction); k++)
        if (c.operand[k].other && !same_memory(&c, &c.own->array[k]))
            return false;
    if (!no_overlap(&c))
        return false;
    same->operands = same_operands(&c);
    return same->operands || untold(&c);
}
