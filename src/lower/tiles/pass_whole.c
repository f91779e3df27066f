/* Pass "whole": loops by several elements of what is known to be a multiple of so many go up to its end,
 *     for (k = 0; k < K - 3; k += 32)      becomes      for (k = 0; k < K; k += 32)
 */
#include "lower/facts/descend.h"
#include "lower/facts/facts.h"
#include "lower/tiles/plain_end.h"
#include "plan/device/copies/dealing.h"
#include "plan/loop_plan.h"

/* Is it bound to positions, which its end tells the number of? */
static bool has_positions(const struct node *loop)
{
    return loop->info && loop->info->plan && loop->info->plan->axis != AXIS_NONE && !is_dealt(loop->info);
}

static const struct node *walk(const struct facts *facts, const struct node *node, void *user)
{
    if (node->kind == NODE_LOOP && !has_positions(node))
        node = whole_end(facts, node);
    return node ? descend(facts, node, walk, user) : NULL;
}

const struct node *lower_whole(struct lowering *lowering, const struct node *tree)
{
    const struct facts facts = facts_of_program(lowering);

    return walk(&facts, tree, NULL);
}
