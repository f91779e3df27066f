/* cache: a local copy of what a loop touches of an array.
 *
 *     for (jj ..) C[i, jj] ..     becomes     for (jj ..) AA[jj] = C[i, jj];  for (jj ..) AA[jj] ..;  copy back
 *
 * Filled just before the loop with what is read there before it is written, flushed just after it with what was
 * written; references outside of the loop keep to the array. The copies are statements of their own, whose loops later
 * steps can use; the buffer gets the iteration of the loops outside in front of its subscripts (contract.h takes
 * it away again), so that dependences, and with them every later check, are exact.
 */
#include "plan/cache/blocks.h"
#include "plan/cache/copies.h"
#include "plan/cache/record.h"
#include "plan/cache/sites.h"
#include "plan/dense.h"
#include "sched/program_step.h"

#include <string.h>

struct caching {
    struct schedule *schedule;
    const struct step *step;
    const char *array;
    const struct array *view; /* NULL: all references to the array */
    struct buffer_options options;
    struct sites sites;
    int n_buffer;
    int n_elided; /* groups at the present place that get no buffer */
};

static enum status refuse(const struct caching *caching, const char *key, const char *hint, const char *text)
{
    return edit_refuse(caching->schedule, step_place(caching->step, key), "cache", hint,
                       "no buffer takes the place of `%s`: %s", step_string(caching->step, "cache", ""), text);
}

static enum status find_array(struct caching *caching, const struct array **array)
{
    *array = region_array(caching->schedule, caching->step, &caching->view);
    if (!*array)
        return STATUS_REFUSED;
    caching->array = (*array)->name;
    if ((*array)->n_dim == 0)
        return refuse(caching, "cache", NULL, "it is one element; compilers keep that in a register by themselves");
    return STATUS_OK;
}

static bool is_taken(const struct program *program, const char *name)
{
    return name_is_reserved(name) || program_array(program, name) || program_scalar(program, name) ||
           program_param(program, name);
}

/* `as`, `as_2`, ..: a buffer each. The first one must be free when the user has chosen it. */
static enum status new_name(struct caching *caching, const char **name)
{
    const struct program *program = caching->schedule->program;
    const char *wanted = step_string(caching->step, "as", NULL);
    const char *named = caching->view ? caching->view->name : caching->array;
    const char *base = wanted ? wanted : arena_printf(caching->schedule->arena, "%s_cache", named);

    *name = base;
    if (wanted && caching->n_buffer == 0 && is_taken(program, base))
        return edit_refuse(caching->schedule, step_place(caching->step, "as"), "name", NULL, "there already is a `%s`",
                           base);
    for (int k = 2; is_taken(program, *name); k++)
        *name = arena_printf(caching->schedule->arena, "%s_%d", base, k);
    caching->n_buffer++;
    return STATUS_OK;
}

/* A buffer for the group, unless it is not worth one; or, if it is still to be chosen, the layout of the array. */
static enum status insert(struct caching *caching, struct region *region)
{
    struct buffer buffer = {0};
    const char *name;
    enum status status = region_buffer(region, &buffer);

    if (status == STATUS_OK && blocks_choose(caching->schedule, &buffer)) {
        buffer_release(&buffer);
        return STATUS_OK;
    }
    if (status == STATUS_OK && caching->options.thrifty && buffer_is_contiguous(&buffer)) {
        caching->n_elided++;
        record_cache(region, NULL);
    } else if (status == STATUS_OK) {
        status = new_name(caching, &name);
        if (status == STATUS_OK)
            status = copies_insert(caching->schedule, region, &buffer, name);
        if (status == STATUS_OK)
            record_cache(region, name);
    }
    buffer_release(&buffer);
    return status;
}

/* What is to be done next for a group of references at a place; *done when there is none left. */
static enum status cache_group(struct caching *caching, int place, bool *done)
{
    struct region region = {.schedule = caching->schedule,
                            .step = caching->step,
                            .view = caching->view,
                            .options = caching->options};
    enum status status;

    region.array = program_array(caching->schedule->program, caching->array);
    status = sites_region(&caching->sites, place, &region);
    if (status != STATUS_OK)
        return status;
    *done = region.list.n == 0 || (caching->n_elided > 0 && caching->n_elided == region_groups(&region));
    if (*done)
        return STATUS_OK;
    status = region_check_view(&region);
    if (status != STATUS_OK)
        return status;
    if (region.divided)
        return program_step_divide(caching->schedule, region.divided, region_instances(&region, region.divided));
    status = region_take_group(&region, caching->n_elided);
    if (status == STATUS_OK && caching->options.only_written && !region.written) {
        caching->n_elided++;
        return STATUS_OK;
    }
    if (status == STATUS_OK)
        status = convert_check(&region);
    return status == STATUS_OK ? insert(caching, &region) : status;
}

static enum status cache_place(struct caching *caching, int place)
{
    enum status status = STATUS_OK;

    caching->n_elided = 0;
    for (bool done = false; !done && status == STATUS_OK;)
        status = cache_group(caching, place, &done);
    return status;
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct caching caching = {.schedule = schedule, .step = step};
    const struct array *array;
    enum status status = find_array(&caching, &array);

