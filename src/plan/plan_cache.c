/* cache: a local copy of what a loop touches of an array.
 *
 *     for (jj ..) C[i, jj] ..     becomes     for (jj ..) AA[jj] = C[i, jj];  for (jj ..) AA[jj] ..;  copy back
 *
 * Filled just before the loop with what is read there before it is written, flushed just after it with what was
 * written; references outside of the loop keep to the array. The copies are statements of their own, whose loops later
 * steps can use; the buffer gets the iteration of the loops outside in front of its subscripts (plan/contract.h takes
 * it away again), so that dependences, and with them every later check, are exact.
 */
#include "caps/gpu.h"
#include "plan/copies.h"

#include <string.h>

struct caching {
    struct schedule *schedule;
    const struct step *step;
    struct region region;
};

static enum status refuse(const struct caching *caching, const char *key, const char *hint, const char *text)
{
    return edit_refuse(caching->schedule, step_place(caching->step, key), "cache", hint, "%s", text);
}

static enum status find_array(struct caching *caching)
{
    const char *name = step_string(caching->step, "cache", "");

    caching->region.array = program_array(caching->schedule->program, name);
    if (!caching->region.array)
        return edit_refuse(caching->schedule, step_place(caching->step, "cache"), "unknown-name", NULL,
                           "there is no array `%s` here", name);
    if (caching->region.array->n_dim == 0)
        return refuse(caching, "cache", NULL, "it is one element; compilers keep that in a register by themselves");
    return STATUS_OK;
}

/* The one loop of this name. */
static enum status find_loop(struct caching *caching, const char *key, const struct order **loop)
{
    struct loop_ref ref;

    if (!edit_loop_argument(caching->schedule, caching->step, key, &ref) ||
        !edit_is_single(caching->schedule, &ref, "cache at"))
        return STATUS_REFUSED;
    if (order_count(caching->schedule->order, ref.info->id) != 1)
        return refuse(caching, key, "name one of them by a label", "there are several copies of this loop");
    *loop = ref.node;
    return STATUS_OK;
}

static bool contains(const struct order *order, const struct order *wanted)
{
    bool found = order == wanted;

    for (int k = 0; k < order->n_child && !found; k++)
        found = contains(order->child[k], wanted);
    return found;
}

static enum status find_loops(struct caching *caching)
{
    enum status status = find_loop(caching, "at", &caching->region.loop);

    if (status != STATUS_OK || !step_value(caching->step, "trigger"))
        return status;
    status = find_loop(caching, "trigger", &caching->region.trigger);
    if (status == STATUS_OK && !contains(caching->region.trigger, caching->region.loop))
        return refuse(caching, "trigger", NULL, "this loop is not around the one at which the array is cached");
    return status;
}

/* What is copied several times at once must not be written: the copies would drift apart. */
static enum status check_trigger(const struct caching *caching)
{
    if (caching->region.n_outside == caching->region.path.depth || !caching->region.written)
        return STATUS_OK;
    return refuse(caching, "trigger", NULL,
                  "the array is written inside, and several copies of it cannot be kept equal");
}

static enum status new_name(const struct caching *caching, const char **name)
{
    const struct program *program = caching->schedule->program;
    const char *wanted = step_string(caching->step, "as", NULL);

    *name = wanted ? wanted : arena_printf(caching->schedule->arena, "%s_cache", caching->region.array->name);
    for (int k = 2; !wanted && program_array(program, *name); k++)
        *name = arena_printf(caching->schedule->arena, "%s_cache_%d", caching->region.array->name, k);
    if (!program_array(program, *name) && !program_scalar(program, *name) && !program_param(program, *name))
        return STATUS_OK;
    return edit_refuse(caching->schedule, step_place(caching->step, "as"), "name", NULL, "there already is a `%s`",
                       *name);
}

static bool is_memory(const struct step *step, const char *memory)
{
    return strcmp(step_string(step, "memory", ""), memory) == 0;
}

/* Memories of a device need one. */
static enum status check_memory(const struct caching *caching)
{
    const bool device = is_memory(caching->step, "local") || is_memory(caching->step, "shared");

    if (!device || gpu_by_language(caching->schedule->program->target.language))
        return STATUS_OK;
    return refuse(caching, "memory", "\"target\": {\"language\": \"cuda\"} has them",
                  "the target has no blocks and threads with memories of their own");
}

static enum status make_buffer(const struct caching *caching, struct buffer *buffer)
{
    const struct region *region = &caching->region;
    const struct drivers drivers = region_drivers(region);
    enum status status;

    *buffer = (struct buffer){.schedule = caching->schedule, .step = caching->step, .array = region->array,
                              .in_registers = is_memory(caching->step, "register") || is_memory(caching->step, "local"),
                              .is_shared = is_memory(caching->step, "shared"), .path = region->path, .n_outside = region->n_outside,
                              .n_between = region->path.depth - region->n_outside,
                              .footprint = region_footprint(region)};
    status = buffer_measure(buffer);
    if (status == STATUS_OK)
        status = buffer_lay_out(buffer, &drivers);
    if (status == STATUS_OK)
        buffer_place(buffer);
    return status;
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct caching caching = {.schedule = schedule, .step = step, .region = {.schedule = schedule, .step = step}};
    struct buffer buffer = {0};
    const char *name;
    enum status status = find_array(&caching);

    if (status == STATUS_OK)
        status = find_loops(&caching);
    if (status == STATUS_OK)
        status = region_find(&caching.region);
    if (status == STATUS_OK)
        status = check_memory(&caching);
    if (status == STATUS_OK)
        status = check_trigger(&caching);
    if (status == STATUS_OK)
        status = new_name(&caching, &name);
    if (status == STATUS_OK)
        status = make_buffer(&caching, &buffer);
    if (status == STATUS_OK)
        status = copies_insert(schedule, &caching.region, &buffer, name);
    buffer_release(&buffer);
    return status;
}

static const struct argument arguments[] = {
    {.key = "cache", .kind = ARGUMENT_TEXT, .required = true, .doc = "an array"},
    {.key = "at", .kind = ARGUMENT_LOOP, .required = true, .doc = "the loop whose elements are copied"},
    {.key = "trigger", .kind = ARGUMENT_LOOP, .fallback = "the loop `at`",
     .doc = "a loop further out: all copies for its inside are made before it"},
    {.key = "as", .kind = ARGUMENT_NAME, .fallback = "the array's name and _cache", .doc = "the buffer's name"},
    {.key = "layout", .kind = ARGUMENT_LAYOUT, .fallback = "the array's own order",
     .doc = "\"row_major\", \"col_major\", or the loops that index the buffer, outermost first"},
    {.key = "memory", .kind = ARGUMENT_CHOICE, .choices = "register local shared",
     .fallback = "stack or heap, by size",
     .doc = "where the buffer is; on a device local is each thread's own, shared each block's"},
    {.key = "pad", .kind = ARGUMENT_INT, .minimum = 0, .fallback = "0",
     .doc = "unused elements behind each run of the fastest dimension"},
    {.key = "align", .kind = ARGUMENT_INT, .minimum = 1, .fallback = "the type's own", .doc = "in bytes"},
    {0},
};

const struct primitive primitive_cache = {"cache", "work on a local copy of an array's elements", arguments, apply};
