/* A nest in which each row needs the rows before it, such as the solution of triangular systems or a factorisation.
 * What a row sums up over rows far before it does not wait for its neighbours: rows go in blocks, in which these sums
 * run side by side, and the rest of the block follows row by row.
 *
 *     S[i, j, k] -> [i / 8, child, j, 0, k, 0, i % 8]              where j is in front of the block
 *     S[i, j, k] -> [i / 8, last, 0, .., i, child, j, 0, k, 0]     elsewhere
 *
 * Where sums of a row use each of its elements often, the rows of a block are kept side by side, and run in lanes.
 */
#include "auto/recipes/recipes.h"
#include "auto/related.h"

#include "program/expr/affine.h"
#include "program/permit.h"

#include <string.h>

enum { SCALAR_ROWS = 8 };

/* A statement of which instances are ahead of the rest. */
struct runner {
    const struct statement *statement;
    int child; /* of the nest */
    bool sums;
    int lane; /* the loop for its lanes where that is not the row; or 0 */
};

struct blocks {
    const struct scene *scene;
    const struct nest_part *nest; /* the loop over the rows */
    const struct statement *deepest;
    const char *end; /* one more than the last row */
    int depth;       /* loops inside of that of the rows, at most */
    int rows;        /* of a block */
    bool packed;     /* the rows of a block are kept side by side */
    /* names of the loops of blocks, of what is ahead, of its row, and of the rest */
    const char *block, *ahead[MAX_DEPTH], *row, *rest[MAX_DEPTH];
    line_vec as;
    struct text map;
    VEC(struct runner) runner;
};

/* Where a statement stands: the child of each loop around it that it is in. */
struct path {
    int child[MAX_DEPTH];
};

/* { [S[i', j'] -> T[i, j]] : i' < i and i' > x } for loop x of the later one: what a row needs from rows that may be in
 * its block though x is in front of that. */
static bool needs_neighbours(const struct dependence *dependence, int loop)
{
    isl_set *pairs = isl_map_wrap(isl_map_copy(dependence->map));
    const int later = dependence->from->statement->n_loop;

    return !set_is_none(set_ahead(set_ahead(pairs, later, 0, 1), 0, later + loop, 1));
}

/* The outermost loop of the statement that counts rows in front of its own, all that it needs of other rows; or 0. */
static int row_loop(const struct blocks *blocks, const struct statement *statement)
{
    const struct dependences *all = distances_dependences(blocks->scene->distances);

    for (int loop = 1; loop < statement->n_loop; loop++) {
        bool counts = loop_is_ahead(statement, 0, loop, 1);

        for (int k = 0; counts && k < all->n; k++)
            counts = all->list[k].to->statement != statement || all->list[k].reduction ||
                     all->list[k].from->statement->nest != statement->nest || !needs_neighbours(&all->list[k], loop);
        if (counts)
            return loop;
    }
    return 0;
}

static bool is_sum(const struct statement *statement)
{
    enum expr_op op;

    return statement->n_loop > 1 && statement_is_update(statement, &op) &&
           stride_of(&statement->access[0], statement->n_loop - 1) == STRIDE_NONE;
}

/* The outermost loop of a sum that starts at the row's own number or later and moves to neighbours in memory; or 0. */
static int lane_loop(const struct statement *statement)
{
    for (int loop = 1; is_sum(statement) && loop < statement->n_loop - 1; loop++) {
        bool good = stride_of(&statement->access[0], loop) == STRIDE_NEXT && loop_is_ahead(statement, loop, 0, 0);

        for (int k = 1; good && k < statement->n_access; k++)
            good = stride_of(&statement->access[k], loop) != STRIDE_FAR;
        if (good)
            return loop;
    }
    return 0;
}

/* Has each statement of the part a loop over rows? */
static bool all_have_rows(const struct blocks *blocks, const struct nest_part *part)
{
    bool have = !part->statement || row_loop(blocks, part->statement) > 0;

    for (int k = 0; have && k < part->child.n; k++)
        have = all_have_rows(blocks, part->child.at[k]);
    return have;
}

static const char *new_name(struct blocks *blocks, const char *wanted)
{
    const char *name =
        program_default_name(blocks->scene->arena, blocks->scene->program, wanted, blocks->as.at, blocks->as.n);

    VEC_PUSH(blocks->scene->arena, &blocks->as, name);
    return name;
}

