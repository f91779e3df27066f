/* Loads that nvcc makes as one from memory that it takes for other memory (doc/COMPILERS.md, "merged loads"):
 *
 *     t = c[i] > 0 ? a[i] : b[i];
 *
 * is to it one load from a pointer that is chosen, which it takes for neither a nor b where these are restricted: what
 * the kernel has stored to them before it is lost, or comes too late. Where one of them is only read it takes both for
 * memory that nothing writes. Values that the branches of a condition give to one variable are the same to it. Without
 * the word `__restrict__` a and b are loaded as they are.
 */
#include "target/device/file.h"

#include "tree/layout.h"
#include "tree/visit.h"

#include <string.h>

enum { LOADS_ARRAY = 1, LOADS_OTHER = 2 };

/* The array in question, in its kernel. */
struct merged {
    const struct device_file *file;
    const struct device_kernel *kernel;
    const struct array *array;
    bool read_only;
    unsigned loads; /* those seen */
    bool found;
};

/* What one branch stores to an array, and what it names. */
struct branch {
    struct merged *merged;
    const struct array *target; /* NULL: all that it stores */
    unsigned loads;
};

static bool is_in_device(const struct device_file *file, const struct array *array)
{
    const struct program *program = file->c.unit->program;

    for (int k = 0; k < program->n_array; k++)
        if (strcmp(program->array[k].name, array->name) == 0)
            return array_is_argument(array) || device_hands_on(file, k);
    return false;
}

/* Where the kernel only reads the array, others matter that it writes. */
static unsigned loads_of(const struct merged *merged, const struct array *array)
{
    if (strcmp(array->name, merged->array->name) == 0)
        return LOADS_ARRAY;
    const bool matters = !merged->read_only || !device_is_read_only(merged->file, merged->kernel, array);
    return matters && is_in_device(merged->file, array) ? LOADS_OTHER : 0;
}

static void add_load(const struct tree_expr *expr, void *user)
{
    struct merged *merged = user;

    if (expr->kind == TREE_LOAD)
        merged->loads |= loads_of(merged, expr->element.array);
}

static unsigned loads_in(const struct merged *merged, const struct tree_expr *expr)
{
    struct merged seen = *merged;

    seen.loads = 0;
    tree_expr_for_each(expr, add_load, &seen);
    return seen.loads;
}

/* One branch loads the array, the other one another. */
static bool are_merged(unsigned one, unsigned other)
{
    return ((one & LOADS_ARRAY) && (other & LOADS_OTHER)) || ((one & LOADS_OTHER) && (other & LOADS_ARRAY));
}

static void look_at_choice(const struct tree_expr *expr, void *user)
{
    struct merged *merged = user;

    if (expr->kind == TREE_SELECT && are_merged(loads_in(merged, expr->arg[1]), loads_in(merged, expr->arg[2])))
        merged->found = true;
}

static unsigned loads_of_store(const struct merged *merged, const struct node *assign)
{
    const unsigned updated = assign->op != OP_NONE ? loads_of(merged, assign->target.array) : 0;

    return updated | loads_in(merged, assign->value);
}

static void add_store(const struct node *node, void *user)
{
    struct branch *branch = user;

    if (node->kind == NODE_LET && node->value)
        branch->loads |= loads_in(branch->merged, node->value);
    if (node->kind == NODE_ASSIGN && (!branch->target || node->target.array == branch->target))
        branch->loads |= loads_of_store(branch->merged, node);
}

/* What the node loads for a target; NULL: for any. */
static unsigned loads_for(struct merged *merged, const struct node *node, const struct array *target)
{
    struct branch branch = {merged, target, 0};

    node_for_each(node, add_store, &branch);
    return branch.loads;
}

/* The other branch of a condition at whose first one's stores we look. */
struct branches {
    struct merged *merged;
    const struct node *first, *other;
};

static void look_at_target(const struct node *node, void *user)
{
    struct branches *branches = user;
    const struct array *target = node->target.array;

    if (node->kind == NODE_ASSIGN && !branches->merged->found)
        branches->merged->found = are_merged(loads_for(branches->merged, branches->first, target),
                                             loads_for(branches->merged, branches->other, target));
}

static void look_at_node(const struct node *node, void *user)
{
    struct merged *merged = user;

    if (merged->found)
        return;
    if (node->value)
        tree_expr_for_each(node->value, look_at_choice, merged);
    if (node->guard_value)
        tree_expr_for_each(node->guard_value, look_at_choice, merged);
    if (node->kind != NODE_IF || node->n_child != 2 ||
        !are_merged(loads_for(merged, node->child[0], NULL), loads_for(merged, node->child[1], NULL)))
        return;
    struct branches branches = {merged, node->child[0], node->child[1]};
    node_for_each(node->child[0], look_at_target, &branches);
}

bool device_is_merged(const struct device_file *file, const struct device_kernel *kernel, const struct array *array)
{
    struct merged merged = {file, kernel, array, device_is_read_only(file, kernel, array), 0, false};

    node_for_each(kernel->node, look_at_node, &merged);
    return merged.found;
}
