/* Buffers that are filled ahead, n in turn: while iteration t of the loop around uses one, another one is filled for
 * iteration t + n - 1.
 *
 *     for (t ..) { fill(t); use(t) }     becomes     fill(the first n - 1)
 *                                                    for (t ..) { if (t + n - 1 is one) fill(t + n - 1); use(t) }
 *
 * with AA[t mod n, ..] for AA[..]. By way of registers (ahead.h), into two buffers or one, the fill comes last:
 *
 *     fill(first); for (t ..) { use(t); if (not last) fill(t + 1) }
 *
 * The first is right by construction; then the fill statement's times are moved, and every dependence must hold in the
 * new order.
 */
#include "plan/device/copies/ahead.h"
#include "caps/gpu.h"
#include "plan/device/conflict.h"
#include "plan/cache/copying.h"
#include "plan/loop_plan.h"

#include "poly/keep.h"
#include "program/expr/index_expr.h"
#include "program/rewrite.h"
#include "sched/program_step.h"
#include "sched/time.h"

#include <isl/id.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>

struct rotation {
    struct schedule *schedule;
    const struct statement *fill;
    const struct order *loop; /* around the copies */
    const struct order *copy; /* the loops that fill, below loop */
    int at;                   /* number of the loop among the buffer's subscripts */
    int ahead;                /* how many iterations ahead buffers are filled */
    int64_t distance;         /* the same in counts of the loop: ahead * unit */
    bool late;                /* the copies come last in an iteration */
    isl_set *first, *rest;    /* instances of fill */
};

/* The subscript of a buffer that is the iteration of the loop. */
struct turn {
    int at;
    int64_t unit;
    int n; /* buffers in turn; 1: no subscript is left */
};

static struct place place_of(const struct copies *copies)
{
    const struct step *step = copies->buffer->step;

    return step_place(step, copies->buffer->options.through ? "through"
                            : step_value(step, "buffers")   ? "buffers"
                                                            : "double_buffer");
}

static enum status refuse(const struct copies *copies, const char *hint, const char *text)
{
    return edit_refuse(copies->schedule, place_of(copies), "cache", hint, "%s", text);
}

/* { AA[.., t, ..] -> AA[.., floor(t / unit) mod 2, ..] }, or to AA[.., ..] */
static __isl_give isl_map *turns(__isl_take isl_space *buffer, struct turn turned)
{
    const unsigned at = (unsigned)turned.at;
    isl_local_space *space = isl_local_space_from_space(isl_space_copy(buffer));
    isl_ctx *ctx = isl_space_get_ctx(buffer);
    isl_multi_aff *map = isl_multi_aff_identity(isl_space_map_from_set(buffer));
    isl_aff *turn = isl_aff_var_on_domain(space, isl_dim_set, at);

    turn = isl_aff_floor(isl_aff_scale_down_val(turn, isl_val_int_from_si(ctx, turned.unit)));
    turn = isl_aff_mod_val(turn, isl_val_int_from_si(ctx, turned.n));
    map = isl_multi_aff_set_aff(map, turned.at, turn);
    if (turned.n == 1) {
        isl_id *array = isl_multi_aff_get_tuple_id(map, isl_dim_in);
        map = isl_multi_aff_set_tuple_id(isl_multi_aff_drop_dims(map, isl_dim_out, at, 1), isl_dim_out, array);
    }
    return isl_map_from_multi_aff(map);
}

/* The turn in the place of the iteration. */
static void turn_subscript(struct arena *arena, struct expr *access, struct turn turn)
{
    if (turn.n > 1) {
        access->arg[turn.at] =
            index_binary(arena, index_binary(arena, access->arg[turn.at], OP_DIV, turn.unit), OP_MOD, turn.n);
        return;
    }
    access->n_arg--;
    for (int k = turn.at; k < access->n_arg; k++)
        access->arg[k] = access->arg[k + 1];
}

