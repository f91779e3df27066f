/* Is an array that each iteration of a loop has for itself filled in one piece of the loop and used in another?
 *
 * isl makes pieces of a loop where all that runs in one comes before what runs in the other, even within one iteration:
 * i = i0 alone, where it knows that, is the loop's piece `for (i = 0; ..) if (i == i0) fill` in front of `use`.
 */
#include "lower/loops/torn.h"

#include "program/program.h"
#include "sched/order.h"

#include <string.h>

struct uses {
    bool reads, writes;
};

/* Steps give an array a new description, which the accesses do not know: it is the same by its name. */
static void note_uses(const struct node *node, const struct array *array, struct uses *uses)
{
    const struct statement *statement = node->kind == NODE_STATEMENT ? node->statement : NULL;

    for (int k = 0; statement && k < statement->n_access; k++) {
        const struct access *access = &statement->access[k];
        const bool same = strcmp(access->array->name, array->name) == 0;
        uses->writes |= same && access->write;
        uses->reads |= same && !access->write;
    }
    for (int k = 0; k < node->n_child; k++)
        note_uses(node->child[k], array, uses);
}

/* A piece that only writes leaves its values to another one, which may only read them. */
static bool is_piece(const struct node *node, const struct array *array)
{
    struct uses uses = {false, false};

    if (node->kind == NODE_LOOP && node->info && array_is_within(array, node->info->id)) {
        note_uses(node, array, &uses);
        return uses.reads != uses.writes;
    }
    for (int k = 0; k < node->n_child; k++)
        if (is_piece(node->child[k], array))
            return true;
    return false;
}

bool lower_torn(const struct program *program, const struct node *tree)
{
    for (int k = 0; k < program->n_array; k++) {
        const struct array *array = &program->array[k];
        struct uses uses = {false, false};
        if (array->n_within == 0 || !is_piece(tree, array))
            continue;
        note_uses(tree, array, &uses);
        if (uses.reads && uses.writes)
            return true;
    }
    return false;
}
