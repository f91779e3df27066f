/* fuse: one nest out of two or more (seeds: Accera manual, section 4).
 *
 * The first `partial` loops of the schedules become one loop each, paired by position from their origins; then
 * comes the fusing loop f, whose value says which schedule an instance belongs to; then the unfused loops of
 * the first, the second, ... schedule. Each schedule stands at position 0 of the loops it does not have:
 *
 *     i, j  { S0[i,j,k] -> i, j;  S1[i,j] -> i, j }
 *     f     { S0 -> 0;            S1 -> 1 }
 *     k     { S0[i,j,k] -> k;     S1 -> 0 }
 *
 * All of them are ordinary loops of the order, around one sequence of what the schedules have inside.
 */
#include "sched/steps/fuse.h"

#include <isl/val.h>

static enum status refuse(struct fuse *fuse, const char *hint, const char *text)
{
    return edit_refuse(fuse->schedule, step_place(fuse->step, "fuse"), "fuse", hint, "%s", text);
}

static int largest_rank(const struct fuse *fuse)
{
    int rank = 0;

    for (int k = 0; k < fuse->n; k++)
        rank = fuse->operand[k].rank > rank ? fuse->operand[k].rank : rank;
    return rank;
}

const struct operand *fuse_owner(const struct fuse *fuse, int depth)
{
    int k = 0;

    while (fuse->operand[k].rank <= depth)
        k++;
    return &fuse->operand[k];
}

static int64_t magnitude(int64_t value)
{
    return value < 0 ? -value : value;
}

static int64_t gcd(int64_t a, int64_t b)
{
    return b == 0 ? a : gcd(b, a % b);
}

/* Value 0 of the loop's counts as a distance from that of onto's. */
static __isl_give isl_aff *distance(const struct fuse *fuse, const struct loop_info *info, const struct loop_info *onto)
{
    isl_aff *distance = params_constant(fuse->schedule->program, 0);

    if (info->offset)
        distance = isl_aff_add(distance, isl_aff_copy(info->offset));
    return onto->offset ? isl_aff_sub(distance, isl_aff_copy(onto->offset)) : distance;
}

/* The grid that the values of all schedules' loops number depth lie on, together with the owner's value 0. */
static int64_t common_step(const struct fuse *fuse, int depth)
{
    const struct loop_info *onto = fuse_owner(fuse, depth)->loop[depth].info;
    int64_t step = magnitude(onto->stride);

    for (int k = 0; k < fuse->n; k++) {
        const struct loop_info *info = fuse_has_loop(fuse, k, depth) ? fuse->operand[k].loop[depth].info : onto;
        isl_aff *between = distance(fuse, info, onto);
        int64_t constant;
        step = aff_constant(between, &constant) ? gcd(gcd(step, magnitude(info->stride)), magnitude(constant)) : 1;
        isl_aff_free(between);
    }
    return step;
}

/* The time of one schedule's loop on the grid of values. */
static __isl_give isl_union_pw_aff *value_time(const struct fuse *fuse, const struct operand_loop *loop,
                                               const struct loop_info *onto, int64_t step)
{
    isl_aff *between = distance(fuse, loop->info, onto);
    isl_union_pw_aff *time;

    between = isl_aff_scale_down_ui(between, (unsigned)step);
    time = time_scale(isl_union_pw_aff_copy(loop->time), magnitude(loop->info->stride) / step);
    time = time_add(time, between, onto->stride < 0 ? -1 : 1);
    isl_aff_free(between);
    return time;
}

/* The time of one schedule's loop on the counts of the owner's, position by position. */
static __isl_give isl_union_pw_aff *aligned(const struct operand *operand, const struct operand *onto, int depth)
{
    const struct operand_loop *loop = &operand->loop[depth], *first = &onto->loop[depth];
    isl_union_pw_aff *time = isl_union_pw_aff_copy(loop->time);

    if (operand == onto)
        return time;
    time = time_add(time, loop->origin, -1);
    if (loop->info->unit > 1)
        time = time_floor_div(time, loop->info->unit);
    return time_add(time_scale(time, first->info->unit), first->origin, 1);
}

