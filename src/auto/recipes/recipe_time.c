/* A loop that repeats sweeps over arrays, such as the steps of a stencil. Each sweep streams all arrays through the
 * caches; here a tile of several sweeps stays in one. Where a sweep needs neighbours of what the one before made, the
 * sweeps are skewed against each other, and the statements of one sweep are shifted:
 *
 *     S[t, i, j] -> [t, factor * t + i + shift(S), ..., number of S, j]
 *
 * The innermost loop of the sweeps stays what it is, for the lanes.
 */
#include "auto/recipes/recipes.h"
#include "auto/recipes/sweeps.h"

enum {
    SWEEPS = 16,          /* of a tile */
    ROWS = 32,            /* of it in its last loop, */
    BLOCK = 16,           /* and in those before */
    SWEEPS_OF_LINES = 32, /* where the sweeps have one loop only, */
    LINE = 1024,          /* and the iterations of that */
};

/* "S.i", as steps name a loop of the first full statement. */
static const char *loop_name(const struct sweeps *sweeps, const char *loop)
{
    const struct scene *scene = sweeps->scene;
    const char *label = sweeps->swept[sweeps->full].statement->label;

    return scene->program->n_statement == 1 ? loop : arena_printf(scene->arena, "%s.%s", label, loop);
}

static const char *dimension_name(const struct sweeps *sweeps, int k)
{
    return sweeps->swept[sweeps->full].statement->loop_name[k + 1];
}

/* "2t + i + 1" */
static void add_time(struct text *text, const struct sweeps *sweeps, const struct swept *swept, int k)
{
    const struct statement *statement = swept->statement;
    const int64_t constant = swept->shift[k] + (swept->dim[k] ? 0 : swept->at[k]);

    if (sweeps->factor[k] > 1)
        text_addf(text, "%lld", (long long)sweeps->factor[k]);
    if (sweeps->factor[k])
        text_add(text, statement->loop_name[0]);
    if (swept->dim[k])
        text_addf(text, "%s%s", sweeps->factor[k] ? " + " : "", statement->loop_name[swept->dim[k]]);
    if (constant || (!sweeps->factor[k] && !swept->dim[k]))
        text_addf(text, " + %lld", (long long)constant);
}

/* The order of all statements as one map. */
static void add_map(const struct sweeps *sweeps, struct option *option)
{
    const int last = sweeps->n_dim - 1;
    const char *stage = program_default_name(sweeps->scene->arena, sweeps->scene->program, "stage", NULL, 0);
    struct text map = {0}, as = {0};

    for (int s = 0; s < sweeps->n; s++) {
        const struct swept *swept = &sweeps->swept[s];

        text_addf(&map, "%s%s[", s ? "; " : "", swept->statement->label);
        for (int k = 0; k < swept->statement->n_loop; k++)
            text_addf(&map, "%s%s", k ? ", " : "", swept->statement->loop_name[k]);
        text_addf(&map, "] -> [%s, ", swept->statement->loop_name[0]);
        for (int k = 0; k < sweeps->n_skewed; k++) {
            add_time(&map, sweeps, swept, k);
            text_add(&map, ", ");
        }
        if (swept->dim[last])
            text_addf(&map, "%d, %s]", s, swept->statement->loop_name[swept->dim[last]]);
        else
            text_addf(&map, "%d, %lld]", s, (long long)swept->at[last]);
    }
    text_addf(&as, "\"%s\"", sweeps->swept[sweeps->full].statement->loop_name[0]);
    for (int k = 0; k < sweeps->n_skewed; k++)
        text_addf(&as, ", \"%s\"", dimension_name(sweeps, k));
    text_addf(&as, ", \"%s\", \"%s\"", stage, dimension_name(sweeps, last));
    line_add(sweeps->scene->arena, &option->schedule, "{\"map\": \"{ %s }\", \"as\": [%s]}", text_str(&map),
             text_str(&as));
    text_free(&map);
    text_free(&as);
}

