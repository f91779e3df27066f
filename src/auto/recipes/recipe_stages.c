/* Nests after each other, as the stages of an image pipeline: each makes an array of which later ones read rows nearby.
 * Threads have strips of the last one's rows; in front of each row come the rows of the others that no earlier row of
 * the strip needed. What a stage makes is read while it is in a cache, and only a few of its rows are stored.
 *
 *     for y by 64: for yy < 64: G[(yy + 2) % 3, ..] = ..; R[y + yy, ..] = .. G[yy % 3, ..] .. G[(yy + 2) % 3, ..] ..
 */
#include "auto/own.h"
#include "auto/recipes/recipes.h"
#include "dep/box.h"

#include <string.h>

enum {
    ROWS = 64,       /* of a strip */
    MOST_ROWS = 16,  /* of an array that one row needs */
    MOST_INSIDE = 32 /* iterations of loops inside of rows and columns: they are written out */
};

/* One nest: loops over rows and columns, with statements inside and short loops around some of them. */
struct stage {
    const struct nest_part *part;
    VEC(const struct statement *) statement;
    bool *member; /* the same by index */
    const struct array *array;
    own_vec own; /* scalars that each element's iteration has for itself, such as a sum */
};

struct stages {
    const struct scene *scene;
    struct stage *stage;
    int n;
    line_vec name; /* of loops that are made anew */
};

static void list_statements(const struct stages *stages, struct stage *stage, const struct nest_part *part)
{
    if (part->statement) {
        VEC_PUSH(stages->scene->arena, &stage->statement, part->statement);
        stage->member[part->statement->index] = true;
    }
    for (int k = 0; k < part->child.n; k++)
        list_statements(stages, stage, part->child.at[k]);
}

/* How many values dimension dim of the statement's loops has; 0: no constant bounds them. */
static int64_t values_of(const struct statement *statement, int dim)
{
    isl_map *domain = isl_map_from_range(isl_set_copy(statement->domain));
    isl_map *values = box_dimension(domain, dim);
    struct box box = box_measure(values);

    isl_map_free(domain);
    isl_map_free(values);
    box_release(&box);
    return box.size;
}

/* Are its innermost loops, beyond rows and columns, so short that they are written out? */
static bool is_short_inside(const struct statement *statement)
{
    int64_t all = 1;

    for (int k = 2; k < statement->n_loop && all > 0 && all <= MOST_INSIDE; k++)
        all *= values_of(statement, k);
    return all > 0 && all <= MOST_INSIDE;
}

static bool is_of_rows(const struct stage *stage, const struct statement *statement)
{
    const struct access *store = &statement->access[0];
    const bool own = own_has(&stage->own, store->array);

    return statement->n_loop >= 2 && !statement->guard && !store->may && is_short_inside(statement) &&
           (own ||
            (store->array == stage->array && stride_of(store, 0) == STRIDE_FAR && stride_of(store, 1) == STRIDE_NEXT));
}

/* The first statement of the stage that stores no scalar; NULL: there is none. */
static const struct statement *storing(const struct stage *stage)
{
    for (int k = 0; k < stage->statement.n; k++)
        if (!own_has(&stage->own, stage->statement.at[k]->target->array))
            return stage->statement.at[k];
    return NULL;
}

/* Fills in the stage of a nest; false: it is none. */
static bool find_stage(const struct stages *stages, struct stage *stage, const struct nest *nest)
{
    const part_vec parts = part_of_nest(stages->scene->arena, nest);
    const struct nest_part *rows = parts.at[0];

    if (nest->order || parts.n != 1 || parts_call(&parts) || !rows->loop || rows->child.n != 1 ||
        !rows->child.at[0]->loop || rows->descends || rows->child.at[0]->descends)
        return false;
    stage->part = rows;
    stage->member = ARENA_ARRAY(stages->scene->arena, stages->scene->program->n_statement, bool);
    list_statements(stages, stage, rows);
    stage->own = own_scalars(stages->scene, rows->child.at[0]);
    if (!storing(stage) || own_are_shared(stages->scene, rows, &stage->own))
        return false;
    stage->array = storing(stage)->target->array;
    for (int k = 0; k < stage->statement.n; k++)
        if (!is_of_rows(stage, stage->statement.at[k]))
            return false;
    return own_suffices(stages->scene, rows, &stage->own) &&
           own_suffices(stages->scene, rows->child.at[0], &stage->own);
}

