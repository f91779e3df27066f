/* What stands at the end of a way, and the ways into it. */
#include "lower/ways/way.h"

#include "plan/device/kernels.h"

static const struct way *with_team(struct ways *ways, const struct way *way, bool by_all)
{
    struct way *team = way_step(ways, way, WAY_TEAM);

    team->by_all = by_all;
    return team;
}

/* Does node itself run instances of statement, or of any (NULL)? */
static bool runs_itself(const struct node *node, const struct statement *statement)
{
    const bool own = node->argument || node->untold;
    bool also = false;

    if (node->kind != NODE_STATEMENT && node->kind != NODE_ASSIGN && node->kind != NODE_LET)
        return false;
    for (int k = 0; k < node->n_also; k++)
        also = also || !statement || node->also[k].statement == statement;
    return also || (own && (!statement || node->statement == statement));
}

bool node_runs(const struct node *node, const struct statement *statement)
{
    bool runs = runs_itself(node, statement);

    for (int k = 0; k < node->n_child && !runs; k++)
        runs = node_runs(node->child[k], statement);
    return runs;
}

static const struct way *with_let(struct ways *ways, const struct way *way, const struct node *node)
{
    struct way *let = way_step(ways, way, WAY_LET);

    let->var = node->var;
    let->let = node;
    return let;
}

/* A bound read from data is a symbol: one number for all that runs inside, and the same number in both trees. */
static const struct way *with_bound(struct ways *ways, const struct way *way, const struct node *let)
{
    const struct way *named = way_with_name(ways, way, let->var, affine_var(ways->arena, let->var));
    const struct way *known = let->known ? way_where(ways, named, let->known, 1, false) : named;

    return known ? known : named;
}

static void add_stop(struct ways *ways, const struct way *way, const struct node *node, stop_vec *stops)
{
    VEC_PUSH(ways->arena, stops, ((struct stop){.way = way, .node = node}));
}

void way_stops(struct ways *ways, const struct way *way, const struct node *node, stop_vec *stops)
{
    switch (node->kind) {
    case NODE_BLOCK:
        for (int k = 0; k < node->n_child; k++) {
            const int n = stops->n;
            way_stops(ways, way, node->child[k], stops);
            if (stops->n > n && stops->at[n].node == node->child[k]) {
                stops->at[n].block = node;
                stops->at[n].at = k;
            }
        }
        break;
    case NODE_VALUE:
        way = way_with_name(ways, way, node->var, way_value(ways, way, node->lower));
        way_stops(ways, way, node->child[0], stops);
        break;
    case NODE_LET:
        if (runs_itself(node, NULL))
            add_stop(ways, way, node, stops);
        way = node->limit ? with_bound(ways, way, node) : with_let(ways, way, node);
        way_stops(ways, way, node->child[0], stops);
        break;
    case NODE_CALL:
    case NODE_POINTER:
    case NODE_TILES:
        way_stops(ways, way, node->child[0], stops);
        break;
    case NODE_TEXT:
        way_stops(ways, way, node->computes ? node->computes : node->child[0], stops);
        break;
    case NODE_REGION:
    case NODE_SINGLE:
        way_stops(ways, with_team(ways, way, node->kind == NODE_REGION), node->child[0], stops);
        break;
    case NODE_KERNEL:
        if (!ways->launched)
            way_stops(ways, way, node->child[0], stops);
        else if (node_runs(node, NULL))
            add_stop(ways, way, node, stops);
        break;
    case NODE_LOOP:
    case NODE_TUPLE:
    case NODE_IF:
    case NODE_SWITCH:
        if (node_runs(node, NULL))
            add_stop(ways, way, node, stops);
        break;
    default:
        if (runs_itself(node, NULL))
            add_stop(ways, way, node, stops);
        break;
    }
}

int stop_bodies(const struct stop *stop)
{
    switch (stop->node->kind) {
    case NODE_LOOP:
    case NODE_TUPLE:
    case NODE_IF:
    case NODE_SWITCH:
    case NODE_KERNEL:
        return stop->node->n_child;
    default:
        return 0;
    }
}

static bool is_part(const struct stop *stop)
{
    return stop->node->kind == NODE_TUPLE && stop->node->axis == AXIS_NONE && stop->part < stop->node->n_part;
}

