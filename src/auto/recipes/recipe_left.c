/* Right-looking factorisations, each step of which completes a column and updates all later ones, such as Gram-Schmidt:
 *
 *     for (k) { F[k]; for (j > k) { R[k, j]; for (i) S[k, j, i]; for (i) T[k, j, i]; } }
 *
 * Each step goes through all of the array. Left-looking, in blocks of columns, a block receives the updates of all
 * earlier columns while it is in cache; parts of a block are independent:
 *
 *     S[k, j, i] -> [j / 64, 0, j / 32, k, number of S, i, j % 32, 0, 0, 0, 0]      where k is in front of the block
 *     S[k, j, i] -> [j / 64, 1, 0, 0, 0, 0, 0, k, number of S, i, j]                elsewhere
 *     F[k]       -> [k / 64, 1, 0, 0, 0, 0, 0, k, number of F, 0, 0]
 */
#include "auto/recipes/recipes.h"
#include "auto/related.h"

enum { STEP, COLUMN, ROW, DEPTH };        /* the loops */
enum { VECTORS = 4, PARTS_OF_BLOCK = 2 }; /* of a part; which threads share */
enum { MOST_STATEMENTS = 16 };

struct placed {
    const struct statement *statement;
    int number;  /* in the step, in the order of the text */
    bool inside; /* of the loop over columns */
};

struct left {
    const struct scene *scene;
    struct site site; /* of the deepest statements, for names and sizes */
    struct placed placed[MOST_STATEMENTS];
    int n;
    const struct nest_part *columns; /* the loop over columns */
    const struct statement *deepest;
    int lanes, part, block; /* columns */
    line_vec as;
    struct text map;
};

/* The names of the loops, in the order of the map. */
enum name { BLOCK, WHERE, PART, FAR_STEP, FAR_STAGE, FAR_ROW, LANE, NEAR_STEP, STAGE, NEAR_ROW, NEAR_COLUMN, NAMES };

static bool place(struct left *left, const struct statement *statement, bool inside)
{
    if (left->n == MOST_STATEMENTS)
        return false;
    left->placed[left->n] = (struct placed){statement, left->n, inside};
    left->n++;
    if (inside && (!left->deepest || statement->n_loop > left->deepest->n_loop))
        left->deepest = statement;
    return true;
}

/* Statements, or loops with one statement in each. */
static bool place_children(struct left *left, const struct nest_part *loop, bool inside)
{
    for (int k = 0; k < loop->child.n; k++) {
        const struct nest_part *part = loop->child.at[k];
        const bool is_loop = part->loop && part->child.n == 1 && part->child.at[0]->statement && !part->descends;

        if (part == left->columns) {
            if (!place_children(left, part, true))
                return false;
        } else if ((part->loop && !is_loop) || !place(left, part_first(part), inside)) {
            return false;
        }
    }
    return true;
}

/* The one loop of the step in which others are, or the last one; NULL: there is none. */
static const struct nest_part *column_loop(const struct nest_part *nest)
{
    const struct nest_part *columns = NULL;

    for (int k = 0; k < nest->child.n; k++)
        for (int c = 0; nest->child.at[k]->loop && c < nest->child.at[k]->child.n; c++)
            if (nest->child.at[k]->child.at[c]->loop)
                columns = nest->child.at[k];
    return columns;
}

/* Do all references stay, or go to neighbours, in the columns, and results to neighbours? */
static bool has_neighbours(const struct statement *statement)
{
    bool has = stride_of(&statement->access[0], COLUMN) == STRIDE_NEXT;

    for (int k = 1; has && k < statement->n_access; k++)
        has = stride_of(&statement->access[k], COLUMN) != STRIDE_FAR;
    return has;
}

/* Are the columns behind that of the step, and does each step change the same elements? */
static bool gains(const struct left *left)
{
    bool again = false;

    for (int k = 0; k < left->n; k++) {
        const struct statement *statement = left->placed[k].statement;

        if (!left->placed[k].inside)
            continue;
        if (!has_neighbours(statement) || !loop_is_ahead(statement, COLUMN, STEP, 1))
            return false;
        again = again || (statement->n_loop == DEPTH && stride_of(&statement->access[0], STEP) == STRIDE_NONE);
    }
    return again;
}

