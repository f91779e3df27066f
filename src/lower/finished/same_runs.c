#include "lower/finished/same_runs.h"

#include "tree/visit.h"

/* Leaves of one side that are worth sets, and how often a comparison is tried again further out. */
enum { MOST_LEAVES = 24, MOST_CLIMBS = 3 };

enum { PROVED, FINISHED, TREES };

struct comparing {
    struct arena *arena;
    struct same_sets *sets;
    struct ways ways[TREES];
    struct same_result *result; /* of each statement, by index */
    int *climbs;                /* of each statement: comparisons that were no success */
};

/* What stands at one place of both trees. */
struct pair {
    const struct way *way[TREES];
    stop_vec stops[TREES];
};

/* Statements, by index. */
struct some {
    bool *in;
    int n;
};

static void note_open(struct comparing *c, int statement, const char *why)
{
    c->result[statement].open = true;
    if (!c->result[statement].why)
        c->result[statement].why = why;
}

static bool stop_runs(const struct stop *stop, const struct statement *statement)
{
    const bool leaf = stop_bodies(stop) == 0;
    bool runs = false;

    if (!leaf)
        return node_runs(stop->node, statement);
    runs = stop->node->statement == statement && (stop->node->argument || stop->node->untold);
    for (int k = 0; k < stop->node->n_also; k++)
        runs = runs || stop->node->also[k].statement == statement;
    return runs;
}

static struct some some_of(struct comparing *c, const struct stop *stop, const struct some *among)
{
    const struct program *program = c->sets->program;
    struct some some = {ARENA_ARRAY(c->arena, program->n_statement + 1, bool), 0};

    for (int k = 0; k < program->n_statement; k++) {
        some.in[k] = among->in[k] && stop_runs(stop, program->statement[k]);
        some.n += some.in[k];
    }
    return some;
}

static bool are_same(const struct comparing *c, const struct some *a, const struct some *b)
{
    return memcmp(a->in, b->in, (size_t)c->sets->program->n_statement * sizeof(bool)) == 0;
}

static struct some only(struct comparing *c, int statement)
{
    struct some some = {ARENA_ARRAY(c->arena, c->sets->program->n_statement + 1, bool), 1};

    some.in[statement] = true;
    return some;
}

/* All leaves of the statement in what stands there. */
static bool collect(struct ways *ways, const stop_vec *stops, const struct statement *statement, leaf_vec *leaves)
{
    for (int s = 0; s < stops->n; s++) {
        const struct stop *stop = &stops->at[s];
        const int n = stop_bodies(stop);
        if (!stop_runs(stop, statement))
            continue;
        if (leaves->n > MOST_LEAVES)
            return ways_lost(ways, "many copies");
        if (n == 0 && !stop_leaves(ways, stop, statement, leaves))
            return false;
        for (int k = 0; k < n; k++) {
            stop_vec inside = {0};
            if (node_runs(stop->node->child[k], statement) &&
                (!stop_enter(ways, stop, k, NULL, &inside) || !collect(ways, &inside, statement, leaves)))
                return false;
        }
    }
    return true;
}

static bool region_holds(struct comparing *c, int statement, const struct pair *pair)
{
    struct side side[TREES];
    const char *why = NULL;
    enum same_answer answer;

    for (int t = 0; t < TREES; t++) {
        side[t] = (struct side){.from = pair->way[t]};
        c->ways[t].why = NULL;
        if (!collect(&c->ways[t], &pair->stops[t], c->sets->program->statement[statement], &side[t].leaves)) {
            why = c->ways[t].why;
            note_open(c, statement, why ? why : "large numbers");
            return false;
        }
    }
    answer = same_sets(c->sets, &side[PROVED], &side[FINISHED], false);
    if (answer != SAME_YES)
        answer = same_sets(c->sets, &side[PROVED], &side[FINISHED], true);
    if (answer == SAME_NO && c->sets->param)
        c->result[statement].param = c->sets->param;
    if (answer != SAME_YES)
        note_open(c, statement, answer == SAME_NO ? "a difference that other copies may make up for" : c->sets->why);
    return answer == SAME_YES;
}