bool stop_loop(struct ways *ways, const struct stop *stop, struct way_loop *loop)
{
    const struct node *node = stop->node;
    const struct part *part = is_part(stop) ? &node->part[stop->part] : NULL;
    const struct affine *upper = node->upper;

    if (!part && node->kind != NODE_LOOP)
        return false;
    if (part)
        upper = affine_add_constant(ways->arena, affine_add(ways->arena, part->first, part->extent), -1);
    *loop = (struct way_loop){.lower = way_value(ways, stop->way, part ? part->first : node->lower),
                              .upper = way_value(ways, stop->way, upper),
                              .step = part ? 1 : node->step};
    return loop->lower && loop->upper;
}

/* A loop that goes on where the one in front of it ends: is that where its bounds say that it starts, where the one in
 * front has an iteration at all? Else it starts where that one does, which is further on: *first >= 0 says so. */
static bool goes_on(struct ways *ways, const struct stop *stop, const struct way_loop *loop,
                    const struct affine **first)
{
    struct arena *arena = ways->arena;
    const struct stop front = {.way = stop->way, .node = stop->at > 0 ? stop->block->child[stop->at - 1] : NULL};
    const struct affine *reached;
    struct way_loop before;

    if (!front.node || !stop_loop(ways, &front, &before) || before.step < 1 || before.step % loop->step != 0 ||
        front.node->once || front.node->continues)
        return ways_lost(ways, "loops that go on where others end");
    reached = affine_add_constant(arena, affine_sub(arena, before.upper, before.lower), before.step);
    reached = affine_scale(arena, affine_floor(arena, reached, before.step), before.step);
    reached = affine_add(arena, before.lower, reached);
    if (!reached || !affine_equal(reached, loop->lower))
        return ways_lost(ways, "loops that go on where others end");
    *first = before.lower;
    return true;
}

/* value, of which c times the sign is the rest: lower + step * c, or c itself. */
static bool enter_range(struct ways *ways, const struct stop *stop, const struct way *way, const struct var *var,
                        const struct var *count, const struct way_loop *loop, const struct affine *first,
                        const struct way **inside)
{
    struct arena *arena = ways->arena;
    const int64_t size = loop->step < 0 ? -loop->step : loop->step;
    const struct affine *c = affine_var(arena, count), *value = c;
    const struct affine *room =
        loop->step < 0 ? affine_sub(arena, loop->lower, loop->upper) : affine_sub(arena, loop->upper, loop->lower);
    const int64_t width = ways_most(ways, room);
    int64_t low = INT64_MIN;

    affine_is_constant(loop->step > 0 ? loop->lower : loop->upper, &low);
    way = way_with_number(ways, way, count, size > 1 ? 0 : low, width == INT64_MAX ? width : width / size);
    if (size > 1) {
        value = affine_combine(arena, loop->lower, 1, c, loop->step);
        way = way_with_least(ways, way, c);
    } else {
        way = way_with_least(ways, way,
                             loop->step < 0 ? affine_sub(arena, loop->lower, c) : affine_sub(arena, c, loop->lower));
    }
    way = way ? way_with_least(ways, way,
                               loop->step < 0 ? affine_sub(arena, value, loop->upper)
                                              : affine_sub(arena, loop->upper, value))
              : NULL;
    if (way && first)
        way = way_with_least(ways, way, affine_sub(arena, value, first));
    if (way && stop->node->once) {
        const struct affine *start[2] = {loop->lower, first};
        way = way_with_least(ways, way, affine_sub(arena, affine_extreme(arena, ATOM_MAX, start, 2), value));
    }
    *inside = way ? way_with_name(ways, way, var, value) : NULL;
    return *inside;
}

/* A block or thread that walks through positions a whole grid or block apart: all of them together have each
 * iteration once, counted in place of the position. */
static const struct way *walking(struct ways *ways, const struct stop *stop, struct way_loop *loop)
{
    struct arena *arena = ways->arena;
    const struct way *position = stop->way;
    const struct affine *var;
    struct way *gone, *name;
    int64_t factor;

    while (position && (position->kind != WAY_NAME || position->axis != axis_whole(stop->node->axis)))
        position = position->outer;
    if (!position || !position->value || position->value->n_term != 1 || position->value->constant != 0)
        return ways_lost(ways, "positions that several loops share");
    var = position->value;
    if (var->term[0].atom->kind != ATOM_VAR || var->term[0].factor != 1 ||
        !affine_linear_factor(arena, loop->lower, var->term[0].atom->var, &factor) || factor != loop->step)
        return ways_lost(ways, "positions that several loops share");
    loop->lower = affine_combine(arena, loop->lower, 1, var, -factor);
    gone = way_step(ways, stop->way, WAY_GONE);
    gone->var = var->term[0].atom->var;
    name = way_step(ways, gone, WAY_NAME);
    name->axis = position->axis;
    return loop->lower ? name : NULL;
}

