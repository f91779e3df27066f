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

/* The count, in the owner's loop, of the other loop's value 0: what by-value alignment adds. NULL when a value of one
 * is no count of the other. */
static __isl_give isl_aff *value_shift(const struct fuse *fuse, const struct loop_info *info,
                                       const struct loop_info *onto)
{
    isl_aff *shift = params_constant(fuse->schedule->program, 0);

    if (info->offset)
        shift = isl_aff_add(shift, isl_aff_copy(info->offset));
    if (onto->offset)
        shift = isl_aff_sub(shift, isl_aff_copy(onto->offset));
    if (info->stride != onto->stride || (onto->stride != 1 && onto->stride != -1))
        return isl_aff_free(shift);
    return isl_aff_scale_val(shift, isl_val_int_from_si(isl_aff_get_ctx(shift), onto->stride));
}

/* The time of one schedule's loop on the counts of the owner's. */
static __isl_give isl_union_pw_aff *aligned(const struct fuse *fuse, const struct operand *operand,
                                            const struct operand *onto, int depth)
{
    const struct operand_loop *loop = &operand->loop[depth], *first = &onto->loop[depth];
    isl_union_pw_aff *time = isl_union_pw_aff_copy(loop->time);
    isl_aff *shift;

    if (operand == onto)
        return time;
    if (fuse->by_value) {
        shift = value_shift(fuse, loop->info, first->info);
        time = shift ? time_add(time, shift, 1) : isl_union_pw_aff_free(time);
    } else {
        time = time_add(time, loop->origin, -1);
        if (loop->info->unit > 1)
            time = time_floor_div(time, loop->info->unit);
        shift = isl_aff_copy(first->origin);
        time = time_add(time_scale(time, first->info->unit), shift, 1);
    }
    isl_aff_free(shift);
    return time;
}

/* All instances of one schedule at one count. */
static __isl_give isl_union_pw_aff *at_count(const struct operand *operand, __isl_keep isl_aff *count)
{
    isl_union_pw_aff *zero = operand_zero(operand);

    return time_add(zero, count, 1);
}

static const struct order *put_around(struct fuse *fuse, const struct loop_info *info,
                                      __isl_take isl_union_pw_aff *time, const struct order *body)
{
    return order_loop(fuse->schedule->arena, info, time, body);
}

