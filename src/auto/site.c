#include "auto/site.h"

#include "auto/related.h"
#include "poly/coalesce.h"
#include "poly/context.h"
#include "poly/number.h"
#include "program/expr/index_expr.h"
#include "program/instruction.h"

#include <isl/ilp.h>

#include <ctype.h>
#include <string.h>

enum {
    DIVISION = 8,             /* what one costs more than other operations */
    MOST_LABELS = 8,          /* that a comment lists */
    BOUND_OPERATIONS = 50000, /* what a bound of a loop is worth */
    SHORT = 64,               /* iterations that overlap with those of the next round */
};

typedef VEC(const char *) label_vec;

/* The labels of the part's statements, but for those that only tell whether a loop goes on. */
static void list_labels(struct arena *arena, label_vec *labels, const struct nest_part *part)
{
    if (part->statement && !part->statement->target->array->is_while && part->statement->part == 0)
        VEC_PUSH(arena, labels, part->statement->label);
    for (int k = 0; k < part->child.n; k++)
        list_labels(arena, labels, part->child.at[k]);
}

/* "S, T, U", or "S0, S1, .., S23". */
static void add_labels(struct arena *arena, struct text *text, const struct nest_part *part)
{
    label_vec labels = {0};

    list_labels(arena, &labels, part);
    for (int k = 0; k < labels.n; k++)
        if (labels.n <= MOST_LABELS || k < 2 || k == labels.n - 1)
            text_addf(text, "%s%s", k ? ", " : "", labels.at[k]);
        else if (k == 2)
            text_add(text, ", ..");
}

struct choice *site_choice(const struct scene *scene, const struct nest_part *part)
{
    struct choice *choice = ARENA_NEW(scene->arena, struct choice);
    struct text text = {0};

    add_labels(scene->arena, &text, part);
    choice->unless = scene->instead;
    choice->with = scene->with;
    choice->what = arena_copy(scene->arena, text_str(&text));
    text_free(&text);
    VEC_PUSH(scene->arena, &scene->proposal->choice, choice);
    return choice;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

int common_lanes(const struct scene *scene, const struct statement *const *statement, int n)
{
    const struct simd *simd = simd_by_name(scene->program->target.simd);
    VEC(enum type) type = {0};

    for (int k = 0; k < n; k++)
        for (int a = 0; a < statement[k]->n_access; a++)
            VEC_PUSH(scene->arena, &type, statement[k]->access[a].array->type);
    return simd && scene->vectors ? simd_widest(simd, type.at, type.n) : 0;
}

struct site site_around(const struct scene *scene, const struct nest_part *part, bool threads)
{
    struct site site = {.scene = scene, .outer = part->depth, .threads = threads};
    const struct statement *const *statement = (const struct statement *const *)scene->program->statement;
    const struct statement *deepest = part_first(part);

