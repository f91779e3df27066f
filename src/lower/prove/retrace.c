#include "lower/prove/retrace.h"

#include "lower/facts/facts.h"
#include "lower/loops/ast_expr.h"
#include "poly/coalesce.h"
#include "poly/context.h"
#include "poly/graph.h"
#include "poly/union.h"

#include <isl/space.h>
#include <isl/val.h>

/* More leaves than are worth it; as many pieces as isl compares quickly; and twice the operations that an example
 * takes: what takes more is mostly decided sooner by the loops' sets (cover.c). */
enum { MOST_LEAVES = 64, FEW_PIECES = 6 };

/* A leaf of the order and the loops around it. */
struct path {
    const struct order *leaf;
    const struct order *const *loop;
    int n;
};

struct retracing {
    struct lowering *lowering;
    const struct statement *statement;
    VEC(struct path) path;
    const struct order *around[MAX_DEPTH];  /* while paths are found */
    const struct node *loop[2 * MAX_DEPTH]; /* around a leaf of the tree, outermost first */
    int n_loop;
    isl_set *run; /* what the leaves so far run */
    int n_leaf;
};

static bool find_paths(struct retracing *r, const struct order *order, int n)
{
    if (order->kind == ORDER_LEAF) {
        const struct order **loop;
        if (order->statement != r->statement)
            return true;
        loop = ARENA_ARRAY(r->lowering->arena, n + 1, const struct order *);
        memcpy(loop, r->around, (size_t)n * sizeof(*loop));
        VEC_PUSH(r->lowering->arena, &r->path, ((struct path){order, loop, n}));
        return r->path.n <= MOST_LEAVES;
    }
    if (order->kind == ORDER_LOOP) {
        if (n == MAX_DEPTH)
            return false;
        r->around[n++] = order;
    }
    for (int k = 0; k < order->n_child; k++)
        if (!find_paths(r, order->child[k], n))
            return false;
    return true;
}

/* The loop of the path that this one was made of, or NULL. */
static const struct order *loop_of(const struct path *path, const struct node *loop)
{
    for (int k = 0; loop->info && k < path->n; k++)
        if (path->loop[k]->info->id == loop->info->id)
            return path->loop[k];
    return NULL;
}

/* { S[x] -> [the values that the loop has for it] } */
static __isl_give isl_pw_aff *value_of(const struct retracing *r, const struct order *loop)
{
    isl_space *space = isl_set_get_space(r->statement->domain);
    isl_space *single = isl_space_add_dims(isl_space_from_domain(isl_space_copy(space)), isl_dim_out, 1);
    isl_pw_aff *value = isl_union_pw_aff_extract_pw_aff(loop->time, single);
    isl_aff *offset = isl_aff_copy(loop->info->offset);
    isl_multi_aff *nothing;

    value = isl_pw_aff_scale_val(value, isl_val_int_from_si(r->lowering->program->ctx, loop->info->stride));
    if (!offset) {
        isl_space_free(space);
        return value;
    }
    nothing = isl_multi_aff_zero(isl_space_map_from_domain_and_range(space, isl_aff_get_domain_space(offset)));
    return isl_pw_aff_add(value, isl_pw_aff_from_aff(isl_aff_pullback_multi_aff(offset, nothing)));
}

/* { S[x] -> [v..] }: where the order runs the path's instances in the loops around; NULL: it has not all of these. */
static __isl_give isl_map *retraced(const struct retracing *r, const struct path *path)
{
    isl_space *space = isl_space_from_domain(isl_set_get_space(r->statement->domain));
    isl_multi_pw_aff *value;

    for (int k = 0; k < r->n_loop; k++)
        if (!loop_of(path, r->loop[k])) {
            isl_space_free(space);
            return NULL;
        }
    value = isl_multi_pw_aff_zero(isl_space_add_dims(space, isl_dim_out, (unsigned)r->n_loop));
    for (int k = 0; k < r->n_loop; k++)
        value = isl_multi_pw_aff_set_pw_aff(value, k, value_of(r, loop_of(path, r->loop[k])));
    return isl_map_intersect_domain(poly_graph(value), isl_set_copy(path->leaf->domain));
}