static const char *inner_name(const struct sweeps *sweeps, const char *loop)
{
    struct site site = {.scene = sweeps->scene};

    return site_inner(&site, loop);
}

/* Tiles of the sweeps and of what is skewed: tile loops, then, with `between` in front of the last, loops inside. */
static void add_tiles(const struct sweeps *sweeps, struct option *option, int64_t n_sweep, const int64_t *size,
                      const char *between)
{
    struct arena *arena = sweeps->scene->arena;
    const char *t = sweeps->swept[sweeps->full].statement->loop_name[0], *tt = inner_name(sweeps, t);
    struct text tile = {0}, as = {0}, outer = {0}, inner = {0};

    text_addf(&tile, "\"%s\": %lld", loop_name(sweeps, t), (long long)n_sweep);
    text_addf(&as, "\"%s\": \"%s\"", loop_name(sweeps, t), tt);
    text_addf(&outer, "\"%s\"", loop_name(sweeps, t));
    text_addf(&inner, "\"%s\"", loop_name(sweeps, tt));
    for (int k = 0; k < sweeps->n_skewed; k++) {
        const char *loop = dimension_name(sweeps, k), *in = inner_name(sweeps, loop);

        text_addf(&tile, ", \"%s\": %lld", loop_name(sweeps, loop), (long long)size[k]);
        text_addf(&as, ", \"%s\": \"%s\"", loop_name(sweeps, loop), in);
        text_addf(&outer, ", \"%s\"", loop_name(sweeps, loop));
        if (between && k == sweeps->n_skewed - 1)
            text_addf(&inner, ", \"%s\"", loop_name(sweeps, between));
        text_addf(&inner, ", \"%s\"", loop_name(sweeps, in));
    }
    line_add(arena, &option->schedule, "{\"tile\": {%s}, \"as\": {%s}}", text_str(&tile), text_str(&as));
    line_add(arena, &option->schedule, "{\"reorder\": [%s, %s]}", text_str(&outer), text_str(&inner));
    text_free(&tile);
    text_free(&as);
    text_free(&outer);
    text_free(&inner);
}

/* Tiles on one diagonal do not depend on each other. */
static void add_wave(const struct sweeps *sweeps, struct option *option)
{
    struct arena *arena = sweeps->scene->arena;
    const char *t = sweeps->swept[sweeps->full].statement->loop_name[0];
    const char *first = loop_name(sweeps, dimension_name(sweeps, 0));
    const char *second = loop_name(sweeps, sweeps->n_skewed > 1 ? dimension_name(sweeps, 1) : t);

    if (!sweeps->scene->threads)
        return;
    line_add(arena, &option->schedule, "{\"skew\": \"%s\", \"by\": \"%s\"}", first, second);
    line_add(arena, &option->schedule, "{\"reorder\": [\"%s\", \"%s\"]}", first, second);
    line_add(arena, &option->plan, "{\"parallelize\": [\"%s\"]%s}", second, sweeps->scene->team);
}

/* Elements of different rows do not wait for each other. */
static void add_inner_skew(const struct sweeps *sweeps, struct option *option)
{
    struct arena *arena = sweeps->scene->arena;
    const char *row = loop_name(sweeps, inner_name(sweeps, dimension_name(sweeps, sweeps->n_skewed - 1)));
    const char *element = loop_name(sweeps, dimension_name(sweeps, sweeps->n_dim - 1));

    line_add(arena, &option->schedule, "{\"skew\": \"%s\", \"by\": \"%s\", \"factor\": %lld}", element, row,
             (long long)sweeps->inner_factor);
    line_add(arena, &option->schedule, "{\"reorder\": [\"%s\", \"%s\"]}", element, row);
}

static struct option *new_option(const struct sweeps *sweeps, struct choice *choice, int64_t n_sweep, bool wave)
{
    const char *threads = wave && sweeps->scene->threads ? ", tiles on a diagonal in threads" : "";