static const struct placed *placed_of(const struct left *left, const struct statement *statement)
{
    for (int k = 0; k < left->n; k++)
        if (left->placed[k].statement == statement)
            return &left->placed[k];
    return NULL;
}

/* { [S[k', j', ..] -> T[k, j, ..]] }: is j' <= j, and j' = j or, as T uses a column that is final, j' <= k? */
static bool is_of_columns(__isl_take isl_set *pairs, int later)
{
    isl_set *behind = set_ahead(isl_set_copy(pairs), COLUMN, later + COLUMN, 1);
    isl_set *beside = set_ahead(isl_set_copy(pairs), later + COLUMN, COLUMN, 1);
    const bool none_behind = set_is_none(behind), all_final = set_is_none(set_ahead(beside, COLUMN, later + STEP, 1));

    isl_set_free(pairs);
    return none_behind && all_final;
}

/* May what a step does to a column wait until that column's block? */
static bool may_wait(const struct left *left, const struct dependence *dependence)
{
    const struct placed *from = placed_of(left, dependence->from->statement),
                        *to = placed_of(left, dependence->to->statement);
    const int later = dependence->from->statement->n_loop;
    isl_set *pairs;

    if (!from || !to || !from->inside || dependence->reduction)
        return true;
    pairs = isl_map_wrap(isl_map_copy(dependence->map));
    return to->inside ? is_of_columns(pairs, later) : set_is_none(set_ahead(pairs, COLUMN, later + STEP, 1));
}

static bool find(struct left *left, const struct nest_part *nest)
{
    const struct dependences *all = distances_dependences(left->scene->distances);

    if (!nest->loop || nest->descends)
        return false;
    left->columns = column_loop(nest);
    if (!left->columns || left->columns->descends || !place_children(left, nest, false) ||
        left->deepest->n_loop != DEPTH || !gains(left))
        return false;
    for (int k = 0; k < all->n; k++)
        if (!may_wait(left, &all->list[k]))
            return false;
    return true;
}

/* The deepest statements say how much there is to do. */
static void make_site(struct left *left)
{
    left->site = (struct site){.scene = left->scene, .threads = true};
    for (int k = 0; k < left->n; k++)
        if (left->placed[k].inside && left->placed[k].statement->n_loop == DEPTH)
            VEC_PUSH(left->scene->arena, &left->site.statement, left->placed[k].statement);
    left->lanes = common_lanes(left->scene, left->site.statement.at, left->site.statement.n);
    left->part = VECTORS * left->lanes;
    left->block = PARTS_OF_BLOCK * left->part;
}

static void name_loops(struct left *left)
{
    struct arena *arena = left->scene->arena;
    const char *const *loop = left->deepest->loop_name;
    const char *k = loop[STEP], *j = loop[COLUMN], *i = loop[ROW];
    const char *const wanted[NAMES] = {
        [BLOCK] = arena_printf(arena, "%sb", j),
        [WHERE] = "part",
        [PART] = site_inner(&left->site, j),
        [FAR_STEP] = site_inner(&left->site, k),
        [FAR_STAGE] = "stage",
        [FAR_ROW] = site_inner(&left->site, i),
        [LANE] = site_lane(&left->site),
        [NEAR_STEP] = k,
        [STAGE] = "stage",
        [NEAR_ROW] = i,
        [NEAR_COLUMN] = j,
    };

    for (int n = 0; n < NAMES; n++) {
        const char *name = program_default_name(arena, left->scene->program, wanted[n], left->as.at, left->as.n);

        VEC_PUSH(arena, &left->as, name);
    }
}

static const char *row_of(const struct placed *placed)
{
    const struct statement *statement = placed->statement;
    const int row = placed->inside ? ROW : COLUMN;

    return statement->n_loop > row ? statement->loop_name[row] : "0";
}

/* "S[k, j, i] -> [floor(j/64)" */
static void start_piece(struct left *left, const struct placed *placed)
{
    const struct statement *statement = placed->statement;

    text_addf(&left->map, "%s%s[", left->map.size ? "; " : "", statement->label);
    for (int k = 0; k < statement->n_loop; k++)
        text_addf(&left->map, "%s%s", k ? ", " : "", statement->loop_name[k]);
    text_addf(&left->map, "] -> [floor(%s/%d)", statement->loop_name[placed->inside ? COLUMN : STEP], left->block);
}

