/* Memory, threads of the host and what a device has: who sees which array. */
#include "tree/verifier.h"

#include "program/program.h"
#include "tree/visit.h"

static void expect(struct verifier *verifier, bool holds, const char *violation)
{
    if (!holds)
        verifier_note(verifier, violation, NULL);
}

static bool is_on_device_only(const struct array *array)
{
    return array->fragment || array->memory == MEMORY_LOCAL || array->memory == MEMORY_SHARED;
}

/* Is it declared somewhere, but not here? What a thread of a device has finds its place late. */
static bool is_out_of_sight(const struct verifier *verifier, const struct array *array)
{
    if (array->memory == MEMORY_LOCAL && !(verifier->facts & FACT_DECLARATIONS))
        return false;
    for (int k = 0; k < verifier->declared.n; k++)
        if (verifier->declared.at[k].array == array)
            return verifier->declared.at[k].here == 0;
    return false;
}

void verify_access(struct verifier *verifier, const struct array *array)
{
    if (is_on_device_only(array))
        expect(verifier, verifier->kernel, "memory of a device is used outside of kernels");
    if (verifier->declared.n > 0 && array->role == ROLE_TEMP && is_out_of_sight(verifier, array))
        expect(verifier, false, "an array is used where it is not declared");
}

static struct declared *declared_of(struct verifier *verifier, const struct array *array)
{
    for (int k = 0; k < verifier->declared.n; k++)
        if (verifier->declared.at[k].array == array)
            return &verifier->declared.at[k];
    VEC_PUSH(verifier->vars->arena, &verifier->declared, ((struct declared){array, 0}));
    return &verifier->declared.at[verifier->declared.n - 1];
}

static void note_declared(const struct node *node, void *user)
{
    for (int k = 0; k < node->n_local; k++)
        declared_of(user, node->local[k]);
    for (int k = 0; k < node->n_own; k++)
        declared_of(user, node->own[k]);
    if (node->declares != DECLARE_NOTHING && node->kind == NODE_ASSIGN)
        declared_of(user, node->target.array);
}

void verify_find_declared(struct verifier *verifier, const struct node *tree)
{
    verifier->declared.at = NULL;
    verifier->declared.n = verifier->declared.capacity = 0;
    if (verifier->facts & FACT_BODIES)
        node_for_each(tree, note_declared, verifier);
}

static void declare(struct verifier *verifier, const struct array *array)
{
    declared_of(verifier, array)->here++;
    VEC_PUSH(verifier->vars->arena, &verifier->scope, array);
}

void verify_declare(struct verifier *verifier, const struct node *node)
{
    for (int k = 0; k < node->n_local; k++)
        declare(verifier, node->local[k]);
    for (int k = 0; k < node->n_own; k++)
        declare(verifier, node->own[k]);
}

void verify_leave(struct verifier *verifier, const struct node *node, int scope)
{
    const bool opens = node->kind == NODE_BLOCK && !node_is_scope(node) && node->n_local == 0;

    while (!opens && verifier->scope.n > scope)
        declared_of(verifier, verifier->scope.at[--verifier->scope.n])->here--;
    if (node->kind == NODE_ASSIGN && node->declares != DECLARE_NOTHING && (verifier->facts & FACT_BODIES))
        declare(verifier, node->target.array);
}

static void check_copy(struct verifier *verifier, const struct node *copy)
{
    expect(verifier, verifier->kernel && copy->target.array->memory == MEMORY_SHARED && copy->op == OP_NONE,
           "an asynchronous copy is none to shared memory");
    expect(verifier, copy->value->kind == TREE_LOAD && copy->value->element.array->memory != MEMORY_SHARED,
           "an asynchronous copy does not copy from memory");
    verifier->copies = true;
}

static void check_assign(struct verifier *verifier, const struct node *assign)
{
    const struct array *array = assign->target.array;

    expect(verifier, array->role != ROLE_IN && array->role != ROLE_CONST, "what is read only is written");
    if (assign->asynchronous)
        check_copy(verifier, assign);
    if (assign->atomic)
        expect(verifier, array->memory != MEMORY_LOCAL && !array->in_registers && assign->op != OP_NONE,
               "an atomic update is of what no other thread sees");
    if (assign->warp_sum || assign->neighbours)
        expect(verifier, verifier->kernel, "what a device does is outside of kernels");
    if (assign->warp_sum)
        expect(verifier, assign->warp_sum->warp > 1 && assign->warp_sum->threads > 0, "a warp has no threads");
}

/* Loops that share threads have some. */
static void check_team(struct verifier *verifier, const struct node *node)
{
    const bool shared = node->kind == NODE_SINGLE || (node->threads && node->threads->shared);

    expect(verifier, !shared || verifier->region, "threads are shared outside of their region");
    expect(verifier, !node->nowait || shared, "what threads do not share is not waited for");
    expect(verifier, node->kind != NODE_REGION || !verifier->region, "a region is inside of another one");
    expect(verifier, !node->threads || !verifier->kernel, "a kernel starts threads of the host");
    if (node->kind == NODE_FENCE && node->waits)
        expect(verifier, verifier->region, "threads wait outside of their region");
}

void verify_memory(struct verifier *verifier, const struct node *node)
{
    if (node->kind == NODE_ASSIGN)
        check_assign(verifier, node);
    else if (node->kind == NODE_BARRIER)
        verify_barrier(verifier, node);
    else if (node->kind == NODE_KERNEL)
        expect(verifier, !verifier->kernel, "a kernel is inside of another one");
    if (node->kind == NODE_BARRIER && node->waits)
        verifier->waits = true;
    verify_axis(verifier, node);
    check_team(verifier, node);
}

void verify_kernel_end(struct verifier *verifier, const struct node *kernel)
{
    verifier->at = kernel;
    expect(verifier, verifier->copies == verifier->waits, "asynchronous copies and waits for them do not match");
    if (verifier->copies && (verifier->facts & FACT_GRID))
        verify_copies(verifier, kernel);
}