    site.member = ARENA_ARRAY(scene->arena, scene->program->n_statement, bool);
    part_mark(part, site.member);
    for (int s = 0; s < scene->program->n_statement; s++)
        if (site.member[s] && statement[s]->n_loop > deepest->n_loop)
            deepest = statement[s];
    VEC_PUSH(scene->arena, &site.statement, deepest);
    for (int s = 0; s < scene->program->n_statement; s++)
        if (site.member[s] && statement[s] != deepest && statement[s]->n_loop == deepest->n_loop)
            VEC_PUSH(scene->arena, &site.statement, statement[s]);
    for (; part->child.n == 1 && part->child.at[0]->loop; part = part->child.at[0])
        site.loop[site.n++] = part;
    site.loop[site.n++] = part;
    return site;
}

bool site_at(const struct scene *scene, const struct nest_part *part, bool threads, struct site *site)
{
    *site = (struct site){.scene = scene, .outer = part->depth, .threads = threads};
    site->member = ARENA_ARRAY(scene->arena, scene->program->n_statement, bool);
    part_mark(part, site->member);
    for (; part->loop; part = part->child.at[0]) {
        if (part->child.n != 1 && part->child.at[0]->loop)
            return false;
        site->loop[site->n++] = part;
        for (int k = 0; !part->child.at[0]->loop && k < part->child.n; k++) {
            if (part->child.at[k]->loop || part->child.at[k]->statement->call)
                return false;
            VEC_PUSH(scene->arena, &site->statement, part->child.at[k]->statement);
        }
    }
    site->lanes = common_lanes(scene, site->statement.at, site->statement.n);
    return true;
}

struct reach site_reach(const struct site *site, int loop)
{
    return distance_in(site->scene->distances, site->member, site->outer, site->outer + loop);
}

bool site_carries(const struct site *site, int loop)
{
    const struct reach reach = site_reach(site, loop);

    return reach.any && (reach.least != 0 || reach.most != 0);
}

bool site_sums(const struct site *site, int loop)
{
    enum expr_op op;

    for (int k = 0; k < site->statement.n; k++) {
        const struct statement *statement = site->statement.at[k];

        if (site->outer + loop < statement->n_loop && statement_is_update(statement, &op) &&
            stride_of(&statement->access[0], site->outer + loop) == STRIDE_NONE)
            return true;
    }
    return false;
}

bool site_is_free(const struct site *site, int loop)
{
    return !site_carries(site, loop) && !site_sums(site, loop);
}

bool site_is_permutable(const struct site *site)
{
    for (int k = 0; k < site->n; k++) {
        const struct reach reach = site_reach(site, k);

        if (reach.any && reach.least < 0)
            return false;
    }
    return true;
}

const char *site_name(const struct site *site, const char *loop)
{
    const struct scene *scene = site->scene;

    if (scene->program->n_statement == 1)
        return loop;
    return arena_printf(scene->arena, "%s.%s", call_first_part(scene->program, site->statement.at[0])->label, loop);
}

const char *site_loop(const struct site *site, int loop)
{
    return site_name(site, site->loop[loop]->loop);
}

/* Has the program, or a statement of the site, the name? */
static bool is_taken(const struct site *site, const char *name)
{
    bool taken = program_has_name(site->scene->program, name) || name_is_reserved(name);

    for (int k = 0; site->scene->used && k < site->scene->used->n; k++)
        taken = taken || strcmp(site->scene->used->at[k], name) == 0;

    for (int s = 0; s < site->scene->program->n_statement; s++) {
        const struct statement *statement = site->scene->program->statement[s];

        for (int k = 0; k < statement->n_loop; k++)
            taken = taken || strcmp(statement->loop_name[k], name) == 0;
    }
    return taken;
}

const char *site_inner(const struct site *site, const char *loop)
{
    const size_t size = strlen(loop);
    const char *name = size == 1 || (size > 1 && loop[size - 1] == loop[0])
                           ? arena_printf(site->scene->arena, "%s%c", loop, loop[0])
                           : arena_printf(site->scene->arena, "%s_1", loop);

    return is_taken(site, name) ? site_inner(site, name) : name;
}

const char *site_fresh(const struct site *site, const char *wanted)
{
    return is_taken(site, wanted) ? site_inner(site, wanted) : wanted;
}

const char *site_lane(const struct site *site)
{
    return site_fresh(site, "v");
}

const char *site_part(const struct site *site, int loop, int times)
{
    const char *name = site->loop[loop]->loop;

    while (times-- > 0)
        name = site_inner(site, name);
    return name;
}

void site_split(const struct site *site, struct option *option, const char *loop, int64_t by, const char *as,
                const char *more)
{
    line_add(site->scene->arena, &option->schedule, "{\"split\": \"%s\", \"by\": %lld, \"as\": \"%s\"%s}",
             site_name(site, loop), (long long)by, as, more);
}

const char *site_listed(const struct site *site, const char *const *name, int n, bool qualified)
{
    struct text text = {0};
    const char *copy;

    for (int k = 0; k < n; k++)
        text_addf(&text, "%s\"%s\"", k ? ", " : "", qualified ? site_name(site, name[k]) : name[k]);
    copy = arena_copy(site->scene->arena, text_str(&text));
    text_free(&text);
    return copy;
}

const char *site_buffer(const struct site *site, const char *wanted)
{
    struct proposal *proposal = site->scene->proposal;
    const char *name =
        program_default_name(site->scene->arena, site->scene->program, wanted, proposal->given.at, proposal->given.n);

    VEC_PUSH(proposal->arena, &proposal->given, name);
    return name;
}

bool loop_is_ahead(const struct statement *statement, int a, int b, int by)
{
    return set_is_none(set_ahead(isl_set_copy(statement->domain), b, a, 1 - by));
}

/* One more than an affine function { [] -> [(N - 2)] } as text, or NULL. */
static const char *count_text(const struct scene *scene, __isl_take isl_pw_aff *difference)
{
    struct text text = {0};
    const struct expr *expr = NULL;
    const char *copy = NULL;

    difference = poly_pw_aff_coalesce(isl_pw_aff_gist(difference, isl_pw_aff_domain(isl_pw_aff_copy(difference))));
    if (isl_pw_aff_isa_aff(difference) == isl_bool_true) {
        isl_aff *count = isl_aff_add_constant_si(isl_pw_aff_as_aff(isl_pw_aff_copy(difference)), 1);

        expr = index_expr_of(scene->arena, scene->program, isl_pw_aff_from_aff(count));
    }
    isl_pw_aff_free(difference);
    if (!expr)
        return NULL;
    expr_print(&text, expr, NULL);
    copy = arena_copy(scene->arena, text_str(&text));
    text_free(&text);
    return copy;
}

/* The values of the loop. */
static __isl_give isl_map *values_of(const struct statement *statement, int dim)
{
    isl_map *values = isl_map_from_range(isl_set_copy(statement->domain));

    values = isl_map_project_out(values, isl_dim_out, (unsigned)dim + 1, (unsigned)(statement->n_loop - dim - 1));
    return isl_map_project_out(values, isl_dim_out, 0, (unsigned)dim);
}

const char *site_end(const struct scene *scene, const struct statement *statement, int dim)
{
    const unsigned long budget = poly_part_begin(scene->program->ctx, BOUND_OPERATIONS);
    isl_pw_multi_aff *most = isl_map_lexmax_pw_multi_aff(values_of(statement, dim));
    const bool fine = poly_part_end(scene->program->ctx, budget);
    isl_pw_aff *last = isl_pw_multi_aff_get_pw_aff(most, 0);

    isl_pw_multi_aff_free(most);
    return fine ? count_text(scene, last) : NULL;
}

/* From the loop's first value to its last one, at most. */
static __isl_give isl_pw_aff *way_through(const struct site *site, int loop)
{
    isl_map *values = values_of(site->statement.at[0], site->outer + loop);
    isl_pw_multi_aff *most, *least;
    isl_pw_aff *difference;

    most = isl_map_lexmax_pw_multi_aff(isl_map_copy(values));
    least = isl_map_lexmin_pw_multi_aff(values);
    most = isl_pw_multi_aff_sub(most, least);
    difference = isl_pw_multi_aff_get_pw_aff(most, 0);
    isl_pw_multi_aff_free(most);
    return difference;
}

/* How many values the loop has at most, as text; NULL where that is not one affine function of the parameters. */
static const char *extent_text(const struct site *site, int loop)
{
    isl_ctx *ctx = site->scene->program->ctx;
    const char *extent;
    unsigned long budget;

    if (site->outer + loop >= site->statement.at[0]->n_loop)
        return NULL;
    budget = poly_part_begin(ctx, BOUND_OPERATIONS);
    extent = count_text(site->scene, way_through(site, loop));
    return poly_part_end(ctx, budget) ? extent : NULL;
}

bool site_extent(const struct site *site, int loop, struct extent *extent)
{
    const struct program *program = site->scene->program;
    const unsigned long budget = poly_part_begin(program->ctx, BOUND_OPERATIONS);
    isl_map *way = isl_map_from_pw_aff(way_through(site, loop));
    isl_set *counts = isl_map_range(isl_map_intersect_params(way, isl_set_copy(program->context)));
    int64_t end;

    counts = isl_set_project_out(counts, isl_dim_param, 0, (unsigned)program->n_param);
    extent->least = poly_number(isl_set_dim_min_val(isl_set_copy(counts), 0), &end) ? end + 1 : 1;
    extent->most = poly_number(isl_set_dim_max_val(counts, 0), &end) ? end + 1 : INT64_MAX;
    extent->text = poly_part_end(program->ctx, budget) ? extent_text(site, loop) : NULL;
    if (!extent->text)
        return false;
    if (extent->least == extent->most)
        extent->text = NULL;
    return true;
}

/* How far apart two values of the loop are at most, in one iteration of those around. */
static __isl_give isl_set *ways_inside(const struct site *site, int loop)
{
    const struct statement *statement = site->statement.at[0];
    const unsigned dim = (unsigned)(site->outer + loop);
    isl_set *domain =
        isl_set_intersect_params(isl_set_copy(statement->domain), isl_set_copy(site->scene->program->context));
    isl_map *values;

    domain = isl_set_reset_tuple_id(
        isl_set_project_out(domain, isl_dim_set, dim + 1, (unsigned)statement->n_loop - dim - 1));
    values = isl_map_from_range(domain);
    values = isl_map_move_dims(values, isl_dim_in, 0, isl_dim_out, 0, dim);
    return isl_map_deltas(isl_map_apply_range(isl_map_reverse(isl_map_copy(values)), values));
}

/* How many values the loop has at most in one iteration of those around; INT64_MAX where nobody knows. */
static int64_t most_inside(const struct site *site, int loop)
{
    isl_ctx *ctx = site->scene->program->ctx;
    unsigned long budget;
    int64_t most;
    bool known;

    if (site->outer + loop >= site->statement.at[0]->n_loop)
        return INT64_MAX;
    budget = poly_part_begin(ctx, BOUND_OPERATIONS);
    known = poly_number(isl_set_dim_max_val(ways_inside(site, loop), 0), &most);
    return poly_part_end(ctx, budget) && known ? most + 1 : INT64_MAX;
}

bool site_fills_lanes(const struct site *site, int loop)
{
    struct extent extent;

    site_extent(site, loop, &extent);
    return extent.most >= site->lanes / 2 && most_inside(site, loop) >= site->lanes / 2;
}

bool site_loop_is_short(const struct site *site, int loop)
{
    return most_inside(site, loop) <= SHORT;
}

/* The first parameter in an extent, which says where it stands; -1: there is none. */
static int first_param(const struct program *program, const char *extent)
{
    for (int k = 0; k < program->n_param; k++) {
        const size_t size = strlen(program->param[k].name);

        for (const char *at = strstr(extent, program->param[k].name); at; at = strstr(at + 1, program->param[k].name))
            if ((at == extent || !is_word(at[-1])) && !is_word(at[size]))
                return k;
    }
    return -1;
}

static int64_t divisions_in(const struct expr *expr)
{
    int64_t n = expr->kind == EXPR_BINARY && expr->op == OP_DIV;

    for (int k = 0; k < expr->n_arg; k++)
        n += divisions_in(expr->arg[k]);
    return n;
}

/* The iterations of loops whose number is a constant, half of them where it changes. */
static int64_t constant_iterations(const struct site *site)
{
    int64_t all = 1;

    for (int k = 0; k < site->statement.at[0]->n_loop - site->outer; k++) {
        struct extent extent;

        if (site_extent(site, k, &extent) && !extent.text && extent.most <= INT32_MAX / all)
            all *= most_inside(site, k) < extent.most ? (extent.most + 1) / 2 : extent.most;
    }
    return all;
}

/* The operations of one iteration of the loops whose numbers of iterations sizes say: a statement counts as one, and
 * more where it divides. */
static int64_t work_of(const struct site *site)
{
    int64_t work = 0;

    for (int s = 0; s < site->statement.n; s++) {
        const struct statement *statement = site->statement.at[s];

        work += 1 + DIVISION * (divisions_in(statement->value) + (statement->op == OP_DIV));
    }
    return work * constant_iterations(site);
}

const char *site_team_pays(const struct site *site)
{
    const struct program *program = site->scene->program;
    const int64_t pays =
        (site->outer ? site->scene->machine->team_again : site->scene->machine->team_pays) / work_of(site);
    struct text text = {0};
    const char *copy;

    for (int param = 0; pays > 1 && param < program->n_param; param++)
        for (int k = 0; k < site->statement.at[0]->n_loop - site->outer; k++) {
            const char *extent = extent_text(site, k);

            if (extent && first_param(program, extent) == param)
                text_addf(&text, strpbrk(extent, "+-") ? "%s(%s)" : "%s%s", text.size ? " * " : "", extent);
        }
    if (text.size == 0)
        return NULL;
    text_addf(&text, " >= %lld", (long long)pays);
    copy = arena_copy(site->scene->arena, text_str(&text));
    text_free(&text);
    return copy;
}

void site_parallelize(const struct site *site, struct option *option, const char *loop, const char *more)
{
    struct arena *arena = site->scene->arena;
    const char *pays;

    if (!site->threads || !site->scene->threads)
        return;
    pays = site_team_pays(site);
    line_add(arena, &option->plan, "{\"parallelize\": [\"%s\"]%s%s%s%s%s}", loop, more, site->scene->team,
             pays ? ", \"if\": \"" : "", pays ? pays : "", pays ? "\"" : "");
}
