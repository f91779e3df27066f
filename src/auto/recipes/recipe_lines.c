/* A loop over lines along which each element waits for the one in front of it, such as in a tridiagonal system, while
 * lines do not wait for each other, or one whose iterations have scalars for themselves: blocks of lines run side by
 * side in lanes, and threads share blocks. What has its elements of one line next to each other in memory is kept the
 * other way round as long as the block runs.
 *
 *     for (i) { Z[i]; for (j) S[i, j]; }   becomes   for (i / 16) { for (i) Z[i]; for (j) for (i) S[i, j]; }
 */
#include "auto/ends.h"
#include "auto/own.h"
#include "auto/recipes/recipes.h"

#include "program/expr/affine.h"

enum {
    TURNED_VECTORS = 2, /* of lines, where something is kept the other way round */
    LINE_VECTORS = 8,   /* elsewhere */
    FEW_LONG = 2,       /* divisions and functions of one element, from which on a register of them is worth turning */
    LONG_CHAIN = 2,     /* operations of floats that take longer, one after the other, than turning an element */
};

/* Statements in a row, or a loop, directly inside of the loop over lines. */
struct run {
    const struct statement *first, *last;
    int n_loop; /* inside of the loop over lines */
};

struct lines {
    const struct scene *scene;
    const struct nest_part *part; /* the loop over lines */
    struct site site;             /* for names and threads */
    VEC(const struct statement *) statement;
    own_vec own;                      /* scalars that a line has for itself */
    VEC(const struct array *) turned; /* kept with neighbouring lines side by side */
    VEC(struct run) run;
    int lanes;
};

typedef VEC(struct lines *) lines_vec;

static void list_statements(struct lines *lines, const struct nest_part *part)
{
    if (part->statement)
        VEC_PUSH(lines->scene->arena, &lines->statement, part->statement);
    for (int k = 0; k < part->child.n; k++)
        list_statements(lines, part->child.at[k]);
}

/* Loops directly inside each other, with statements in the innermost one; how many loops, or -1. */
static int chain_length(const struct nest_part *part)
{
    int n = 1;

    for (; part->child.n == 1 && part->child.at[0]->loop; part = part->child.at[0])
        n++;
    for (int k = 0; k < part->child.n; k++)
        if (part->child.at[k]->loop)
            return -1;
    return n;
}

static bool find_runs(struct lines *lines)
{
    const part_vec *child = &lines->part->child;

    for (int k = 0; k < child->n; k++) {
        const struct nest_part *part = child->at[k];
        const int n = part->loop ? chain_length(part) : 0;

        if (n < 0)
            return false;
        if (n == 0 && k > 0 && !child->at[k - 1]->loop)
            lines->run.at[lines->run.n - 1].last = part->statement;
        else
            VEC_PUSH(lines->scene->arena, &lines->run, ((struct run){part_first(part), part_last(part), n}));
    }
    return true;
}

static bool is_long(const struct expr *expr)
{
    if (expr->kind == EXPR_CALL)
        return expr->function != FUNCTION_MIN && expr->function != FUNCTION_MAX;
    return expr->kind == EXPR_BINARY && expr->op == OP_DIV;
}

/* Operations that wait for each other, if all in the expression do; a division or a function is some. */
static int operations(const struct expr *expr)
{
    int n = is_long(expr) ? LONG_CHAIN : expr->kind == EXPR_BINARY || expr->kind == EXPR_CALL;

    for (int k = 0; expr->kind != EXPR_ACCESS && k < expr->n_arg; k++)
        n += operations(expr->arg[k]);
    return n;
}

static int long_in(const struct expr *expr)
{
    int n = is_long(expr);

    for (int k = 0; k < expr->n_arg; k++)
        n += long_in(expr->arg[k]);
    return n;
}

/* How many divisions and functions does the statement have? */
static int long_of(const struct statement *statement)
{
    return (statement->op == OP_DIV) + long_in(statement->value);
}

/* Does an element wait for the one before it for longer than turning takes? Integers never do. */
static bool waits(const struct scene *scene, const bool *member)
{
    int n = 0;

    for (int s = 0; s < scene->program->n_statement; s++) {
        const struct statement *statement = scene->program->statement[s];

        if (member[s] && type_is_float(statement->target->array->type))
            n += operations(statement->value) + (statement->op != OP_NONE);
    }
    return n >= LONG_CHAIN;
}

