/* Sums over rows behind or in front of a row's own, for each of many columns, such as the product of a triangular and
 * another matrix in place, or the solution of triangular systems for many right-hand sides:
 *
 *     for (i) for (j) { for (k > i) S: B[i, j] += A[k, i] * B[k, j]; D: B[i, j] *= a; }
 *
 * Rows wait for each other, columns do not. Rows go in blocks: what a block sums up over rows outside of it is a tile
 * of sums in registers, as in a product of matrices.
 *
 *     S[i, j, k] -> [j / 32, i / 6, 1, 0, 0, 0, i, 0, k, j]              where k is in the block
 *     S[i, j, k] -> [j / 32, i / 6, 2, k, i % 6, j % 32, 0, 0, 0, 0]     elsewhere
 *     D[i, j]    -> [j / 32, i / 6, 3, 0, 0, 0, i, 1, 0, j]
 */
#include "auto/recipes/recipes.h"

enum { MOST_VECTORS = 4, FEW_VECTORS = 2, MANY_REGISTERS = 32 };

struct triangle {
    const struct scene *scene;
    struct site site; /* for names and threads */
    const struct statement *sum;
    VEC(const struct statement *) front, behind; /* of its loop, in order */
    int row, column;                             /* loops */
    bool later;                                  /* are the rows that are summed up behind the row's own? */
    int vectors, rows;                           /* of the tile */
    line_vec as;
    struct text map;
};

/* The loop names of the map, in its order. */
enum name { COLUMNS, ROWS, PART, FAR_ROW, TILE_ROW, TILE_COLUMN, ROW, STAGE, NEAR_ROW, COLUMN };

static bool find_statements(struct triangle *triangle, const struct nest_part *nest)
{
    const part_vec *child;

    if (!nest->loop || nest->descends || nest->child.n != 1 || !nest->child.at[0]->loop || nest->child.at[0]->descends)
        return false;
    child = &nest->child.at[0]->child;
    for (int k = 0; k < child->n; k++) {
        const struct nest_part *part = child->at[k];

        if (!part->loop && triangle->sum)
            VEC_PUSH(triangle->scene->arena, &triangle->behind, part->statement);
        else if (!part->loop)
            VEC_PUSH(triangle->scene->arena, &triangle->front, part->statement);
        else if (triangle->sum || part->descends || part->child.n != 1 || part->child.at[0]->loop)
            return false;
        else
            triangle->sum = part->child.at[0]->statement;
    }
    return triangle->sum != NULL;
}

/* Do all references stay, or go to neighbours, in the loop? The target goes there. */
static bool has_neighbours(const struct statement *statement, int loop)
{
    bool has = stride_of(&statement->access[0], loop) == STRIDE_NEXT;

    for (int k = 1; has && k < statement->n_access; k++)
        has = stride_of(&statement->access[k], loop) != STRIDE_FAR;
    return has;
}

/* Is there a factor that all columns share, so that a tile uses it often? */
static bool has_shared_factor(const struct triangle *triangle)
{
    for (int k = 1; k < triangle->sum->n_access; k++)
        if (triangle->sum->access[k].array->n_dim > 0 &&
            stride_of(&triangle->sum->access[k], triangle->column) == STRIDE_NONE)
            return true;
    return false;
}

static bool find_loops(struct triangle *triangle)
{
    const struct statement *sum = triangle->sum;
    enum expr_op op;

    triangle->column = has_neighbours(sum, 1) ? 1 : 0;
    triangle->row = 1 - triangle->column;
    triangle->later = loop_is_ahead(sum, 2, triangle->row, 1);
    return statement_is_update(sum, &op) && has_neighbours(sum, triangle->column) &&
           stride_of(&sum->access[0], 2) == STRIDE_NONE && stride_of(&sum->access[0], triangle->row) == STRIDE_FAR &&
           (triangle->later || loop_is_ahead(sum, triangle->row, 2, 1)) && has_shared_factor(triangle);
}

