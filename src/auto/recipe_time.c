/* A loop that repeats sweeps over arrays, such as the steps of a stencil. Each sweep streams all arrays through the
 * caches; here a tile of several sweeps stays in one. Where a sweep needs neighbours of what the one before made, the
 * sweeps are skewed against each other, and the statements of one sweep are shifted:
 *
 *     S[t, i, j] -> [t, factor * t + i + shift(S), ..., number of S, j]
 *
 * The innermost loop of the sweeps stays what it is, for the lanes.
 */
#include "auto/recipes.h"

#include "poly/keep.h"
#include "poly/number.h"
#include "program/expr/affine.h"

#include <isl/ilp.h>
#include <isl/val.h>

enum {
    MOST_FACTOR = 3,
    MOST_STATEMENTS = 16,
    SWEEPS = 16,          /* of a tile */
    ROWS = 32,            /* of it in its last loop, */
    BLOCK = 16,           /* and in those before */
    SWEEPS_OF_LINES = 32, /* where the sweeps have one loop only, */
    LINE = 1024,          /* and the iterations of that */
};

/* A statement of the nest. Its dimension k of the sweeps is its loop dim[k], or where that is 0 the value at[k]. */
struct swept {
    const struct statement *statement;
    int dim[MAX_DEPTH];
    int64_t at[MAX_DEPTH];
    int64_t shift[MAX_DEPTH];
};

/* A dependence: how far it goes in the sweeps and in each of their dimensions, { [d, d0, ..] }. */
struct sweep_step {
    int from, to; /* of the statements */
    isl_set *step;
};

struct sweeps {
    const struct scene *scene;
    struct swept swept[MOST_STATEMENTS];
    int n, n_dim;
    int n_skewed; /* the first dimensions, which are skewed and tiled */
    int64_t factor[MAX_DEPTH];
    int full; /* a statement that has all dimensions */
    int64_t
        inner_factor; /* by which the innermost loop is skewed by the one around, which is free then; 0: it is free */
    VEC(struct sweep_step) step;
};

/* The value of the subscript where it is a number. */
static bool constant_subscript(__isl_keep isl_pw_multi_aff *subscripts, int subscript, int64_t *value)
{
    isl_pw_aff *index = isl_pw_multi_aff_get_pw_aff(subscripts, subscript);
    bool is = false;

    index = isl_pw_aff_gist(index, isl_pw_aff_domain(isl_pw_aff_copy(index)));
    if (isl_pw_aff_isa_aff(index) == isl_bool_true) {
        isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(index));

        is = isl_aff_is_cst(aff) == isl_bool_true && poly_number(isl_aff_get_constant_val(aff), value);
        isl_aff_free(aff);
    }
    isl_pw_aff_free(index);
    return is;
}

/* The loop of the statement that the subscript counts, or 0. */
static int loop_of(const struct statement *statement, __isl_keep isl_pw_multi_aff *subscripts, int subscript)
{
    for (int loop = 1; loop < statement->n_loop; loop++)
        if (subscript_factor(subscripts, subscript, loop) == 1)
            return loop;
    return 0;
}

/* Where a full statement uses the array with dimension k in a subscript, the other one has there what k is for it. */
static bool align_by(const struct sweeps *sweeps, struct swept *swept, const struct access *own,
                     const struct access *other)
{
    isl_pw_multi_aff *mine = isl_pw_multi_aff_from_map(isl_map_copy(own->map));
    isl_pw_multi_aff *full = isl_pw_multi_aff_from_map(isl_map_copy(other->map));
    int known = 0;

    for (int k = 0; k < sweeps->n_dim; k++)
        for (int s = 0; s < own->array->n_dim; s++)
            if (subscript_factor(full, s, k + 1) == 1) {
                swept->dim[k] = loop_of(swept->statement, mine, s);
                known += swept->dim[k] || constant_subscript(mine, s, &swept->at[k]);
                break;
            }
    isl_pw_multi_aff_free(mine);
    isl_pw_multi_aff_free(full);
    return known == sweeps->n_dim;
}

static bool align(const struct sweeps *sweeps, struct swept *swept)
{
    const struct statement *statement = swept->statement, *full = sweeps->swept[sweeps->full].statement;

    for (int k = 0; k < sweeps->n_dim; k++)
        swept->dim[k] = k + 1;
    if (statement->n_loop == sweeps->n_dim + 1)
        return true;
    for (int a = 0; a < full->n_access; a++)
        if (full->access[a].array == statement->access[0].array && !statement->access[0].may && !full->access[a].may &&
            align_by(sweeps, swept, &statement->access[0], &full->access[a]))
            return true;
    return false;
}