/* Names of all loops of the map, in order. */
static void name_loops(struct blocks *blocks)
{
    const struct site site = {.scene = blocks->scene};
    const char *const *loop = blocks->deepest->loop_name;

    blocks->block = new_name(blocks, arena_printf(blocks->scene->arena, "%sb", loop[0]));
    new_name(blocks, "part");
    for (int k = 1; k <= blocks->depth; k++) {
        blocks->ahead[k] = new_name(blocks, site_inner(&site, loop[k]));
        new_name(blocks, "stage");
    }
    blocks->row = new_name(blocks, site_inner(&site, loop[0]));
    for (int k = 0; k <= blocks->depth; k++) {
        blocks->rest[k] = new_name(blocks, loop[k]);
        new_name(blocks, "stage");
    }
}

static void start_piece(struct blocks *blocks, const struct statement *statement, int part)
{
    text_addf(&blocks->map, "%s%s[", blocks->map.size ? "; " : "", statement->label);
    for (int k = 0; k < statement->n_loop; k++)
        text_addf(&blocks->map, "%s%s", k ? ", " : "", statement->loop_name[k]);
    text_addf(&blocks->map, "] -> [floor(%s/%d), %d", statement->loop_name[0], blocks->rows, part);
}

static void add_zeros(struct blocks *blocks, int n)
{
    while (n-- > 0)
        text_add(&blocks->map, ", 0");
}

/* ": j < 8*floor(i/8) and 8*floor(i/8) + 8 <= n", or where that is not so. */
static void add_where(struct blocks *blocks, const struct statement *statement, bool ahead)
{
    const char *row = statement->loop_name[0], *before = statement->loop_name[row_loop(blocks, statement)];
    const int lane = lane_loop(statement), rows = blocks->rows;

    text_addf(&blocks->map,
              ahead ? " : %s < %d*floor(%s/%d) and %d*floor(%s/%d) + %d <= %s"
                    : " : %s >= %d*floor(%s/%d) or %d*floor(%s/%d) + %d > %s",
              before, rows, row, rows, rows, row, rows, rows, blocks->end);
    if (lane)
        text_addf(&blocks->map, ahead ? " and %s >= %d*floor(%s/%d) + %d" : " or %s < %d*floor(%s/%d) + %d",
                  statement->loop_name[lane], rows, row, rows, rows);
}

static void add_ahead(struct blocks *blocks, const struct statement *statement, const struct path *path)
{
    const int lane = lane_loop(statement);

    start_piece(blocks, statement, path->child[0]);
    for (int k = 1; k < statement->n_loop; k++) {
        text_addf(&blocks->map, ", %s", statement->loop_name[k]);
        if (k == lane)
            text_addf(&blocks->map, " - %d*floor(%s/%d)", blocks->rows, statement->loop_name[0], blocks->rows);
        text_addf(&blocks->map, ", %d", path->child[k]);
    }
    add_zeros(blocks, 2 * (blocks->depth - statement->n_loop + 1));
    text_addf(&blocks->map, ", %s mod %d]", statement->loop_name[0], blocks->rows);
    add_where(blocks, statement, true);
    VEC_PUSH(blocks->scene->arena, &blocks->runner,
             ((struct runner){statement, path->child[0], is_sum(statement), lane}));
}

static void add_statement(struct blocks *blocks, const struct statement *statement, const struct path *path, bool ahead)
{
    const bool alone = statement->n_loop == 1;

    if (ahead && !alone)
        add_ahead(blocks, statement, path);
    start_piece(blocks, statement, ahead && alone ? path->child[0] : blocks->nest->child.n);
    add_zeros(blocks, 2 * blocks->depth + 1);
    for (int k = 0; k < statement->n_loop; k++)
        text_addf(&blocks->map, ", %s, %d", statement->loop_name[k], path->child[k]);
    text_add(&blocks->map, "]");
    if (ahead && !alone)
        add_where(blocks, statement, false);
}

static void add_part(struct blocks *blocks, const struct nest_part *part, struct path path, int depth, bool ahead)
{
    if (part->statement)
        add_statement(blocks, part->statement, &path, ahead);
    for (int k = 0; k < part->child.n; k++) {
        path.child[depth] = k;
        add_part(blocks, part->child.at[k], path, depth + 1, ahead);
    }
}

/* The map. Statements in front of all loops are ahead, too. */
static void add_children(struct blocks *blocks)
{
    bool ahead = true, alone = true;

    for (int k = 0; k < blocks->nest->child.n; k++) {
        const struct nest_part *child = blocks->nest->child.at[k];
        const struct path path = {.child = {k}};

        ahead = ahead && (child->loop ? all_have_rows(blocks, child) : alone);
        alone = alone && !child->loop;
        add_part(blocks, child, path, 1, ahead);
    }
}

