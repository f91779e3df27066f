#include "plan/storage/device.h"

#include "caps/gpu.h"
#include "dep/apart.h"
#include "dep/initialise.h"
#include "plan/device/conflict.h"
#include "plan/device/copies/run_copies.h"
#include "plan/device/kernels.h"
#include "plan/device/shared_bytes.h"
#include "plan/loop_plan.h"
#include "program/accesses.h"
#include "program/rewrite.h"
#include "sched/edit.h"

#include <isl/space.h>

#include <inttypes.h>
#include <string.h>

/* Bytes that cudaMallocAsync and hipMallocAsync align to. */
enum { GLOBAL_ALIGN = 256 };

struct placing {
    struct schedule *schedule;
    const struct gpu *gpu;
    struct program *program; /* the copy whose arrays get memories */
    const struct order *order;
    struct kernels kernels;
    int dims;                    /* of positions */
    isl_union_map *position;     /* of all kernels */
    struct shared_bytes *shared; /* by kernel */
};

static const struct statement *first_statement(const struct order *order)
{
    while (order->kind != ORDER_LEAF)
        order = order->child[0];
    return order->statement;
}

/* The only kernel that uses array; -1: several do, -2: none does. */
static int only_kernel(const struct placing *placing, const struct array *array)
{
    int found = -2;

    for (int k = 0; k < placing->kernels.n; k++)
        if (order_uses(placing->kernels.list[k], array))
            found = found == -2 ? k : -1;
    return found;
}

/* Are all loops around its uses, to the last bound one, ones that keep its values? */
static bool keeps_values(const struct placing *placing, const struct order *order, const struct array *array,
                         bool broken)
{
    const bool loop = order->kind == ORDER_LOOP;
    const bool bound = loop && loop_is_bound(order);

    if (!order_uses(order, array))
        return true;
    broken = broken || (loop && !array_is_within(array, order->info->id));
    if (bound && broken)
        return false;
    for (int k = 0; k < order->n_child; k++)
        if (!keeps_values(placing, order->child[k], array, broken))
            return false;
    return true;
}

/* Is it used by a warp's matrix instructions? Then the warp has it, whichever of its threads. */
static bool is_warps(const struct order *order, const struct array *array, bool tile)
{
    tile = tile || kernels_is_tile(order);
    if (order->kind == ORDER_LEAF)
        return tile && array->in_registers && statement_uses_array(order->statement, array);
    for (int k = 0; k < order->n_child; k++)
        if (is_warps(order->child[k], array, tile))
            return true;
    return false;
}

/* { [position] -> [position'] } of different blocks, or threads, those of a warp apart if that has it. */
static __isl_give isl_map *elsewhere(const struct placing *placing, bool threads, bool warps)
{
    isl_space *space = isl_space_set_from_params(program_params_space(placing->program));
    isl_map *same;

    space = isl_space_map_from_set(isl_space_add_dims(space, isl_dim_set, (unsigned)placing->dims));
    same = isl_map_universe(isl_space_copy(space));
    for (int k = 0; k < placing->dims; k++)
        if (threads ? !warps || k != 3 : !position_is_threads(k))
            same = isl_map_equate(same, isl_dim_in, k, isl_dim_out, k);
    return isl_map_subtract(isl_map_universe(space), same);
}

/* The positions of the statements that have instances in the set. */
static __isl_give isl_union_map *positions_of(const struct placing *placing, __isl_take isl_union_set *instances)
{
    return isl_union_map_intersect_domain(isl_union_map_copy(placing->position), isl_union_set_universe(instances));
}

/* Those of the pairs { w -> r } where r reads the value of w, and not one that was written in between. */
static __isl_give isl_union_map *with_values(const struct dependences *dependences, const struct array *array,
                                             __isl_take isl_union_map *pairs)
{
    for (int k = 0; k < dependences->n; k++)
        if (strcmp(dependences->list[k].from->array->name, array->name) == 0)
            return isl_union_map_intersect(pairs,
                                           dependences_value_flow(dependences, dependences->list[k].from->array));
    return pairs;
}

