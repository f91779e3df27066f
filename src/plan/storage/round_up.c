#include "plan/storage/round_up.h"

#include "dep/legal.h"
#include "plan/storage/padding.h"
#include "plan/storage/whole_tiles.h"
#include "plan/storage/widen.h"
#include "poly/coalesce.h"
#include "poly/graph.h"
#include "poly/keep.h"
#include "poly/number.h"
#include "program/accesses.h"
#include "program/expr/affine.h"
#include "program/expr/index_expr.h"
#include "program/permit.h"
#include "program/rewrite.h"
#include "sched/program_step.h"

#include <isl/ilp.h>
#include <isl/val.h>

#include <string.h>

struct rounding {
    struct schedule *schedule;
    struct program *program;        /* the copy under change */
    const struct loop_info **asked; /* by statement: the loop whose rest is rounded up, or NULL */
    isl_set **own, **extra;         /* by statement: instances before, and those that it gets */
    isl_set **changed;              /* by array: the elements that instances in extra write; NULL: none */
    VEC(const struct order *) loop; /* around the place at hand, outermost first */
    enum status status;
};

/* What cannot be: an instance in extra and the element it would touch. */
struct obstacle {
    const struct statement *statement;
    const struct access *access; /* NULL: the instance alone */
    isl_map *map;                /* { S[..] -> A[..] }, taken */
    const char *verb, *why, *hint;
};

static void refuse(struct rounding *rounding, const struct obstacle *obstacle)
{
    const struct schedule *schedule = rounding->schedule;
    const struct statement *statement = obstacle->statement;
    const struct loop_info *info = rounding->asked[statement->index];
    struct text what = {0};
    struct sample sample;
    struct diag *diag;

    if (poly_smallest(schedule->arena, isl_map_wrap(obstacle->map), &sample) && rounding->status == STATUS_OK) {
        violation_print_instance(&what, statement, sample.dim);
        text_addf(&what, " would %s ", obstacle->verb);
        if (obstacle->access)
            print_tuple(&what, obstacle->access->array->name, sample.dim + statement->n_loop,
                        obstacle->access->array->n_dim);
        text_add(&what, obstacle->why);
        for (int k = 0; k < sample.n_param; k++)
            text_addf(&what, "%s%s = %lld", k ? ", " : "; ", schedule->program->param[k].name,
                      (long long)sample.param[k]);
        diag = diag_error(schedule->diags, "tail", step_place(info->step, "tail"),
                          "the rest of loop `%s` cannot be rounded up: %s", info->name, text_str(&what));
        diag_hint(schedule->diags, diag, "%s", obstacle->hint);
    }
    rounding->status = rounding->status == STATUS_OK ? STATUS_REFUSED : rounding->status;
    text_free(&what);
}

static void refuse_order(struct rounding *rounding, const struct loop_info *info, const struct statement *statement)
{
    if (rounding->status == STATUS_OK)
        edit_refuse(rounding->schedule, step_place(info->step, "tail"), "tail", "use the tail `guard`",
                    "the rest of loop `%s` cannot be rounded up: its tiles are not one function of the iterations "
                    "of %s",
                    info->name, statement->label);
    rounding->status = STATUS_REFUSED;
}

/* Is loop `part`, of those around the place, one through a tile of the loop info, or of such a one? */
static bool is_within_tile(const struct rounding *rounding, const struct loop_info *info, int part)
{
    const struct loop_info *inner = rounding->loop.at[part]->info;

    if (inner->id == info->id || !inner->outer)
        return false;
    if (inner->outer == info->id || inner->outer == info->outer)
        return true;
    for (int k = 0; k < rounding->loop.n; k++)
        if (rounding->loop.at[k]->info->id == inner->outer)
            return is_within_tile(rounding, info, k);
    return false;
}

/* The loops around the place that do not run through a tile of loop number `outer`. */
static struct path around_tile(const struct rounding *rounding, int outer)
{
    const struct loop_info *info = rounding->loop.at[outer]->info;
    const struct order **loop = ARENA_ARRAY(rounding->schedule->arena, rounding->loop.n, const struct order *);
    struct path path = {loop, 0};