static void add_map(struct blocks *blocks, struct option *option)
{
    struct arena *arena = blocks->scene->arena;
    const struct program *program = blocks->scene->program;
    struct text as = {0}, params = {0};

    for (int k = 0; k < program->n_param; k++)
        text_addf(&params, "%s%s", k ? ", " : "", program->param[k].name);
    for (int k = 0; k < blocks->as.n; k++)
        text_addf(&as, "%s\"%s\"", k ? ", " : "", blocks->as.at[k]);
    line_add(arena, &option->schedule, "{\"map\": \"[%s] -> { %s }\", \"as\": [%s]}", text_str(&params),
             text_str(&blocks->map), text_str(&as));
    text_free(&as);
    text_free(&params);
}

/* Is the row in one subscript of the target only? */
static bool is_plain(const struct statement *statement)
{
    isl_pw_multi_aff *subscripts = isl_pw_multi_aff_from_map(isl_map_copy(statement->access[0].map));
    int n = 0;

    for (int k = 0; k < statement->access[0].array->n_dim; k++)
        n += subscript_factor(subscripts, k, 0) != 0;
    isl_pw_multi_aff_free(subscripts);
    return n == 1;
}

/* Does the sum use elements of its row again in each iteration of the loop around? */
static bool uses_row_again(const struct runner *runner)
{
    return runner->sums && !runner->lane && runner->statement->n_loop > 2 && is_plain(runner->statement);
}

static void add_registers(const struct blocks *blocks, struct option *option, const char *array,
                          const struct statement *statement)
{
    const struct site site = {.scene = blocks->scene};

    line_add(blocks->scene->arena, &option->plan,
             "{\"cache\": \"%s\", \"at\": \"%s.%s\", \"only\": \"written\", \"as\": \"%s\", \"memory\": \"register\"}",
             array, statement->label, blocks->ahead[statement->n_loop - 1], site_buffer(&site, "sum"));
}

/* Neighbours of the row itself in lanes, for which sums of all rows are in registers. */
static void add_lanes(const struct blocks *blocks, struct option *option, const struct runner *runner, int lanes)
{
    struct arena *arena = blocks->scene->arena;
    const struct site site = {.scene = blocks->scene};
    const char *label = runner->statement->label, *loop = blocks->ahead[runner->lane], *v = site_lane(&site);

    line_add(arena, &option->schedule, "{\"split\": \"%s.%s\", \"by\": %d, \"as\": \"%s\"}", label, loop, lanes, v);
    line_add(arena, &option->schedule, "{\"reorder\": [\"%s.%s\", \"%s.%s\", \"%s.%s\", \"%s.%s\"]}", label, loop,
             label, blocks->ahead[runner->statement->n_loop - 1], label, blocks->row, label, v);
    add_registers(blocks, option, runner->statement->target->array->name, runner->statement);
    line_add(arena, &option->plan, "{\"kernelize\": {\"unroll\": [\"%s.%s\"], \"vectorize\": \"%s.%s\"}}", label,
             blocks->row, label, v);
    if (blocks->scene->threads)
        line_add(arena, &option->plan, "{\"parallelize\": [\"%s.%s\"]%s, \"if\": \"(%s) * (%s) >= %lld\"}", label, loop,
                 blocks->scene->team, blocks->end, blocks->end,
                 (long long)blocks->scene->machine->team_again / blocks->rows);
}

/* The rows of the block side by side, as long as the child runs: all of its statements with the row in lanes. */
static void add_packed(const struct blocks *blocks, struct option *option, const struct runner *sum, int lanes)
{
    struct arena *arena = blocks->scene->arena;
    const struct site site = {.scene = blocks->scene};
    const char *rows = site_buffer(&site, "rows"), *v = site_lane(&site);

    line_add(arena, &option->plan,
             "{\"cache\": \"%s\", \"at\": \"%s.%s\", \"only\": \"written\", \"as\": \"%s\", \"layout\": \"col_major\", "
             "\"memory\": \"heap\", \"align\": 64}",
             sum->statement->target->array->name, sum->statement->label, blocks->ahead[1], rows);
    add_registers(blocks, option, rows, sum->statement);
    for (int k = 0; k < blocks->runner.n; k++) {
        const struct runner *runner = &blocks->runner.at[k];

        if (runner->child != sum->child)
            continue;
        line_add(arena, &option->schedule, "{\"split\": \"%s.%s\", \"by\": %d, \"as\": \"%s\"}",
                 runner->statement->label, blocks->row, lanes, v);
        line_add(arena, &option->plan, "{\"kernelize\": {\"unroll\": [\"%s.%s\"], \"vectorize\": \"%s.%s\"}}",
                 runner->statement->label, blocks->row, runner->statement->label, v);
    }
}

