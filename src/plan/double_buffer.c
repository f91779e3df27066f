/* Two buffers in turn: while iteration t of the loop around uses one, the other is filled for iteration t + 1.
 *
 *     for (t ..) { fill(t); use(t) }     becomes     fill(first); for (t ..) { if (not last) fill(t + 1); use(t) }
 *
 * with AA[t mod 2, ..] for AA[..]. The first is right by construction; then the fill statement's times are moved, and
 * every dependence must hold in the new order.
 */
#include "plan/copying.h"

#include "poly/keep.h"
#include "program/index_expr.h"
#include "program/rewrite.h"
#include "sched/program_step.h"
#include "sched/time.h"

#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>

struct rotation {
    struct schedule *schedule;
    const struct statement *fill;
    const struct order *loop; /* around the copies */
    const struct order *copy; /* the loops that fill, below loop */
    int at;                   /* number of the loop among the buffer's subscripts */
    isl_set *first, *rest;    /* instances of fill */
};

static enum status refuse(const struct copies *copies, const char *hint, const char *text)
{
    return edit_refuse(copies->schedule, step_place(copies->buffer->step, "double_buffer"), "cache", hint, "%s", text);
}

/* { AA[.., t, ..] -> AA[.., floor(t / unit) mod 2, ..] } */
static __isl_give isl_map *turns(__isl_take isl_space *buffer, int at, int64_t unit)
{
    isl_local_space *space = isl_local_space_from_space(isl_space_copy(buffer));
    isl_ctx *ctx = isl_space_get_ctx(buffer);
    isl_multi_aff *map = isl_multi_aff_identity(isl_space_map_from_set(buffer));
    isl_aff *turn = isl_aff_var_on_domain(space, isl_dim_set, (unsigned)at);

    turn = isl_aff_floor(isl_aff_scale_down_val(turn, isl_val_int_from_si(ctx, unit)));
    turn = isl_aff_mod_val(turn, isl_val_int_from_si(ctx, 2));
    return isl_map_from_multi_aff(isl_multi_aff_set_aff(map, at, turn));
}

static void use_turns(struct program *program, const struct array *array, struct arena *arena, int at, int64_t unit)
{
    for (int s = 0; s < program->n_statement; s++) {
        struct statement *statement = program->statement[s];
        const struct expr *done = NULL;
        for (int k = 0; k < statement->n_access; k++) {
            struct access *access = &statement->access[k];
            if (access->array != array)
                continue;
            if (access->expr != done)
                access->expr->arg[at] =
                    index_binary(arena, index_binary(arena, access->expr->arg[at], OP_DIV, unit), OP_MOD, 2);
            done = access->expr;
            access->map =
                isl_map_apply_range(isl_map_copy(access->map), turns(isl_set_get_space(array->elements), at, unit));
            poly_keep_map(arena, access->map);
        }
    }
}

/* The loop around the copies becomes a subscript of the buffer that has two values. */
static enum status double_array(struct schedule *schedule, const char *name, int at, int64_t unit)
{
    struct arena *arena = schedule->arena;
    struct program *program = program_copy_arrays(arena, schedule->program);
    struct array *array = &program->array[program_array(schedule->program, name) - schedule->program->array];
    struct expr **shape = ARENA_ARRAY(arena, array->n_dim, struct expr *);

    use_turns(program, array, arena, at, unit);
    for (int k = 0; k < array->n_dim; k++)
        shape[k] = k == at ? index_constant(arena, 2) : array->shape[k];
    array->shape = shape;
    array->n_iteration = at;
    array->rotates = true;
    array->elements = poly_keep_set(arena, isl_set_apply(isl_set_copy(array->elements),
                                                         turns(isl_set_get_space(array->elements), at, unit)));
    return program_step_replace(schedule, program);
}

/* The instances for the first iteration of the loop that fills anything. */
static __isl_give isl_set *first_of(__isl_keep isl_set *domain, int at)
{
    const unsigned n = (unsigned)isl_set_dim(domain, isl_dim_set), n_loop = (unsigned)at + 1;
    isl_set *loops = isl_set_project_out(isl_set_copy(domain), isl_dim_set, n_loop, n - n_loop);
    isl_map *map = isl_map_from_range(isl_set_reset_tuple_id(loops));

    map = isl_map_lexmin(isl_map_move_dims(map, isl_dim_in, 0, isl_dim_out, 0, n_loop - 1));
    loops = isl_set_add_dims(isl_set_flatten(isl_map_wrap(map)), isl_dim_set, n - n_loop);
    loops = isl_set_set_tuple_id(loops, isl_set_get_tuple_id(domain));
    return isl_set_intersect(isl_set_copy(domain), loops);
}