/* The pairs { w -> r } in one iteration of the loops around both. */
static __isl_give isl_union_map *in_one_iteration(const struct order *order, const struct statement *w,
                                                  const struct statement *r, __isl_take isl_union_map *pairs)
{
    if (!order_has(order, w) || !order_has(order, r))
        return pairs;
    if (order->kind == ORDER_LOOP)
        pairs = pairs_at_once(pairs, isl_multi_union_pw_aff_from_union_pw_aff(isl_union_pw_aff_copy(order->time)));
    for (int k = 0; k < order->n_child; k++)
        pairs = in_one_iteration(order->child[k], w, r, pairs);
    return pairs;
}

/* Is it the statement that zeros the array at the start of an iteration (plan/storage/zeros.h)? */
static bool is_zeros(const struct placing *placing, const struct statement *statement, const struct array *array)
{
    return strcmp(statement->target->array->name, array->name) == 0 && !array->is_buffer &&
           !program_statement(placing->schedule->program, statement->label);
}

/* The pairs of instances of which the first zeros what the other one reads: the schedule has no dependences of
 * these. */
static __isl_give isl_union_map *zeros_read(const struct placing *placing, const struct array *array)
{
    const struct program *program = placing->program;
    isl_union_map *all = isl_union_map_empty(program_params_space(program));

    for (int w = 0; w < program->n_statement; w++)
        for (int r = 0; r < program->n_statement && is_zeros(placing, program->statement[w], array); r++)
            for (int k = 0; k < program->statement[r]->n_access; k++) {
                const struct access *read = &program->statement[r]->access[k];
                isl_map *map;
                if (read->write || strcmp(read->array->name, array->name) != 0)
                    continue;
                map = isl_map_apply_range(isl_map_copy(program->statement[w]->access[0].map),
                                          isl_map_reverse(isl_map_copy(read->map)));
                all = isl_union_map_union(all, in_one_iteration(placing->order, program->statement[w],
                                                                program->statement[r], isl_union_map_from_map(map)));
            }
    return all;
}

/* Those of the pairs that are in different blocks, or threads. */
static __isl_give isl_union_map *in_other_places(const struct placing *placing, const struct array *array, bool threads,
                                                 __isl_take isl_union_map *pairs)
{
    isl_union_map *apart = isl_union_map_from_map(elsewhere(placing, threads, is_warps(placing->order, array, false)));
    isl_union_map *from = positions_of(placing, isl_union_map_domain(isl_union_map_copy(pairs)));
    isl_union_map *to = positions_of(placing, isl_union_map_range(isl_union_map_copy(pairs)));

    apart = isl_union_map_apply_range(isl_union_map_apply_range(from, apart), isl_union_map_reverse(to));
    pairs = isl_union_map_intersect(pairs, apart);
    return isl_union_map_intersect_params(pairs, isl_set_copy(placing->program->context));
}

/* The pairs of instances of which the later one reads in another place what the earlier one wrote. */
static __isl_give isl_union_map *handed_on(const struct placing *placing, const struct array *array, bool threads)
{
    const struct dependences *dependences = schedule_dependences(placing->schedule);
    isl_union_map *pairs = isl_union_map_empty(program_params_space(placing->program));

    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        if (dependence->from->writes && dependence->to->reads &&
            strcmp(dependence->from->array->name, array->name) == 0)
            pairs = isl_union_map_union(pairs, isl_union_map_from_map(isl_map_copy(dependence->map)));
    }
    pairs = in_other_places(placing, array, threads, pairs);
    if (isl_union_map_is_empty(pairs) == isl_bool_false)
        pairs = with_values(dependences, array, pairs);
    return isl_union_map_union(pairs, in_other_places(placing, array, threads, zeros_read(placing, array)));
}