static bool add_statements(struct sweeps *sweeps, const struct part *part)
{
    if (part->statement) {
        if (sweeps->n == MOST_STATEMENTS || part->statement->n_loop < 2)
            return false;
        if (part->statement->n_loop - 1 > sweeps->n_dim) {
            sweeps->n_dim = part->statement->n_loop - 1;
            sweeps->full = sweeps->n;
        }
        sweeps->swept[sweeps->n++].statement = part->statement;
    }
    for (int k = 0; k < part->child.n; k++)
        if (!add_statements(sweeps, part->child.at[k]))
            return false;
    return true;
}

/* { S[t, i, j] -> [t, x0, x1] } */
static __isl_give isl_map *dimensions_of(const struct sweeps *sweeps, const struct swept *swept)
{
    isl_space *space = isl_set_get_space(swept->statement->domain);
    isl_local_space *local = isl_local_space_from_space(isl_space_copy(space));
    isl_multi_aff *all =
        isl_multi_aff_zero(isl_space_add_dims(isl_space_from_domain(space), isl_dim_out, (unsigned)sweeps->n_dim + 1));

    for (int k = 0; k <= sweeps->n_dim; k++) {
        const int dim = k == 0 ? 0 : swept->dim[k - 1];
        isl_aff *aff =
            k > 0 && dim == 0
                ? isl_aff_val_on_domain(isl_local_space_copy(local),
                                        isl_val_int_from_si(isl_local_space_get_ctx(local), swept->at[k - 1]))
                : isl_aff_var_on_domain(isl_local_space_copy(local), isl_dim_set, (unsigned)dim);

        all = isl_multi_aff_set_aff(all, k, aff);
    }
    isl_local_space_free(local);
    return isl_map_from_multi_aff(all);
}

static int number_of(const struct sweeps *sweeps, const struct statement *statement)
{
    for (int k = 0; k < sweeps->n; k++)
        if (sweeps->swept[k].statement == statement)
            return k;
    return -1;
}

static void add_steps(struct sweeps *sweeps)
{
    const struct dependences *dependences = distances_dependences(sweeps->scene->distances);

    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        const int from = number_of(sweeps, dependence->from->statement),
                  to = number_of(sweeps, dependence->to->statement);
        isl_map *map;

        if (from < 0 || to < 0 || dependence->reduction)
            continue;
        map = isl_map_apply_domain(isl_map_copy(dependence->map), dimensions_of(sweeps, &sweeps->swept[from]));
        map = isl_map_apply_range(map, dimensions_of(sweeps, &sweeps->swept[to]));
        VEC_PUSH(sweeps->scene->arena, &sweeps->step,
                 ((struct sweep_step){from, to, poly_keep_set(sweeps->scene->arena, isl_map_deltas(map))}));
    }
}

/* The least of a sum of all dimensions, times these factors, over the step; false where there is none. */
static bool least_sum(const struct sweep_step *step, const int64_t *factor, int64_t *least)
{
    const int n = (int)isl_set_dim(step->step, isl_dim_set);
    isl_local_space *space = isl_local_space_from_space(isl_set_get_space(step->step));
    isl_aff *sum = isl_aff_zero_on_domain(space);
    isl_val *value;

    for (int k = 0; k < n; k++)
        sum = isl_aff_set_coefficient_si(sum, isl_dim_in, k, (int)factor[k]);
    value = isl_set_min_val(step->step, sum);
    isl_aff_free(sum);
    if (value && isl_val_is_int(value) == isl_bool_true)
        return poly_number(value, least);
    isl_val_free(value);
    return false;
}

/* Shifts with which no pair goes back in dimension k: shift(to) >= shift(from) - least. */
static bool find_shifts(struct sweeps *sweeps, int k, int64_t factor)
{
    int64_t *least = ARENA_ARRAY(sweeps->scene->arena, sweeps->step.n, int64_t), sum[MAX_DEPTH + 1] = {factor};
    bool changed = true;

    sum[k + 1] = 1;
    for (int s = 0; s < sweeps->step.n; s++)
        if (!least_sum(&sweeps->step.at[s], sum, &least[s]))
            return false;
    for (int s = 0; s < sweeps->n; s++)
        sweeps->swept[s].shift[k] = 0;
    for (int round = 0; changed && round <= sweeps->n; round++) {
        changed = false;
        for (int s = 0; s < sweeps->step.n; s++) {
            const struct sweep_step *step = &sweeps->step.at[s];
            const int64_t wanted = sweeps->swept[step->from].shift[k] - least[s];

            if (sweeps->swept[step->to].shift[k] >= wanted)
                continue;
            sweeps->swept[step->to].shift[k] = wanted;
            changed = true;
        }
    }
    return !changed;
}