/* All instances of one schedule at one count. */
static __isl_give isl_union_pw_aff *at_count(const struct operand *operand, __isl_keep isl_aff *count)
{
    isl_union_pw_aff *zero = operand_zero(operand);

    return time_add(zero, count, 1);
}

/* Loop number depth of one schedule, in the loop that all have in common. */
static __isl_give isl_union_pw_aff *common_time(const struct fuse *fuse, const struct operand *operand, int depth,
                                                const struct loop_info *common)
{
    const struct operand *onto = fuse_owner(fuse, depth);
    const struct operand_loop *first = &onto->loop[depth];
    const int64_t step = magnitude(common->stride);
    isl_union_pw_aff *time;
    isl_aff *start;

    if (depth < operand->rank)
        return fuse->by_value ? value_time(fuse, &operand->loop[depth], first->info, step)
                              : aligned(operand, onto, depth);
    start = isl_aff_scale_val(isl_aff_copy(first->origin),
                              isl_val_int_from_si(fuse->schedule->program->ctx, first->info->stride / common->stride));
    time = at_count(operand, start);
    isl_aff_free(start);
    return time;
}

static __isl_give isl_union_pw_aff *fused_time(const struct fuse *fuse, int depth, const struct loop_info *common)
{
    isl_union_pw_aff *time = NULL;

    for (int k = 0; k < fuse->n; k++) {
        isl_union_pw_aff *own = common_time(fuse, &fuse->operand[k], depth, common);
        time = time ? isl_union_pw_aff_union_add(time, own) : own;
    }
    return time;
}

static __isl_give isl_union_pw_aff *fusing_time(const struct fuse *fuse)
{
    isl_union_pw_aff *time = NULL;

    for (int k = 0; k < fuse->n; k++) {
        isl_union_pw_aff *own = time_add_constant(operand_zero(&fuse->operand[k]), k);
        time = time ? isl_union_pw_aff_union_add(time, own) : own;
    }
    return time;
}

/* Loop number depth of schedule k, the others at its first count. */
static __isl_give isl_union_pw_aff *unfused_time(const struct fuse *fuse, int k, int depth)
{
    const struct operand_loop *loop = &fuse->operand[k].loop[depth];
    isl_union_pw_aff *time = isl_union_pw_aff_copy(loop->time);

    for (int other = 0; other < fuse->n; other++)
        if (other != k)
            time = isl_union_pw_aff_union_add(time, at_count(&fuse->operand[other], loop->origin));
    return time;
}

static struct loop_info *info_like(struct fuse *fuse, const struct loop_info *like, const char *name,
                                   enum fuse_role role)
{
    struct loop_info *info = edit_new_info(fuse->schedule, like, name, fuse->step);

    info->role = role;
    info->pad = 0;
    info->uncut = NULL;
    return info;
}

static struct loop_info *fusing_info(struct fuse *fuse, const char *name)
{
    const struct loop_info plain = {.stride = 1, .unit = 1};

    return info_like(fuse, &plain, name, ROLE_FUSING);
}

/* How far before all instances the common origin is: as far as the least padded schedule's. */
static int64_t common_pad(const struct fuse *fuse, int depth, int64_t step)
{
    int64_t least = INT64_MAX;

    for (int k = 0; k < fuse->n; k++) {
        const struct loop_info *info = fuse_has_loop(fuse, k, depth) ? fuse->operand[k].loop[depth].info : NULL;
        int64_t pad = info ? info->pad : 0;
        if (info && fuse->by_value)
            pad = pad * info->unit * magnitude(info->stride) / step;
        least = pad < least ? pad : least;
    }
    return least;
}

static struct loop_info *fused_info(struct fuse *fuse, int depth, const char *name)
{
    const struct loop_info *onto = fuse_owner(fuse, depth)->loop[depth].info;
    struct loop_info *info = info_like(fuse, onto, name, ROLE_FUSED);

