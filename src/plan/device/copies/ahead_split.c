#include "plan/device/copies/ahead.h"

#include "base/vec.h"
#include "caps/gpu.h"
#include "plan/device/copies/dealing.h"
#include "plan/device/kernels.h"
#include "plan/loop_plan.h"
#include "poly/keep.h"
#include "poly/number.h"
#include "program/expr/index_expr.h"
#include "program/rewrite.h"
#include "sched/edit.h"

#include <isl/id.h>
#include <isl/ilp.h>
#include <isl/space.h>
#include <isl/val.h>

#include <string.h>

enum { LOAD, STORE };

/* A copy by way of registers. */
struct transfer {
    const struct order *copy; /* its outermost loop */
    const struct order *leaf;
    const struct order *around; /* the loop for whose next iteration it is */
    int *outside;               /* the identities of that and of those around it, n_outside of them */
    int n_outside;
    int64_t threads;             /* of a block that share in it */
    const char *name;            /* of the array in registers */
    VEC(isl_pw_aff *) subscript; /* of that, without the one along neighbours; { S[..] -> [..] } */
    VEC(int64_t) extent;
    struct statement *statement[2]; /* LOAD, STORE */
};

struct splitting {
    struct schedule *schedule;
    struct arena *arena;
    const struct gpu *gpu;
    struct program *program;          /* a copy, which gets more arrays and statements */
    VEC(const struct order *) around; /* the loops around the place at hand */
    VEC(struct transfer) list;
};

static enum axis axis_of(const struct order *loop)
{
    return loop->info->plan ? loop->info->plan->axis : AXIS_NONE;
}

/* Do only those along x of a block's threads share in a copy? */
static bool is_along_x(const struct order *copy)
{
    for (; copy->kind == ORDER_LOOP; copy = copy->child[0])
        if (axis_of(copy) != AXIS_NONE && copy->info->plan->copies == RUN_OWN)
            return true;
    return false;
}

static void collect(struct splitting *splitting, const struct order *order, const int64_t threads[3])
{
    struct transfer transfer = {.copy = order, .leaf = order};

    if (order_is_ahead(order)) {
        transfer.threads = is_along_x(order) ? threads[0] : threads[0] * threads[1] * threads[2];
        while (transfer.leaf->kind == ORDER_LOOP)
            transfer.leaf = transfer.leaf->child[0];
        transfer.around = splitting->around.at[splitting->around.n - 1];
        transfer.n_outside = splitting->around.n;
        transfer.outside = ARENA_ARRAY(splitting->arena, splitting->around.n, int);
        for (int k = 0; k < splitting->around.n; k++)
            transfer.outside[k] = splitting->around.at[k]->info->id;
        VEC_PUSH(splitting->arena, &splitting->list, transfer);
        return;
    }
    if (order->kind == ORDER_LOOP)
        VEC_PUSH(splitting->arena, &splitting->around, order);
    for (int k = 0; k < order->n_child; k++)
        collect(splitting, order->child[k], threads);
    splitting->around.n -= order->kind == ORDER_LOOP;
}

static void collect_all(struct splitting *splitting, const struct order *order)
{
    const struct kernels kernels = kernels_of(splitting->arena, order);

    for (int k = 0; k < kernels.n; k++) {
        int64_t threads[3] = {1, 1, 1};
        kernel_threads(kernels.list[k], threads);
        collect(splitting, kernels.list[k], threads);
    }
}

/* The counts of a loop of the copy: { S[..] -> [count] }. */
static __isl_give isl_pw_aff *count_of(const struct transfer *transfer, const struct order *loop)
{
    isl_union_pw_aff *time = time_of(loop->time, transfer->leaf->statement);
    isl_space *space = isl_space_from_domain(isl_set_get_space(transfer->leaf->domain));
    isl_pw_aff *count = isl_union_pw_aff_extract_pw_aff(time, isl_space_add_dims(space, isl_dim_out, 1));

    isl_union_pw_aff_free(time);
    return count;
}

/* How many values from 0 on there are; 0: that is not known. */
static int64_t extent_of(const struct transfer *transfer, __isl_keep isl_pw_aff *count)
{
    isl_map *map =
        isl_map_intersect_domain(isl_map_from_pw_aff(isl_pw_aff_copy(count)), isl_set_copy(transfer->leaf->domain));
    int64_t most;

    return poly_number(isl_set_dim_max_val(isl_map_range(map), 0), &most) && most < INT64_MAX ? most + 1 : 0;
}