/* { S[a] -> [v..] }: what leaf runs; the loops' variables, parameters of known, in their order. */
static __isl_give isl_map *instances(const struct retracing *r, const struct facts *facts, const struct node *leaf)
{
    const unsigned n_param = (unsigned)r->lowering->program->n_param;
    isl_set *set = facts_values(facts, leaf->argument, leaf->statement->n_loop);
    isl_map *map = isl_map_from_range(isl_set_set_tuple_name(set, leaf->statement->label));

    map = isl_map_move_dims(map, isl_dim_in, 0, isl_dim_param, n_param, (unsigned)r->n_loop);
    return isl_map_reverse(map);
}

/* What pieces of `runs` and of times have in common, without isl's search for a point in it. */
struct meeting {
    isl_basic_map *runs;
    isl_basic_set_list *set;
};

static isl_stat meet(__isl_take isl_basic_map *times, void *user)
{
    struct meeting *meeting = user;
    isl_basic_map *both = isl_basic_map_intersect(isl_basic_map_copy(meeting->runs), times);

    meeting->set = isl_basic_set_list_add(meeting->set, isl_basic_map_domain(both));
    return meeting->set ? isl_stat_ok : isl_stat_error;
}

/* The domain of runs, all of which are of times: functions of the instance take the place of the loops' variables. */
static __isl_give isl_set *instances_of(__isl_keep isl_map *runs, __isl_keep isl_map *times)
{
    isl_basic_map_list *list = isl_map_get_basic_map_list(runs);
    struct meeting meeting = {NULL, isl_basic_set_list_alloc(isl_map_get_ctx(runs), 1)};
    const int n = (int)isl_basic_map_list_size(list);

    for (int k = 0; k < n; k++) {
        meeting.runs = isl_basic_map_list_get_at(list, k);
        if (isl_map_foreach_basic_map(times, meet, &meeting) != isl_stat_ok)
            meeting.set = isl_basic_set_list_free(meeting.set);
        isl_basic_map_free(meeting.runs);
    }
    isl_basic_map_list_free(list);
    if (isl_basic_set_list_size(meeting.set) > 0)
        return poly_union(meeting.set);
    isl_basic_set_list_free(meeting.set);
    return isl_map_domain(isl_map_copy(runs));
}

/* The instances that leaf runs, each once; NULL where that is not seen. */
static __isl_give isl_set *once(const struct retracing *r, const struct facts *facts, const struct node *leaf)
{
    isl_map *runs = instances(r, facts, leaf);
    isl_set *set = NULL;

    for (int k = 0; k < r->path.n && !set; k++) {
        isl_map *times = retraced(r, &r->path.at[k]);
        if (times && isl_map_is_subset(runs, times) == isl_bool_true)
            set = instances_of(runs, times);
        isl_map_free(times);
    }
    isl_map_free(runs);
    return set;
}

static bool add_leaf(struct retracing *r, const struct facts *facts, const struct node *leaf)
{
    isl_set *run = r->n_leaf++ < MOST_LEAVES ? once(r, facts, leaf) : NULL;

    if (!run || isl_set_is_disjoint(r->run, run) != isl_bool_true) {
        isl_set_free(run);
        return false;
    }
    r->run = isl_set_union(r->run, run);
    return true;
}

static bool has_statement(const struct node *node, const struct statement *statement)
{
    bool found = node->kind == NODE_STATEMENT && node->statement == statement;

    for (int k = 0; k < node->n_child && !found; k++)
        found = has_statement(node->child[k], statement);
    return found;
}