    if (fuse->by_value) {
        info->stride = (onto->stride < 0 ? -1 : 1) * common_step(fuse, depth);
        info->unit = info->stride == onto->stride ? onto->unit : 1;
    }
    info->pad = common_pad(fuse, depth, magnitude(info->stride) * info->unit);
    return info;
}

/* The inner part of a split stays the inner part of what the outer one became. */
static void keep_parts(const struct operand *operand)
{
    for (int inner = 0; inner < operand->rank; inner++)
        for (int outer = 0; outer < operand->rank; outer++) {
            struct loop_info *made = operand->loop[inner].made;
            if (made->outer && made->outer == operand->loop[outer].info->id)
                made->outer = operand->loop[outer].made->id;
        }
}

static void make_infos(struct fuse *fuse, const struct fuse_names *names)
{
    int n = 0;

    for (int d = 0; d < fuse->partial; d++) {
        struct loop_info *info = fused_info(fuse, d, names->fused[d]);
        for (int k = 0; k < fuse->n; k++)
            if (fuse_has_loop(fuse, k, d))
                fuse->operand[k].loop[d].made = info;
    }
    for (int k = 0; k < fuse->n; k++)
        for (int d = fuse->partial; d < fuse->operand[k].rank; d++) {
            struct operand_loop *loop = &fuse->operand[k].loop[d];
            loop->made = info_like(fuse, loop->info, names->unfused[n++], ROLE_UNFUSED);
        }
    for (int k = 0; k < fuse->n; k++)
        keep_parts(&fuse->operand[k]);
}

/* The bodies in sequence, with the unfused loops around, the last schedule's innermost. */
static const struct order *build_unfused(struct fuse *fuse)
{
    struct arena *arena = fuse->schedule->arena;
    const struct order **body = ARENA_ARRAY(arena, fuse->n, const struct order *);
    const struct order *order;

    for (int k = 0; k < fuse->n; k++)
        body[k] = fuse->operand[k].body;
    order = order_sequence(arena, body, fuse->n);
    for (int k = fuse->n - 1; k >= 0; k--)
        for (int d = fuse->operand[k].rank - 1; d >= fuse->partial; d--)
            order = order_loop(arena, fuse->operand[k].loop[d].made, unfused_time(fuse, k, d), order);
    return order;
}

static const struct order *build(struct fuse *fuse, const char *fusing)
{
    struct arena *arena = fuse->schedule->arena;
    const struct order *order = order_loop(arena, fusing_info(fuse, fusing), fusing_time(fuse), build_unfused(fuse));

    for (int d = fuse->partial - 1; d >= 0; d--) {
        const struct loop_info *common = fuse_owner(fuse, d)->loop[d].made;
        order = order_loop(arena, common, fused_time(fuse, d, common), order);
    }
    return order;
}

struct placement {
    const struct fuse *fuse;
    const struct order *fused;
};

/* The sequence with the fused nest where the first operand stood, without the others. */
static const struct order *place(void *data, const struct order *node)
{
    const struct placement *placement = data;
    const struct fuse *fuse = placement->fuse;
    const struct order **child;
    int n = 0;
    bool placed = false;

    if (node != fuse->parent)
        return node;
    child = ARENA_ARRAY(fuse->schedule->arena, node->n_child, const struct order *);
    for (int k = 0; k < node->n_child; k++) {
        if (!operand_contains(fuse->operand, fuse->n, node->child[k]))
            child[n++] = node->child[k];
        else if (!placed)
            child[n++] = placement->fused;
        placed = placed || operand_contains(fuse->operand, fuse->n, node->child[k]);
    }
    return order_sequence(fuse->schedule->arena, child, n);
}

static bool same_directions(const struct fuse *fuse)
{
    for (int d = 0; d < fuse->partial; d++)
        for (int k = 0; k < fuse->n; k++)
            if (fuse_has_loop(fuse, k, d) &&
                (fuse->operand[k].loop[d].info->stride < 0) != (fuse_owner(fuse, d)->loop[d].info->stride < 0))
                return false;
    return true;
}

