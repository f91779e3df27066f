/* Nodes that one thread runs, one after the other. */
#include "lower/flow/flow_tree.h"

#include <string.h>

enum { MOST_PARTS = 16 };

static bool goes_on(const struct thread *thread)
{
    return thread->run->flow->end == FLOW_GOES_ON;
}

/* What a reduction clause names is each thread's own until the threads end: as if nothing interrupted an access. */
static struct moment moment_in(const struct thread *thread, const struct space *space, bool atomic)
{
    struct moment moment = thread->moment;

    for (int k = 0; thread->reducing && k < thread->reducing->n_reduction; k++)
        atomic |= strcmp(thread->reducing->reduction[k]->target->array->name, space->array->name) == 0;
    moment.atomic = atomic;
    return moment;
}

struct term flow_load(struct thread *thread, struct space *space, int64_t position)
{
    return flow_read(thread->run->flow, space, position, moment_in(thread, space, false), thread->level);
}

void flow_store(struct thread *thread, struct space *space, int64_t position, struct term term)
{
    flow_write(thread->run->flow, space, position, term, moment_in(thread, space, false), thread->level);
}

struct space *flow_declare(struct thread *thread, const struct array *array)
{
    struct flow *flow = thread->run->flow;
    const int number = flow_array(flow, array);
    struct space *before = thread->space[number];

    if (thread->own[number] && thread->own[number]->level == thread->level) {
        flow_renew(thread->own[number]);
    } else {
        thread->own[number] = ARENA_NEW(flow->arena, struct space);
        *thread->own[number] = flow_space(flow, &flow->program->array[number], thread->level);
    }
    thread->space[number] = thread->own[number];
    return before;
}

struct space **flow_declare_all(struct thread *thread, const struct node *node)
{
    const int n = node->n_own + node->n_local;
    struct space **before = n ? ARENA_ARRAY(thread->run->flow->arena, n, struct space *) : NULL;

    for (int k = 0; k < node->n_own; k++)
        before[k] = flow_declare(thread, node->own[k]);
    for (int k = 0; k < node->n_local; k++)
        before[node->n_own + k] = flow_declare(thread, node->local[k]);
    return before;
}

void flow_undeclare(struct thread *thread, const struct node *node, struct space **before)
{
    for (int k = node->n_local - 1; k >= 0; k--)
        thread->space[flow_array(thread->run->flow, node->local[k])] = before[node->n_own + k];
    for (int k = node->n_own - 1; k >= 0; k--)
        thread->space[flow_array(thread->run->flow, node->own[k])] = before[k];
}

static int64_t extent_of_part(struct thread *thread, const struct part *part)
{
    const int64_t extent = flow_affine(thread, part->extent);

    return extent > 0 ? extent : 0;
}

static int64_t tuple_size(struct thread *thread, const struct node *tuple)
{
    int64_t n = 1;

    for (int k = 0; k < tuple->n_part; k++)
        n *= extent_of_part(thread, &tuple->part[k]);
    return n;
}

/* From `first` on, as far as `last`. */
static struct iterations between(int64_t first, int64_t last, int64_t step)
{
    struct iterations iterations = {first, step, 0};

    if (step > 0 ? last >= first : first >= last)
        iterations.n = (last - first) / step + 1;
    return iterations;
}

struct iterations flow_iterations(struct thread *thread, const struct node *loop)
{
    const bool tuple = loop->kind == NODE_TUPLE;
    int64_t step = loop->step;

    if (tuple && loop->axis == AXIS_NONE)
        return (struct iterations){0, 1, tuple_size(thread, loop)};
    if (tuple && !loop->step)
        return (struct iterations){thread->position[loop->axis], 1, 1};
    if (loop->axis != AXIS_NONE)
        step *= thread->run->team ? thread->run->team->extent[axis_whole(loop->axis)] : 1;
    return between(flow_affine(thread, loop->lower),
                   tuple ? tuple_size(thread, loop) - 1 : flow_affine(thread, loop->upper), step);
}

/* The coordinates of a position, the last one's digit fastest. */
static void bind_parts(struct thread *thread, const struct node *tuple, int64_t position)
{
    int64_t digit[MOST_PARTS];

    for (int k = tuple->n_part - 1; k >= 0; k--) {
        const int64_t extent = extent_of_part(thread, &tuple->part[k]);
        digit[k] = (k > 0 && extent > 0 ? position % extent : position) + flow_affine(thread, tuple->part[k].first);
        position /= extent > 0 ? extent : 1;
    }
    for (int k = 0; k < tuple->n_part; k++)
        thread->binding[tuple->part[k].var->id].integer = digit[k];
}