/* Do launches of the kernel follow each other in a loop of the host? */
static bool is_launched_again(const struct placing *placing, int kernel)
{
    const struct kernels parts = kernels_parts(placing->schedule->arena, placing->order);

    for (int k = 0; k < parts.n; k++)
        if (kernels_is_hosts(parts.list[k]) && parts.list[k]->kind == ORDER_LOOP &&
            order_has(parts.list[k], first_statement(placing->kernels.list[kernel])))
            return true;
    return false;
}

/* Do all values of array stay in the block, or thread, that writes them? */
static bool stays(const struct placing *placing, const struct array *array, bool threads)
{
    isl_union_map *pairs;
    bool none;
    const int kernel = only_kernel(placing, array);

    if (kernel == -1)
        return false;
    if (kernel == -2 || keeps_values(placing, placing->order, array, false))
        return true;
    if (!array->is_buffer && is_launched_again(placing, kernel))
        return false;
    pairs = handed_on(placing, array, threads);
    none = isl_union_map_is_empty(pairs) == isl_bool_true;
    isl_union_map_free(pairs);
    return none;
}

/* Its bytes, gaps included; 0: not known now, or too many. */
static int64_t constant_bytes(const struct array *array)
{
    int64_t bytes = type_bits(array->type) / 8;

    bytes = bytes ? bytes : 1;
    for (int k = 0; k < array->n_dim; k++) {
        const struct expr *shape = array->shape[k];
        if (array->stride || shape->kind != EXPR_INT || shape->integer < 1 ||
            __builtin_mul_overflow(bytes, shape->integer + (k == array->n_dim - 1 ? array->pad : 0), &bytes))
            return 0;
    }
    return bytes;
}

static enum status refuse(const struct placing *placing, const struct array *array, const char *hint,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));

static enum status refuse(const struct placing *placing, const struct array *array, const char *hint,
                          const char *format, ...)
{
    const char *text;
    struct diag *diag;
    va_list args;

    va_start(args, format);
    text = arena_vprintf(placing->schedule->arena, format, args);
    va_end(args);
    diag = diag_error(placing->schedule->diags, "memory", array_memory_place(array), "`%s` %s", array->name, text);
    if (hint)
        diag_hint(placing->schedule->diags, diag, "%s", hint);
    return STATUS_REFUSED;
}

/* The two threads or blocks, as a refusal. */
static enum status refuse_handed_on(const struct placing *placing, const struct array *array, bool threads)
{
    isl_union_map *pairs = handed_on(placing, array, threads);
    const struct schedule *schedule = placing->schedule;
    struct violation violation;
    struct text earlier = {0}, later = {0}, params = {0};

    if (legal_smallest_pair(schedule->arena, schedule_dependences(schedule), pairs, &violation)) {
        violation_print_instance(&earlier, violation.dependence->from->statement, violation.earlier);
        violation_print_instance(&later, violation.dependence->to->statement, violation.later);
        violation_print_params(&params, schedule->program, &violation);
        refuse(placing, array, threads ? "\"memory\": \"shared\" is for all threads of a block" : NULL,
               "cannot be %s: %s writes what %s reads, in another %s%s%s",
               threads ? "each thread's own" : "each block's own", text_str(&earlier), text_str(&later),
               threads ? "thread" : "block", params.size ? "; " : "", text_str(&params));
    } else {
        refuse(placing, array, NULL, "cannot be %s: several launches use it",
               threads ? "each thread's own" : "each block's own");
    }
    text_free(&earlier);
    text_free(&later);
    text_free(&params);
    isl_union_map_free(pairs);
    return STATUS_REFUSED;
}

static enum status add_shared(const struct placing *placing, const struct array *array, struct shared_bytes *all)
{
    const struct gpu_arch *arch = gpu_arch_by_name(placing->gpu, placing->program->target.arch);