static int64_t bytes_of(const struct array *array)
{
    const int bits = type_bits(array->type);

    return bits < 8 ? 1 : bits / 8;
}

static bool add_subscript(const struct splitting *splitting, struct transfer *transfer, __isl_take isl_pw_aff *count)
{
    const int64_t extent = extent_of(transfer, count);

    if (extent <= 1) {
        isl_pw_aff_free(count);
        return extent == 1;
    }
    VEC_PUSH(splitting->arena, &transfer->subscript, count);
    VEC_PUSH(splitting->arena, &transfer->extent, extent);
    return true;
}

static __isl_give isl_pw_aff *scaled(__isl_take isl_pw_aff *aff, int64_t factor)
{
    isl_val *value = isl_val_int_from_si(isl_pw_aff_get_ctx(aff), (long)factor);

    return isl_pw_aff_scale_val(aff, value);
}

/* How often a thread has gone on in a loop whose iterations are dealt out. */
static __isl_give isl_pw_aff *rounds_of(const struct transfer *transfer, const struct order *loop)
{
    isl_val *threads = isl_val_int_from_si(isl_set_get_ctx(transfer->leaf->domain), (long)loop->info->plan->dealt);

    return isl_pw_aff_floor(isl_pw_aff_scale_down_val(count_of(transfer, loop), threads));
}

/* Which of a thread's iterations has that number, among all that threads go round as one or have rows of. */
static __isl_give isl_pw_aff *round_of(const struct transfer *transfer, __isl_take isl_pw_aff *number, int64_t in_a_row)
{
    isl_ctx *ctx = isl_pw_aff_get_ctx(number);

    if (in_a_row)
        return isl_pw_aff_mod_val(number, isl_val_int_from_si(ctx, (long)in_a_row));
    return isl_pw_aff_floor(isl_pw_aff_scale_down_val(number, isl_val_int_from_si(ctx, (long)transfer->threads)));
}

/* What a thread copies one after the other: the iterations of loops that are its own, or how often it goes round
 * those of all. False where their number is not known. */
static bool find_subscripts(const struct splitting *splitting, struct transfer *transfer)
{
    isl_pw_aff *number = NULL;
    int64_t in_a_row = 0;
    bool known = true;

    for (const struct order *loop = transfer->copy; loop->kind == ORDER_LOOP && known; loop = loop->child[0]) {
        isl_pw_aff *count =
            axis_of(loop) == AXIS_NONE || axis_of(loop) == AXIS_THREAD ? count_of(transfer, loop) : NULL;
        if (axis_of(loop) == AXIS_NONE) {
            known = add_subscript(splitting, transfer, count);
        } else if (is_dealt(loop->info)) {
            known = add_subscript(splitting, transfer, rounds_of(transfer, loop));
            isl_pw_aff_free(count);
        } else if (axis_of(loop) == AXIS_THREAD) {
            count = scaled(count, loop->info->plan->weight);
            number = number ? isl_pw_aff_add(number, count) : count;
            in_a_row = loop->info->plan->in_a_row ? loop->info->plan->rounds : 0;
        }
    }
    if (!number || !known) {
        isl_pw_aff_free(number);
        return known;
    }
    return add_subscript(splitting, transfer, round_of(transfer, number, in_a_row));
}

static int64_t neighbours_of(const struct transfer *transfer)
{
    return transfer->leaf->statement->neighbours ? transfer->leaf->statement->neighbours : 1;
}

/* Do the elements that a thread has in between fit its registers? */
static enum status check_size(const struct splitting *splitting, const struct transfer *transfer)
{
    const struct array *array = transfer->leaf->statement->access[1].array;
    const struct step *step = transfer->copy->info->step;
    const char *hint = "cache less, or bind the loops to more threads";
    int64_t words = neighbours_of(transfer) * (bytes_of(array) > 4 ? 2 : 1);

    for (int k = 0; k < transfer->extent.n; k++)
        if (__builtin_mul_overflow(words, transfer->extent.at[k], &words))
            words = INT64_MAX;
    if (words <= splitting->gpu->registers)
        return STATUS_OK;
    return edit_refuse(splitting->schedule, step_place(step, "through"), "cache", hint,
                       "what a thread copies to `%s` takes more than the %d registers that it has",
                       transfer->leaf->statement->copies, (int)splitting->gpu->registers);
}

static enum status measure(const struct splitting *splitting, struct transfer *transfer)
{
    const char *hint = transfer->threads > 0 ? "cache a part of literal size, or assume that the extents are small"
                                             : "bind loops of literal extents to threads";

