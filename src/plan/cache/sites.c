#include "plan/cache/sites.h"

#include "plan/cache/still.h"
#include "program/expr/affine.h"

#include <inttypes.h>
#include <string.h>

struct search {
    struct schedule *schedule;
    const struct step *step;
    const struct array *array, *view;
    struct sites *sites;
    int64_t most; /* elements */
};

static enum status refuse(const struct search *search, const char *key, const char *hint, const char *text)
{
    return edit_refuse(search->schedule, step_place(search->step, key), "cache", hint,
                       "no buffer takes the place of `%s`: %s", search->array->name, text);
}

const struct order *sites_copy(const struct order *order, int id, int *copy)
{
    const struct order *found = NULL;

    if (order->kind == ORDER_LOOP && order->info->id == id && (*copy)-- == 0)
        return order;
    for (int k = 0; k < order->n_child && !found; k++)
        found = sites_copy(order->child[k], id, copy);
    return found;
}

/* Counts the copies before wanted. */
static bool count_copies(const struct order *order, const struct order *wanted, int *n)
{
    if (order == wanted)
        return true;
    *n += order->kind == ORDER_LOOP && order->info->id == wanted->info->id;
    for (int k = 0; k < order->n_child; k++)
        if (count_copies(order->child[k], wanted, n))
            return true;
    return false;
}

static void add_site(const struct search *search, const struct order *loop)
{
    struct site site = {.id = loop->info->id};

    count_copies(search->schedule->order, loop, &site.copy);
    VEC_PUSH(search->schedule->arena, &search->sites->list, site);
}

/* A buffer's own copies do not count. */
static bool uses(const struct search *search, const struct order *order)
{
    const struct region region = {.array = search->array, .view = search->view};

    if (order->kind == ORDER_LEAF) {
        const char *copies = order->statement->copies;
        if (copies && strcmp(copies, search->array->name) == 0)
            return false;
        for (int k = 0; k < order->statement->n_access; k++)
            if (region_names(&region, &order->statement->access[k]))
                return true;
        return false;
    }
    for (int k = 0; k < order->n_child; k++)
        if (uses(search, order->child[k]))
            return true;
    return false;
}

/* still: also copies that contain only statements of other nests, which stand at one count of the loop. */
static void add_copies(const struct search *search, const struct order *order, int id, bool still)
{
    if (order->kind == ORDER_LOOP && order->info->id == id && uses(search, order) &&
        (still || !still_is(search->schedule, order)))
        add_site(search, order);
    for (int k = 0; k < order->n_child; k++)
        add_copies(search, order->child[k], id, still);
}

static enum status add_all_copies(const struct search *search, const char *name, int id)
{
    add_copies(search, search->schedule->order, id, false);
    if (search->sites->list.n == 0)
        add_copies(search, search->schedule->order, id, true);
    if (search->sites->list.n > 0)
        return STATUS_OK;
    return edit_refuse(search->schedule, step_place(search->step, "cache"), "cache", NULL,
                       "nothing inside of `%s` uses `%s`", name, search->array->name);
}

/* Is it the loop over a run of a collapsed loop's iterations, which stands for the threads of a block? */
static bool is_of_threads(const struct loop_ref *ref)
{
    return ref->info->tuple == 0 && ref->info->run > 0;
}

static enum status find_at(const struct search *search)
{
    struct loop_ref ref;

    if (!edit_loop_argument(search->schedule, search->step, "at", &ref) ||
        (!is_of_threads(&ref) && !edit_is_single(search->schedule, &ref, "cache at")))
        return STATUS_REFUSED;
    still_take_out(search->schedule, ref.info->id);
    return add_all_copies(search, ref.info->name, ref.info->id);
}

static __isl_give isl_union_pw_aff *only_time(void *data, __isl_take isl_union_pw_aff *time)
{
    isl_val *zero = isl_val_zero(isl_union_pw_aff_get_ctx(time));

    (void)data;
    return isl_union_pw_aff_scale_val(time, zero);
}

/* One iteration of a loop is all iterations of a loop inside, which has but one. */
static enum status find_inside(const struct search *search)
{
    struct schedule *schedule = search->schedule;
    struct loop_ref ref;
    const char *name;
    const struct loop_info *info;
    enum status status;