    for (int k = 0; k < rounding->loop.n; k++)
        if (k <= outer || !is_within_tile(rounding, info, k))
            loop[path.depth++] = rounding->loop.at[k];
    return path;
}

/* Are all loops of few among those of many? Both stand in the order of the loops. */
static bool is_part(const struct path *few, const struct path *many)
{
    int found = 0;

    for (int k = 0; k < many->depth && found < few->depth; k++)
        found += many->loop[k] == few->loop[found];
    return found == few->depth;
}

/* Has every loop around a count for all of domain? */
static bool has_counts(const struct rounding *rounding, const struct statement *statement, __isl_keep isl_set *domain)
{
    const struct path path = {rounding->loop.at, rounding->loop.n};
    isl_set *counted = isl_map_domain(poly_graph(path_iteration(&path, statement)));
    const bool has = isl_set_is_subset(domain, counted) == isl_bool_true;

    isl_set_free(counted);
    return has;
}

/* domain with whole tiles of the loops that are asked for. Tiles inside of whole tiles are whole. */
static __isl_give isl_set *rounded(struct rounding *rounding, const struct statement *statement,
                                   __isl_take isl_set *domain)
{
    const int index = statement->index;
    struct path whole = {NULL, 0};

    for (int k = 0; k < rounding->loop.n; k++) {
        struct path path;
        if (rounding->loop.at[k]->info->tail != TAIL_ROUND_UP)
            continue;
        rounding->asked[index] = rounding->loop.at[k]->info;
        path = around_tile(rounding, k);
        if (whole.depth > 0 && is_part(&whole, &path))
            continue;
        domain = whole_tiles_on_strides(whole_tiles_of(&path, statement, domain), rounding->own[index]);
        whole = path;
    }
    return domain;
}

static const struct order *round_leaf(struct rounding *rounding, const struct order *leaf)
{
    const struct statement *statement = leaf->statement;
    const int index = statement->index;
    isl_set *domain = isl_set_copy(leaf->domain), *more;

    if (statement->is_copy)
        return order_leaf(rounding->schedule->arena, statement, domain);
    domain = rounded(rounding, statement, domain);
    more = isl_set_subtract(isl_set_copy(domain), isl_set_copy(rounding->own[index]));
    more = isl_set_subtract(more, isl_set_copy(rounding->extra[index]));
    more = isl_set_intersect_params(more, isl_set_copy(rounding->program->context));
    if (!has_counts(rounding, statement, more))
        refuse_order(rounding, rounding->asked[index], statement);
    rounding->extra[index] = poly_set_coalesce(isl_set_union(rounding->extra[index], isl_set_copy(more)));
    isl_set_free(domain);
    return order_leaf(rounding->schedule->arena, statement,
                      poly_set_coalesce(isl_set_union(isl_set_copy(leaf->domain), more)));
}

static const struct order *round_order(struct rounding *rounding, const struct order *order)
{
    struct arena *arena = rounding->schedule->arena;
    const struct order **child = ARENA_ARRAY(arena, order->n_child + 1, const struct order *);

    if (order->kind == ORDER_LEAF)
        return round_leaf(rounding, order);
    if (order->kind == ORDER_LOOP)
        VEC_PUSH(arena, &rounding->loop, order);
    for (int k = 0; k < order->n_child; k++)
        child[k] = round_order(rounding, order->child[k]);
    rounding->loop.n -= order->kind == ORDER_LOOP;
    return order_with_children(arena, order, child);
}

/* The statements with their new instances. */
static void extend_statements(struct rounding *rounding)
{
    struct arena *arena = rounding->schedule->arena;

    for (int s = 0; s < rounding->program->n_statement; s++) {
        struct statement *statement = rounding->program->statement[s];
        isl_set *extra = rounding->extra[s];
        if (isl_set_is_empty(extra) != isl_bool_false)
            continue;
        statement->domain =
            poly_keep_set(arena,
                          poly_set_coalesce(isl_set_union(isl_set_copy(statement->domain), isl_set_copy(extra))));
        statement_accesses(rounding->program, statement);
    }
}