    if (transfer->threads > 0 && find_subscripts(splitting, transfer))
        return check_size(splitting, transfer);
    return edit_refuse(splitting->schedule, step_place(transfer->copy->info->step, "through"), "cache", hint,
                       "how many elements of `%s` a thread copies is not known", transfer->leaf->statement->copies);
}

static const char *array_name(const struct splitting *splitting, const struct transfer *transfer)
{
    const char *base = arena_printf(splitting->arena, "%s_next", transfer->leaf->statement->copies), *name = base;

    for (int k = 2; name_is_reserved(name) || program_array(splitting->program, name) ||
                    program_scalar(splitting->program, name) || program_param(splitting->program, name);
         k++)
        name = arena_printf(splitting->arena, "%s_%d", base, k);
    return name;
}

/* { S[..] -> next[r, .., l] }: all neighbours l. */
static isl_map *register_map(const struct splitting *splitting, const struct transfer *transfer)
{
    isl_map *map = isl_map_from_domain(isl_set_copy(transfer->leaf->domain));
    const bool wide = neighbours_of(transfer) > 1;

    for (int k = 0; k < transfer->subscript.n; k++)
        map = isl_map_flat_range_product(map, isl_map_from_pw_aff(isl_pw_aff_copy(transfer->subscript.at[k])));
    if (wide) {
        const unsigned at = (unsigned)transfer->subscript.n;
        map = isl_map_add_dims(map, isl_dim_out, 1);
        map = isl_map_lower_bound_si(map, isl_dim_out, at, 0);
        map = isl_map_upper_bound_si(map, isl_dim_out, at, (int)neighbours_of(transfer) - 1);
    }
    return poly_keep_map(splitting->arena, isl_map_set_tuple_name(map, isl_dim_out, transfer->name));
}

/* The array in registers, last of the program's. */
static void add_array(struct splitting *splitting, struct transfer *transfer)
{
    struct arena *arena = splitting->arena;
    struct array *array;

    splitting->program = program_copy_arrays(arena, splitting->program);
    transfer->name = array_name(splitting, transfer);
    array = program_add_array(arena, splitting->program);
    if (neighbours_of(transfer) > 1)
        VEC_PUSH(arena, &transfer->extent, neighbours_of(transfer));
    *array = (struct array){.name = transfer->name,
                            .place = transfer->leaf->statement->place,
                            .role = ROLE_TEMP,
                            .type = transfer->leaf->statement->access[1].array->type,
                            .n_dim = transfer->extent.n,
                            .shape = ARENA_ARRAY(arena, transfer->extent.n + 1, struct expr *),
                            .memory = MEMORY_LOCAL,
                            .is_buffer = neighbours_of(transfer) == 1,
                            .rotates = true,
                            .within = transfer->outside,
                            .n_within = transfer->n_outside};
    for (int k = 0; k < array->n_dim; k++)
        array->shape[k] = index_constant(arena, transfer->extent.at[k]);
    if (neighbours_of(transfer) > 1)
        array->align = neighbours_of(transfer) * bytes_of(array);
    array->elements = poly_keep_set(arena, isl_map_range(isl_map_copy(register_map(splitting, transfer))));
}

/* The access to the array in registers; NULL: a subscript has no single expression. */
static struct expr *register_expr(const struct splitting *splitting, const struct transfer *transfer,
                                  const struct array *array)
{
    struct expr *expr = ARENA_NEW(splitting->arena, struct expr);

    *expr = (struct expr){.kind = EXPR_ACCESS,
                          .place = transfer->leaf->statement->place,
                          .type = array->type,
                          .array = array,
                          .arg = ARENA_ARRAY(splitting->arena, array->n_dim + 1, struct expr *),
                          .n_arg = array->n_dim};
    for (int k = 0; k < array->n_dim; k++) {
        expr->arg[k] = k < transfer->subscript.n ? index_expr_of(splitting->arena, splitting->program,
                                                                 isl_pw_aff_copy(transfer->subscript.at[k]))
                                                 : index_constant(splitting->arena, 0);
        if (!expr->arg[k])
            return NULL;
    }
    return expr;
}

static struct access renamed(const struct splitting *splitting, const struct access *access, const char *label,
                             __isl_keep isl_set *domain)
{
    struct access result = *access;
    isl_map *map = isl_map_intersect_domain(isl_map_copy(access->map), isl_set_copy(domain));

    result.map = poly_keep_map(splitting->arena, isl_map_set_tuple_name(map, isl_dim_in, label));
    return result;
}

