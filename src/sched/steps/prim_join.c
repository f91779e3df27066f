/* join: the inverse of cut; neighbouring loops over pieces of the same statements become one. */
#include "poly/coalesce.h"
#include "sched/edit.h"

struct join {
    struct schedule *schedule;
    const struct loop_ref *ref;
    int n;
    const struct loop_info *info; /* of the joined loop */
    int joined;                   /* places where it was done */
    const char *unlike;           /* what does not fit together, or NULL */
};

static const struct order *merge(struct join *join, const struct order *a, const struct order *b);

static const struct order *merge_children(struct join *join, const struct order *a, const struct order *b)
{
    const struct order **child = ARENA_ARRAY(join->schedule->arena, a->n_child, const struct order *);

    for (int k = 0; k < a->n_child; k++) {
        child[k] = merge(join, a->child[k], b->child[k]);
        if (!child[k])
            return NULL;
    }
    return order_with_children(join->schedule->arena, a, child);
}

static const struct order *unlike(struct join *join, const char *what)
{
    join->unlike = what;
    return NULL;
}

/* One tree over the instances of both; NULL when they differ in shape. */
static const struct order *merge(struct join *join, const struct order *a, const struct order *b)
{
    if (a->kind != b->kind || a->n_child != b->n_child)
        return unlike(join, "their bodies differ in shape");
    if (a->kind == ORDER_LEAF) {
        if (a->statement != b->statement)
            return unlike(join, "they run different statements");
        return order_leaf(join->schedule->arena, a->statement,
                          poly_set_coalesce(isl_set_union(isl_set_copy(a->domain), isl_set_copy(b->domain))));
    }
    if (a->kind == ORDER_LOOP && a->info != b->info)
        return unlike(join, "the loops inside were transformed differently");
    return merge_children(join, a, b);
}

static __isl_give isl_union_pw_aff *own_time(const struct order *loop)
{
    return isl_union_pw_aff_intersect_domain_union_set(isl_union_pw_aff_copy(loop->time), order_domain(loop));
}

/* Loops over pieces of the same iterations have one stride and one time. */
static bool same_values(const struct loop_info *a, const struct loop_info *b)
{
    return a->stride == b->stride && a->pad == b->pad &&
           (a->offset == b->offset ||
            (a->offset && b->offset && isl_aff_plain_is_equal(a->offset, b->offset) == isl_bool_true));
}

static const struct order *merge_loops(struct join *join, const struct order *const *loop)
{
    const struct order *body = loop[0]->child[0];
    isl_union_pw_aff *time = own_time(loop[0]);
    bool same = true;

    for (int k = 1; k < join->n && body; k++) {
        if (!same_values(loop[0]->info, loop[k]->info))
            body = unlike(join, "their steps or origins differ");
        else
            body = merge(join, body, loop[k]->child[0]);
        same = same && isl_union_pw_aff_plain_is_equal(loop[0]->time, loop[k]->time) == isl_bool_true;
        time = isl_union_pw_aff_union_add(time, own_time(loop[k]));
    }
    if (same) {
        isl_union_pw_aff_free(time);
        time = isl_union_pw_aff_copy(loop[0]->time);
    }
    if (body)
        return order_loop(join->schedule->arena, join->info, time, body);
    isl_union_pw_aff_free(time);
    return NULL;
}

static bool starts_here(const struct join *join, const struct order *sequence, int at)
{
    if (at + join->n > sequence->n_child)
        return false;
    for (int k = 0; k < join->n; k++) {
        const struct order *child = sequence->child[at + k];
        if (child->kind != ORDER_LOOP || child->info->id != join->ref[k].info->id)
            return false;
    }
    return true;
}

static const struct order *join_children(void *data, const struct order *node)
{
    struct join *join = data;
    const struct order **child;
    int n = 0;

    if (node->kind != ORDER_SEQUENCE)
        return node;
    child = ARENA_ARRAY(join->schedule->arena, node->n_child, const struct order *);
    for (int k = 0; k < node->n_child; k++) {
        if (!starts_here(join, node, k)) {
            child[n++] = node->child[k];
            continue;
        }
        child[n] = merge_loops(join, &node->child[k]);
        if (!child[n++])
            return NULL;
        join->joined++;
        k += join->n - 1;
    }
    return n == node->n_child ? node : order_sequence(join->schedule->arena, child, n);
}

/* The loop that was cut, when no piece of it is left over; else a loop like the first piece. */
static const struct loop_info *joined_info(struct join *join, const struct step *step)
{
    struct schedule *schedule = join->schedule;
    const struct loop_info *uncut = join->ref[0].info->uncut;
    const char *as = step_string(step, "as", NULL);

    for (int k = 1; k < join->n; k++)
        if (join->ref[k].info->uncut != uncut)
            uncut = NULL;
    if (!as && uncut)
        return uncut;
    return edit_new_info(schedule, join->ref[0].info, as ? as : join->ref[0].info->name, step);
}

static enum status finish(struct join *join, const struct step *step, const struct order *order)
{
    if (join->unlike)
        return edit_refuse(join->schedule, step->place, "join", NULL, "the pieces cannot be joined: %s", join->unlike);
    if (join->joined != order_count(join->schedule->order, join->ref[0].info->id))
        return edit_refuse(join->schedule, step->place, "join", NULL,
                           "the loops to join must stand one after the other, in this order");
    return edit_commit(join->schedule, order);
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    const struct value *list = step_value(step, "join");
    struct loop_ref *ref = ARENA_ARRAY(schedule->arena, list->n_item + 1, struct loop_ref);
    struct join join = {.schedule = schedule, .ref = ref, .n = list->n_item};
    const char *as = step_string(step, "as", NULL);

    if (list->n_item < 2)
        return edit_refuse(schedule, list->place, "join", NULL, "join needs two or more loops");
    for (int k = 0; k < list->n_item; k++)
        if (!edit_loop(schedule, &list->item[k], &ref[k]) || !edit_is_single(schedule, &ref[k], "join"))
            return STATUS_REFUSED;
    for (int k = 0; as && k < list->n_item; k++)
        if (!edit_name_free(schedule, &ref[k], as, step_place(step, "as")))
            return STATUS_REFUSED;
    join.info = joined_info(&join, step);
    return finish(&join, step, order_rewrite(schedule->arena, schedule->order, join_children, &join));
}

static const struct argument arguments[] = {
    {.key = "join", .kind = ARGUMENT_LOOPS, .required = true, .doc = "neighbouring loops, in order"},
    {.key = "as", .kind = ARGUMENT_NAME, .fallback = "the loop that was cut", .doc = "name of the joined loop"},
    {0},
};

const struct primitive primitive_join = {
    .name = "join",
    .summary = "join the pieces of a loop",
    .rule = "Loops that stand one after the other, such as the pieces of a `cut`, become one "
            "loop.",
    .proved = "The loops follow each other directly, in the order given, and their iterations do "
              "not overlap.",
    .argument = arguments,
    .apply = apply,
};