    shared_bytes_add(all, placing->program, array);
    if (all->least <= arch->shared_bytes)
        return STATUS_OK;
    return refuse(placing, array, "cache less, or name another \"arch\" of the target",
                  "takes the shared arrays of its kernel to %s%" PRId64 " bytes: a block of %s has %" PRId64,
                  all->symbolic ? "at least " : "", all->least, arch->name, arch->shared_bytes);
}

/* Do all threads of a block copy together what is written to it below order, once? copy: that is a copy of theirs. */
static bool is_filled_together(const struct order *order, const struct array *array, bool copy)
{
    copy = copy || (order->kind == ORDER_LOOP && loop_plan_is_cooperative(order->info) &&
                    order->info->plan->copies == RUN_ONCE);
    if (order->kind == ORDER_LEAF)
        return copy || order->statement->target->array != array;
    for (int k = 0; k < order->n_child; k++)
        if (!is_filled_together(order->child[k], array, copy))
            return false;
    return true;
}

/* Is there another tuple in order whose iterations go to blocks in runs? */
static bool has_other_runs(const struct order *order, const struct loop_info *runs)
{
    const struct loop_plan *plan = order->kind == ORDER_LOOP ? order->info->plan : NULL;

    if (plan && plan->run && axis_whole(plan->axis) != axis_whole(runs->plan->axis))
        return true;
    for (int k = 0; k < order->n_child; k++)
        if (has_other_runs(order->child[k], runs))
            return true;
    return false;
}

static enum status check_shared(struct placing *placing, struct array *array)
{
    const int kernel = only_kernel(placing, array);
    const struct loop_info *runs = kernel >= 0 ? kernel_runs(placing->kernels.list[kernel]) : NULL;

    if (runs && !is_filled_together(placing->kernels.list[kernel], array, false)) {
        if (has_other_runs(placing->kernels.list[kernel], runs))
            return refuse(placing, array, "collapse all of them to one loop, or bind some without splitting them",
                          "cannot be shared: blocks have iterations of two collapsed loops in a row");
        array->run = runs->plan->run;
    }
    if (!stays(placing, array, false))
        return refuse_handed_on(placing, array, false);
    if (shared_bytes_are_strided(placing->program, array))
        return refuse(placing, array, "without \"strides\" of its own it may have any size",
                      "cannot be shared: its size is not known before the launch");
    if (array->init_zero)
        return refuse(placing, array, "write the zeros by a statement", "cannot be shared: it starts as zeros");
    return kernel >= 0 ? add_shared(placing, array, &placing->shared[kernel]) : STATUS_OK;
}

static enum status check_local(const struct placing *placing, const struct array *array)
{
    if (!stays(placing, array, true))
        return refuse_handed_on(placing, array, true);
    if (constant_bytes(array) == 0)
        return refuse(placing, array, NULL, "cannot be each thread's own: its size is not known before the launch");
    return STATUS_OK;
}

/* Was it contracted to what one iteration of a bound loop needs? */
static bool is_one_iterations(const struct array *array, const struct order *order)
{
    const struct loop_plan *plan = order->kind == ORDER_LOOP ? order->info->plan : NULL;

    if (plan && plan->axis != AXIS_NONE && array_is_within(array, order->info->id) && array->contracted_from)
        return true;
    for (int k = 0; k < order->n_child; k++)
        if (is_one_iterations(array, order->child[k]))
            return true;
    return false;
}

/* What the device's allocation aligns to is all that memory of the whole device has. */
static enum status check_global(const struct placing *placing, const struct array *array)
{
    if (array->align <= GLOBAL_ALIGN)
        return STATUS_OK;
    return refuse(placing, array, "\"align\": 256 or less, or none",
                  "cannot be in global memory: what is allocated there is aligned to 256 bytes");
}

static enum status choose(const struct placing *placing, struct array *array)
{
    const int64_t bytes = constant_bytes(array);

