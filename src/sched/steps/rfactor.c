#include "sched/steps/rfactor.h"

#include "poly/coalesce.h"
#include "poly/keep.h"
#include "program/accesses.h"
#include "program/expr/index_expr.h"
#include "program/rewrite.h"

#include <isl/space.h>

#include <string.h>

void rfactor_project(struct rfactor *rfactor)
{
    isl_set *domain = isl_set_copy(rfactor->statement->domain);
    isl_map *map = isl_map_identity(isl_space_map_from_set(isl_set_get_space(domain)));
    isl_map *count = isl_map_from_pw_aff(extent_count(&rfactor->loop, &rfactor->extent, rfactor->statement));

    map = isl_map_reset_tuple_id(map, isl_dim_out);
    for (int d = rfactor->statement->n_loop - 1; d >= 0; d--)
        if (!rfactor->kept[d])
            map = isl_map_project_out(map, isl_dim_out, (unsigned)d, 1);
    map = isl_map_intersect_domain(isl_map_flat_range_product(map, count), domain);
    rfactor->project = poly_keep_map(rfactor->schedule->arena, poly_map_coalesce(map));
}

static __isl_give isl_pw_aff *time_of_s(const struct rfactor *rfactor, const struct order *loop)
{
    isl_set *domain = isl_set_copy(rfactor->statement->domain);
    isl_space *space = isl_space_add_dims(isl_space_from_domain(isl_set_get_space(domain)), isl_dim_out, 1);

    return isl_pw_aff_gist(poly_pw_aff_coalesce(isl_union_pw_aff_extract_pw_aff(loop->time, space)), domain);
}

bool rfactor_reduces(const struct rfactor *rfactor, const struct order *loop)
{
    isl_pw_aff *time = time_of_s(rfactor, loop);
    bool reduces = false;

    for (int d = 0; d < rfactor->statement->n_loop; d++)
        reduces = reduces ||
                  (!rfactor->kept[d] && isl_pw_aff_involves_dims(time, isl_dim_in, (unsigned)d, 1) != isl_bool_false);
    isl_pw_aff_free(time);
    return reduces;
}

__isl_give isl_union_pw_aff *rfactor_time(const struct rfactor *rfactor, const struct order *loop,
                                          const struct statement *statement)
{
    isl_pw_aff *time = time_of_s(rfactor, loop);

    if (statement != rfactor->partial) {
        for (int d = rfactor->statement->n_loop - 1; d >= 0; d--)
            if (!rfactor->kept[d])
                time = isl_pw_aff_drop_dims(time, isl_dim_in, (unsigned)d, 1);
        time = isl_pw_aff_insert_dims(time, isl_dim_in, (unsigned)rfactor->n_kept, 1);
    }
    time = isl_pw_aff_set_tuple_id(time, isl_dim_in, isl_set_get_tuple_id(statement->domain));
    return isl_union_pw_aff_from_pw_aff(time);
}

__isl_give isl_union_pw_aff *rfactor_count(const struct rfactor *rfactor, const struct statement *statement)
{
    return time_add(path_dimension(statement->domain, rfactor->n_kept), rfactor->extent.first, 1);
}

static struct expr *new_expr(const struct rfactor *rfactor, struct expr value)
{
    struct expr *expr = ARENA_NEW(rfactor->schedule->arena, struct expr);

    *expr = value;
    expr->place = rfactor->statement->target->place;
    return expr;
}

/* An affine expression of S's kept dimensions for the projected instances. */
static struct expr *projected(const struct rfactor *rfactor, const struct expr *expr)
{
    struct expr *copy = ARENA_NEW(rfactor->schedule->arena, struct expr);

    *copy = *expr;
    copy->arg = ARENA_ARRAY(rfactor->schedule->arena, expr->n_arg + 1, struct expr *);
    for (int k = 0; k < expr->n_arg; k++)
        copy->arg[k] = projected(rfactor, expr->arg[k]);
    if (expr->kind == EXPR_LOOP)
        for (int d = 0; d < expr->loop; d++)
            copy->loop -= !rfactor->kept[d];
    return copy;
}