static void compare(struct comparing *c, const struct pair *pair, const struct some *some);

/* Compares what the statement runs there; where that has been tried in vain too often, nothing is. */
static void compare_sets(struct comparing *c, int statement, const struct pair *pair)
{
    struct same_result *result = &c->result[statement];
    const struct same_result before = *result;

    if (c->climbs[statement] >= MOST_CLIMBS) {
        result->open = true;
        return;
    }
    if (region_holds(c, statement, pair))
        *result = before;
    else
        c->climbs[statement]++;
}

static bool same_guards(struct ways *ways[TREES], const struct stop *const stop[TREES])
{
    const struct node *a = stop[PROVED]->node, *b = stop[FINISHED]->node;

    if (a->n_alternative != b->n_alternative || a->n_child != b->n_child || a->value || b->value)
        return false;
    for (int k = 0; k < a->n_alternative; k++) {
        const struct guard *one = &a->alternative[k], *other = &b->alternative[k];
        if (one->n != other->n)
            return false;
        for (int i = 0; i < one->n; i++) {
            const struct affine *x = way_value(ways[PROVED], stop[PROVED]->way, one->condition[i].affine);
            const struct affine *y = way_value(ways[FINISHED], stop[FINISHED]->way, other->condition[i].affine);
            if (!x || !y || one->condition[i].equal != other->condition[i].equal || !affine_equal(x, y))
                return false;
        }
    }
    return true;
}

static bool same_labels(struct ways *ways[TREES], const struct stop *const stop[TREES])
{
    const struct node *a = stop[PROVED]->node, *b = stop[FINISHED]->node;
    const struct affine *x = way_value(ways[PROVED], stop[PROVED]->way, a->lower);
    const struct affine *y = way_value(ways[FINISHED], stop[FINISHED]->way, b->lower);

    return x && y && affine_equal(x, y) && a->n_child == b->n_child &&
           memcmp(a->label, b->label, (size_t)a->n_child * sizeof(*a->label)) == 0;
}

static bool same_bounds(struct ways *ways[TREES], const struct stop *const stop[TREES])
{
    struct way_loop a, b;

    return !stop[FINISHED]->node->continues && stop[FINISHED]->node->once == stop[PROVED]->node->once &&
           (stop[FINISHED]->node->kind == NODE_TUPLE || stop[FINISHED]->node->axis == stop[PROVED]->node->axis) &&
           stop_loop(ways[PROVED], stop[PROVED], &a) && stop_loop(ways[FINISHED], stop[FINISHED], &b) &&
           a.step == b.step && affine_equal(a.lower, b.lower) && affine_equal(a.upper, b.upper);
}

static bool are_alike(struct ways *ways[TREES], const struct stop *const stop[TREES])
{
    const enum node_kind a = stop[PROVED]->node->kind, b = stop[FINISHED]->node->kind;

    if (a == NODE_LOOP && (b == NODE_LOOP || b == NODE_TUPLE))
        return same_bounds(ways, stop);
    if (a == NODE_IF && b == NODE_IF)
        return same_guards(ways, stop);
    return a == NODE_SWITCH && b == NODE_SWITCH && same_labels(ways, stop);
}

/* Does each of two leaves run one instance, the same one? */
static bool same_instance(struct comparing *c, const struct stop *const stop[TREES], const struct statement *statement)
{
    leaf_vec leaf[TREES] = {{0}, {0}};

    for (int t = 0; t < TREES; t++)
        if (stop_bodies(stop[t]) > 0 || !stop_leaves(&c->ways[t], stop[t], statement, &leaf[t]) || leaf[t].n != 1 ||
            leaf[t].at->way != stop[t]->way)
            return false;
    for (int k = 0; k < statement->n_loop; k++)
        if (!affine_equal(leaf[PROVED].at->argument[k], leaf[FINISHED].at->argument[k]))
            return false;
    return true;
}

