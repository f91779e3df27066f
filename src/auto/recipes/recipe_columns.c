/* A nest with temporary scalars that one iteration of a loop over neighbours has for itself, such as a sum: each
 * iteration gets its own, so that these run in lanes, innermost, in chunks that threads share.
 *
 *     Z[i, j] -> [j / 64, i, 0, 0, 0, j, 0]     S[i, j, k] -> [j / 64, i, 1, k, 0, j, 0]
 *
 * Where the loops inside are short, they are written out: lanes have the scalars in registers.
 */
#include "auto/ends.h"
#include "auto/own.h"
#include "auto/recipes/recipes.h"

#include <isl/constraint.h>
#include <string.h>

enum { CHUNK_VECTORS = 8, MOST_WRITTEN = 64 /* statements */ };

struct columns {
    const struct scene *scene;
    const struct nest_part *column;          /* the loop whose iterations are independent */
    const struct nest_part *loop[MAX_DEPTH]; /* those around it, and itself */
    int n, depth;                            /* of these; of all loops */
    bool *member;
    struct site site; /* of its deepest statement, for names and threads */
    int lanes;
    own_vec own; /* scalars that an iteration has for itself */
    const char *block, *lane;
    line_vec as;
    struct text map;
    VEC(const char *) first; /* labels of the statements that lanes are named by */
};

/* Is there a pair in different iterations of the column loop? */
static bool crosses(const struct columns *columns, const struct dependence *dependence)
{
    const int column = columns->n - 1, later = dependence->from->statement->n_loop + column;
    bool any = false;

    for (int sign = -1; sign <= 1; sign += 2) {
        isl_set *pairs = isl_map_wrap(isl_map_copy(dependence->map));
        isl_constraint *apart = isl_constraint_alloc_inequality(isl_local_space_from_space(isl_set_get_space(pairs)));

        apart = isl_constraint_set_coefficient_si(apart, isl_dim_set, later, sign);
        apart = isl_constraint_set_coefficient_si(apart, isl_dim_set, column, -sign);
        pairs = isl_set_add_constraint(pairs, isl_constraint_set_constant_si(apart, -1));
        any = any || isl_set_is_empty(pairs) != isl_bool_true;
        isl_set_free(pairs);
    }
    return any;
}

/* Are iterations of the column loop independent, but for what each has of its own? */
static bool is_free(const struct columns *columns)
{
    const struct dependences *all = distances_dependences(columns->scene->distances);

    for (int k = 0; k < all->n; k++) {
        const struct dependence *one = &all->list[k];

        if (columns->member[one->from->statement->index] && columns->member[one->to->statement->index] &&
            !own_has(&columns->own, one->from->array) && crosses(columns, one))
            return false;
    }
    return true;
}

/* Do all references go to neighbours in the column loop, or stay, and may other loops run outside of it? */
static bool are_neighbours(const struct columns *columns)
{
    const struct program *program = columns->scene->program;

    for (int s = 0; s < program->n_statement; s++)
        if (columns->member[s] && says_ends(program->statement[s], columns->n - 1))
            return false;
    for (int s = 0; s < program->n_statement; s++)
        for (int k = 0; columns->member[s] && k < program->statement[s]->n_access; k++)
            if (stride_of(&program->statement[s]->access[k], columns->n - 1) == STRIDE_FAR)
                return false;
    return true;
}

/* Sets lanes, depth and the deepest statement. */
static void measure(struct columns *columns)
{
    const struct program *program = columns->scene->program;
    VEC(const struct statement *) all = {0};
    const struct statement *deepest = NULL;

    for (int s = 0; s < program->n_statement; s++)
        if (columns->member[s]) {
            VEC_PUSH(columns->scene->arena, &all, program->statement[s]);
            deepest = !deepest || program->statement[s]->n_loop > deepest->n_loop ? program->statement[s] : deepest;
        }
    columns->lanes = common_lanes(columns->scene, all.at, all.n);
    columns->depth = deepest->n_loop;
    columns->site = (struct site){.scene = columns->scene, .threads = true};
    VEC_PUSH(columns->scene->arena, &columns->site.statement, deepest);
}

/* The innermost of the loops that are alone in each other. */
static bool find(struct columns *columns, const struct nest_part *part)
{
    columns->member = ARENA_ARRAY(columns->scene->arena, columns->scene->program->n_statement, bool);
    part_mark(part, columns->member);
    for (; part->loop && columns->n < MAX_DEPTH; part = part->child.at[0]) {
        columns->loop[columns->n++] = columns->column = part;
        if (part->child.n > 1)
            break;
    }
    if (columns->n == 0 || columns->n == MAX_DEPTH || !part->loop)
        return false;
    columns->own = own_scalars(columns->scene, columns->column);
    measure(columns);
    return columns->own.n > 0 && columns->lanes > 1 && are_neighbours(columns) && is_free(columns);
}