    if (array->in_registers) {
        array->memory = MEMORY_LOCAL;
        return check_local(placing, array);
    }
    array->memory = MEMORY_LOCAL;
    if (bytes > 0 && bytes <= placing->gpu->local_bytes && stays(placing, array, true))
        return STATUS_OK;
    array->memory = MEMORY_GLOBAL;
    if (array->is_buffer || is_one_iterations(array, placing->order))
        return refuse(placing, array,
                      "\"memory\": \"shared\" is for all threads of a block, \"global\" has a part for each block; an "
                      "array with \"storage\": \"full\" is kept whole",
                      "is what one iteration of bound loops needs, and has no memory by itself");
    return check_global(placing, array);
}

static enum status place(struct placing *placing, struct array *array)
{
    switch (array->memory) {
    case MEMORY_AUTO:
        return choose(placing, array);
    case MEMORY_SHARED:
        return check_shared(placing, array);
    case MEMORY_LOCAL:
        return check_local(placing, array);
    case MEMORY_GLOBAL:
        return check_global(placing, array);
    default:
        return refuse(placing, array, "\"local\", \"shared\" and \"global\" are the memories of a device",
                      "cannot be in the memory of a C function");
    }
}

/* A copy with arrays of its own, whose accesses are to the elements as they are stored. */
static struct program *with_accesses(struct arena *arena, const struct program *program)
{
    struct program *copy = program_copy(arena, program);
    struct rewriting rewriting = {.arena = arena, .from = program->array};

    copy->array = ARENA_ARRAY(arena, program->n_array + 1, struct array);
    memcpy(copy->array, program->array, (size_t)program->n_array * sizeof(*copy->array));
    rewriting.to = copy->array;
    for (int s = 0; s < copy->n_statement; s++) {
        struct statement *statement = copy->statement[s];
        statement->target = rewriting_apply(&rewriting, statement->target);
        statement->value = rewriting_apply(&rewriting, statement->value);
        statement->guard = rewriting_apply(&rewriting, statement->guard);
        statement_accesses(copy, statement);
    }
    return copy;
}

static const struct order *with_own_statements(void *data, const struct order *node)
{
    const struct placing *placing = data;

    if (node->kind != ORDER_LEAF)
        return node;
    return order_leaf(placing->schedule->arena, placing->program->statement[node->statement->index],
                      isl_set_copy(node->domain));
}

static void find_positions(struct placing *placing)
{
    placing->dims = kernels_dims(placing->order);
    placing->position = isl_union_map_empty(program_params_space(placing->program));
    for (int k = 0; k < placing->kernels.n; k++) {
        int64_t threads[3] = {1, 1, 1};
        kernel_threads(placing->kernels.list[k], threads);
        placing->position =
            isl_union_map_union(placing->position,
                                kernel_positions(placing->program, placing->kernels.list[k], threads, placing->dims));
    }
}

enum status device_place(struct schedule *schedule, const struct program **program, const struct order **order)
{
    struct placing placing = {.schedule = schedule, .gpu = gpu_by_language((*program)->target.language)};
    enum status status = STATUS_OK;

    if (!placing.gpu)
        return STATUS_OK;
    placing.program = with_accesses(schedule->arena, *program);
    placing.order = order_rewrite(schedule->arena, *order, with_own_statements, &placing);
    placing.kernels = kernels_of(schedule->arena, placing.order);
    placing.shared = ARENA_ARRAY(schedule->arena, placing.kernels.n + 1, struct shared_bytes);
    find_positions(&placing);
    for (int k = 0; k < placing.program->n_array && status == STATUS_OK; k++)
        if (placing.program->array[k].role == ROLE_TEMP && only_kernel(&placing, &placing.program->array[k]) != -2)
            status = place(&placing, &placing.program->array[k]);
    isl_union_map_free(placing.position);
    run_add_dimensions(placing.program);
    *program = placing.program;
    *order = placing.order;
    return status;
}