/* What accesses x with the given subscripts accesses rf, the count among them, instead. */
static void redirect(const struct rfactor *rfactor, struct expr *access, struct expr *count)
{
    const int n = access->n_arg;
    struct expr **arg = ARENA_ARRAY(rfactor->schedule->arena, n + 1, struct expr *);

    for (int k = 0; k <= n; k++)
        arg[k] = k < rfactor->axis ? access->arg[k] : k == rfactor->axis ? count : access->arg[k - 1];
    access->array = rfactor->array;
    access->arg = arg;
    access->n_arg = n + 1;
}

static void add_array(struct rfactor *rfactor)
{
    struct program *program = rfactor->program;
    struct arena *arena = rfactor->schedule->arena;
    const struct array *like = rfactor->statement->target->array;
    struct array *array = rfactor->array = program_add_array(arena, program);

    *array = (struct array){.name = rfactor->name,
                            .place = rfactor->step->place,
                            .role = ROLE_TEMP,
                            .type = like->type,
                            .n_dim = like->n_dim + 1};
    array->shape = ARENA_ARRAY(arena, array->n_dim, struct expr *);
    for (int k = 0; k < array->n_dim; k++)
        array->shape[k] = k < rfactor->axis    ? like->shape[k]
                          : k == rfactor->axis ? rfactor->extent.size
                                               : like->shape[k - 1];
    array->elements = poly_keep_set(arena, array_box(program, array, 0, array->n_dim));
}

static isl_set *domain_of(const struct rfactor *rfactor, isl_set *domain, const char *label)
{
    return poly_keep_set(rfactor->schedule->arena, poly_set_coalesce(isl_set_set_tuple_name(domain, label)));
}

/* The projected instances; where the least instances have the same projection, in the simpler constraints of that. */
static isl_set *projected_domain(const struct rfactor *rfactor)
{
    isl_set *all = isl_map_range(isl_map_copy(rfactor->project));
    isl_set *least = isl_set_apply(isl_set_copy(rfactor->least), isl_map_copy(rfactor->project));

    if (isl_set_is_subset(all, least) == isl_bool_true) {
        isl_set_free(all);
        return isl_set_detect_equalities(isl_set_remove_redundancies(least));
    }
    isl_set_free(least);
    return all;
}

/* A statement over [K, c] like S. */
static struct statement *new_projected(const struct rfactor *rfactor, const char *label)
{
    struct statement *statement = ARENA_NEW(rfactor->schedule->arena, struct statement);
    const struct statement *s = rfactor->statement;
    int n = 0;

    *statement = *s;
    statement->label = label;
    statement->from = s->from ? s->from : s->label;
    statement->n_loop = rfactor->n_kept + 1;
    statement->loop_name = ARENA_ARRAY(rfactor->schedule->arena, statement->n_loop, const char *);
    for (int d = 0; d < s->n_loop; d++)
        if (rfactor->kept[d])
            statement->loop_name[n++] = s->loop_name[d];
    statement->loop_name[n] = rfactor->loop.info->name;
    statement->domain = domain_of(rfactor, projected_domain(rfactor), label);
    return statement;
}

/* rf[c, f] of a projected instance. */
static struct expr *projected_element(const struct rfactor *rfactor, const struct expr *target)
{
    struct expr *access = projected(rfactor, target);

    redirect(rfactor, access, new_expr(rfactor, (struct expr){.kind = EXPR_LOOP, .loop = rfactor->n_kept}));
    return access;
}

static struct expr *integer(const struct rfactor *rfactor, enum type type, int64_t value)
{
    return new_expr(rfactor, (struct expr){.kind = EXPR_INT, .type = type, .integer = value});
}

/* All bits set. */
static struct expr *all_ones(const struct rfactor *rfactor, enum type type)
{
    struct expr *not = new_expr(rfactor, (struct expr){.kind = EXPR_UNARY, .op = OP_NOT, .type = type_promote(type)});

    not ->arg = ARENA_ARRAY(rfactor->schedule->arena, 1, struct expr *);
    not ->arg[0] = integer(rfactor, type_promote(type), 0);
    not ->n_arg = 1;
    return not ;
}

