/* cache_read, cache_write: a copy of what a statement reads, or of what its nest writes, as a nest of the schedule.
 *
 *     for (i ..) B[i] = A[i] ..     becomes     for (ax0 ..) A_local[ax0] = A[ax0];  for (i ..) B[i] = A_local[i] ..
 *
 * Only the named statement (for cache_write: the nest it is in, and what initialises the array for it) uses the copy,
 * whose loops ax0, ax1, .. take steps like any others. The schedule goes on with the changed program, by whose
 * dependences the final order is judged; that it computes the same in the description's order is proved here.
 */
#include "plan/cache/copies.h"

static bool is_taken(const struct schedule *schedule, const char *name)
{
    const struct program *program = schedule->program;

    return name_is_reserved(name) || program_has_name(program, name) || program_statement(program, name) ||
           schedule_group(schedule, name);
}

/* `as`, which must be free; A_local, A_local_2, .. otherwise. */
static enum status new_name(struct schedule *schedule, const struct step *step, const char *array, const char **name)
{
    const char *wanted = step_string(step, "as", NULL);
    const char *base = wanted ? wanted : arena_printf(schedule->arena, "%s_local", array);

    *name = base;
    if (wanted && is_taken(schedule, base))
        return edit_refuse(schedule, step_place(step, "as"), "name", NULL, "there already is a `%s`", base);
    for (int k = 2; is_taken(schedule, *name); k++)
        *name = arena_printf(schedule->arena, "%s_%d", base, k);
    return STATUS_OK;
}

static enum status find(struct region *region, const struct statement **statement)
{
    struct schedule *schedule = region->schedule;
    const struct step *step = region->step;
    const char *key = step->primitive->name, *label = step_string(step, "for", "");

    region->array = region_array(schedule, step, &region->view);
    *statement = program_statement(schedule->program, label);
    if (!region->array)
        return STATUS_REFUSED;
    if (!*statement)
        return edit_no_statement(schedule, step_place(step, "for"), label);
    if (region->array->n_dim == 0)
        return edit_refuse(schedule, step_place(step, key), key, NULL,
                           "it is one element; compilers keep that in a register by themselves");
    return STATUS_OK;
}

typedef enum status find_region(struct region *region, const struct statement *statement);

static enum status insert(struct region *region, const char *name)
{
    struct buffer buffer = {0};
    enum status status = convert_check(region);

    if (status == STATUS_OK)
        status = region_buffer(region, &buffer);
    if (status == STATUS_OK)
        status = copies_insert_nests(region->schedule, region, &buffer, name);
    buffer_release(&buffer);
    return status;
}

static enum status apply(struct schedule *schedule, const struct step *step, find_region *find_it)
{
    struct region region = {.schedule = schedule, .step = step};
    const struct statement *statement;
    const char *name;
    enum status status = find(&region, &statement);

    if (status == STATUS_OK)
        status = new_name(schedule, step, region.view ? region.view->name : region.array->name, &name);
    if (status == STATUS_OK)
        status = buffer_options(schedule, step, region.array, &region.options);
    if (status == STATUS_OK)
        status = find_it(&region, statement);
    if (status == STATUS_OK)
        status = region_check_view(&region);
    return status == STATUS_OK ? insert(&region, name) : status;
}

static enum status apply_read(struct schedule *schedule, const struct step *step)
{
    return apply(schedule, step, region_of_reader);
}

static enum status apply_write(struct schedule *schedule, const struct step *step)
{
    return apply(schedule, step, region_of_writer);
}

#define SHARED_ARGUMENTS                                                                                               \
    {.key = "as", .kind = ARGUMENT_NAME, .fallback = "the array's name and _local", .doc = "the buffer's name"},       \
        {.key = "memory",                                                                                              \
         .kind = ARGUMENT_CHOICE,                                                                                      \
         .choices = MEMORY_CHOICES,                                                                                    \
         .fallback = "stack if small, else heap",                                                                      \
         .doc = "where the buffer is; shared, local and global need a GPU; register is refused"},                      \
        {.key = "type", .kind = ARGUMENT_TEXT, .fallback = "the array's", .doc = "of the buffer's elements"},          \
        {.key = "align", .kind = ARGUMENT_INT, .minimum = 1, .fallback = "the type's own", .doc = "in bytes"},         \
    {                                                                                                                  \
        0                                                                                                              \
    }

static const struct argument read_arguments[] = {
    {.key = "cache_read", .kind = ARGUMENT_TEXT, .required = true, .doc = "an array, or a view: what is named by it"},
    {.key = "for", .kind = ARGUMENT_STATEMENT, .required = true, .doc = "the statement that is to read the copy"},
    SHARED_ARGUMENTS,
};

static const struct argument write_arguments[] = {
    {.key = "cache_write", .kind = ARGUMENT_TEXT, .required = true, .doc = "an array, or a view: what is named by it"},
    {.key = "for",
     .kind = ARGUMENT_STATEMENT,
     .required = true,
     .doc = "the statement that is to write to the copy, with all of its nest and what initialises the array for it"},
    SHARED_ARGUMENTS,
};

const struct primitive primitive_cache_read = {
    .name = "cache_read",
    .summary = "a nest before a statement's nest copies what it reads",
    .rule = "A nest in front of a statement's nest copies what the statement reads into a new "
            "array, which the statement reads instead. Other statements read the array as before. "
            "The copy's loops are ax0, ax1, .., and `compute_at` can place it.",
    .proved = "No statement of the nest writes what is copied before it is read.",
    .argument = read_arguments,
    .apply = apply_read,
};
const struct primitive primitive_cache_write = {
    .name = "cache_write",
    .summary = "a nest writes to a copy, which a nest after it brings to the array",
    .rule = "A statement writes to a new array, and a nest after it copies the result. The nest "
            "that initialises the array writes to the new one, too. The copy can be placed by "
            "`reverse_compute_at`.",
    .proved = "Nothing else uses the elements between the statement and the copy.",
    .argument = write_arguments,
    .apply = apply_write,
};
