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
#include "sched/edit.h"
#include "sched/operand.h"
#include "poly/keep.h"

#include <isl/val.h>

struct fuse {
    struct schedule *schedule;
    const struct step *step;
    struct operand *operand;
    int n;
    int partial;
    bool by_value;
    const struct order *parent; /* the sequence the operands stand in */
};

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

/* The first schedule that has loop number `depth`. */
static const struct operand *owner(const struct fuse *fuse, int depth)
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

static bool has_loop(const struct fuse *fuse, int k, int depth)
{
    return depth < fuse->operand[k].rank;
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
    const struct loop_info *onto = owner(fuse, depth)->loop[depth].info;
    int64_t step = magnitude(onto->stride);

    for (int k = 0; k < fuse->n; k++) {
        const struct loop_info *info = has_loop(fuse, k, depth) ? fuse->operand[k].loop[depth].info : onto;
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
    const struct operand *onto = owner(fuse, depth);
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

static const struct value *name_list(const struct fuse *fuse, const char *key)
{
    return value_member(step_value(fuse->step, "as"), key);
}

/* The names of the fused nest's loops, outermost first. */
struct naming {
    struct names used;
    const char **fused, **unfused;
    const char *fusing;
};

/* A name that the step gives; NULL after reporting that a loop around, beside or inside has it. */
static const char *given(struct fuse *fuse, struct naming *naming, const struct value *value)
{
    if (names_has(&naming->used, value->string)) {
        edit_refuse(fuse->schedule, value->place, "name", NULL, "the name `%s` is already in use", value->string);
        return NULL;
    }
    names_add(&naming->used, value->string);
    return value->string;
}

/* The loop's own name, `nest.name` when another loop has it. */
static const char *fresh(struct fuse *fuse, struct naming *naming, const struct operand *operand, int depth)
{
    const char *name = operand->loop[depth].info->name;

    if (names_has(&naming->used, name))
        name = arena_printf(fuse->schedule->arena, "%s.%s", operand->name, name);
    if (names_has(&naming->used, name))
        return names_unique(&naming->used, name);
    names_add(&naming->used, name);
    return name;
}

static const char *default_fusing_name(struct fuse *fuse, struct naming *naming)
{
    const struct program *program = fuse->schedule->program;
    const char *name = "f";

    for (int k = 2; names_has(&naming->used, name) || program_array(program, name) || program_param(program, name) ||
                    program_scalar(program, name);
         k++)
        name = arena_printf(fuse->schedule->arena, "f%d", k);
    names_add(&naming->used, name);
    return name;
}

static int count_unfused(const struct fuse *fuse)
{
    int n = 0;

    for (int k = 0; k < fuse->n; k++)
        n += fuse->operand[k].rank > fuse->partial ? fuse->operand[k].rank - fuse->partial : 0;
    return n;
}

static enum status check_counts(struct fuse *fuse)
{
    const struct value *fused = name_list(fuse, "fused"), *unfused = name_list(fuse, "unfused");

    if (fused && fused->n_item != fuse->partial)
        return edit_refuse(fuse->schedule, fused->place, "fuse", NULL, "%d names for %d fused loops", fused->n_item,
                           fuse->partial);
    if (unfused && unfused->n_item != count_unfused(fuse))
        return edit_refuse(fuse->schedule, unfused->place, "fuse", NULL, "%d names for %d unfused loops",
                           unfused->n_item, count_unfused(fuse));
    return STATUS_OK;
}

static void collect_inside(struct naming *naming, const struct order *node)
{
    if (node->kind == ORDER_LOOP && !names_has(&naming->used, node->info->name))
        names_add(&naming->used, node->info->name);
    for (int k = 0; k < node->n_child; k++)
        collect_inside(naming, node->child[k]);
}

/* The names of the loops that the fused nest stands in. */
static bool collect_around(struct naming *naming, const struct order *node, const struct order *wanted)
{
    if (node == wanted)
        return true;
    for (int k = 0; k < node->n_child; k++)
        if (collect_around(naming, node->child[k], wanted)) {
            if (node->kind == ORDER_LOOP)
                names_add(&naming->used, node->info->name);
            return true;
        }
    return false;
}

static bool name_fused(struct fuse *fuse, struct naming *naming)
{
    const struct value *list = name_list(fuse, "fused"), *fusing = name_list(fuse, "fusing");

    for (int d = 0; d < fuse->partial; d++) {
        naming->fused[d] = list ? given(fuse, naming, &list->item[d]) : fresh(fuse, naming, owner(fuse, d), d);
        if (!naming->fused[d])
            return false;
    }
    naming->fusing = fusing ? given(fuse, naming, fusing) : default_fusing_name(fuse, naming);
    return naming->fusing != NULL;
}

static bool name_unfused(struct fuse *fuse, struct naming *naming)
{
    const struct value *list = name_list(fuse, "unfused");
    int n = 0;

    for (int k = 0; k < fuse->n; k++)
        for (int d = fuse->partial; d < fuse->operand[k].rank; d++, n++) {
            naming->unfused[n] =
                list ? given(fuse, naming, &list->item[n]) : fresh(fuse, naming, &fuse->operand[k], d);
            if (!naming->unfused[n])
                return false;
        }
    return true;
}

static bool choose_names(struct fuse *fuse, struct naming *naming)
{
    struct arena *arena = fuse->schedule->arena;

    naming->used.arena = arena;
    naming->fused = ARENA_ARRAY(arena, fuse->partial + 1, const char *);
    naming->unfused = ARENA_ARRAY(arena, count_unfused(fuse) + 1, const char *);
    collect_around(naming, fuse->schedule->order, fuse->parent);
    for (int k = 0; k < fuse->n; k++)
        collect_inside(naming, fuse->operand[k].body);
    return name_fused(fuse, naming) && name_unfused(fuse, naming);
}

static bool is_operand_name(const struct fuse *fuse, const char *name)
{
    for (int k = 0; k < fuse->n; k++)
        if (strcmp(fuse->operand[k].name, name) == 0)
            return true;
    return false;
}

static enum status check_nest_name(struct fuse *fuse)
{
    const struct value *nest = name_list(fuse, "nest");

    if (nest && !is_operand_name(fuse, nest->string) &&
        (schedule_group(fuse->schedule, nest->string) || program_statement(fuse->schedule->program, nest->string)))
        return edit_refuse(fuse->schedule, nest->place, "name", NULL, "the name `%s` is already in use", nest->string);
    return STATUS_OK;
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
        const struct loop_info *info = has_loop(fuse, k, depth) ? fuse->operand[k].loop[depth].info : NULL;
        const int64_t pad = !info ? 0 : fuse->by_value ? info->pad * info->unit * magnitude(info->stride) / step : info->pad;
        least = pad < least ? pad : least;
    }
    return least;
}

static struct loop_info *fused_info(struct fuse *fuse, int depth, const char *name)
{
    const struct loop_info *onto = owner(fuse, depth)->loop[depth].info;
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

static void make_infos(struct fuse *fuse, const struct naming *naming)
{
    int n = 0;

    for (int d = 0; d < fuse->partial; d++) {
        struct loop_info *info = fused_info(fuse, d, naming->fused[d]);
        for (int k = 0; k < fuse->n; k++)
            if (has_loop(fuse, k, d))
                fuse->operand[k].loop[d].made = info;
    }
    for (int k = 0; k < fuse->n; k++)
        for (int d = fuse->partial; d < fuse->operand[k].rank; d++) {
            struct operand_loop *loop = &fuse->operand[k].loop[d];
            loop->made = info_like(fuse, loop->info, naming->unfused[n++], ROLE_UNFUSED);
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
        const struct loop_info *common = owner(fuse, d)->loop[d].made;
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
            if (has_loop(fuse, k, d) &&
                (fuse->operand[k].loop[d].info->stride < 0) != (owner(fuse, d)->loop[d].info->stride < 0))
                return false;
    return true;
}

static enum status fuse_operands(struct fuse *fuse)
{
    const struct value *nest = name_list(fuse, "nest");
    struct naming naming = {.fusing = NULL};
    struct placement placement = {fuse, NULL};

    if (check_counts(fuse) != STATUS_OK || check_nest_name(fuse) != STATUS_OK)
        return STATUS_REFUSED;
    if (fuse->by_value && !same_directions(fuse))
        return refuse(fuse, "`reverse` one of them first, or pair the loops by position",
                      "an ascending and a descending loop cannot be paired by value");
    if (!choose_names(fuse, &naming))
        return STATUS_REFUSED;
    make_infos(fuse, &naming);
    placement.fused = build(fuse, naming.fusing);
    schedule_add_group(fuse->schedule, nest ? nest->string : fuse->operand[0].name, placement.fused);
    return edit_commit(fuse->schedule, order_rewrite(fuse->schedule->arena, fuse->schedule->order, place, &placement));
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

static const struct argument arguments[] = {
    {.key = "fuse", .kind = ARGUMENT_NESTS, .required = true, .doc = "nests, labels or sibling loops, in order"},
    {.key = "partial", .kind = ARGUMENT_INT, .minimum = 0, .fallback = "all", .doc = "how many loops are fused"},
    {.key = "as", .kind = ARGUMENT_FUSE_NAMES, .fallback = "names of the first schedule, f",
     .doc = "names of the nest and its loops"},
    {.key = "align", .kind = ARGUMENT_CHOICE, .choices = "position value", .fallback = "position",
     .doc = "how loops with different starts pair"},
    {0},
};

const struct primitive primitive_fuse = {"fuse", "make one nest of several", arguments, apply};