static void use_turns(struct program *program, const struct array *array, struct arena *arena, struct turn turn)
{
    for (int s = 0; s < program->n_statement; s++) {
        struct statement *statement = program->statement[s];
        const struct expr *done = NULL;
        for (int k = 0; k < statement->n_access; k++) {
            struct access *access = &statement->access[k];
            if (access->array != array)
                continue;
            if (access->expr != done)
                turn_subscript(arena, (struct expr *)(uintptr_t)access->expr, turn);
            done = access->expr;
            access->map =
                isl_map_apply_range(isl_map_copy(access->map), turns(isl_set_get_space(array->elements), turn));
            poly_keep_map(arena, access->map);
        }
    }
}

/* The array with as many elements for that subscript as there are buffers. */
static void turn_shape(struct arena *arena, struct array *array, struct turn turn)
{
    struct expr **shape = ARENA_ARRAY(arena, array->n_dim, struct expr *);
    bool *fine = ARENA_ARRAY(arena, array->n_dim, bool);
    int n = 0;

    for (int k = 0; k < array->n_dim; k++)
        if (k != turn.at || turn.n > 1) {
            fine[n] = array->is_fine[k];
            shape[n++] = k == turn.at ? index_constant(arena, turn.n) : array->shape[k];
        }
    array->n_dim = n;
    array->shape = shape;
    array->is_fine = fine;
}

/* The loop around the copies becomes a subscript of the buffer, with as many values as there are buffers, or none. */
static enum status turn_array(struct schedule *schedule, const char *name, struct turn turn)
{
    struct arena *arena = schedule->arena;
    struct program *program = program_copy_arrays(arena, schedule->program);
    struct array *array = &program->array[program_array(schedule->program, name) - schedule->program->array];

    use_turns(program, array, arena, turn);
    turn_shape(arena, array, turn);
    array->n_iteration = turn.at;
    array->rotates = true;
    array->elements = poly_keep_set(arena, isl_set_apply(isl_set_copy(array->elements),
                                                         turns(isl_set_get_space(array->elements), turn)));
    return program_step_replace(schedule, program);
}

/* The instances for the first iteration of the loop that fills anything, and for those less than `distance` counts
 * after it. */