/* The bodies of loops or conditions that are alike, one by one. False: one cannot be entered; nothing was compared. */
static bool compare_bodies(struct comparing *c, const struct stop *const stop[TREES], const struct some *some)
{
    const struct var *count = ways_count(&c->ways[PROVED]);
    const int n = stop_bodies(stop[PROVED]);
    struct pair *body = ARENA_ARRAY(c->arena, n + 1, struct pair);

    for (int k = 0; k < n; k++)
        for (int t = 0; t < TREES; t++)
            if (!stop_enter(&c->ways[t], stop[t], k, count, &body[k].stops[t]))
                return false;
    for (int k = 0; k < n; k++)
        compare(c, &body[k], some);
    return true;
}

/* Two stops that run the same statements. */
static void compare_stops(struct comparing *c, const struct stop *proved, const struct stop *finished,
                          const struct some *some)
{
    struct ways *ways[TREES] = {&c->ways[PROVED], &c->ways[FINISHED]};
    const struct stop *const stop[TREES] = {proved, finished};
    const struct program *program = c->sets->program;

    if (stop_bodies(proved) > 0 && are_alike(ways, stop) && compare_bodies(c, stop, some))
        return;
    for (int k = 0; k < program->n_statement; k++)
        if (some->in[k] && !same_instance(c, stop, program->statement[k])) {
            struct pair pair = {.way = {proved->way, finished->way}};
            VEC_PUSH(c->arena, &pair.stops[PROVED], *proved);
            VEC_PUSH(c->arena, &pair.stops[FINISHED], *finished);
            compare_sets(c, k, &pair);
        }
}

/* Those of the stops that run some of the statements. */
static stop_vec running(struct comparing *c, const stop_vec *stops, const struct some *some, struct some **which)
{
    stop_vec list = {0};

    *which = ARENA_ARRAY(c->arena, stops->n + 1, struct some);
    for (int k = 0; k < stops->n; k++) {
        const struct some own = some_of(c, &stops->at[k], some);
        if (own.n == 0)
            continue;
        (*which)[list.n] = own;
        VEC_PUSH(c->arena, &list, stops->at[k]);
    }
    return list;
}

static void compare_each(struct comparing *c, const struct pair *pair, const struct some *some)
{
    for (int k = 0; k < c->sets->program->n_statement; k++)
        if (some->in[k]) {
            const struct some one = only(c, k);
            compare(c, pair, &one);
        }
}

/* The same number of stops, each of which runs the same statements as the other's? */
static bool are_parallel(struct comparing *c, const stop_vec list[TREES], struct some *const which[TREES])
{
    bool parallel = list[PROVED].n == list[FINISHED].n;

    for (int k = 0; k < list[PROVED].n && parallel; k++)
        parallel = are_same(c, &which[PROVED][k], &which[FINISHED][k]);
    return parallel;
}

/* The number of stops, from the first one on, that are alike in both trees: loops or conditions around the same
 * statements. */
static int alike_in_front(struct comparing *c, const stop_vec list[TREES], struct some *const which[TREES])
{
    struct ways *ways[TREES] = {&c->ways[PROVED], &c->ways[FINISHED]};
    const int n = list[PROVED].n < list[FINISHED].n ? list[PROVED].n : list[FINISHED].n;

    for (int k = 0; k < n; k++) {
        const struct stop *const stop[TREES] = {&list[PROVED].at[k], &list[FINISHED].at[k]};
        if (stop_bodies(stop[PROVED]) == 0 || !are_same(c, &which[PROVED][k], &which[FINISHED][k]) ||
            !are_alike(ways, stop))
            return k;
    }
    return n;
}

/* Tries what is open of the parts once more as a whole. */
static void compare_again(struct comparing *c, const struct pair *pair, const struct some *some)
{
    for (int k = 0; k < c->sets->program->n_statement; k++) {
        const struct same_result parts = c->result[k];
        if (!some->in[k] || !parts.open)
            continue;
        c->result[k] = (struct same_result){0};
        compare_sets(c, k, pair);
        if (!c->result[k].open)
            continue;
        c->result[k].param = c->result[k].param ? c->result[k].param : parts.param;
        c->result[k].why = parts.why ? parts.why : c->result[k].why;
    }
}