void flow_bind_iteration(struct thread *thread, const struct node *loop, const struct iterations *iterations, int64_t k)
{
    int64_t value = iterations->first + k * iterations->step;

    if (loop->kind == NODE_TUPLE && loop->axis != AXIS_NONE && !loop->step)
        value = loop->var->position != AXIS_NONE ? thread->position[loop->var->position]
                                                 : thread->binding[loop->var->id].integer;
    thread->binding[loop->var->id].integer = value;
    if (loop->kind == NODE_TUPLE && loop->n_part > MOST_PARTS)
        flow_end(thread->run->flow, FLOW_DECLINED, "many coordinates");
    else if (loop->kind == NODE_TUPLE)
        bind_parts(thread, loop, value);
}

static void run_loop(struct thread *thread, const struct node *loop)
{
    const struct iterations iterations = flow_iterations(thread, loop);

    if (loop->threads && loop->threads->shared && thread->run->team) {
        flow_shared_loop(thread, loop);
        return;
    }
    if (loop->threads && !thread->run->team) {
        flow_parallel_loop(thread, loop);
        return;
    }
    if (thread->collapsing > 0) {
        flow_collapsed_loop(thread, loop);
        return;
    }
    if (loop->once && iterations.n > 1)
        flow_end(thread->run->flow, FLOW_WRONG, "the loop over `%s` has more than one iteration", loop->var->name);
    for (int64_t k = 0; k < iterations.n && flow_step(thread->run->flow, 1); k++) {
        if (loop->guard_value && !flow_true(thread, loop->guard_value, NOT_IN_LANES))
            return;
        flow_bind_iteration(thread, loop, &iterations, k);
        struct space **before = flow_declare_all(thread, loop);
        flow_node(thread, loop->child[0]);
        flow_undeclare(thread, loop, before);
    }
}

/* The loop goes on with the variable of the one in front of it; where it has iterations, that is where it starts. */
static void run_continued(struct thread *thread, const struct node *first, const struct node *second)
{
    const struct iterations done = flow_iterations(thread, first);
    const int64_t reached = done.first + done.n * done.step;

    if (between(reached, flow_affine(thread, second->upper), second->step).n == 0)
        return;
    if (reached != flow_affine(thread, second->lower))
        flow_end(thread->run->flow, FLOW_WRONG, "`%s` does not go on where it was", second->var->name);
    flow_node(thread, second);
}

void flow_child(struct thread *thread, const struct node *block, int k)
{
    if (block->child[k]->continues && k > 0)
        run_continued(thread, block->child[k - 1], block->child[k]);
    else
        flow_node(thread, block->child[k]);
}

static void run_block(struct thread *thread, const struct node *block)
{
    struct space **before = flow_declare_all(thread, block);

    for (int k = 0; k < block->n_child && goes_on(thread); k++)
        flow_child(thread, block, k);
    flow_undeclare(thread, block, before);
}

bool flow_takes(struct thread *thread, const struct node *node)
{
    bool takes = node->value ? flow_true(thread, node->value, NOT_IN_LANES) : node->n_alternative == 0;

    for (int k = 0; k < node->n_alternative && !takes; k++)
        takes = flow_guard(thread, &node->alternative[k]);
    return takes;
}

static void run_if(struct thread *thread, const struct node *node)
{
    if (flow_takes(thread, node))
        flow_node(thread, node->child[0]);
    else if (node->n_child > 1)
        flow_node(thread, node->child[1]);
}

static void run_switch(struct thread *thread, const struct node *node)
{
    const int64_t value = flow_affine(thread, node->lower);

    for (int k = 0; k < node->n_child; k++)
        if (node->label[k] == value) {
            flow_node(thread, node->child[k]);
            return;
        }
}

static void bind_let(struct thread *thread, const struct node *let)
{
    struct term value;

    if (let->vector) {
        flow_vector_let(thread, let);
        return;
    }
    value = flow_value(thread, let->value, NOT_IN_LANES);
    struct binding *binding = flow_room(thread, let->var, 0, 1);
    binding->lane[0] = value;
    binding->integer = value.kind == TERM_NUMBER ? (int64_t)value.hash : 0;
    if (let->limit && value.kind != TERM_NUMBER)
        flow_end(thread->run->flow, FLOW_DECLINED, "a bound that is computed of data");
}

static void bind_pointer(struct thread *thread, const struct node *node)
{
    struct space *space;
    const int64_t position = flow_position(thread, &node->target, NOT_IN_LANES, 0, &space);

    thread->binding[node->var->id].base = space;
    thread->binding[node->var->id].integer = position;
}

static struct term assigned(struct thread *thread, const struct node *assign, struct term before)
{
    const struct term value = flow_value(thread, assign->value, NOT_IN_LANES);

    return assign->op == OP_NONE
               ? value
               : flow_term_binary(&thread->run->flow->algebra, assign->op, flow_update_type(assign), before, value);
}