static bool is_indirect(const struct access *access)
{
    const char *why;

    for (int k = 0; k < access->expr->n_arg; k++)
        if (expr_affine_obstacle(access->expr->arg[k], &why))
            return true;
    return false;
}

/* Do instances in extra update elements that others update, too? */
static bool sums_up(const struct rounding *rounding, const struct statement *statement, const struct access *access,
                    __isl_keep isl_map *map)
{
    const struct array *array = &rounding->schedule->program->array[access->array - rounding->program->array];
    isl_set *both = isl_map_range(isl_map_copy(map));
    bool sums;

    both = isl_set_intersect(both, padding_written(rounding->schedule->program, array));
    sums = access->expr == statement->target && statement->op != OP_NONE && isl_set_is_empty(both) == isl_bool_false;
    isl_set_free(both);
    return sums;
}

static const char *cache_hint(const struct rounding *rounding, const struct statement *statement,
                              const struct access *access, __isl_keep isl_map *map)
{
    const struct array *array = access->array;
    const bool floats = type_is_float(array->type) || type_is_float(statement->value->type);

    if (sums_up(rounding, statement, access, map))
        return floats && !(statement_permit(rounding->program, statement) & PERMIT_REASSOCIATE)
                   ? "it sums up: \"permit\": [\"reassociate\"] and caches of all factors allow it, so that zeros are "
                     "added"
                   : "it sums up: cache the factors around the loop, so that zeros are added, or use another tail";
    return arena_printf(rounding->schedule->arena, "cache `%s` inside of `%s`, or use another tail", array->name,
                        rounding->asked[statement->index]->name);
}

/* An array of the caller: reading what is there anyway does no harm. */
static void check_argument(struct rounding *rounding, const struct statement *statement, const struct access *access,
                           __isl_take isl_map *map)
{
    const bool harmless = !access->write && access->array->role != ROLE_OUT;
    struct obstacle obstacle = {statement, access,
                                map,       access->write ? "write" : "read",
                                "",        cache_hint(rounding, statement, access, map)};

    if (harmless)
        obstacle.map = isl_map_subtract_range(map, isl_set_copy(access->array->elements));
    if (isl_map_is_empty(obstacle.map) == isl_bool_true)
        isl_map_free(obstacle.map);
    else
        refuse(rounding, &obstacle);
}

/* Subscripts in dimension dim from 0 to *last for all parameters; false: not bounded by constants. */
static bool constant_range(__isl_keep isl_map *map, int dim, int64_t *last)
{
    isl_set *elements = isl_map_range(isl_map_copy(map));
    isl_val *least = isl_set_dim_min_val(isl_set_copy(elements), dim), *most = isl_set_dim_max_val(elements, dim);
    const bool natural = isl_val_is_nonneg(least) == isl_bool_true;

    isl_val_free(least);
    return poly_number(most, last) && natural;
}

/* Makes room in a buffer of constant shape. */
static void grow(struct rounding *rounding, struct array *array, __isl_keep isl_map *map)
{
    int64_t last;

    for (int d = array->n_iteration; d < array->n_dim && array->is_buffer; d++)
        if (array->shape[d]->kind == EXPR_INT && constant_range(map, d, &last) && last >= array->shape[d]->integer)
            array->shape[d] = index_constant(rounding->schedule->arena, last + 1);
}

static void check_temporary(struct rounding *rounding, const struct statement *statement, const struct access *access,
                            __isl_take isl_map *map)
{
    const int number = (int)(access->array - rounding->program->array);
    struct array *array = &rounding->program->array[number];
    isl_set *box, **changed = &rounding->changed[number];
    struct obstacle obstacle = {statement,
                                access,
                                NULL,
                                access->write ? "write" : "read",
                                ", beyond the end of it",
                                "let the sizes of the tiles divide one another"};

    grow(rounding, array, map);
    box = array_box(rounding->program, array, array->is_buffer ? array->n_iteration : 0, array->n_dim);
    obstacle.map = isl_map_subtract_range(isl_map_copy(map), box);
    if (isl_map_is_empty(obstacle.map) == isl_bool_true)
        isl_map_free(obstacle.map);
    else
        refuse(rounding, &obstacle);
    array->init_zero = array->init_zero || !access->write;
    if (access->write)
        *changed = *changed ? isl_set_union(*changed, isl_map_range(map)) : isl_map_range(map);
    else
        isl_map_free(map);
}