/* Do rows wait for each other, and columns not? Where rows do not, there are better tiles. */
static bool find(struct triangle *triangle, const struct nest_part *nest)
{
    const struct scene *scene = triangle->scene;
    bool *member = ARENA_ARRAY(scene->arena, scene->program->n_statement, bool);
    struct reach row, column;

    if (!find_statements(triangle, nest) || !find_loops(triangle))
        return false;
    for (int k = 0; k < triangle->front.n; k++)
        if (!has_neighbours(triangle->front.at[k], triangle->column))
            return false;
    for (int k = 0; k < triangle->behind.n; k++)
        if (!has_neighbours(triangle->behind.at[k], triangle->column))
            return false;
    part_mark(nest, member);
    row = distance_in(scene->distances, member, 0, triangle->row);
    column = distance_in(scene->distances, member, 0, triangle->column);
    return row.any && (row.least != 0 || row.most != 0) && column.least == 0 && column.most == 0;
}

static void choose_sizes(struct triangle *triangle)
{
    const struct machine *machine = triangle->scene->machine;

    triangle->vectors = machine->registers >= MANY_REGISTERS ? MOST_VECTORS : FEW_VECTORS;
    triangle->rows = (machine->registers - triangle->vectors - 1) / triangle->vectors;
}

static void name_loops(struct triangle *triangle)
{
    struct arena *arena = triangle->scene->arena;
    const char *const *loop = triangle->sum->loop_name;
    const char *i = loop[triangle->row], *j = loop[triangle->column], *k = loop[2];
    const char *const wanted[] = {
        [COLUMNS] = arena_printf(arena, "%sb", j),
        [ROWS] = arena_printf(arena, "%sb", i),
        [PART] = "part",
        [FAR_ROW] = site_inner(&triangle->site, k),
        [TILE_ROW] = site_inner(&triangle->site, i),
        [TILE_COLUMN] = site_inner(&triangle->site, j),
        [ROW] = i,
        [STAGE] = "stage",
        [NEAR_ROW] = k,
        [COLUMN] = j,
    };

    for (int n = COLUMNS; n <= COLUMN; n++) {
        const char *name =
            program_default_name(arena, triangle->scene->program, wanted[n], triangle->as.at, triangle->as.n);

        VEC_PUSH(arena, &triangle->as, name);
    }
}

/* "S[i, j, k] -> [floor(j/32), floor(i/6), part" */
static void start_piece(struct triangle *triangle, const struct statement *statement, int part)
{
    const char *const *loop = statement->loop_name;

    text_addf(&triangle->map, "%s%s[", triangle->map.size ? "; " : "", statement->label);
    for (int k = 0; k < statement->n_loop; k++)
        text_addf(&triangle->map, "%s%s", k ? ", " : "", loop[k]);
    text_addf(&triangle->map, "] -> [floor(%s/%d), floor(%s/%d), %d", loop[triangle->column],
              triangle->vectors * triangle->site.lanes, loop[triangle->row], triangle->rows, part);
}

/* Row by row, in columns. */
static void add_rows(struct triangle *triangle, const struct statement *statement, int part, int stage)
{
    start_piece(triangle, statement, part);
    text_addf(&triangle->map, ", 0, 0, 0, %s, %d, %s, %s]", statement->loop_name[triangle->row], stage,
              statement->n_loop > 2 ? statement->loop_name[2] : "0", statement->loop_name[triangle->column]);
}

/* The rows of other blocks, or of the same one. */
static void add_where(struct triangle *triangle, bool far)
{
    const char *i = triangle->sum->loop_name[triangle->row], *k = triangle->sum->loop_name[2];
    const int rows = triangle->rows;

    if (triangle->later)
        text_addf(&triangle->map, " : %s %s %d*floor(%s/%d) + %d", k, far ? ">=" : "<", rows, i, rows, rows);
    else
        text_addf(&triangle->map, " : %s %s %d*floor(%s/%d)", k, far ? "<" : ">=", rows, i, rows);
}

static void add_tile(struct triangle *triangle, int part)
{
    const char *i = triangle->sum->loop_name[triangle->row], *j = triangle->sum->loop_name[triangle->column];
    const int rows = triangle->rows, columns = triangle->vectors * triangle->site.lanes;

    start_piece(triangle, triangle->sum, part);
    text_addf(&triangle->map, ", %s, %s - %d*floor(%s/%d), %s - %d*floor(%s/%d), 0, 0, 0, 0]",
              triangle->sum->loop_name[2], i, rows, i, rows, j, columns, j, columns);
    add_where(triangle, true);
}