static const char *add_name(struct columns *columns, const char *wanted)
{
    struct arena *arena = columns->scene->arena;
    const char *name = program_default_name(arena, columns->scene->program, wanted, columns->as.at, columns->as.n);

    VEC_PUSH(arena, &columns->as, name);
    return name;
}

static void name_loops(struct columns *columns)
{
    const char *const *loop = columns->site.statement.at[0]->loop_name;

    columns->block = add_name(columns, arena_printf(columns->scene->arena, "%sb", loop[columns->n - 1]));
    for (int k = 0; k < columns->n - 1; k++)
        add_name(columns, loop[k]);
    add_name(columns, "part");
    for (int k = columns->n; k < columns->depth; k++) {
        add_name(columns, loop[k]);
        add_name(columns, "part");
    }
    columns->lane = add_name(columns, loop[columns->n - 1]);
    add_name(columns, "stage");
}

/* Where a statement stands inside of the column loop: loops, and at each level how many runs of statements and loops
 * are in front of it. */
struct column_place {
    int run[MAX_DEPTH];
    bool descends[MAX_DEPTH];
};

static void add_statement(struct columns *columns, const struct statement *statement, const struct column_place *place,
                          int number)
{
    const int column = columns->n - 1;

    text_addf(&columns->map, "%s%s[", columns->map.size ? "; " : "", statement->label);
    for (int k = 0; k < statement->n_loop; k++)
        text_addf(&columns->map, "%s%s", k ? ", " : "", statement->loop_name[k]);
    text_addf(&columns->map, "] -> [floor(%s/%d)", statement->loop_name[column], CHUNK_VECTORS * columns->lanes);
    for (int k = 0; k < column; k++)
        text_addf(&columns->map, ", %s%s", columns->loop[k]->descends ? "-" : "", statement->loop_name[k]);
    text_addf(&columns->map, ", %d", place->run[column]);
    for (int k = column + 1; k < columns->depth; k++)
        if (k < statement->n_loop)
            text_addf(&columns->map, ", %s%s, %d", place->descends[k] ? "-" : "", statement->loop_name[k],
                      place->run[k]);
        else
            text_add(&columns->map, ", 0, 0");
    text_addf(&columns->map, ", %s, %d]", statement->loop_name[column], number);
    if (number == 0)
        VEC_PUSH(columns->scene->arena, &columns->first, statement->label);
}

static void add_inside(struct columns *columns, const struct nest_part *part, struct column_place place, int depth)
{
    int run = -1, number = 0;

    for (int k = 0; k < part->child.n; k++) {
        const struct nest_part *child = part->child.at[k];
        const bool starts = k == 0 || child->loop || part->child.at[k - 1]->loop;

        run += starts;
        number = starts ? 0 : number + 1;
        place.run[depth] = run;
        if (child->loop) {
            place.descends[depth + 1] = child->descends;
            add_inside(columns, child, place, depth + 1);
        } else {
            add_statement(columns, child->statement, &place, number);
        }
    }
}

static void add_expansions(const struct columns *columns, struct option *option)
{
    struct text over = {0};

    for (int k = 0; k < columns->n; k++)
        text_addf(&over, "%s\"%s.%s\"", k ? ", " : "", columns->site.statement.at[0]->label, columns->loop[k]->loop);
    for (int k = 0; k < columns->own.n; k++)
        own_expand(columns->scene, columns->loop[0], columns->own.at[k], text_str(&over), option);
    text_free(&over);
}

static void add_map(struct columns *columns, struct option *option)
{
    struct text as = {0};

    for (int k = 0; k < columns->as.n; k++)
        text_addf(&as, "%s\"%s\"", k ? ", " : "", columns->as.at[k]);
    line_add(columns->scene->arena, &option->schedule, "{\"map\": \"{ %s }\", \"as\": [%s]}", text_str(&columns->map),
             text_str(&as));
    text_free(&as);
}

/* How often the statement is written where its loops inside of the column loop are unrolled; 0: they are not, as one is
 * not short. */
static int64_t copies_of(const struct columns *columns, const struct statement *statement)
{
    struct site site = {.scene = columns->scene, .threads = true};
    struct extent extent;
    int64_t copies = 1;

    VEC_PUSH(columns->scene->arena, &site.statement, statement);
    for (int k = columns->n; k < statement->n_loop && copies > 0; k++)
        copies = site_loop_is_short(&site, k) && site_extent(&site, k, &extent) && extent.least == extent.most
                     ? copies * extent.most
                     : 0;
    return copies;
}