static __isl_give isl_set *first_of(__isl_keep isl_set *domain, int at, int64_t distance)
{
    const unsigned n = (unsigned)isl_set_dim(domain, isl_dim_set), n_loop = (unsigned)at + 1;
    isl_set *loops = isl_set_project_out(isl_set_copy(domain), isl_dim_set, n_loop, n - n_loop);
    isl_map *map = isl_map_from_range(isl_set_reset_tuple_id(loops));

    map = isl_map_lexmin(isl_map_move_dims(map, isl_dim_in, 0, isl_dim_out, 0, n_loop - 1));
    map = isl_map_apply_range(map, time_apart(isl_space_range(isl_map_get_space(map)), 0, distance - 1));
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

/* "fill Bc[kk][jj] from B for the next k", or "2 iterations of k ahead" */
static const struct order *with_comment(struct rotation *rotation, const struct order *order)
{
    struct arena *arena = rotation->schedule->arena;
    const char *loop = rotation->loop->info->name;
    struct loop_info *info;

    if (order->kind != ORDER_LOOP)
        return order;
    info = edit_copy_info(rotation->schedule, order->info);
    info->comment = rotation->ahead > 1
                        ? arena_printf(arena, "%s, %d iterations of %s ahead", info->comment, rotation->ahead, loop)
                        : arena_printf(arena, "%s for the next %s", info->comment, loop);
    info->ahead = rotation->late;
    return order_loop(arena, info, isl_union_pw_aff_copy(order->time), order->child[0]);
}

/* What fills for the first iterations: the copies, in a loop of their own where these are several. */
static const struct order *filled_first(struct rotation *rotation, __isl_take isl_union_pw_aff *time)
{
    const struct order *copy = with_domain(rotation, rotation->copy, rotation->first);
    const struct loop_info *around = rotation->loop->info;
    const struct loop_info like = {.stride = around->stride, .unit = around->unit};

    if (rotation->ahead > 1)
        return order_loop(rotation->schedule->arena,
                          edit_new_info(rotation->schedule, &like, around->name, around->step), time, copy);
    isl_union_pw_aff_free(time);
    return copy;
}

/* The body of the loop with the copies behind everything else. */
static const struct order *with_copy_last(const struct rotation *rotation, const struct order *body)
{
    struct arena *arena = rotation->schedule->arena;
    const struct order *part[2] = {NULL, order_find(body, rotation->copy->info->id)};

    part[0] = order_without(arena, body, order_leaf_of(body, rotation->fill));
    return order_sequence(arena, part, 2);
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
    time = isl_union_pw_aff_union_add(time, time_add_constant(isl_union_pw_aff_copy(own), -rotation->distance));
    part[0] = filled_first(rotation, own);
    part[1] =
        order_loop(arena, node->info, time, rotation->late ? with_copy_last(rotation, node->child[0]) : node->child[0]);
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
    edit_refuse(schedule, place_of(copies), "cache", NULL,
                "an iteration needs what %s before it writes, so it cannot be filled while that runs: %s",
                copies->buffer->options.buffers > 2 ? "one" : "the one", text_str(&reason));
    text_free(&reason);
    return STATUS_REFUSED;
}

static enum status commit(struct schedule *schedule, const struct order *order)
{
    schedule->order = schedule->original = order;
    return program_step_replace(schedule, program_copy_arrays(schedule->arena, schedule->program));
}

/* The loop whose next iteration is to be filled; NULL after refusing. */
static const struct order *loop_ahead(const struct copies *copies)
{
    const int depth = copies_depth(copies);
    const struct order *loop = depth > 0 ? copies->buffer->path.loop[depth - 1] : NULL;

    if (!loop)
        refuse(copies, NULL, "there is no loop around, whose next iteration could be filled");
    else if (loop_is_bound(loop))
        edit_refuse(copies->schedule, place_of(copies), "cache", "cache \"at\" a loop further in",
                    "`%s`, whose next iteration would be filled, is bound to %s: its iterations run at once",
                    loop->info->name, axis_name(loop->info->plan->axis));
    return loop && !loop_is_bound(loop) ? loop : NULL;
}

enum status copies_ahead(const struct copies *copies)
{
    struct schedule *schedule = copies->schedule;
    const struct buffer_options *options = &copies->buffer->options;
    struct rotation rotation = {.schedule = schedule,
                                .at = copies_depth(copies) - 1,
                                .ahead = options->buffers > 1 ? options->buffers - 1 : 1,
                                .late = options->through};
    struct path path;
    const struct order *order;
    enum status status;

    order = loop_ahead(copies);
    if (!order)
        return STATUS_REFUSED;
    rotation.distance = rotation.ahead * order->info->unit;
    if (!copies->fill)
        return refuse(copies, NULL, "nothing is filled: all elements are written before they are read");
    if (options->through && copies->buffer->n_digit == 0)
        return refuse(copies, "leave \"through\" out", "one element alone is copied by one thread");
    status = turn_array(schedule, copies->name, (struct turn){rotation.at, order->info->unit, options->buffers});
    if (status != STATUS_OK)
        return status;
    rotation.fill = program_statement(schedule->program, copies->fill->label);
    path_find(schedule->arena, schedule->order, order_leaf_of(schedule->order, rotation.fill), &path);
    rotation.loop = path.loop[rotation.at];
    rotation.copy =
        path.depth > rotation.at + 1 ? path.loop[rotation.at + 1] : order_leaf_of(schedule->order, rotation.fill);
    rotation.first = first_of(rotation.fill->domain, rotation.at, rotation.distance);
    rotation.rest = isl_set_subtract(isl_set_copy(rotation.fill->domain), isl_set_copy(rotation.first));
    order = order_rewrite(schedule->arena, schedule->order, rotate, &rotation);
    isl_set_free(rotation.first);
    isl_set_free(rotation.rest);
    status = check(copies, order);
    if (status == STATUS_OK)
        status = ahead_check(schedule, order);
    return status == STATUS_OK ? commit(schedule, order) : status;
}