/* Is a line so short that the next ones are at work before it ends? Divisions and functions take turns even so. */
static bool overlaps(const struct scene *scene, const struct nest_part *loop)
{
    const struct site site = site_around(scene, loop, false);

    for (int s = 0; s < scene->program->n_statement; s++)
        if (site.member[s] && long_of(scene->program->statement[s]) > 0)
            return false;
    return site_loop_is_short(&site, 0);
}

/* Does a loop carry more than sums from one iteration to the next, for longer than these overlap? */
static bool is_recurrence(const struct scene *scene, const struct nest_part *loop)
{
    bool *member = ARENA_ARRAY(scene->arena, scene->program->n_statement, bool);
    struct reach reach;
    enum expr_op op;

    part_mark(loop, member);
    reach = distance_in(scene->distances, member, loop->depth, loop->depth);
    if (!reach.any || (reach.least == 0 && reach.most == 0))
        return false;
    for (int s = 0; s < scene->program->n_statement; s++)
        if (member[s] && !(statement_is_update(scene->program->statement[s], &op) &&
                           stride_of(&scene->program->statement[s]->access[0], loop->depth) == STRIDE_NONE))
            return waits(scene, member) && !overlaps(scene, loop);
    return false;
}

static bool has_recurrence(const struct scene *scene, const struct nest_part *part)
{
    bool has = false;

    for (int k = 0; !has && k < part->child.n; k++)
        has = part->child.at[k]->loop &&
              (is_recurrence(scene, part->child.at[k]) || has_recurrence(scene, part->child.at[k]));
    return has;
}

/* Are lines counted by the first subscript alone, the one that is the slowest in memory? */
static bool is_line(const struct access *access, int dim)
{
    isl_pw_multi_aff *subscripts;
    bool is;

    if (access->may || access->array->n_dim < 2)
        return false;
    subscripts = isl_pw_multi_aff_from_map(isl_map_copy(access->map));
    is = subscript_factor(subscripts, 0, dim) == 1;
    for (int k = 1; k < access->array->n_dim; k++)
        is = is && subscript_factor(subscripts, k, dim) == 0;
    isl_pw_multi_aff_free(subscripts);
    return is;
}

static bool is_turned(const struct lines *lines, const struct array *array)
{
    for (int k = 0; k < lines->turned.n; k++)
        if (lines->turned.at[k] == array)
            return true;
    return false;
}

/* Lists the arrays that are to be turned; false where that would not give neighbours. */
static bool find_turned(struct lines *lines)
{
    const int dim = lines->part->depth;

    for (int s = 0; s < lines->statement.n; s++)
        for (int k = 0; k < lines->statement.at[s]->n_access; k++) {
            const struct access *access = &lines->statement.at[s]->access[k];

            if (stride_of(access, dim) != STRIDE_FAR)
                continue;
            if (!is_line(access, dim))
                return false;
            if (!is_turned(lines, access->array))
                VEC_PUSH(lines->scene->arena, &lines->turned, access->array);
        }
    for (int s = 0; s < lines->statement.n; s++)
        for (int k = 0; k < lines->statement.at[s]->n_access; k++) {
            const struct access *access = &lines->statement.at[s]->access[k];

            if (is_turned(lines, access->array) && stride_of(access, dim) != STRIDE_FAR)
                return false;
        }
    return true;
}

/* May lines run at once, but for the scalars that each has for itself, and other loops outside of them? */
static bool are_free(struct lines *lines)
{
    lines->own = own_scalars(lines->scene, lines->part);
    for (int s = 0; s < lines->statement.n; s++)
        if (says_ends(lines->statement.at[s], lines->part->depth))
            return false;
    return own_suffices(lines->scene, lines->part, &lines->own);
}

/* The deepest statements, whose iterations decide about threads. */
static void make_site(struct lines *lines)
{
    int depth = 0;

    lines->site = (struct site){.scene = lines->scene, .outer = lines->part->depth, .threads = true};
    for (int s = 0; s < lines->statement.n; s++)
        depth = lines->statement.at[s]->n_loop > depth ? lines->statement.at[s]->n_loop : depth;
    for (int s = 0; s < lines->statement.n; s++)
        if (lines->statement.at[s]->n_loop == depth)
            VEC_PUSH(lines->scene->arena, &lines->site.statement, lines->statement.at[s]);
}

/* Are several lines at a time, as they are, faster than turned ones? They are where one recurrence is all there is,
 * with at most one division or function in it. */
static bool is_faster_in_rows(const struct lines *lines)
{
    struct site site;
    int n = 0;

    for (int s = 0; s < lines->statement.n; s++)
        n += long_of(lines->statement.at[s]);
    return n < FEW_LONG && lines->part->depth == 0 && site_at(lines->scene, lines->part, true, &site) &&
           rows_recur(&site);
}