static bool enter_loop(struct ways *ways, const struct stop *stop, const struct var *count, stop_vec *stops)
{
    const struct node *node = stop->node;
    const struct way *way = stop->way, *inside;
    const bool part = is_part(stop);
    const struct affine *first = NULL;
    struct way_loop loop;

    if (!stop_loop(ways, stop, &loop))
        return false;
    if (node->once && (!node->continues || node->step < 0))
        return ways_lost(ways, "loops that go on where others end");
    if (!part && node->axis != AXIS_NONE && way_find(way, &(struct var){.position = axis_whole(node->axis)}))
        way = walking(ways, stop, &loop);
    if (!part && node->continues && !goes_on(ways, stop, &loop, &first))
        return false;
    if (!way || !enter_range(ways, stop, way, part ? node->part[stop->part].var : node->var,
                             count ? count : ways_count(ways), &loop, first, &inside))
        return false;
    if (part && stop->part + 1 < node->n_part) {
        VEC_PUSH(ways->arena, stops, ((struct stop){.way = inside, .node = node, .part = stop->part + 1}));
        return true;
    }
    if (node->threads && node->threads->shared)
        inside = with_team(ways, inside, false);
    way_stops(ways, inside, node->child[0], stops);
    return true;
}

static bool enter_if(struct ways *ways, const struct stop *stop, int k, stop_vec *stops)
{
    const struct node *node = stop->node;
    const struct way *way = NULL;

    if (node->value)
        return ways_lost(ways, "conditions on data");
    way = way_where(ways, stop->way, node->alternative, node->n_alternative, k > 0);
    if (way)
        way_stops(ways, way, node->child[k], stops);
    return way;
}

static bool enter_switch(struct ways *ways, const struct stop *stop, int k, stop_vec *stops)
{
    const struct affine *value = affine_add_constant(ways->arena, stop->node->lower, -stop->node->label[k]);
    const struct condition condition = {value, true};
    const struct way *way = way_where(ways, stop->way, &(struct guard){&condition, 1}, 1, false);

    if (way)
        way_stops(ways, way, stop->node->child[k], stops);
    return way;
}

const struct way *way_of_warp(struct ways *ways, const struct way *way)
{
    const struct way *lane = way;
    struct way *gone;

    while (lane && (lane->kind != WAY_COUNT || lane->axis != AXIS_THREAD_X))
        lane = lane->outer;
    if (!lane || lane->width != TILE_THREADS - 1)
        return ways_lost(ways, "warps that are no rows of threads");
    gone = way_step(ways, way, WAY_GONE);
    gone->var = lane->var;
    return gone;
}

static bool enter_kernel(struct ways *ways, const struct stop *stop, stop_vec *stops)
{
    const struct way *way = stop->way;

    for (int axis = AXIS_BLOCK_X; axis < AXIS_THREAD && way; axis++)
        way = way_with_axis(ways, way, stop->node->launch, (enum axis)axis);
    if (way)
        way_stops(ways, way, stop->node->child[0], stops);
    return way;
}

/* The coordinates of a position, or of a number, that has several. */
static bool enter_digits(struct ways *ways, const struct stop *stop, stop_vec *stops)
{
    const struct way *way = way_with_digits(ways, stop->way, stop->node);

    if (way)
        way_stops(ways, way, stop->node->child[0], stops);
    return way;
}

bool stop_enter(struct ways *ways, const struct stop *stop, int k, const struct var *count, stop_vec *stops)
{
    switch (stop->node->kind) {
    case NODE_LOOP:
        return enter_loop(ways, stop, count, stops);
    case NODE_TUPLE:
        return is_part(stop) ? enter_loop(ways, stop, count, stops) : enter_digits(ways, stop, stops);
    case NODE_IF:
        return enter_if(ways, stop, k, stops);
    case NODE_SWITCH:
        return enter_switch(ways, stop, k, stops);
    case NODE_KERNEL:
        return enter_kernel(ways, stop, stops);
    default:
        return false;
    }
}