static void add_where(struct left *left, const struct statement *statement, const char *sign)
{
    text_addf(&left->map, " : %s %s %d*floor(%s/%d)", statement->loop_name[STEP], sign, left->block,
              statement->loop_name[COLUMN], left->block);
}

static void add_far(struct left *left, const struct placed *placed)
{
    const char *const *loop = placed->statement->loop_name;

    start_piece(left, placed);
    text_addf(&left->map, ", 0, floor(%s/%d), %s, %d, %s, %s - %d*floor(%s/%d), 0, 0, 0, 0]", loop[COLUMN], left->part,
              loop[STEP], placed->number, row_of(placed), loop[COLUMN], left->part, loop[COLUMN], left->part);
    add_where(left, placed->statement, "<");
}

static void add_near(struct left *left, const struct placed *placed)
{
    const char *const *loop = placed->statement->loop_name;

    start_piece(left, placed);
    text_addf(&left->map, ", 1, 0, 0, 0, 0, 0, %s, %d, %s, %s]", loop[STEP], placed->number, row_of(placed),
              placed->inside ? loop[COLUMN] : "0");
    if (placed->inside)
        add_where(left, placed->statement, ">=");
}

static void add_map(struct left *left, struct option *option)
{
    struct text as = {0};

    for (int k = 0; k < left->n; k++) {
        if (left->placed[k].inside)
            add_far(left, &left->placed[k]);
        add_near(left, &left->placed[k]);
    }
    for (int k = 0; k < left->as.n; k++)
        text_addf(&as, "%s\"%s\"", k ? ", " : "", left->as.at[k]);
    line_add(left->scene->arena, &option->schedule, "{\"map\": \"{ %s }\", \"as\": [%s]}", text_str(&left->map),
             text_str(&as));
    text_free(&as);
}

static bool is_sum(const struct statement *statement)
{
    enum expr_op op;

    return statement->n_loop == DEPTH && statement_is_update(statement, &op) &&
           stride_of(&statement->access[0], ROW) == STRIDE_NONE;
}

static const char *loop_of(const struct left *left, const struct statement *statement, enum name name)
{
    return arena_printf(left->scene->arena, "%s.%s", statement->label, left->as.at[name]);
}

static void add_plan(const struct left *left, struct option *option)
{
    struct arena *arena = left->scene->arena;

    for (int k = 0; k < left->n; k++) {
        const struct statement *statement = left->placed[k].statement;

        if (!left->placed[k].inside)
            continue;
        if (is_sum(statement))
            line_add(arena, &option->plan,
                     "{\"cache\": \"%s\", \"at\": \"%s\", \"only\": \"written\", \"as\": \"%s\", \"memory\": "
                     "\"register\"}",
                     statement->target->array->name, loop_of(left, statement, FAR_ROW),
                     site_buffer(&left->site, "sum"));
        line_add(arena, &option->plan, "{\"vectorize\": \"%s\", \"lanes\": %d}", loop_of(left, statement, LANE),
                 left->lanes);
        line_add(arena, &option->plan, "{\"vectorize\": \"%s\", \"lanes\": %d}", loop_of(left, statement, NEAR_COLUMN),
                 left->lanes);
    }
    site_parallelize(&left->site, option, loop_of(left, left->deepest, PART), "");
}

void recipe_left(const struct scene *scene, const part_vec *parts, struct choice *choice)
{
    struct left left = {.scene = scene};
    struct option *option;

    if (choice->option.n > 0 || parts->n != 1 || !find(&left, parts->at[0]))
        return;
    make_site(&left);
    if (left.lanes < 2)
        return;
    name_loops(&left);
    option = proposal_option(scene->proposal, choice,
                             arena_printf(scene->arena,
                                          "%d columns at a time get all steps before theirs while caches keep them, "
                                          "%d of them in each thread",
                                          left.block, left.part));
    add_map(&left, option);
    add_plan(&left, option);
    text_free(&left.map);
}