static const struct order *with_domain(struct rotation *rotation, const struct order *order, __isl_keep isl_set *domain)
{
    if (order->kind == ORDER_LEAF)
        return order_leaf(rotation->schedule->arena, order->statement, isl_set_copy(domain));
    return order_loop(rotation->schedule->arena, order->info, isl_union_pw_aff_copy(order->time),
                      with_domain(rotation, order->child[0], domain));
}

/* "fill Bc[kk][jj] from B for the next k" */
static const struct order *with_comment(struct rotation *rotation, const struct order *order)
{
    struct loop_info *info;

    if (order->kind != ORDER_LOOP)
        return order;
    info = edit_copy_info(rotation->schedule, order->info);
    info->comment =
        arena_printf(rotation->schedule->arena, "%s for the next %s", info->comment, rotation->loop->info->name);
    return order_loop(rotation->schedule->arena, info, isl_union_pw_aff_copy(order->time), order->child[0]);
}

static bool is_copy(const struct rotation *rotation, const struct order *node)
{
    return rotation->copy->kind == ORDER_LOOP && node->kind == ORDER_LOOP && node->info->id == rotation->copy->info->id;
}

/* The loop with the copies for its next iteration at the copies' place. */
static const struct order *rotate(void *data, const struct order *node)
{
    struct rotation *rotation = data;
    struct arena *arena = rotation->schedule->arena;
    const struct order *part[2];
    isl_union_pw_aff *time, *own;

    if (node->kind == ORDER_LEAF && node->statement == rotation->fill)
        return with_domain(rotation, node, rotation->rest);
    if (is_copy(rotation, node))
        return with_comment(rotation, node);
    if (node->kind != ORDER_LOOP || node->info->id != rotation->loop->info->id || !order_has(node, rotation->fill))
        return node;
    own = time_of(node->time, rotation->fill);
    time = isl_union_pw_aff_subtract_domain_union_set(isl_union_pw_aff_copy(node->time),
                                                      isl_union_pw_aff_domain(isl_union_pw_aff_copy(own)));
    time = isl_union_pw_aff_union_add(time, time_add_constant(own, -node->info->unit));
    part[0] = with_domain(rotation, rotation->copy, rotation->first);
    part[1] = order_loop(arena, node->info, time, node->child[0]);
    return order_sequence(arena, part, 2);
}

/* Does everything keep its order when the buffer is filled so early? */
static enum status check(const struct copies *copies, const struct order *order)
{
    struct schedule *schedule = copies->schedule;
    isl_schedule *isl = order_to_schedule(order);
    struct violation violation;
    struct text reason = {0};
    const bool violated = legal_find_violation(schedule->arena, schedule_dependences(schedule), isl, &violation);

    isl_schedule_free(isl);
    if (!violated)
        return STATUS_OK;
    violation_print_reason(&reason, schedule->arena, schedule->program, &violation);
    edit_refuse(schedule, step_place(copies->buffer->step, "double_buffer"), "cache", NULL,
                "an iteration needs what the one before it writes, so it cannot be filled while that runs: %s",
                text_str(&reason));
    text_free(&reason);
    return STATUS_REFUSED;
}

static enum status commit(struct schedule *schedule, const struct order *order)
{
    schedule->order = schedule->original = order;
    return program_step_replace(schedule, program_copy_arrays(schedule->arena, schedule->program));
}

enum status copies_double(const struct copies *copies)
{
    struct schedule *schedule = copies->schedule;
    struct rotation rotation = {.schedule = schedule, .at = copies_depth(copies) - 1};
    struct path path;
    const struct order *order;
    enum status status;

    if (rotation.at < 0)
        return refuse(copies, NULL, "there is no loop around, whose next iteration could be filled");
    if (!copies->fill)
        return refuse(copies, NULL, "nothing is filled: all elements are written before they are read");
    status = double_array(schedule, copies->name, rotation.at, copies->buffer->path.loop[rotation.at]->info->unit);
    if (status != STATUS_OK)
        return status;
    rotation.fill = program_statement(schedule->program, copies->fill->label);
    path_find(schedule->arena, schedule->order, order_leaf_of(schedule->order, rotation.fill), &path);
    rotation.loop = path.loop[rotation.at];
    rotation.copy =
        path.depth > rotation.at + 1 ? path.loop[rotation.at + 1] : order_leaf_of(schedule->order, rotation.fill);
    rotation.first = first_of(rotation.fill->domain, rotation.at);
    rotation.rest = isl_set_subtract(isl_set_copy(rotation.fill->domain), isl_set_copy(rotation.first));
    order = order_rewrite(schedule->arena, schedule->order, rotate, &rotation);
    isl_set_free(rotation.first);
    isl_set_free(rotation.rest);
    status = check(copies, order);
    return status == STATUS_OK ? commit(schedule, order) : status;
}