/* Half of the copy, behind the statements of the program. */
static struct statement *add_half(struct splitting *splitting, const struct transfer *transfer, int half,
                                  struct expr *expr)
{
    struct arena *arena = splitting->arena;
    struct program *program = splitting->program;
    const struct statement *copy = program->statement[transfer->leaf->statement->index];
    struct statement *statement = ARENA_NEW(arena, struct statement);
    struct rewriting rewriting = {.arena = arena, .from = program->array, .to = program->array};
    const struct access between = {expr->array, expr, register_map(splitting, transfer), half == LOAD, false};

    *statement = *copy;
    statement->index = program->n_statement;
    statement->label = arena_printf(arena, "%s_%s", transfer->name, half == LOAD ? "load" : "store");
    statement->access = ARENA_ARRAY(arena, 2, struct access);
    statement->access[half == LOAD ? 0 : 1] = renamed(splitting, &between, statement->label, transfer->leaf->domain);
    statement->access[half == LOAD ? 1 : 0] =
        renamed(splitting, &copy->access[half == LOAD ? 1 : 0], statement->label, transfer->leaf->domain);
    statement->apart[half == LOAD ? 0 : 1] = 0;
    rewriting_add(&rewriting, copy->access[1].expr, expr);
    statement->target = half == LOAD ? expr : copy->target;
    statement->value =
        half == LOAD ? (struct expr *)(uintptr_t)copy->access[1].expr : rewriting_apply(&rewriting, copy->value);
    statement->domain =
        poly_keep_set(arena, isl_set_set_tuple_name(isl_set_copy(transfer->leaf->domain), statement->label));
    program->statement[program->n_statement++] = statement;
    return statement;
}

/* What is left of the copy itself. */
static void shorten(const struct splitting *splitting, const struct transfer *transfer)
{
    struct statement *copy = splitting->program->statement[transfer->leaf->statement->index];
    struct access *access = ARENA_ARRAY(splitting->arena, copy->n_access, struct access);
    isl_set *left = isl_set_subtract(isl_set_copy(copy->domain), isl_set_copy(transfer->leaf->domain));

    copy->domain = poly_keep_set(splitting->arena, left);
    for (int k = 0; k < copy->n_access; k++)
        access[k] = renamed(splitting, &copy->access[k], copy->label, left);
    copy->access = access;
}

static void make_room(struct splitting *splitting)
{
    struct program *program = splitting->program;
    struct statement **longer =
        ARENA_ARRAY(splitting->arena, program->n_statement + 2 * splitting->list.n + 1, struct statement *);

    memcpy(longer, program->statement, (size_t)program->n_statement * sizeof(*longer));
    program->statement = longer;
}

static enum status add_halves(struct splitting *splitting, struct transfer *transfer)
{
    const struct array *array = program_array(splitting->program, transfer->name);

    for (int half = LOAD; half <= STORE; half++) {
        struct expr *expr = register_expr(splitting, transfer, array);
        if (!expr)
            return edit_refuse(splitting->schedule, step_place(transfer->copy->info->step, "through"), "cache", NULL,
                               "which elements of `%s` a thread copies has no single expression",
                               transfer->leaf->statement->copies);
        transfer->statement[half] = add_half(splitting, transfer, half, expr);
    }
    shorten(splitting, transfer);
    return STATUS_OK;
}

/* The part of time that is the copy's, for the half of it. */
static __isl_give isl_union_pw_aff *time_of_half(const struct transfer *transfer, const struct order *loop, int half)
{
    isl_id *id = isl_set_get_tuple_id(transfer->statement[half]->domain);

    return isl_union_pw_aff_from_pw_aff(isl_pw_aff_set_tuple_id(count_of(transfer, loop), isl_dim_in, id));
}

/* A loop of the half, its iterations literals where they are a thread's own. */
static const struct loop_info *info_of_half(const struct splitting *splitting, const struct transfer *transfer,
                                            const struct order *loop, int half)
{
    struct loop_info *info = edit_copy_info(splitting->schedule, loop->info);
    struct loop_plan *plan = ARENA_NEW(splitting->arena, struct loop_plan);
    const char *end = info->comment ? strstr(info->comment, " from ") : NULL;

    if (axis_of(loop) == AXIS_NONE) {
        *plan = loop_plan_of(info);
        plan->unroll = UNROLL_LITERAL;
        info->plan = plan;
    }
    if (loop == transfer->copy && half == LOAD)
        info->comment = arena_printf(splitting->arena, "fill %s%s", transfer->name, end ? end : "");
    else if (loop == transfer->copy && end)
        info->comment =
            arena_printf(splitting->arena, "%.*s from %s", (int)(end - info->comment), info->comment, transfer->name);
    return info;
}