static enum status fuse_operands(struct fuse *fuse)
{
    struct schedule *schedule = fuse->schedule;
    struct fuse_names names = {.fusing = NULL};
    struct placement placement = {fuse, NULL};

    if (fuse->by_value && !same_directions(fuse))
        return refuse(fuse, "`reverse` one of them first, or pair the loops by position",
                      "an ascending and a descending loop cannot be paired by value");
    if (fuse_choose_names(fuse, &names) != STATUS_OK)
        return STATUS_REFUSED;
    make_infos(fuse, &names);
    placement.fused = build(fuse, names.fusing);
    schedule_add_group(schedule, names.nest, placement.fused);
    return edit_commit(schedule, order_rewrite(schedule->arena, schedule->order, place, &placement));
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    const struct value *list = step_value(step, "fuse");
    struct fuse fuse = {.schedule = schedule, .step = step, .n = list->n_item};
    enum status status;

    if (list->n_item < 2)
        return edit_refuse(schedule, list->place, "fuse", NULL, "fuse needs two or more nests");
    fuse.by_value = strcmp(step_string(step, "align", "position"), "value") == 0;
    fuse.operand = ARENA_ARRAY(schedule->arena, list->n_item, struct operand);
    status = operands_resolve(schedule, list, fuse.operand, &fuse.parent);
    if (status == STATUS_OK) {
        fuse.partial = (int)step_int(step, "partial", largest_rank(&fuse));
        if (fuse.partial > largest_rank(&fuse))
            status = edit_refuse(schedule, step_place(step, "partial"), "fuse", NULL,
                                 "no schedule has %d loops to fuse", fuse.partial);
    }
    if (status == STATUS_OK)
        status = fuse_operands(&fuse);
    operands_release(fuse.operand, fuse.n);
    return status;
}

static const struct argument names[] = {{.key = "nest", .kind = ARGUMENT_NAME, .doc = "of the fused nest"},
                                        {.key = "fused", .kind = ARGUMENT_NAMES, .doc = "of the fused loops"},
                                        {.key = "fusing", .kind = ARGUMENT_NAME, .doc = "of the fusing loop"},
                                        {.key = "unfused", .kind = ARGUMENT_NAMES, .doc = "of the loops inside it"},
                                        {0}};
static const struct object_type object_names = {.title =
                                                    "an object with \"nest\", \"fused\", \"fusing\" or \"unfused\"",
                                                .key = names};
static const struct argument arguments[] = {
    {.key = "fuse", .kind = ARGUMENT_NESTS, .required = true, .doc = "nests, labels or sibling loops, in order"},
    {.key = "partial", .kind = ARGUMENT_INT, .minimum = 0, .fallback = "all", .doc = "how many loops are fused"},
    {.key = "as",
     .kind = ARGUMENT_OBJECT,
     .object = &object_names,
     .fallback = "names of the first nest, f",
     .doc = "names of the nest and its loops"},
    {.key = "align",
     .kind = ARGUMENT_CHOICE,
     .choices = "position value",
     .fallback = "position",
     .doc = "how loops with different starts pair"},
    {0},
};

const struct primitive primitive_fuse = {
    .name = "fuse",
    .summary = "make one nest of several",
    .rule = "Several nests, or loops beside each other, become one. Iterations pair by position, "
            "or by value where `align` says so; `partial` fuses only the outermost loops. Where "
            "extents differ, a part of the loop runs fewer statements. Inside the fused loops a "
            "loop f runs through the nests: after `tile`, `reorder` to i, j, f, ii, jj runs one nest "
            "after the other in each tile. A fused loop, and what it is split into, is one loop for "
            "all of them; nests whose tiles are ordered in different ways are split before.",
    .proved = "Each pair of dependent instances keeps its order: nothing is read before it is "
              "written.",
    .argument = arguments,
    .apply = apply,
};