static void assign_variable(struct thread *thread, const struct node *assign)
{
    struct binding *binding = &thread->binding[assign->into->var->id];

    if (!binding->lane)
        flow_end(thread->run->flow, FLOW_WRONG, "`%s` is no variable", assign->into->var->name);
    else
        binding->lane[0] = flow_term_convert(&thread->run->flow->algebra, assign->into->type,
                                             assigned(thread, assign, binding->lane[0]));
}

void flow_assign_element(struct thread *thread, const struct node *assign)
{
    struct flow *flow = thread->run->flow;
    struct term first = flow_term_poison();
    struct moment moment;
    struct space *space;
    int64_t position;

    if (assign->declares != DECLARE_NOTHING) {
        first = flow_value(thread, assign->value, NOT_IN_LANES);
        flow_declare(thread, assign->target.array);
    }
    position = flow_position(thread, &assign->target, NOT_IN_LANES, 0, &space);
    moment = moment_in(thread, space, assign->atomic);
    if (assign->declares == DECLARE_NOTHING) {
        if (assign->op != OP_NONE)
            first = flow_read(flow, space, position, moment, thread->level);
        first = assigned(thread, assign, first);
    }
    flow_write(flow, space, position, first, moment, thread->level);
}

static void run_assign(struct thread *thread, const struct node *assign)
{
    thread->run->flow->statement = assign->statement;
    if (assign->streams)
        flow_stream(thread, assign);
    if (assign->vector) {
        flow_vector_assign(thread, assign);
        return;
    }
    if (assign->guard_value && !flow_true(thread, assign->guard_value, NOT_IN_LANES))
        return;
    if (assign->tile)
        flow_tile(thread, assign);
    else if (assign->tensor)
        flow_tensor(thread, assign);
    else if (assign->warp_sum)
        flow_end(thread->run->flow, FLOW_WRONG, "a warp's reduction outside of a block");
    else if (assign->neighbours || assign->asynchronous)
        flow_copy(thread, assign);
    else if (assign->into && assign->into->var)
        assign_variable(thread, assign);
    else
        flow_assign_element(thread, assign);
}

/* The registers lose what they held. */
static void shape_tiles(struct thread *thread, const struct tile_shape *shape)
{
    if (!thread->tile)
        thread->tile = ARENA_ARRAY(thread->run->flow->arena, TILE_REGISTERS, struct tile_register);
    memset(thread->tile, 0, TILE_REGISTERS * sizeof(*thread->tile));
    thread->shape = shape;
}

void flow_bind(struct thread *thread, const struct node *node)
{
    if (node->kind == NODE_VALUE)
        thread->binding[node->var->id].integer = flow_affine(thread, node->lower);
    else if (node->kind == NODE_LET)
        bind_let(thread, node);
    else if (node->kind == NODE_POINTER)
        bind_pointer(thread, node);
    else if (node->kind == NODE_TILES)
        shape_tiles(thread, node->shape);
}

/* What binds something for its body, or is a function. */
static void run_binding(struct thread *thread, const struct node *node)
{
    struct space **before;

    flow_bind(thread, node);
    before = flow_declare_all(thread, node);
    flow_node(thread, node->child[0]);
    flow_undeclare(thread, node, before);
}

static void run_structure(struct thread *thread, const struct node *node)
{
    switch (node->kind) {
    case NODE_SWITCH:
        run_switch(thread, node);
        break;
    case NODE_REGION:
        flow_region(thread, node);
        break;
    case NODE_SINGLE:
        flow_single(thread, node);
        break;
    case NODE_KERNEL:
        flow_kernel(thread, node);
        break;
    case NODE_BARRIER:
        if (!node->lone)
            flow_end(thread->run->flow, FLOW_WRONG, "a barrier that not all threads come to");
        else
            flow_wait_for_copies(thread, node);
        break;
    case NODE_FENCE:
        thread->streamed = false;
        break;
    case NODE_PREFETCH:
        break;
    default:
        flow_end(thread->run->flow, FLOW_DECLINED, "a node of that kind");
    }
}

void flow_node(struct thread *thread, const struct node *node)
{
    if (!flow_step(thread->run->flow, 1))
        return;
    switch (node->kind) {
    case NODE_BLOCK:
        run_block(thread, node);
        break;
    case NODE_LOOP:
    case NODE_TUPLE:
        run_loop(thread, node);
        break;
    case NODE_IF:
        run_if(thread, node);
        break;
    case NODE_VALUE:
    case NODE_LET:
    case NODE_POINTER:
    case NODE_CALL:
    case NODE_TILES:
    case NODE_TEXT:
        run_binding(thread, node);
        break;
    case NODE_ASSIGN:
        run_assign(thread, node);
        break;
    default:
        run_structure(thread, node);
    }
}