/* min(INFINITY, x) and max(-INFINITY, x) are x, whatever that is. */
static struct expr *neutral(const struct rfactor *rfactor)
{
    const enum type type = rfactor->statement->target->array->type;
    const enum expr_op op = rfactor->op;

    if (type_is_float(type))
        return new_expr(rfactor, (struct expr){.kind = EXPR_REAL,
                                               .type = type,
                                               .real = op_neutral_real(op),
                                               .spelling = op_neutral_spelling(op)});
    if (op == OP_AND || (op == OP_MIN && !type_is_signed(type)))
        return all_ones(rfactor, type);
    return integer(rfactor, type, op_neutral_integer(op, type));
}

static void make_init(struct rfactor *rfactor, const struct expr *target)
{
    const char *label = edit_new_label(rfactor->schedule, rfactor->statement, "rf_init");
    struct statement *init = rfactor->init = new_projected(rfactor, label);

    init->target = projected_element(rfactor, target);
    init->op = OP_NONE;
    init->value = neutral(rfactor);
}

static void make_final(struct rfactor *rfactor, struct expr *target)
{
    struct statement *final = rfactor->final = new_projected(rfactor, rfactor->statement->label);

    final->target = projected(rfactor, target);
    final->op = rfactor->op;
    final->value = projected_element(rfactor, target);
    final->regrouped = true;
}

/* S itself, on rf: its target, and the one read of it where the update is spelt out. */
static enum status make_partial(struct rfactor *rfactor, struct statement *partial)
{
    const struct access *target = &partial->access[0];
    struct expr *count = extent_count_expr(rfactor->schedule, &rfactor->loop, &rfactor->extent, rfactor->statement);

    if (!count)
        return edit_refuse(rfactor->schedule, rfactor->loop.place, "rfactor", NULL,
                           "its count has no single expression for %s", rfactor->statement->label);
    for (int k = 1; k < partial->n_access; k++)
        if (partial->access[k].array == target->array && partial->access[k].expr != partial->target &&
            isl_map_plain_is_equal(partial->access[k].map, target->map) == isl_bool_true)
            redirect(rfactor, (struct expr *)(uintptr_t)partial->access[k].expr, count);
    redirect(rfactor, partial->target, count);
    partial->from = partial->from ? partial->from : partial->label;
    partial->label = edit_new_label(rfactor->schedule, rfactor->statement, "rf");
    partial->domain = domain_of(rfactor, isl_set_copy(partial->domain), partial->label);
    partial->regrouped = true;
    rfactor->partial = partial;
    return STATUS_OK;
}

/* init and partial go before final, which has S's label. */
static void insert_statements(struct rfactor *rfactor)
{
    struct program *program = rfactor->program;
    const int at = rfactor->statement->index;
    struct statement **list = ARENA_ARRAY(rfactor->schedule->arena, program->n_statement + 3, struct statement *);

    memcpy(list, program->statement, (size_t)at * sizeof(*list));
    list[at] = rfactor->init;
    list[at + 1] = rfactor->partial;
    list[at + 2] = rfactor->final;
    memcpy(list + at + 3, program->statement + at + 1, (size_t)(program->n_statement - at - 1) * sizeof(*list));
    program->statement = list;
    program->n_statement += 2;
    for (int s = 0; s < program->n_statement; s++)
        list[s]->index = s;
    for (int k = 0; k < program->n_nest; k++) {
        struct nest *nest = &program->nest[k];
        if (at < nest->first_statement)
            nest->first_statement += 2;
        else if (at < nest->first_statement + nest->n_statement)
            nest->n_statement += 2;
    }
}

enum status rfactor_program(struct rfactor *rfactor)
{
    struct program *program = program_copy_arrays(rfactor->schedule->arena, rfactor->schedule->program);
    struct statement *s = program->statement[rfactor->statement->index];

    rfactor->program = program;
    add_array(rfactor);
    make_init(rfactor, s->target);
    make_final(rfactor, s->target);
    if (make_partial(rfactor, s) != STATUS_OK)
        return STATUS_REFUSED;
    insert_statements(rfactor);
    statement_accesses(program, rfactor->init);
    statement_accesses(program, rfactor->partial);
    statement_accesses(program, rfactor->final);
    return STATUS_OK;
}