/* Is there something to gain? Turning pays where elements wait for each other. */
static bool gains(const struct lines *lines)
{
    if (lines->turned.n > 0 && is_faster_in_rows(lines))
        return false;
    return lines->turned.n > 0 ? has_recurrence(lines->scene, lines->part) : lines->own.n > 0 && lines->run.n > 1;
}

/* Is the part a loop over such lines? NULL: it is not. */
static struct lines *lines_of(const struct scene *scene, const struct nest_part *part)
{
    struct lines *lines = ARENA_NEW(scene->arena, struct lines);

    lines->scene = scene;
    lines->part = part;
    list_statements(lines, part);
    lines->lanes = common_lanes(scene, lines->statement.at, lines->statement.n);
    if (lines->lanes < 2 || !are_free(lines) || !find_runs(lines) || !find_turned(lines) || !gains(lines))
        return NULL;
    make_site(lines);
    return lines;
}

/* Lists the loops over lines. */
static void find_lines(const struct scene *scene, const part_vec *parts, lines_vec *all)
{
    for (int k = 0; k < parts->n; k++) {
        struct lines *lines = parts->at[k]->loop ? lines_of(scene, parts->at[k]) : NULL;

        if (lines)
            VEC_PUSH(scene->arena, all, lines);
        else
            find_lines(scene, &parts->at[k]->child, all);
    }
}

static int vectors_of(const struct lines *lines)
{
    return lines->turned.n > 0 ? TURNED_VECTORS : LINE_VECTORS;
}

/* The loop around the statement as a step names it. */
static const char *name_at(const struct lines *lines, const struct statement *statement, const char *loop)
{
    return lines->scene->program->n_statement == 1 ? loop
                                                   : arena_printf(lines->scene->arena, "%s.%s", statement->label, loop);
}

static void add_run(const struct lines *lines, struct option *option, const struct run *run, const char *line)
{
    struct arena *arena = lines->scene->arena;
    const char *inner = name_at(lines, run->first, line);
    struct text order = {0};

    for (int k = 1; k <= run->n_loop; k++)
        text_addf(&order, "\"%s\", ", name_at(lines, run->first, run->first->loop_name[lines->part->depth + k]));
    if (run->n_loop > 0)
        line_add(arena, &option->schedule, "{\"reorder\": [%s\"%s\"]}", text_str(&order), inner);
    line_add(arena, &option->plan, "{\"vectorize\": \"%s\", \"lanes\": %d}", inner, lines->lanes);
    text_free(&order);
}

static void add_steps(const struct lines *lines, struct option *option)
{
    struct arena *arena = lines->scene->arena;
    const struct statement *first = lines->statement.at[0];
    const char *block = name_at(lines, first, lines->part->loop), *line = site_inner(&lines->site, lines->part->loop);

    for (int k = 0; k < lines->own.n; k++)
        own_expand(lines->scene, lines->part, lines->own.at[k], arena_printf(arena, "\"%s\"", block), option);
    line_add(arena, &option->schedule, "{\"split\": \"%s\", \"by\": %d, \"as\": \"%s\"}", block,
             vectors_of(lines) * lines->lanes, line);
    for (int k = 0; k + 1 < lines->run.n; k++)
        line_add(arena, &option->schedule, "{\"fission\": \"%s\", \"after\": \"%s\"}",
                 name_at(lines, lines->run.at[k].first, line), lines->run.at[k].last->label);
    for (int k = 0; k < lines->turned.n; k++) {
        const char *name = lines->turned.at[k]->name;

        line_add(arena, &option->plan,
                 "{\"cache\": \"%s\", \"inside\": \"%s\", \"as\": \"%s\", \"layout\": \"col_major\", \"memory\": "
                 "\"heap\", \"align\": 64}",
                 name, block, site_buffer(&lines->site, arena_printf(arena, "%s_lines", name)));
    }
    for (int k = 0; k < lines->run.n; k++)
        add_run(lines, option, &lines->run.at[k], line);
    site_parallelize(&lines->site, option, block, "");
}

void recipe_lines(const struct scene *scene, const part_vec *parts, struct choice *choice)
{
    lines_vec all = {0};
    struct option *option;

    find_lines(scene, parts, &all);
    if (all.n == 0)
        return;
    option =
        proposal_option(scene->proposal, choice,
                        arena_printf(scene->arena, "%d lines side by side in lanes: they do not wait for each other",
                                     vectors_of(all.at[0]) * all.at[0]->lanes));
    for (int k = 0; k < all.n; k++)
        add_steps(all.at[k], option);
}
