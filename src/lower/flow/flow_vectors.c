/* Assignments of all lanes at once, and the names of vectors and masks. */
#include "lower/flow/flow_tree.h"

#include "tree/visit.h"

static bool is_mask(const struct node *let)
{
    return let->value->kind == TREE_MASK && !let->value->affine;
}

/* The lanes that a vector counts: those of a name for its mask, where there is one. */
struct counted {
    const struct term *mask; /* NULL: the first n */
    int64_t n;
};

static struct counted counted_of(struct thread *thread, const struct vector *vector, const struct affine *count)
{
    struct counted counted = {NULL, vector->lanes};

    if (vector->mask)
        counted = (struct counted){flow_vector(thread, vector->mask, vector->mask_place, vector->lanes), 0};
    else if (count)
        counted.n = flow_affine(thread, count);
    return counted;
}

static bool is_counted(const struct counted *counted, int lane)
{
    return counted->mask ? flow_term_true(counted->mask[lane]) : lane < counted->n;
}

static bool is_active(struct thread *thread, const struct vector *vector, const struct counted *counted, int lane)
{
    return is_counted(counted, lane) && (!vector->active || flow_true(thread, vector->active, lane));
}

static void find_lane_load(const struct tree_expr *expr, void *user)
{
    *(bool *)user |= expr->kind == TREE_LOAD && expr->element.lane_step != 0;
}

/* Only what loads depends on which lanes are active. */
static bool loads_lanes(const struct tree_expr *expr)
{
    bool loads = false;

    tree_expr_for_each(expr, find_lane_load, &loads);
    return loads;
}

/* Do the lanes have different subscripts there? */
static bool moves(const struct element *element, int dim)
{
    return element->lane_factor && element->lane_factor[dim] != 0;
}

/* Is the subscript kept within the array by a minimum or maximum? */
static bool is_limited(const struct affine *index)
{
    for (int k = 0; k < index->n_term; k++)
        if (index->term[k].atom->kind == ATOM_MIN || index->term[k].atom->kind == ATOM_MAX)
            return true;
    return false;
}

/* Is there one address from which the lanes' own are counted? */
static bool has_address(const struct element *element)
{
    bool has = element->lane_step != 0 && !element->distance && element->n_lane_index == 0 && element->index &&
               !element->array->in_registers && !element->array->fragment;
    bool limited = false;

    for (int k = 0; has && k < element->array->n_dim; k++) {
        has = element->index[k] != NULL;
        limited = limited || (has && moves(element, k) && is_limited(element->index[k]));
    }
    return has && limited;
}

/* That address has to be inside of the array, or right behind its end, where something is there to keep it so. */
static void check_address(struct thread *thread, const struct element *element)
{
    struct space *space;
    int64_t position;

    if (!has_address(element))
        return;
    position = flow_position(thread, element, NOT_IN_LANES, 0, &space);
    if (position < 0 || position > space->n)
        flow_end(thread->run->flow, FLOW_WRONG, "lanes that are all off have an address outside of %s",
                 space->array->name);
}

static void check_load(const struct tree_expr *expr, void *user)
{
    if (expr->kind == TREE_LOAD)
        check_address(user, &expr->element);
}

/* Lanes none of which is active touch no memory, but their address is computed all the same. */
static void check_addresses(struct thread *thread, const struct node *node, const struct affine *count)
{
    if (!count || flow_affine(thread, count) > 0)
        return;
    tree_expr_for_each(node->value, check_load, thread);
    tree_expr_for_each(node->guard_value, check_load, thread);
    if (node->kind == NODE_ASSIGN && !node->vector->sum)
        check_address(thread, &node->target);
}

void flow_vector_let(struct thread *thread, const struct node *let)
{
    const struct vector *vector = let->vector;
    const int n = vector->registers ? vector->registers : 1;
    const bool all = !is_mask(let) && !loads_lanes(let->value);
    struct term first[FLOW_LANES];
    struct binding *binding;

    if (vector->lanes > FLOW_LANES) {
        flow_end(thread->run->flow, FLOW_DECLINED, "more lanes");
        return;
    }
    binding = flow_room(thread, let->var, vector->lanes, n);
    for (int r = 0; r < n; r++) {
        const struct affine *count = vector->each ? vector->each[r] : vector->count;
        const struct counted counted = all ? (struct counted){NULL, 0} : counted_of(thread, vector, count);
        check_addresses(thread, let, count);
        for (int k = 0; k < vector->lanes; k++) {
            const bool active = all || is_active(thread, vector, &counted, k);
            if (is_mask(let))
                first[k] = flow_term_number(active);
            else
                first[k] = active ? flow_value(thread, let->value, k) : flow_term_poison();
        }
        for (int k = 0; k < vector->lanes; k++)
            binding->lane[r * vector->lanes + k] =
                vector->truth != TYPE_NONE ? flow_term_convert(NULL, TYPE_BOOL, first[k]) : first[k];
    }
}