static bool walk(struct retracing *r, const struct facts *facts, const struct node *node)
{
    const int n_loop = r->n_loop;
    bool good = true;

    if (!has_statement(node, r->statement))
        return true;
    if (node->kind == NODE_VALUE)
        return walk(r, facts, node_substitute(r->lowering->arena, node->child[0], node->var, node->lower));
    if (node->kind == NODE_STATEMENT)
        return add_leaf(r, facts, node);
    if (node->kind == NODE_LOOP && r->n_loop == 2 * MAX_DEPTH)
        return false;
    if (node->kind == NODE_LOOP)
        r->loop[r->n_loop++] = node;
    for (int k = 0; k < node->n_child && good; k++) {
        struct facts inside = *facts;
        facts_enter(&inside, node, k);
        good = walk(r, &inside, node->child[k]);
    }
    r->n_loop = n_loop;
    return good;
}

/* Is the time a function of at most one of the statement's loops? */
static bool is_straight(const struct statement *statement, __isl_keep isl_union_pw_aff *times)
{
    isl_space *space = isl_space_from_domain(isl_set_get_space(statement->domain));
    isl_pw_aff *time = isl_union_pw_aff_extract_pw_aff(times, isl_space_add_dims(space, isl_dim_out, 1));
    int n = 0;

    for (int k = 0; k < statement->n_loop; k++)
        n += isl_pw_aff_involves_dims(time, isl_dim_in, (unsigned)k, 1) != isl_bool_false;
    isl_pw_aff_free(time);
    return n <= 1;
}

static bool has_strides(const struct program *program, __isl_keep isl_set *domain)
{
    isl_set *own = isl_set_gist_params(isl_set_copy(domain), isl_set_copy(program->context));
    isl_basic_set_list *list = isl_set_get_basic_set_list(own);
    bool strides = false;

    for (int k = 0; k < isl_basic_set_list_size(list); k++) {
        isl_basic_set *piece = isl_basic_set_list_get_at(list, k);
        strides |= isl_basic_set_dim(piece, isl_dim_div) != 0;
        isl_basic_set_free(piece);
    }
    isl_basic_set_list_free(list);
    isl_set_free(own);
    return strides;
}

bool retrace_pays(struct lowering *lowering, const struct order *order, const struct statement *statement)
{
    struct retracing r = {.lowering = lowering, .statement = statement};

    if (!find_paths(&r, order, 0))
        return false;
    for (int k = 0; k < r.path.n; k++) {
        const struct path *path = &r.path.at[k];
        if (has_strides(lowering->program, path->leaf->domain))
            return true;
        for (int l = 0; l < path->n; l++)
            if (!is_straight(statement, path->loop[l]->time))
                return true;
    }
    return false;
}

/* Does the tree run domain, and nothing else? */
static bool runs_all(struct retracing *r, __isl_keep isl_set *domain)
{
    if (isl_set_n_basic_set(r->run) > FEW_PIECES)
        r->run = poly_set_coalesce(r->run);
    return isl_set_is_subset(domain, r->run) == isl_bool_true && isl_set_is_subset(r->run, domain) == isl_bool_true;
}

bool retrace_holds(struct lowering *lowering, const struct order *order, const struct node *tree,
                   const struct statement *statement, unsigned long most)
{
    struct retracing r = {.lowering = lowering, .statement = statement};
    const struct facts facts = facts_of_program(lowering);
    isl_ctx *ctx = lowering->program->ctx;
    unsigned long budget;
    isl_set *domain;
    bool holds;

    if (isl_ctx_last_error(ctx) != isl_error_none)
        return false;
    budget = poly_part_begin(ctx, most);
    domain = isl_set_intersect_params(isl_set_copy(statement->domain), isl_set_copy(lowering->program->context));
    r.run = isl_set_empty(isl_set_get_space(domain));
    holds = find_paths(&r, order, 0) && walk(&r, &facts, tree) && runs_all(&r, domain);
    isl_set_free(r.run);
    isl_set_free(domain);
    return poly_part_end(ctx, budget) && holds;
}