/* { [row of a reader] -> [row of a writer] } whose elements are the same. */
static __isl_give isl_map *rows_needed(const struct access *read, const struct access *store)
{
    isl_map *map = isl_map_apply_range(isl_map_copy(read->map), isl_map_reverse(isl_map_copy(store->map)));

    map = isl_map_project_out(map, isl_dim_in, 1, (unsigned)isl_map_dim(map, isl_dim_in) - 1);
    map = isl_map_project_out(map, isl_dim_out, 1, (unsigned)isl_map_dim(map, isl_dim_out) - 1);
    return isl_map_reset_tuple_id(isl_map_reset_tuple_id(map, isl_dim_in), isl_dim_out);
}

/* Does the access read rows near its own, a constant number of them, of those that the store makes? */
static bool reads_near(const struct access *read, const struct access *store)
{
    isl_map *rows = rows_needed(read, store);
    struct box box = box_measure(rows);
    const bool near = box.size > 0 && box.size <= MOST_ROWS;

    box_release(&box);
    isl_map_free(rows);
    return near;
}

static bool reads_nearby(const struct access *read, const struct stage *of)
{
    bool near = true;

    for (int k = 0; k < of->statement.n && near; k++)
        if (of->statement.at[k]->target->array == of->array)
            near = reads_near(read, &of->statement.at[k]->access[0]);
    return near;
}

/* Which stage the statement is in; -1: none. */
static int stage_of(const struct stages *stages, const struct statement *statement)
{
    for (int k = 0; k < stages->n; k++)
        if (stages->stage[k].member[statement->index])
            return k;
    return -1;
}

/* Is what the stage makes read by later ones only, row by row? */
static bool is_handed_on(const struct stages *stages, int number)
{
    const struct program *program = stages->scene->program;
    const struct stage *stage = &stages->stage[number];
    bool read = false;

    if (stage->array->role != ROLE_TEMP || stage->array->full_storage || stage->array->init_zero)
        return false;
    for (int s = 0; s < program->n_statement; s++) {
        const struct statement *statement = program->statement[s];
        const int user = statement_uses_array(statement, stage->array) ? stage_of(stages, statement) : number;
        if (user < number)
            return false;
        for (int k = 0; user > number && k < statement->n_access; k++)
            if (statement->access[k].array == stage->array) {
                if (statement->access[k].write || !reads_nearby(&statement->access[k], stage))
                    return false;
                read = true;
            }
    }
    return read;
}

static bool find_stages(struct stages *stages, const struct nest *first, int n)
{
    stages->stage = ARENA_ARRAY(stages->scene->arena, n, struct stage);
    for (; stages->n < n; stages->n++)
        if (!find_stage(stages, &stages->stage[stages->n], &first[stages->n]))
            return false;
    for (int k = 0; k < n - 1; k++)
        if (!is_handed_on(stages, k))
            return false;
    return true;
}

/* The lanes for a stage's statements; 0: there are none. */
static int lanes_of(const struct stages *stages, const struct stage *stage)
{
    const int lanes = common_lanes(stages->scene, stage->statement.at, stage->statement.n);

    return lanes >= 2 ? lanes : 0;
}

/* Names of loops that a stage has, and those that they get where it moves to. */
struct renaming {
    line_vec old, new;
};

static const char *renamed(const struct renaming *renaming, const char *old)
{
    for (int k = 0; k < renaming->old.n; k++)
        if (strcmp(renaming->old.at[k], old) == 0)
            return renaming->new.at[k];
    return NULL;
}

/* Those of the statements that store the array. */
static void rename_loops(struct stages *stages, const struct stage *stage, const struct array *array,
                         struct renaming *renaming)
{
    struct arena *arena = stages->scene->arena;

    for (int k = 0; k < stage->statement.n; k++)
        for (int loop = 0; stage->statement.at[k]->target->array == array && loop < stage->statement.at[k]->n_loop;
             loop++) {
            const char *old = stage->statement.at[k]->loop_name[loop], *new;
            if (renamed(renaming, old))
                continue;
            new = program_default_name(arena, stages->scene->program, old, stages->name.at, stages->name.n);
            VEC_PUSH(arena, &stages->name, new);
            VEC_PUSH(arena, &renaming->old, old);
            VEC_PUSH(arena, &renaming->new, new);
        }
}

/* The step that moves what stores an array; store: where it is stored, or nothing. */
static void add_compute_at(const struct stages *stages, const struct array *array, const struct renaming *renaming,
                           const char *loop, const char *store, struct option *option)
{
    struct text as = {0};

    for (int k = 0; k < renaming->old.n; k++)
        text_addf(&as, "%s\"%s\": \"%s\"", k ? ", " : "", renaming->old.at[k], renaming->new.at[k]);
    line_add(stages->scene->arena, &option->schedule, "{\"compute_at\": \"%s\", \"loop\": \"%s\"%s, \"as\": {%s}}",
             array->name, loop, store, text_str(&as));
    text_free(&as);
}