/* Loop number depth of all schedules in one; NULL when it cannot be aligned. */
static __isl_give isl_union_pw_aff *fused_time(const struct fuse *fuse, int depth)
{
    const struct operand *onto = owner(fuse, depth);
    isl_union_pw_aff *time = NULL;

    for (int k = 0; k < fuse->n; k++) {
        const struct operand *operand = &fuse->operand[k];
        isl_union_pw_aff *own = depth < operand->rank ? aligned(fuse, operand, onto, depth)
                                                      : at_count(operand, onto->loop[depth].origin);
        if (!own)
            return isl_union_pw_aff_free(time);
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

static const char *given_name(const struct fuse *fuse, const char *key, int k, const char *otherwise)
{
    const struct value *list = name_list(fuse, key);

    if (!list)
        return otherwise;
    return list->kind == VALUE_STRING ? list->string : list->item[k].string;
}

/* Loops of the fused nest so far, from the inside out; names are given from the outside in beforehand. */
struct naming {
    struct names used;
    const char **fused, **unfused;
    const char *fusing;
};

static const char *fresh(struct fuse *fuse, struct naming *naming, const char *name, const char *nest)
{
    if (names_has(&naming->used, name) && nest)
        name = arena_printf(fuse->schedule->arena, "%s.%s", nest, name);
    if (names_has(&naming->used, name))
        return names_unique(&naming->used, name);
    names_add(&naming->used, name);
    return name;
}

static const char *fusing_name(struct fuse *fuse, struct naming *naming)
{
    const char *name = given_name(fuse, "fusing", 0, NULL);

    for (int k = 1; !name; k++) {
        const char *next = k == 1 ? "f" : arena_printf(fuse->schedule->arena, "f%d", k);
        if (!names_has(&naming->used, next) && !program_array(fuse->schedule->program, next) &&
            !program_param(fuse->schedule->program, next) && !program_scalar(fuse->schedule->program, next))
            name = next;
    }
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

static void choose_names(struct fuse *fuse, struct naming *naming)
{
    struct arena *arena = fuse->schedule->arena;
    int n = 0;

    naming->used.arena = arena;
    naming->fused = ARENA_ARRAY(arena, fuse->partial + 1, const char *);
    naming->unfused = ARENA_ARRAY(arena, count_unfused(fuse) + 1, const char *);
    for (int k = 0; k < fuse->n; k++)
        collect_inside(naming, fuse->operand[k].body);
    for (int d = 0; d < fuse->partial; d++) {
        const char *own = owner(fuse, d)->loop[d].info->name;
        naming->fused[d] = fresh(fuse, naming, given_name(fuse, "fused", d, own), owner(fuse, d)->name);
    }
    naming->fusing = fusing_name(fuse, naming);
    for (int k = 0; k < fuse->n; k++)
        for (int d = fuse->partial; d < fuse->operand[k].rank; d++, n++) {
            const char *own = fuse->operand[k].loop[d].info->name;
            naming->unfused[n] = fresh(fuse, naming, given_name(fuse, "unfused", n, own), fuse->operand[k].name);
        }
}

static struct loop_info *info_like(struct fuse *fuse, const struct loop_info *like, const char *name,
                                   enum fuse_role role)
{
    struct loop_info *info = edit_new_info(fuse->schedule, like, name, fuse->step);

    info->role = role;
    info->pad = 0;
    return info;
}

static struct loop_info *fusing_info(struct fuse *fuse, const char *name)
{
    const struct loop_info plain = {.stride = 1, .unit = 1};

    return info_like(fuse, &plain, name, ROLE_FUSING);
}

/* The bodies in sequence, with the unfused loops around, the last schedule's innermost. */
static const struct order *build_unfused(struct fuse *fuse, const struct naming *naming)
{
    const struct order **body = ARENA_ARRAY(fuse->schedule->arena, fuse->n, const struct order *);
    const struct order *order;
    int n = count_unfused(fuse);

    for (int k = 0; k < fuse->n; k++)
        body[k] = fuse->operand[k].body;
    order = order_sequence(fuse->schedule->arena, body, fuse->n);
    for (int k = fuse->n - 1; k >= 0; k--)
        for (int d = fuse->operand[k].rank - 1; d >= fuse->partial; d--) {
            const struct loop_info *like = fuse->operand[k].loop[d].info;
            order = put_around(fuse, info_like(fuse, like, naming->unfused[--n], ROLE_UNFUSED),
                               unfused_time(fuse, k, d), order);
        }
    return order;
}

static const struct order *build(struct fuse *fuse, const struct naming *naming)
{
    const struct order *order = build_unfused(fuse, naming);

    order = put_around(fuse, fusing_info(fuse, naming->fusing), fusing_time(fuse), order);
    for (int d = fuse->partial - 1; d >= 0; d--) {
        const struct loop_info *like = owner(fuse, d)->loop[d].info;
        isl_union_pw_aff *time = fused_time(fuse, d);
        if (!time)
            return NULL;
        order = put_around(fuse, info_like(fuse, like, naming->fused[d], ROLE_FUSED), time, order);
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

static enum status fuse_operands(struct fuse *fuse)
{
    struct naming naming = {.fusing = NULL};
    struct placement placement = {fuse, NULL};
    const struct order *order;

    if (check_counts(fuse) != STATUS_OK)
        return STATUS_REFUSED;
    choose_names(fuse, &naming);
    placement.fused = build(fuse, &naming);
    if (!placement.fused && fuse->by_value)
        return refuse(fuse, "pair the loops by position instead",
                      "loops with different steps cannot be paired by value");
    order = placement.fused ? order_rewrite(fuse->schedule->arena, fuse->schedule->order, place, &placement) : NULL;
    schedule_add_group(fuse->schedule, given_name(fuse, "nest", 0, fuse->operand[0].name), placement.fused);
    return edit_commit(fuse->schedule, order);
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
