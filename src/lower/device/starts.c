#include "lower/device/starts.h"

#include "caps/gpu.h"
#include "lower/device/axis_digits.h"
#include "lower/facts/pending.h"
#include "lower/device/positions.h"
#include "plan/device/copies/dealing.h"
#include "tree/visit.h"
#include "tree/vars.h"

#include <string.h>

bool starts_is_one(const struct node *node)
{
    return node->kind == NODE_LOOP && axis_is_thread(node->axis) && node->axis < AXIS_CARRY && node->n_local == 0 &&
           affine_is_constant(node->lower, NULL) && !(node->info && is_dealt(node->info));
}

/* Of the loops below node over the same positions that are no copies' the first one with the shortest name: what these
 * are called. */
static const struct node *namesake(const struct node *node, const struct node *loop)
{
    const struct node *found = NULL;

    if (starts_is_one(node) && node->axis == loop->axis && node->step == loop->step && node->info &&
        !loop_plan_is_cooperative(node->info) && affine_equal(node->lower, loop->lower))
        found = node;
    for (int k = 0; k < node->n_child; k++) {
        const struct node *other = namesake(node->child[k], loop);
        if (other && (!found || strlen(other->var->name) < strlen(found->var->name)))
            found = other;
    }
    return found;
}

const struct start *starts_find(const struct starts *starts, const struct node *loop)
{
    for (int k = 0; k < starts->list.n; k++) {
        const struct start *start = &starts->list.at[k];
        if (start->axis == loop->axis && start->first == loop->lower->constant && start->step == loop->step)
            return start;
    }
    return NULL;
}

const struct start *starts_add(struct starts *starts, const struct node *loop, const struct affine *value,
                               struct vars *vars)
{
    const int64_t limit = starts->positions->gpu->limit[loop->axis], first = loop->lower->constant;
    const int64_t last = first + loop->step * (limit - 1);
    const struct node *like = namesake(starts->kernel, loop);
    const char *name = names_unique(&starts->names, like ? like->var->name : loop->var->name);
    struct var *var = var_new(vars, VAR_LOOP, name);

    var->narrow = true;
    var->low = loop->step < 0 ? last : first;
    var->high = loop->step < 0 ? first : last;
    VEC_PUSH(starts->arena, &starts->list, ((struct start){loop->axis, first, loop->step, value, var}));
    return &starts->list.at[starts->list.n - 1];
}

static void note_name(const struct node *node, void *user)
{
    struct starts *starts = user;

    if (node->var && !starts_is_one(node) && !counts_axis_digit(starts->positions, node) &&
        !names_has(&starts->names, node->var->name))
        names_add(&starts->names, node->var->name);
}

struct starts starts_of(const struct positions *positions, const struct node *kernel)
{
    struct arena *arena = positions->arena;
    struct starts starts = {.arena = arena, .positions = positions, .kernel = kernel, .names = {.arena = arena}};

    node_for_each(kernel, note_name, &starts);
    return starts;
}

/* A position along an axis of threads under the name of the variable that is nothing else. */
static const struct node *with_names(const struct starts *starts, const struct node *body)
{
    for (int k = 0; k < starts->list.n && body; k++) {
        const struct start *start = &starts->list.at[k];
        if (start->axis >= AXIS_THREAD_X && start->axis <= AXIS_THREAD_Z && start->first == 0 && start->step == 1)
            body = node_substitute(starts->arena, body, starts->positions->at[start->axis],
                                   affine_var(starts->arena, start->var));
    }
    return body;
}

const struct node *starts_in_front(const struct starts *starts, const struct node *body)
{
    body = body ? pending_merged(starts->arena, with_names(starts, body)) : NULL;
    for (int k = starts->list.n - 1; k >= 0 && body; k--)
        body = node_value_if_used(starts->arena, starts->list.at[k].var, starts->list.at[k].value, body);
    return axis_digits_in_front(starts->positions, body);
}