static const struct order *order_of_half(const struct splitting *splitting, const struct transfer *transfer,
                                         const struct order *order, int half)
{
    isl_set *domain;

    if (order->kind == ORDER_LOOP)
        return order_loop(splitting->arena, info_of_half(splitting, transfer, order, half),
                          time_of_half(transfer, order, half),
                          order_of_half(splitting, transfer, order->child[0], half));
    domain = isl_set_copy(transfer->statement[half]->domain);
    return order_leaf(splitting->arena, transfer->statement[half], domain);
}

static const struct transfer *transfer_of(const struct splitting *splitting, const struct order *copy)
{
    for (int k = 0; k < splitting->list.n; k++)
        if (splitting->list.at[k].copy == copy)
            return &splitting->list.at[k];
    return NULL;
}

/* Is node order, or below it? */
static bool holds(const struct order *order, const struct order *node)
{
    for (int k = 0; k < order->n_child; k++)
        if (holds(order->child[k], node))
            return true;
    return order == node;
}

static const struct order *rewrite(const struct splitting *splitting, const struct order *order);

/* The loop with the copies' halves: loads in front of everything else, stores where the copies are. */
static const struct order *rewrite_loop(const struct splitting *splitting, const struct order *loop)
{
    struct arena *arena = splitting->arena;
    const struct order **part = ARENA_ARRAY(arena, splitting->list.n + 1, const struct order *);
    isl_union_pw_aff *time = isl_union_pw_aff_copy(loop->time);
    int n = 0;

    for (int k = 0; k < splitting->list.n; k++) {
        const struct transfer *transfer = &splitting->list.at[k];
        if (transfer->around == loop)
            part[n++] = order_of_half(splitting, transfer, transfer->copy, LOAD);
        for (int half = LOAD; half <= STORE && holds(loop, transfer->copy); half++)
            time = isl_union_pw_aff_union_add(time, time_of_half(transfer, loop, half));
    }
    part[n++] = rewrite(splitting, loop->child[0]);
    return order_loop(arena, loop->info, time, order_sequence(arena, part, n));
}

static const struct order *rewrite(const struct splitting *splitting, const struct order *order)
{
    const struct transfer *transfer = order_is_ahead(order) ? transfer_of(splitting, order) : NULL;
    const struct order **child;

    if (transfer)
        return order_of_half(splitting, transfer, order, STORE);
    if (order->kind == ORDER_LEAF)
        return order_leaf(splitting->arena, splitting->program->statement[order->statement->index],
                          isl_set_copy(order->domain));
    if (order->kind == ORDER_LOOP)
        return rewrite_loop(splitting, order);
    child = ARENA_ARRAY(splitting->arena, order->n_child, const struct order *);
    for (int k = 0; k < order->n_child; k++)
        child[k] = rewrite(splitting, order->child[k]);
    return order_sequence(splitting->arena, child, order->n_child);
}

static void release(struct splitting *splitting)
{
    for (int k = 0; k < splitting->list.n; k++)
        for (int s = 0; s < splitting->list.at[k].subscript.n; s++)
            isl_pw_aff_free(splitting->list.at[k].subscript.at[s]);
}

enum status ahead_split(struct schedule *schedule, const struct program **program, const struct order **order)
{
    struct splitting splitting = {.schedule = schedule,
                                  .arena = schedule->arena,
                                  .gpu = gpu_by_language((*program)->target.language)};
    enum status status = STATUS_OK;

    if (splitting.gpu)
        collect_all(&splitting, *order);
    if (splitting.list.n == 0)
        return STATUS_OK;
    splitting.program = program_copy_arrays(splitting.arena, *program);
    for (int k = 0; k < splitting.list.n && status == STATUS_OK; k++) {
        status = measure(&splitting, &splitting.list.at[k]);
        if (status == STATUS_OK)
            add_array(&splitting, &splitting.list.at[k]);
    }
    make_room(&splitting);
    for (int k = 0; k < splitting.list.n && status == STATUS_OK; k++)
        status = add_halves(&splitting, &splitting.list.at[k]);
    if (status == STATUS_OK) {
        *order = rewrite(&splitting, *order);
        *program = splitting.program;
    }
    release(&splitting);
    return status;
}