/* The steps within one sweep, and with rows within one row. */
static __isl_give isl_set *within(const struct sweeps *sweeps, const struct sweep_step *step, bool rows)
{
    isl_set *set = isl_set_fix_si(isl_set_copy(step->step), isl_dim_set, 0, 0);

    for (int k = 0; rows && k < sweeps->n_skewed; k++)
        set = isl_set_fix_si(set, isl_dim_set, (unsigned)k + 1, 0);
    return set;
}

/* Does a statement carry something along its rows? */
static bool carries_along_rows(const struct sweeps *sweeps)
{
    bool carries = false;

    for (int s = 0; s < sweeps->step.n && !carries; s++)
        if (sweeps->step.at[s].from == sweeps->step.at[s].to) {
            isl_set *row = within(sweeps, &sweeps->step.at[s], true);

            carries = isl_set_is_empty(row) != isl_bool_true;
            isl_set_free(row);
        }
    return carries;
}

/* Does all that a sweep carries go on by one at least in factor * row + element? */
static bool frees_rows(const struct sweeps *sweeps, int64_t factor)
{
    bool frees = true;

    for (int s = 0; s < sweeps->step.n && frees; s++) {
        struct sweep_step one = {.step = within(sweeps, &sweeps->step.at[s], false)};
        int64_t least = 1;

        if (isl_set_is_empty(one.step) != isl_bool_true)
            frees = least_sum(&one, (const int64_t[]){0, factor, 1}, &least) && least >= 1;
        isl_set_free(one.step);
    }
    return frees;
}

/* Rows in which each element waits for the one before: several rows at a time, each some elements behind. */
static bool find_inner_skew(struct sweeps *sweeps)
{
    if (sweeps->n_dim < 2 || !carries_along_rows(sweeps))
        return true;
    if (sweeps->n > 1 || sweeps->n_dim != 2)
        return false;
    for (sweeps->inner_factor = 1; sweeps->inner_factor <= MOST_FACTOR; sweeps->inner_factor++)
        if (frees_rows(sweeps, sweeps->inner_factor))
            return true;
    return false;
}

static bool find_skews(struct sweeps *sweeps)
{
    for (int k = 0; k < sweeps->n_skewed; k++) {
        int64_t factor = 0;

        while (factor <= MOST_FACTOR && !find_shifts(sweeps, k, factor))
            factor++;
        if (factor > MOST_FACTOR)
            return false;
        sweeps->factor[k] = factor;
    }
    return true;
}

/* Are there sweeps at all: does the outermost loop carry something, and each statement have neighbours in lanes? */
static bool find(const struct scene *scene, const part_vec *parts, struct sweeps *sweeps)
{
    bool *member = ARENA_ARRAY(scene->arena, scene->program->n_statement, bool);
    struct reach reach;

    *sweeps = (struct sweeps){.scene = scene};
    if (parts->n != 1 || !parts->at[0]->loop || parts->at[0]->descends || !add_statements(sweeps, parts->at[0]))
        return false;
    part_mark(parts->at[0], member);
    reach = distance_in(scene->distances, member, 0, 0);
    if (!reach.any || reach.most == 0)
        return false;
    for (int k = 0; k < sweeps->n; k++)
        if (!align(sweeps, &sweeps->swept[k]))
            return false;
    sweeps->n_skewed = sweeps->n_dim > 1 ? sweeps->n_dim - 1 : 1;
    add_steps(sweeps);
    return find_skews(sweeps) && sweeps->factor[0] > 0 && find_inner_skew(sweeps);
}

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
    line_add(arena, &option->plan, "{\"parallelize\": [\"%s\"]}", second);
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
    struct option *option = new_option(sweeps, choice, SWEEPS, true);
    int64_t size[MAX_DEPTH];

    for (int k = 0; k < sweeps->n_skewed; k++)
        size[k] = k == sweeps->n_skewed - 1 ? ROWS : BLOCK;
    add_map(sweeps, option);
    add_tiles(sweeps, option, SWEEPS, size, NULL);
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
    static const int64_t size[] = {LINE};
    struct arena *arena = sweeps->scene->arena;
    struct option *option = new_option(sweeps, choice, SWEEPS_OF_LINES, false);
    const char *loop = dimension_name(sweeps, 0), *stage = NULL;
    const struct statement *statement[MOST_STATEMENTS];
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
    add_tiles(sweeps, option, SWEEPS_OF_LINES, size, stage);
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

    if (!find(scene, parts, &sweeps))
        return;
    if (sweeps.n_dim > 1)
        add_rows(&sweeps, choice);
    else
        add_lines(&sweeps, choice);
}