    if (status == STATUS_OK)
        status = buffer_options(schedule, step, array, &caching.options);
    if (status == STATUS_OK)
        status = sites_find(schedule, step, array, caching.view, &caching.sites);
    for (int k = 0; k < caching.sites.list.n && status == STATUS_OK; k++)
        if (!dense_around(schedule, caching.sites.list.at[k].id, step->place))
            status = STATUS_REFUSED;
    for (int k = 0; k < caching.sites.list.n && status == STATUS_OK; k++)
        status = cache_place(&caching, k);
    if (status == STATUS_OK && caching.options.only_written && caching.n_buffer == 0)
        return refuse(&caching, "only", NULL, "nothing is written to it there");
    return status;
}

static const struct argument arguments[] = {
    {.key = "cache", .kind = ARGUMENT_TEXT, .required = true, .doc = "an array, or a view: what is named by it"},
    {.key = "at",
     .kind = ARGUMENT_LOOP,
     .fallback = "one of at, inside, level, max_elements",
     .doc = "the loop whose elements are copied"},
    {.key = "inside",
     .kind = ARGUMENT_LOOP,
     .fallback = "one of at, inside, level, max_elements",
     .doc = "the loop of each of whose iterations the elements are copied"},
    {.key = "level",
     .kind = ARGUMENT_INT,
     .minimum = 1,
     .fallback = "one of at, inside, level, max_elements",
     .doc = "n: the n innermost of the loops that enclose all references of a nest"},
    {.key = "max_elements",
     .kind = ARGUMENT_INT,
     .minimum = 1,
     .fallback = "one of at, inside, level, max_elements",
     .doc = "the outermost loops whose block has no more elements"},
    {.key = "trigger",
     .kind = ARGUMENT_LOOP,
     .fallback = "the loop `at`",
     .doc = "a loop further out, before which the copies for all of its iterations are made"},
    {.key = "only",
     .kind = ARGUMENT_CHOICE,
     .choices = "written",
     .fallback = "all references",
     .doc = "the references to elements that the loop writes; others keep to the array"},
    {.key = "as", .kind = ARGUMENT_NAME, .fallback = "the array's name and _cache", .doc = "the buffer's name"},
    {.key = "layout",
     .kind = ARGUMENT_LAYOUT,
     .fallback = "the array's own order; in registers that of the loops",
     .doc = "\"row_major\", \"col_major\", or the loops that index the buffer, outermost first (the only form in "
            "registers and local memory)"},
    {.key = "memory",
     .kind = ARGUMENT_CHOICE,
     .choices = MEMORY_CHOICES,
     .fallback = "stack if small, else heap",
     .doc = "where the buffer is; shared, local and global need a GPU"},
    {.key = "type", .kind = ARGUMENT_TEXT, .fallback = "the array's", .doc = "of the buffer's elements"},
    {.key = "pad",
     .kind = ARGUMENT_INT,
     .minimum = 1,
     .fallback = "0",
     .doc = "unused elements at the end of the last dimension"},
    {.key = "align", .kind = ARGUMENT_INT, .minimum = 1, .fallback = "the type's own", .doc = "in bytes"},
    {.key = "thrifty",
     .kind = ARGUMENT_BOOL,
     .fallback = "false",
     .doc = "no copy where the elements already lie in this order without gaps"},
    {.key = "double_buffer",
     .kind = ARGUMENT_BOOL,
     .fallback = "false",
     .doc = "two buffers in turn: one is filled for the next iteration of the loop around while the other is used"},
    {.key = "buffers",
     .kind = ARGUMENT_INT,
     .minimum = 2,
     .maximum = 16,
     .fallback = "1, or 2 with double_buffer",
     .doc = "n buffers in turn: while one is used another one is filled for the iteration n - 1 further on"},
    {.key = "through",
     .kind = ARGUMENT_CHOICE,
     .choices = "register",
     .fallback = "straight from memory to memory",
     .doc = "of shared memory: what the next iteration of the loop around needs is loaded into registers before the "
            "buffer is used and stored after that"},
    {.key = "copy",
     .kind = ARGUMENT_CHOICE,
     .choices = "striped blocked",
     .fallback = "striped",
     .doc = "of shared memory: which elements a thread copies; striped: consecutive threads copy consecutive elements; "
            "blocked: each thread copies contiguous ones"},
    {.key = "async",
     .kind = ARGUMENT_BOOL,
     .fallback = "false",
     .doc = "of shared memory: filled by asynchronous copies, which a thread waits for where they are needed"},
    {0},
};

const struct primitive primitive_cache = {
    .name = "cache",
    .summary = "work on a local copy of an array's elements",
    .rule = "The elements that a loop touches are copied into a buffer, and the loop uses the "
            "buffer. `at` means all iterations of a loop, `inside` a single one; `level` and "
            "`max_elements` choose the loop by depth or size. What is read before it is written "
            "is copied in, and what was written is copied out. Later steps name the loops of the "
            "copies after the buffer, `Bp.jj`, or `Bp_fill.jj` and `Bp_flush.jj`.",
    .proved = "The region of the copies covers all accesses. No element is reached in another way "
              "meanwhile. In threads each thread has its own buffer.",
    .argument = arguments,
    .apply = apply,
};