/* What is written anyway may be added zero to. */
static __isl_give isl_map *unless_unchanged(const struct rounding *rounding, const struct statement *statement,
                                            const struct access *access, __isl_take isl_map *map)
{
    const struct program *before = rounding->schedule->program;
    isl_set *written, *there;

    if (access->expr != statement->target)
        return map;
    written = padding_written(before, &before->array[access->array - rounding->program->array]);
    there = isl_map_domain(isl_map_intersect_range(isl_map_copy(map), isl_set_copy(written)));
    if (padding_adds_zero(rounding->program, statement, there))
        map = isl_map_subtract_range(map, isl_set_copy(written));
    isl_set_free(written);
    isl_set_free(there);
    return map;
}

static void check_access(struct rounding *rounding, const struct statement *statement, const struct access *access)
{
    isl_map *map = isl_map_intersect_domain(isl_map_copy(access->map), isl_set_copy(rounding->extra[statement->index]));

    map = unless_unchanged(rounding, statement, access, map);
    if (isl_map_is_empty(map) == isl_bool_true)
        isl_map_free(map);
    else if (is_indirect(access))
        refuse(rounding, &(struct obstacle){statement, access, map, access->write ? "write" : "read",
                                            ", which depends on data", "use another tail"});
    else if (access->array->role == ROLE_TEMP)
        check_temporary(rounding, statement, access, map);
    else
        check_argument(rounding, statement, access, map);
}

static void check_operations(struct rounding *rounding, const struct statement *statement)
{
    isl_set *extra = rounding->extra[statement->index];
    const struct expr *trap = padding_trap(rounding->program, statement, extra);
    struct text text = {0};

    if (!trap)
        return;
    expr_print(&text, trap, statement->loop_name);
    refuse(rounding, &(struct obstacle){statement, NULL, isl_map_from_domain(isl_set_copy(extra)),
                                        arena_printf(rounding->schedule->arena, "compute `%s`", text_str(&text)),
                                        "of padding, which may trap or overflow", "use another tail"});
    text_free(&text);
}

/* The instances in extra that write what the read needs. */
static void report_reader(struct rounding *rounding, const struct array *array, const struct statement *reader,
                          __isl_take isl_set *needed)
{
    for (int s = 0; s < rounding->program->n_statement && rounding->status == STATUS_OK; s++) {
        const struct statement *statement = rounding->program->statement[s];
        const struct access *write = &statement->access[0];
        isl_map *map;
        if (statement->n_access == 0 || write->array != array || !rounding->asked[s])
            continue;
        map = isl_map_intersect_domain(isl_map_copy(write->map), isl_set_copy(rounding->extra[s]));
        map = isl_map_intersect_range(map, isl_set_copy(needed));
        if (isl_map_is_empty(map) == isl_bool_true) {
            isl_map_free(map);
            continue;
        }
        refuse(rounding, &(struct obstacle){statement, write, map, "change",
                                            arena_printf(rounding->schedule->arena, ", which %s reads", reader->label),
                                            "use another tail"});
    }
    isl_set_free(needed);
}

/* What the superfluous instances write is read by nobody else. */
static void check_readers(struct rounding *rounding)
{
    const struct program *before = rounding->schedule->program;

    for (int s = 0; s < before->n_statement; s++)
        for (int k = 0; k < before->statement[s]->n_access; k++) {
            const struct access *access = &before->statement[s]->access[k];
            const int number = (int)(access->array - before->array);
            isl_set *changed = access->write ? NULL : rounding->changed[number], *needed;
            if (!changed)
                continue;
            needed = isl_set_intersect(isl_map_range(isl_map_copy(access->map)), isl_set_copy(changed));
            if (isl_set_is_empty(needed) == isl_bool_true)
                isl_set_free(needed);
            else
                report_reader(rounding, &rounding->program->array[number], before->statement[s], needed);
        }
}