    if (!edit_loop_argument(schedule, search->step, "inside", &ref) ||
        !edit_is_single(schedule, &ref, "cache inside of"))
        return STATUS_REFUSED;
    name = edit_inner_name(schedule, &ref);
    if (!name)
        return STATUS_REFUSED;
    info = edit_new_info(schedule, &(struct loop_info){.stride = 1, .unit = 1}, name, search->step);
    status = edit_insert_inside(schedule, &ref, info, only_time, NULL);
    if (status != STATUS_OK)
        return status;
    schedule->original = schedule->order;
    return add_all_copies(search, ref.info->name, info->id);
}

/* The loops that enclose all references, outermost first. */
static void enclosing(const struct search *search, const struct order *order, struct path *path)
{
    const struct order *child = NULL;
    int n = 0;

    if (order->kind == ORDER_LOOP)
        path->loop[path->depth++] = order;
    for (int k = 0; k < order->n_child; k++)
        if (uses(search, order->child[k])) {
            child = order->child[k];
            n++;
        }
    if (n == 1)
        enclosing(search, child, path);
}

static int height(const struct order *order)
{
    int most = 0;

    for (int k = 0; k < order->n_child; k++) {
        const int one = height(order->child[k]);
        most = one > most ? one : most;
    }
    return most + 1;
}

/* The first statement below order that uses the array. */
static const struct statement *first_user(const struct search *search, const struct order *order)
{
    while (order->kind != ORDER_LEAF) {
        int k = 0;
        while (!uses(search, order->child[k]))
            k++;
        order = order->child[k];
    }
    return order->statement;
}

/* Each nest has its own innermost loops. */
static enum status find_levels(const struct search *search, const struct order *order)
{
    struct path path = {ARENA_ARRAY(search->schedule->arena, height(order), const struct order *), 0};
    const int64_t level = step_int(search->step, "level", 1);
    enum status status = STATUS_OK;

    for (int k = 0; order->kind == ORDER_SEQUENCE && k < order->n_child && status == STATUS_OK; k++)
        if (uses(search, order->child[k]))
            status = find_levels(search, order->child[k]);
    if (order->kind == ORDER_SEQUENCE)
        return status;
    enclosing(search, order, &path);
    if (level > path.depth)
        return edit_refuse(search->schedule, step_place(search->step, "level"), "cache",
                           "name a loop with `at`: each of its copies gets a buffer",
                           "only %d loop%s enclose%s all references to `%s` in the nest of %s", path.depth,
                           path.depth == 1 ? "" : "s", path.depth == 1 ? "s" : "", search->array->name,
                           first_user(search, order)->label);
    add_site(search, path.loop[path.depth - level]);
    return STATUS_OK;
}

static enum status find_level(const struct search *search)
{
    if (!uses(search, search->schedule->order))
        return refuse(search, "cache", NULL, "nothing uses this array");
    return find_levels(search, search->schedule->order);
}

static bool add_elements(const struct buffer *buffer, int64_t *sum)
{
    int64_t elements = 1;

    for (int k = 0; k < buffer->n_digit; k++) {
        const struct digit *digit = &buffer->digit[k];
        int64_t size = digit->size;
        if ((digit->extent && !expr_constant(digit->extent, &size)) ||
            __builtin_mul_overflow(elements, size, &elements))
            return false;
    }
    return !__builtin_add_overflow(*sum, elements, sum);
}

/* *elements of all buffers at loop; INT64_MAX where no constant bounds them. */
static enum status measure(const struct search *search, const struct order *loop, int64_t *elements)
{
    struct region whole = {
        .schedule = search->schedule, .step = search->step, .array = search->array, .view = search->view, .loop = loop};
    enum status status = region_find(&whole);
    int n = status == STATUS_OK ? region_groups(&whole) : 0;