    return proposal_option(sweeps->scene->proposal, choice,
                           arena_printf(sweeps->scene->arena, "%lld sweeps of a tile while it is in the cache%s",
                                        (long long)n_sweep, threads));
}

static void add_rows(const struct sweeps *sweeps, struct choice *choice)
{
    const int64_t wished = sweeps->scene->wishes.tile, n_sweep = wished ? wished : SWEEPS;
    struct option *option = new_option(sweeps, choice, n_sweep, true);
    int64_t size[MAX_DEPTH];

    for (int k = 0; k < sweeps->n_skewed; k++)
        size[k] = wished ? wished : k == sweeps->n_skewed - 1 ? ROWS : BLOCK;
    add_map(sweeps, option);
    add_tiles(sweeps, option, n_sweep, size, NULL);
    add_wave(sweeps, option);
    if (sweeps->inner_factor) {
        add_inner_skew(sweeps, option);
        return;
    }
    for (int s = 0; s < sweeps->n; s++) {
        const struct statement *statement = sweeps->swept[s].statement;
        const int lanes = common_lanes(sweeps->scene, &statement, 1);

        if (lanes > 1 && sweeps->swept[s].dim[sweeps->n_dim - 1])
            line_add(sweeps->scene->arena, &option->plan, "{\"vectorize\": \"%s.%s\", \"lanes\": %d}", statement->label,
                     dimension_name(sweeps, sweeps->n_dim - 1), lanes);
    }
}

/* Sweeps over one loop: the statements go through a tile one after the other, in lanes. */
static void add_lines(const struct sweeps *sweeps, struct choice *choice)
{
    const int64_t wished = sweeps->scene->wishes.tile;
    const int64_t size = wished ? wished : LINE, n_sweep = wished ? wished : SWEEPS_OF_LINES;
    struct arena *arena = sweeps->scene->arena;
    struct option *option = new_option(sweeps, choice, n_sweep, false);
    const char *loop = dimension_name(sweeps, 0), *stage = NULL;
    const struct statement *statement[MOST_SWEPT];
    int lanes;
    struct text fused = {0};

    for (int s = 0; s < sweeps->n; s++) {
        const struct statement *one = sweeps->swept[s].statement;

        if (sweeps->swept[s].shift[0])
            line_add(arena, &option->schedule, "{\"shift\": \"%s.%s\", \"by\": %lld}", one->label, one->loop_name[1],
                     (long long)sweeps->swept[s].shift[0]);
        text_addf(&fused, "%s\"%s.%s\"", s ? ", " : "", one->label, one->loop_name[1]);
    }
    if (sweeps->n > 1) {
        stage = program_default_name(arena, sweeps->scene->program, "stage", NULL, 0);
        line_add(arena, &option->schedule,
                 "{\"fuse\": [%s], \"align\": \"value\", \"as\": {\"fused\": [\"%s\"], \"fusing\": \"%s\"}}",
                 text_str(&fused), loop, stage);
    }
    text_free(&fused);
    line_add(arena, &option->schedule, "{\"skew\": \"%s\", \"by\": \"%s\", \"factor\": %lld}", loop_name(sweeps, loop),
             loop_name(sweeps, sweeps->swept[0].statement->loop_name[0]), (long long)sweeps->factor[0]);
    add_tiles(sweeps, option, n_sweep, &size, stage);
    for (int s = 0; s < sweeps->n; s++)
        statement[s] = sweeps->swept[s].statement;
    lanes = common_lanes(sweeps->scene, statement, sweeps->n);
    if (lanes > 1)
        line_add(arena, &option->plan, "{\"vectorize\": \"%s\", \"lanes\": %d}",
                 loop_name(sweeps, inner_name(sweeps, loop)), lanes);
}

void recipe_time(const struct scene *scene, const part_vec *parts, struct choice *choice)
{
    struct sweeps sweeps;

    if (!sweeps_find(scene, parts, &sweeps))
        return;
    if (sweeps.n_dim > 1)
        add_rows(&sweeps, choice);
    else
        add_lines(&sweeps, choice);
}