/* Buffers have the elements that are touched now, too. */
static void extend_elements(struct rounding *rounding)
{
    struct program *program = rounding->program;

    for (int s = 0; s < program->n_statement; s++)
        for (int k = 0; rounding->asked[s] && k < program->statement[s]->n_access; k++) {
            const struct access *access = &program->statement[s]->access[k];
            struct array *array = &program->array[access->array - program->array];
            if (array->role == ROLE_TEMP && array->is_buffer)
                array->elements =
                    poly_keep_set(rounding->schedule->arena,
                                  poly_set_coalesce(isl_set_union(isl_set_copy(array->elements),
                                                                  isl_map_range(isl_map_copy(access->map)))));
        }
}

/* What is read of temporaries besides the targets first: the zeros that there are then tell whether an update changes
 * its target. Then the rest. */
static void check_accesses(struct rounding *rounding, bool rest)
{
    const struct program *program = rounding->program;

    for (int s = 0; s < program->n_statement; s++) {
        const struct statement *statement = program->statement[s];

        if (isl_set_is_empty(rounding->extra[s]) != isl_bool_false)
            continue;
        for (int k = 0; k < statement->n_access && rounding->status == STATUS_OK; k++) {
            const struct access *access = &statement->access[k];
            if ((access->expr == statement->target || access->array->role != ROLE_TEMP) == rest)
                check_access(rounding, statement, access);
        }
    }
}

static void check(struct rounding *rounding)
{
    const struct program *program = rounding->program;

    check_accesses(rounding, false);
    check_accesses(rounding, true);
    if (rounding->status == STATUS_OK)
        check_readers(rounding);
    if (rounding->status == STATUS_OK)
        extend_elements(rounding);
    for (int s = 0; s < program->n_statement && rounding->status == STATUS_OK; s++)
        if (isl_set_is_empty(rounding->extra[s]) == isl_bool_false)
            check_operations(rounding, program->statement[s]);
}

bool round_up_asked(const struct order *order)
{
    bool found = order->kind == ORDER_LOOP && order->info->tail == TAIL_ROUND_UP;

    for (int k = 0; k < order->n_child && !found; k++)
        found = round_up_asked(order->child[k]);
    return found;
}

static void start(struct rounding *rounding)
{
    const struct program *before = rounding->schedule->program;
    struct arena *arena = rounding->schedule->arena;

    rounding->program = program_copy_arrays(arena, before);
    rounding->asked = ARENA_ARRAY(arena, before->n_statement + 1, const struct loop_info *);
    rounding->own = ARENA_ARRAY(arena, before->n_statement + 1, isl_set *);
    rounding->extra = ARENA_ARRAY(arena, before->n_statement + 1, isl_set *);
    rounding->changed = ARENA_ARRAY(arena, before->n_array + 1, isl_set *);
    for (int s = 0; s < before->n_statement; s++) {
        rounding->own[s] = before->statement[s]->domain;
        rounding->extra[s] = isl_set_empty(isl_set_get_space(rounding->own[s]));
    }
}

static void end(struct rounding *rounding)
{
    for (int s = 0; s < rounding->program->n_statement; s++)
        isl_set_free(rounding->extra[s]);
    for (int k = 0; k < rounding->program->n_array; k++)
        isl_set_free(rounding->changed[k]);
}

enum status round_up_tails(struct schedule *schedule)
{
    struct rounding rounding = {.schedule = schedule};
    const struct order *order;

    start(&rounding);
    order = round_order(&rounding, schedule->order);
    extend_statements(&rounding);
    check(&rounding);
    end(&rounding);
    if (rounding.status != STATUS_OK)
        return rounding.status;
    schedule->order = schedule->original = order;
    rounding.status = program_step_replace(schedule, rounding.program);
    return rounding.status == STATUS_OK ? widen_bound(schedule) : rounding.status;
}
