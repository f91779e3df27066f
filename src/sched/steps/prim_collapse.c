/* collapse: perfectly nested loops become one that counts through all of them.
 *
 * Where the inner extents are constants the new loop is affine, (i - i0) * n + (j - j0). Otherwise the
 * order keeps the loops as a tuple, and the loop tree makes one loop of them.
 */
#include "sched/edit.h"

struct collapse {
    struct schedule *schedule;
    const struct step *step;
    struct loop_ref *ref;
    isl_aff **origin;
    int64_t *extent; /* of each but the first; 0: not a constant */
    int n;
    const struct loop_info *info; /* of the collapsed loop */
    bool affine;
};

static enum status resolve(struct collapse *collapse, const struct value *list)
{
    if (list->n_item < 2)
        return edit_refuse(collapse->schedule, list->place, "collapse", NULL, "collapse needs two or more loops");
    for (int k = 0; k < list->n_item; k++)
        if (!edit_loop(collapse->schedule, &list->item[k], &collapse->ref[k]) ||
            !edit_is_single(collapse->schedule, &collapse->ref[k], "collapse") ||
            !edit_is_not_fusing(collapse->schedule, &collapse->ref[k], "collapse"))
            return STATUS_REFUSED;
    return STATUS_OK;
}

/* In every copy the listed loops must follow each other directly. */
static bool nested(const struct collapse *collapse, const struct order *node)
{
    if (node->kind == ORDER_LOOP && node->info->id == collapse->ref[0].info->id) {
        for (int k = 1; k < collapse->n; k++) {
            node = node->child[0];
            if (node->kind != ORDER_LOOP || node->info->id != collapse->ref[k].info->id)
                return false;
        }
        return true;
    }
    for (int k = 0; k < node->n_child; k++)
        if (!nested(collapse, node->child[k]))
            return false;
    return true;
}

static void measure(struct collapse *collapse)
{
    collapse->affine = true;
    for (int k = 0; k < collapse->n; k++) {
        const struct loop_ref *ref = &collapse->ref[k];
        isl_aff *extent = edit_extent(collapse->schedule, ref);
        collapse->origin[k] = edit_origin(collapse->schedule, ref);
        if (!aff_constant(extent, &collapse->extent[k]))
            collapse->extent[k] = 0;
        isl_aff_free(extent);
        collapse->affine = collapse->affine && (k == 0 || collapse->extent[k] > 0);
    }
}

static __isl_give isl_union_pw_aff *collapsed_time(const struct collapse *collapse, const struct order *node)
{
    isl_union_pw_aff *time = NULL;

    for (int k = 0; k < collapse->n; k++, node = node->child[0]) {
        isl_union_pw_aff *own = time_add(isl_union_pw_aff_copy(node->time), collapse->origin[k], -1);
        time = time ? isl_union_pw_aff_add(time_scale(time, collapse->extent[k]), own) : own;
    }
    return time;
}

/* The affine loop over the body, in place of the n loops from node on. */
static const struct order *collapse_affine(const struct collapse *collapse, const struct order *node)
{
    const struct order *body = node;

    for (int k = 0; k < collapse->n; k++)
        body = body->child[0];
    return order_loop(collapse->schedule->arena, collapse->info, collapsed_time(collapse, node), body);
}

/* The same loops, marked as one. */
static const struct order *collapse_tuple(const struct collapse *collapse, const struct order *node, int k)
{
    struct arena *arena = collapse->schedule->arena;
    struct loop_info *inner;

    if (k == collapse->n)
        return node;
    inner = edit_copy_info(collapse->schedule, node->info);
    inner->tuple = -1;
    return order_loop(arena, k == 0 ? collapse->info : inner, isl_union_pw_aff_copy(node->time),
                      collapse_tuple(collapse, node->child[0], k + 1));
}

static const struct order *collapse_copy(void *data, const struct order *node)
{
    const struct collapse *collapse = data;

    if (node->kind != ORDER_LOOP || node->info->id != collapse->ref[0].info->id)
        return node;
    return collapse->affine ? collapse_affine(collapse, node) : collapse_tuple(collapse, node, 0);
}

static const char *default_name(struct collapse *collapse)
{
    struct text name = {0};
    const char *kept;

    for (int k = 0; k < collapse->n; k++)
        text_addf(&name, "%s_", edit_plain_name(collapse->ref[k].info->name));
    text_add(&name, "fused");
    kept =
        edit_name_like(collapse->schedule, &collapse->ref[0], arena_copy(collapse->schedule->arena, text_str(&name)));
    text_free(&name);
    return kept;
}

static const struct loop_info *collapsed_info(struct collapse *collapse, const char *name)
{
    struct loop_info *info = edit_new_info(collapse->schedule, collapse->ref[0].info, name, collapse->step);

    info->part = collapse->affine ? NULL : collapse->ref[0].info;
    info->tuple = collapse->affine ? 0 : collapse->n;
    if (!collapse->affine)
        return info;
    info->stride = 1;
    info->offset = NULL;
    info->unit = 1;
    info->pad = 0;
    info->outer = 0;
    info->uncut = NULL;
    info->pieces = false;
    info->skewed = false;
    return info;
}

static enum status collapse_loops(struct collapse *collapse)
{
    struct schedule *schedule = collapse->schedule;
    const char *as = step_string(collapse->step, "as", NULL);
    const char *name = as ? as : default_name(collapse);

    if (as && !edit_name_free(schedule, &collapse->ref[0], as, step_place(collapse->step, "as")))
        return STATUS_REFUSED;
    if (!nested(collapse, schedule->order))
        return edit_refuse(schedule, step_place(collapse->step, "collapse"), "collapse",
                           "`reorder` them next to each other first",
                           "the loops to collapse must follow each other directly, with nothing between them");
    measure(collapse);
    collapse->info = collapsed_info(collapse, name);
    return edit_commit(schedule, order_rewrite(schedule->arena, schedule->order, collapse_copy, collapse));
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    const struct value *list = step_value(step, "collapse");
    struct arena *arena = schedule->arena;
    struct collapse collapse = {.schedule = schedule, .step = step, .n = list->n_item};
    enum status status;

    collapse.ref = ARENA_ARRAY(arena, list->n_item + 1, struct loop_ref);
    collapse.origin = ARENA_ARRAY(arena, list->n_item + 1, isl_aff *);
    collapse.extent = ARENA_ARRAY(arena, list->n_item + 1, int64_t);
    status = resolve(&collapse, list);
    if (status == STATUS_OK)
        status = collapse_loops(&collapse);
    for (int k = 0; k < collapse.n; k++)
        isl_aff_free(collapse.origin[k]);
    return status;
}

static const struct argument arguments[] = {
    {.key = "collapse", .kind = ARGUMENT_LOOPS, .required = true, .doc = "nested loops, outermost first"},
    {.key = "as", .kind = ARGUMENT_NAME, .fallback = "i_j_fused", .doc = "name of the one loop"},
    {0},
};

const struct primitive primitive_collapse = {
    .name = "collapse",
    .summary = "make one loop of nested loops",
    .rule = "Nested loops become one loop over all pairs of their values. With constant inner "
            "extents it is a loop like any other. Otherwise later steps do not change it, but on a "
            "GPU a `split` into blocks and threads; it can run in threads, lanes or blocks.",
    .proved = "The loops are directly inside each other. The order of the instances does not "
              "change.",
    .argument = arguments,
    .apply = apply,
};
