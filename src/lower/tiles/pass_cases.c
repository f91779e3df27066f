/* Pass "cases": tiles that are to have a function for each remainder have them, or why not is told. Most have them
 * since they were cut (lower/tiles/cut.h). */
#include "lower/facts/descend.h"
#include "lower/tiles/cases.h"
#include "lower/tiles/refine.h"

#include "tree/visit.h"

static const struct node *walk(const struct facts *facts, const struct node *node, void *user)
{
    node = descend(facts, node, walk, user);
    if (!node)
        return NULL;
    if (node->kind != NODE_LOOP || !node->info || node->info->tail != TAIL_CASES || !node->info->pieces || node->piece)
        return node;
    const struct node *cases = cases_loop(facts, node, true);
    return cases && cases != node ? refine_inside(facts, cases) : cases;
}

const struct node *lower_cases(struct lowering *lowering, const struct node *tree)
{
    struct facts facts = facts_of_program(lowering);

    return walk(&facts, tree, NULL);
}