/* The way on which all stops are. */
static const struct way *common_way(const stop_vec *stops)
{
    const struct way *common = stops->n > 0 ? stops->at->way : NULL;
    bool on_all = false;

    while (common && !on_all) {
        on_all = true;
        for (int k = 1; k < stops->n && on_all; k++) {
            const struct way *way = stops->at[k].way;
            while (way && way != common)
                way = way->outer;
            on_all = way;
        }
        common = on_all ? common : common->outer;
    }
    return common;
}

/* The first n stops one by one, then the others together. */
static void compare_front(struct comparing *c, const struct pair *pair, struct some *const which[TREES], int n,
                          const struct some *some)
{
    struct pair rest = *pair;

    for (int k = 0; k < n; k++)
        compare_stops(c, &pair->stops[PROVED].at[k], &pair->stops[FINISHED].at[k], &which[PROVED][k]);
    for (int t = 0; t < TREES; t++) {
        rest.stops[t].at += n;
        rest.stops[t].n -= n;
        rest.stops[t].capacity -= n;
    }
    compare(c, &rest, some);
    compare_again(c, pair, some);
}

static void compare_parts(struct comparing *c, const struct pair *pair, const struct some *some)
{
    struct some *which[TREES];
    struct pair own;
    int n_front;

    for (int t = 0; t < TREES; t++) {
        own.stops[t] = running(c, &pair->stops[t], some, &which[t]);
        own.way[t] = common_way(&own.stops[t]);
    }
    n_front = alike_in_front(c, own.stops, which);
    if (are_parallel(c, own.stops, which)) {
        for (int k = 0; k < own.stops[PROVED].n; k++)
            compare_stops(c, &own.stops[PROVED].at[k], &own.stops[FINISHED].at[k], &which[PROVED][k]);
        if (own.stops[PROVED].n > 1)
            compare_again(c, &own, some);
    } else if (n_front > 0) {
        compare_front(c, &own, which, n_front, some);
    } else if (some->n > 1) {
        compare_each(c, &own, some);
    } else {
        for (int k = 0; k < c->sets->program->n_statement; k++)
            if (some->in[k])
                compare_sets(c, k, &own);
    }
}

/* What stands at one place of both trees; what was open before stays open. */
static void compare(struct comparing *c, const struct pair *pair, const struct some *some)
{
    const int n = c->sets->program->n_statement;
    struct same_result *before = ARENA_ARRAY(c->arena, n + 1, struct same_result);

    for (int k = 0; k < n; k++) {
        before[k] = c->result[k];
        if (some->in[k])
            c->result[k] = (struct same_result){0};
    }
    compare_parts(c, pair, some);
    for (int k = 0; k < n; k++)
        if (some->in[k] && before[k].open)
            c->result[k] = before[k];
}

const struct same_result *same_runs(struct same_sets *sets, int first_id, const struct node *proved,
                                    const struct node *finished)
{
    const struct program *program = sets->program;
    struct arena *arena = sets->arena;
    struct comparing c = {.arena = arena,
                          .sets = sets,
                          .ways = {{arena, first_id, TREES, false, NULL}, {arena, first_id + 1, TREES, true, NULL}},
                          .result = ARENA_ARRAY(arena, program->n_statement + 1, struct same_result),
                          .climbs = ARENA_ARRAY(arena, program->n_statement + 1, int)};
    struct some all = {ARENA_ARRAY(arena, program->n_statement + 1, bool), 0};
    struct pair pair = {{NULL}, {{0}}};

    for (int k = 0; k < program->n_statement; k++) {
        all.in[k] = !program->statement[k]->barrier;
        all.n += all.in[k];
    }
    way_stops(&c.ways[PROVED], way_root(&c.ways[PROVED]), proved, &pair.stops[PROVED]);
    way_stops(&c.ways[FINISHED], way_root(&c.ways[FINISHED]), finished, &pair.stops[FINISHED]);
    compare(&c, &pair, &all);
    return c.result;
}