/* Rows behind: the block's own come first, and nothing changes them before the end; rows in front: the block's own
 * come last, each when it is finished. */
static void add_times(struct triangle *triangle)
{
    const int near = triangle->later ? 1 : 2, last = triangle->later ? 3 : near;

    for (int k = 0; k < triangle->front.n; k++)
        add_rows(triangle, triangle->front.at[k], 0, k);
    add_rows(triangle, triangle->sum, near, 0);
    add_where(triangle, false);
    add_tile(triangle, 3 - near);
    for (int k = 0; k < triangle->behind.n; k++)
        add_rows(triangle, triangle->behind.at[k], last, k + 1);
}

static const char *loop_of(const struct triangle *triangle, const struct statement *statement, enum name name)
{
    return arena_printf(triangle->scene->arena, "%s.%s", statement->label, triangle->as.at[name]);
}

static void add_schedule(struct triangle *triangle, struct option *option, const char *lane)
{
    struct text as = {0};

    add_times(triangle);
    for (int k = 0; k < triangle->as.n; k++)
        text_addf(&as, "%s\"%s\"", k ? ", " : "", triangle->as.at[k]);
    line_add(triangle->scene->arena, &option->schedule, "{\"map\": \"{ %s }\", \"as\": [%s]}", text_str(&triangle->map),
             text_str(&as));
    line_add(triangle->scene->arena, &option->schedule, "{\"split\": \"%s\", \"by\": %d, \"as\": \"%s\"}",
             loop_of(triangle, triangle->sum, TILE_COLUMN), triangle->site.lanes, lane);
    text_free(&as);
}

static void add_lanes(const struct triangle *triangle, struct option *option, const struct statement *statement)
{
    line_add(triangle->scene->arena, &option->plan, "{\"vectorize\": \"%s\", \"lanes\": %d}",
             loop_of(triangle, statement, COLUMN), triangle->site.lanes);
}

static void add_plan(const struct triangle *triangle, struct option *option, const char *lane)
{
    struct arena *arena = triangle->scene->arena;
    const struct statement *sum = triangle->sum;

    line_add(arena, &option->plan,
             "{\"cache\": \"%s\", \"at\": \"%s\", \"only\": \"written\", \"as\": \"%s\", \"memory\": \"register\"}",
             sum->target->array->name, loop_of(triangle, sum, FAR_ROW), site_buffer(&triangle->site, "sum"));
    line_add(arena, &option->plan, "{\"kernelize\": {\"unroll\": [\"%s\", \"%s\"], \"vectorize\": \"%s.%s\"}}",
             loop_of(triangle, sum, TILE_ROW), loop_of(triangle, sum, TILE_COLUMN), sum->label, lane);
    add_lanes(triangle, option, sum);
    for (int k = 0; k < triangle->front.n; k++)
        add_lanes(triangle, option, triangle->front.at[k]);
    for (int k = 0; k < triangle->behind.n; k++)
        add_lanes(triangle, option, triangle->behind.at[k]);
    site_parallelize(&triangle->site, option, loop_of(triangle, sum, COLUMNS), ", \"policy\": \"dynamic\"");
}

void recipe_triangle(const struct scene *scene, const part_vec *parts, struct choice *choice)
{
    struct triangle triangle = {.scene = scene, .site = {.scene = scene, .threads = true}};
    struct option *option;
    const char *lane;

    if (parts->n != 1 || !find(&triangle, parts->at[0]))
        return;
    VEC_PUSH(scene->arena, &triangle.site.statement, triangle.sum);
    triangle.site.lanes = common_lanes(scene, triangle.site.statement.at, 1);
    choose_sizes(&triangle);
    if (triangle.site.lanes < 2 || triangle.rows < 2)
        return;
    option = proposal_option(scene->proposal, choice,
                             arena_printf(scene->arena,
                                          "%d rows at a time, whose sums over rows %s them are %d x %d in "
                                          "registers",
                                          triangle.rows, triangle.later ? "behind" : "before", triangle.rows,
                                          triangle.vectors * triangle.site.lanes));
    lane = site_lane(&triangle.site);
    name_loops(&triangle);
    add_schedule(&triangle, option, lane);
    add_plan(&triangle, option, lane);
    text_free(&triangle.map);
}