/* Can the loops inside be written out, so that what an iteration has for itself stays in registers? */
static bool is_written_out(const struct columns *columns, const part_vec *parts)
{
    const struct program *program = columns->scene->program;
    int64_t all = 0;

    if (columns->n < 2 || columns->depth == columns->n || !own_suffices(columns->scene, parts->at[0], &columns->own) ||
        own_are_shared(columns->scene, parts->at[0], &columns->own))
        return false;
    for (int s = 0; s < program->n_statement; s++) {
        const int64_t copies = columns->member[s] ? copies_of(columns, program->statement[s]) : 0;
        if (columns->member[s] && copies == 0)
            return false;
        all += copies;
    }
    return all <= MOST_WRITTEN;
}

/* Columns in lanes, all that is inside written out, and threads around. */
static void write_out(struct columns *columns, struct option *option)
{
    const struct program *program = columns->scene->program;
    struct arena *arena = columns->scene->arena;
    const char *label = part_first(columns->column)->label;

    line_add(arena, &option->plan, "{\"vectorize\": \"%s.%s\", \"lanes\": %d}", label, columns->column->loop,
             columns->lanes);
    for (int s = 0; s < program->n_statement; s++)
        for (int k = columns->n; columns->member[s] && k < program->statement[s]->n_loop; k++)
            line_add(arena, &option->plan, "{\"unroll\": \"%s.%s\"}", program->statement[s]->label,
                     program->statement[s]->loop_name[k]);
    site_parallelize(&columns->site, option, arena_printf(arena, "%s.%s", label, columns->loop[0]->loop), "");
}

/* Does a reference move in the column loop and in one inside of it, as along the rows of a matrix? */
static bool walks(const struct columns *columns, const struct access *access, int n_loop)
{
    bool moves = false;

    for (int k = columns->n; k < n_loop; k++)
        moves = moves || stride_of(access, k) != STRIDE_NONE;
    return moves && stride_of(access, columns->n - 1) != STRIDE_NONE;
}

/* Are the loops inside computation alone, such as a polynomial's, which loads nothing that is another in each lane? */
static bool is_computation(const struct columns *columns)
{
    const struct program *program = columns->scene->program;

    for (int s = 0; s < program->n_statement; s++) {
        const struct statement *statement = program->statement[s];

        for (int k = 0; columns->member[s] && k < statement->n_access; k++)
            if (!own_has(&columns->own, statement->access[k].array) &&
                walks(columns, &statement->access[k], statement->n_loop))
                return false;
    }
    return columns->depth > columns->n;
}

/* Columns in lanes as they are: what each has for itself stays in a register. */
static void add_computation(const struct columns *columns, struct choice *choice)
{
    const struct scene *scene = columns->scene;
    struct option *option = proposal_option(scene->proposal, choice,
                                            arena_printf(scene->arena, "each lane computes its own %s, in a register",
                                                         columns->own.at[0]->name));
    const char *lane = columns->column->loop, *team = columns->loop[0]->loop;

    if (columns->n == 1 && scene->threads) {
        lane = site_inner(&columns->site, team);
        site_split(&columns->site, option, team, CHUNK, lane, "");
    }
    line_add(scene->arena, &option->plan, "{\"vectorize\": \"%s\", \"lanes\": %d}", site_name(&columns->site, lane),
             columns->lanes);
    if (lane != team)
        site_parallelize(&columns->site, option, site_name(&columns->site, team), "");
}

void recipe_columns(const struct scene *scene, const part_vec *parts, struct choice *choice)
{
    struct columns columns = {.scene = scene};
    struct option *option;

    if (parts->n != 1 || !find(&columns, parts->at[0]))
        return;
    if (is_written_out(&columns, parts)) {
        write_out(&columns, proposal_option(scene->proposal, choice,
                                            arena_printf(scene->arena, "each lane has its own %s, in a register",
                                                         columns.own.at[0]->name)));
        return;
    }
    if (is_computation(&columns))
        add_computation(&columns, choice);
    option = proposal_option(scene->proposal, choice,
                             arena_printf(scene->arena, "each of %d neighbours has its own %s, in lanes",
                                          CHUNK_VECTORS * columns.lanes, columns.own.at[0]->name));
    name_loops(&columns);
    add_inside(&columns, columns.column, (struct column_place){.run = {0}}, columns.n - 1);
    add_expansions(&columns, option);
    add_map(&columns, option);
    for (int k = 0; k < columns.first.n; k++)
        line_add(scene->arena, &option->plan, "{\"vectorize\": \"%s.%s\", \"lanes\": %d}", columns.first.at[k],
                 columns.lane, columns.lanes);
    site_parallelize(&columns.site, option,
                     arena_printf(scene->arena, "%s.%s", columns.site.statement.at[0]->label, columns.block), "");
    text_free(&columns.map);
}