/* Columns in lanes, and the short loops inside written out: of the statements that store the array, or, where it is
 * NULL, of all. */
static void add_plan(const struct stages *stages, const struct stage *stage, const struct array *array,
                     const struct renaming *renaming, struct option *option)
{
    struct arena *arena = stages->scene->arena;

    for (int k = 0; k < stage->statement.n; k++) {
        const struct statement *statement = stage->statement.at[k];
        const bool columns = renaming ? array == stage->array : k == 0;
        for (int loop = 1; loop < statement->n_loop && (!array || statement->target->array == array); loop++) {
            const char *old = statement->loop_name[loop], *name = renaming ? renamed(renaming, old) : old;
            if (loop > 1)
                line_add(arena, &option->plan, "{\"unroll\": \"%s.%s\"}", statement->label, name);
            else if (columns)
                line_add(arena, &option->plan, "{\"vectorize\": \"%s.%s\", \"lanes\": %d}", statement->label, name,
                         lanes_of(stages, stage));
        }
    }
}

/* The steps that move a stage in front of the rows of the last one, and its scalars into the loop over its columns. */
static void add_move(struct stages *stages, const struct stage *stage, const char *row, const char *store,
                     struct option *option)
{
    struct arena *arena = stages->scene->arena;
    const struct statement *stores = storing(stage);
    struct renaming renaming = {0};
    const char *column;

    for (int k = 0; k < stage->own.n; k++)
        own_expand(stages->scene, stage->part, stage->own.at[k],
                   arena_printf(arena, "\"%s.%s\", \"%s.%s\"", stores->label, stores->loop_name[0], stores->label,
                                stores->loop_name[1]),
                   option);
    rename_loops(stages, stage, stage->array, &renaming);
    add_compute_at(stages, stage->array, &renaming, row, arena_printf(arena, ", \"store_at\": \"%s\"", store), option);
    add_plan(stages, stage, stage->array, &renaming, option);
    column = arena_printf(arena, "%s.%s", stores->label, renamed(&renaming, stores->loop_name[1]));
    for (int k = stage->own.n - 1; k >= 0; k--) {
        struct renaming own = {0};
        rename_loops(stages, stage, stage->own.at[k], &own);
        add_compute_at(stages, stage->own.at[k], &own, column, "", option);
        add_plan(stages, stage, stage->own.at[k], &own, option);
    }
}

static void add_steps(struct stages *stages, struct option *option)
{
    struct arena *arena = stages->scene->arena;
    const struct stage *last = &stages->stage[stages->n - 1];
    const struct site site = site_around(stages->scene, last->part, true);
    const char *rows = arena_printf(arena, "%s.%s", last->statement.at[0]->label, last->part->loop);
    const char *row = rows, *store = "root";

    for (int k = 0; k < last->statement.n; k++)
        for (int loop = 0; loop < last->statement.at[k]->n_loop; loop++)
            VEC_PUSH(arena, &stages->name, last->statement.at[k]->loop_name[loop]);
    if (stages->scene->threads) {
        const char *inner = site_inner(&site, last->part->loop);
        VEC_PUSH(arena, &stages->name, inner);
        line_add(arena, &option->schedule, "{\"split\": \"%s\", \"by\": %d, \"as\": \"%s\"}", rows, ROWS, inner);
        row = arena_printf(arena, "%s.%s", last->statement.at[0]->label, inner);
        store = rows;
    }
    for (int k = stages->n - 2; k >= 0; k--)
        add_move(stages, &stages->stage[k], row, store, option);
    add_plan(stages, last, NULL, NULL, option);
    site_parallelize(&site, option, rows, "");
}

void recipe_stages(const struct scene *scene, const struct nest *first, int n, struct choice *choice)
{
    struct stages stages = {.scene = scene};
    bool lanes = scene->vectors && find_stages(&stages, first, n);

    for (int k = 0; k < n && lanes; k++)
        lanes = lanes_of(&stages, &stages.stage[k]) > 0;
    if (lanes)
        add_steps(&stages,
                  proposal_option(scene->proposal, choice,
                                  arena_printf(scene->arena,
                                               "rows of %d temporar%s come right before the rows that read them: they "
                                               "are in a cache, and few are stored",
                                               n - 1, n > 2 ? "ies" : "y")));
}