    *elements = 0;
    for (int g = 0; g < n && status == STATUS_OK; g++) {
        struct region region = {.schedule = search->schedule,
                                .step = search->step,
                                .array = search->array,
                                .view = search->view,
                                .loop = loop};
        struct buffer buffer = {0};
        status = region_find(&region);
        if (status == STATUS_OK)
            status = region_take_group(&region, g);
        if (status == STATUS_OK)
            status = region_buffer(&region, &buffer);
        if (status == STATUS_OK && !add_elements(&buffer, elements)) {
            *elements = INT64_MAX;
            n = g;
        }
        buffer_release(&buffer);
    }
    return status;
}

static enum status refuse_leaf(const struct search *search, const struct statement *statement, int64_t least)
{
    const struct place place = step_place(search->step, "max_elements");

    if (least == INT64_MAX)
        return edit_refuse(search->schedule, place, "cache", NULL,
                           "no loop around %s has a block with a constant number of elements", statement->label);
    return edit_refuse(search->schedule, place, "cache", NULL, "the smallest block around %s has %" PRId64 " elements",
                       statement->label, least);
}

/* Everywhere below order the outermost loops whose buffers are small enough; *least is the smallest that is not. */
static enum status find_blocks(const struct search *search, const struct order *order, int64_t *least)
{
    enum status status = STATUS_OK;
    int64_t elements;

    if (!uses(search, order))
        return STATUS_OK;
    if (order->kind == ORDER_LEAF)
        return refuse_leaf(search, order->statement, *least);
    if (order->kind == ORDER_LOOP && order->info->tuple == 0) {
        status = measure(search, order, &elements);
        if (status == STATUS_OK && elements <= search->most) {
            add_site(search, order);
            return STATUS_OK;
        }
        *least = elements < *least ? elements : *least;
    }
    for (int k = 0; k < order->n_child && status == STATUS_OK; k++) {
        int64_t below = *least;
        status = find_blocks(search, order->child[k], &below);
    }
    return status;
}

static enum status find_fitting(struct search *search)
{
    int64_t least = INT64_MAX;

    search->most = step_int(search->step, "max_elements", 1);
    if (!uses(search, search->schedule->order))
        return refuse(search, "cache", NULL, "nothing uses this array");
    return find_blocks(search, search->schedule->order, &least);
}

static enum status find_trigger(const struct search *search)
{
    struct loop_ref ref;

    if (!step_value(search->step, "trigger"))
        return STATUS_OK;
    if (!edit_loop_argument(search->schedule, search->step, "trigger", &ref) ||
        !edit_is_single(search->schedule, &ref, "make copies before"))
        return STATUS_REFUSED;
    search->sites->trigger = ref.info->id;
    return STATUS_OK;
}

enum status sites_find(struct schedule *schedule, const struct step *step, const struct array *array,
                       const struct array *view, struct sites *sites)
{
    static const char *const keys[] = {"at", "inside", "level", "max_elements"};
    struct search search = {schedule, step, array, view, sites, 0};
    enum status status;
    int n = 0;

    *sites = (struct sites){0};
    for (int k = 0; k < 4; k++)
        n += step_value(step, keys[k]) != NULL;
    if (n != 1)
        return edit_refuse(schedule, step->place, "cache", NULL,
                           "it takes exactly one of `at`, `inside`, `level` and `max_elements`");
    status = find_trigger(&search);
    if (status != STATUS_OK)
        return status;
    if (step_value(step, "at"))
        return find_at(&search);
    if (step_value(step, "inside"))
        return find_inside(&search);
    return step_value(step, "level") ? find_level(&search) : find_fitting(&search);
}

enum status sites_region(const struct sites *sites, int k, struct region *region)
{
    int copy = sites->list.at[k].copy;
    struct path path;

    region->loop = sites_copy(region->schedule->order, sites->list.at[k].id, &copy);
    if (!sites->trigger)
        return region_find(region);
    path_find(region->schedule->arena, region->schedule->order, region->loop, &path);
    for (int d = 0; d < path.depth; d++)
        if (path.loop[d]->info->id == sites->trigger)
            region->trigger = path.loop[d];
    if (!region->trigger)
        return edit_refuse(region->schedule, step_place(region->step, "trigger"), "cache", NULL,
                           "this loop is not around the one at which the array is cached");
    return region_find(region);
}