static void add_runner(const struct blocks *blocks, struct option *option, const struct runner *runner)
{
    const struct statement *statement = runner->statement;
    const int lanes = common_lanes(blocks->scene, &statement, 1);

    if (!runner->sums)
        return;
    if (runner->lane && lanes > 1) {
        add_lanes(blocks, option, runner, lanes);
    } else if (blocks->packed && uses_row_again(runner)) {
        add_packed(blocks, option, runner, lanes);
    } else if (is_plain(statement)) {
        add_registers(blocks, option, statement->target->array->name, statement);
        line_add(blocks->scene->arena, &option->plan, "{\"unroll\": \"%s.%s\"}", statement->label, blocks->row);
    }
}

/* May the rows be side by side in lanes? */
static bool may_pack(const struct blocks *blocks, int rows)
{
    bool pays = false;

    for (int k = 0; k < blocks->runner.n; k++) {
        const struct statement *statement = blocks->runner.at[k].statement;
        const int lanes = common_lanes(blocks->scene, &statement, 1);

        if (lanes < 2 || rows % lanes != 0)
            return false;
        pays = pays || uses_row_again(&blocks->runner.at[k]);
    }
    return pays;
}

static const struct statement *deepest_of(const struct nest_part *part)
{
    const struct statement *deepest = part->statement;

    for (int k = 0; k < part->child.n; k++) {
        const struct statement *one = deepest_of(part->child.at[k]);

        if (!deepest || one->n_loop > deepest->n_loop)
            deepest = one;
    }
    return deepest;
}

/* Makes the map for blocks of this many rows, and lists the statements that run before the rest of their block. */
static void divide(struct blocks *blocks, int rows, bool packed)
{
    blocks->rows = rows;
    blocks->packed = packed;
    blocks->as.n = blocks->runner.n = 0;
    text_truncate(&blocks->map, 0);
    name_loops(blocks);
    add_children(blocks);
}

static void add_option(struct blocks *blocks, struct choice *choice, const char *how)
{
    struct arena *arena = blocks->scene->arena;
    struct option *option =
        proposal_option(blocks->scene->proposal, choice,
                        arena_printf(arena,
                                     "%d rows at a time%s: their sums over rows before them do not wait for each other",
                                     blocks->rows, how));

    add_map(blocks, option);
    for (int k = 0; k < blocks->runner.n; k++)
        add_runner(blocks, option, &blocks->runner.at[k]);
}

static bool has_sums(const struct blocks *blocks)
{
    for (int k = 0; k < blocks->runner.n; k++)
        if (blocks->runner.at[k].sums)
            return true;
    return false;
}

/* Two loops, with sums of floats in any order of which no row waits for another one: each row is summed up in lanes.
 * (Those of integers compilers keep side by side.) */
static bool are_rows_apart(const struct blocks *blocks)
{
    const struct scene *scene = blocks->scene;
    const int depth = blocks->nest->depth;
    bool *member = ARENA_ARRAY(scene->arena, scene->program->n_statement, bool), floats = true;
    struct reach reach;

    part_mark(blocks->nest, member);
    for (int s = 0; s < scene->program->n_statement; s++) {
        const struct statement *statement = scene->program->statement[s];
        floats = floats && (!member[s] || (type_is_float(statement->target->array->type) &&
                                           statement_permit(scene->program, statement) & PERMIT_REASSOCIATE));
    }
    reach = distance_in(scene->distances, member, depth, depth);
    return blocks->depth == 1 && floats && (!reach.any || (reach.least == 0 && reach.most == 0));
}

void recipe_blocks(const struct scene *scene, const part_vec *parts, struct choice *choice)
{
    struct blocks blocks = {.scene = scene, .nest = parts->at[0]};
    const int rows = scene->machine->registers / 2;

    if (parts->n != 1 || !blocks.nest->loop || blocks.nest->descends)
        return;
    blocks.deepest = deepest_of(blocks.nest);
    blocks.depth = blocks.deepest->n_loop - 1;
    if (are_rows_apart(&blocks))
        return;
    blocks.end = blocks.depth > 0 && blocks.depth < MAX_DEPTH ? site_end(scene, blocks.deepest, 0) : NULL;
    if (!blocks.end)
        return;
    divide(&blocks, rows > 0 ? rows : SCALAR_ROWS, true);
    if (may_pack(&blocks, rows))
        add_option(&blocks, choice, ", side by side in lanes");
    divide(&blocks, SCALAR_ROWS, false);
    if (has_sums(&blocks))
        add_option(&blocks, choice, "");
    text_free(&blocks.map);
}