/* Where a lane of the target is: in the vector of a name, or in memory. */
struct slot {
    struct term *lane;
    struct space *space;
    int64_t position;
};

static struct slot place_of(struct thread *thread, const struct node *assign, int lane)
{
    const struct vector *vector = assign->vector;
    struct slot slot = {0};

    if (vector->sum) {
        slot.lane = flow_vector(thread, vector->sum, vector->place, vector->lanes);
        slot.lane = slot.lane ? slot.lane + lane : NULL;
    } else {
        slot.position = flow_position(thread, &assign->target, lane, 0, &slot.space);
    }
    return slot;
}

static struct term updated(struct thread *thread, const struct node *assign, const struct slot *slot, int lane)
{
    const struct flow *flow = thread->run->flow;
    struct term value = flow_value(thread, assign->value, lane);

    if (assign->op != OP_NONE && (slot->lane || slot->space))
        value = flow_term_binary(&flow->algebra, assign->op, flow_update_type(assign),
                                 slot->lane ? *slot->lane : flow_load(thread, slot->space, slot->position), value);
    return flow_term_convert(&flow->algebra, assign->target.array->type, value);
}

/* In registers lanes that are not active, or in those of arrays not counted, may get anything where nothing looks at
 * them. */
static bool is_spoilt(const struct node *assign, const struct counted *counted, int lane)
{
    const struct vector *vector = assign->vector;

    if (!vector->loose)
        return false;
    if (vector->sum)
        return !assign->guard_value;
    return assign->target.array->in_registers && assign->target.lane_step == 1 && !is_counted(counted, lane);
}

/* Whole groups of neighbours: each member has a value of its own. */
static void store_parts(struct thread *thread, const struct node *assign)
{
    const int lanes = assign->vector->lanes, parts = assign->target.parts;
    struct term value[4 * FLOW_LANES];
    struct space *space;

    if (assign->value->kind != TREE_PARTS || assign->value->n_arg != parts || parts > 4) {
        flow_end(thread->run->flow, FLOW_DECLINED, "a group without its members");
        return;
    }
    for (int k = 0; k < lanes * parts; k++)
        value[k] = flow_value(thread, assign->value->arg[k % parts], k / parts);
    for (int k = 0; k < lanes * parts; k++) {
        struct element element = assign->target;
        element.part = k % parts;
        const int64_t position = flow_position(thread, &element, k / parts, 0, &space);
        flow_store(thread, space, position, value[k]);
    }
}

/* What lane k gets, and where; false: nothing is stored. */
static bool lane_value(struct thread *thread, const struct node *assign, const struct counted *counted, int k,
                       struct slot *slot, struct term *value)
{
    const bool active = is_active(thread, assign->vector, counted, k);

    if (!active && !is_spoilt(assign, counted, k))
        return false;
    if (active && assign->guard_value && !flow_true(thread, assign->guard_value, k))
        return false;
    *slot = place_of(thread, assign, k);
    *value = active ? updated(thread, assign, slot, k) : flow_term_poison();
    return thread->run->flow->end == FLOW_GOES_ON;
}

/* All lanes are read before the first one is stored. */
void flow_vector_assign(struct thread *thread, const struct node *assign)
{
    const int lanes = assign->vector->lanes;
    struct term value[FLOW_LANES];
    struct slot slot[FLOW_LANES];
    bool stored[FLOW_LANES];
    struct counted counted;

    if (lanes > FLOW_LANES) {
        flow_end(thread->run->flow, FLOW_DECLINED, "more lanes");
        return;
    }
    if (assign->target.parts) {
        store_parts(thread, assign);
        return;
    }
    check_addresses(thread, assign, assign->vector->count);
    counted = counted_of(thread, assign->vector, assign->vector->count);
    for (int k = 0; k < lanes; k++)
        stored[k] = lane_value(thread, assign, &counted, k, &slot[k], &value[k]);
    for (int k = 0; k < lanes; k++) {
        if (stored[k] && slot[k].lane)
            *slot[k].lane = value[k];
        else if (stored[k])
            flow_store(thread, slot[k].space, slot[k].position, value[k]);
    }
}
