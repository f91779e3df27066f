#include "report/listing/needless.h"

#include "lower/facts/bound.h"
#include "program/program.h"

/* Has the loop no iteration where the condition does not hold? `k = 0 to K - 1` has none where K >= 4 does not and K is
 * a multiple of four. */
static bool is_empty_without(const struct around *around, const struct node *loop, const struct condition *condition)
{
    const struct affine *way = affine_sub(around->arena, loop->upper, loop->lower);
    const struct span span = span_of(around->arena, around->facts->bound, condition->affine);
    int64_t less;

    return way && loop->step > 0 && bound_apart(around->arena, way, condition->affine, &less) && less >= 0 &&
           less < span.modulus - span.residue;
}

/* Does it do something that callers see, be it by way of a buffer? Where nothing else runs, what is flushed is what was
 * filled. */
static bool is_seen(const struct node *node)
{
    const struct statement *statement = node->kind == NODE_STATEMENT ? node->statement : NULL;

    if (!statement || statement->barrier || statement->is_copy)
        return false;
    return statement->target->array->role != ROLE_TEMP || statement->target->array->is_buffer;
}

/* Does what callers see run where the condition does not hold? *any: is there such a statement at all? */
static bool runs_without(const struct around *around, const struct node *node, const struct condition *condition,
                         bool *any)
{
    const bool safe = node->kind == NODE_LOOP && is_empty_without(around, node, condition);
    bool runs = false;

    if (is_seen(node))
        return *any = true;
    for (int k = 0; k < node->n_child; k++)
        runs = runs_without(around, node->child[k], condition, any) || runs;
    return runs && !safe;
}

bool needless_condition(const struct around *around, const struct node *body, const struct condition *condition)
{
    bool any = false;

    return !condition->equal && !runs_without(around, body, condition, &any) && any;
}
