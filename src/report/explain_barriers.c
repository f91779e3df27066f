/* Where the threads of a block wait for each other, and what for. */
#include "report/explain_parts.h"

#include "base/vec.h"

struct telling {
    struct arena *arena;
    struct text *out;
    VEC(const struct order *) around; /* loops */
    bool any;
};

/* "in i, k, before ii: A_tile written" */
static void tell(struct telling *telling, const struct order *barrier, const struct order *next)
{
    struct text *out = telling->out;

    text_add(out, telling->any ? "" : "\nbarriers\n");
    telling->any = true;
    text_add(out, "  ");
    for (int k = 0; k < telling->around.n; k++)
        text_addf(out, "%s%s", k ? ", " : "in ", telling->around.at[k]->info->name);
    if (telling->around.n > 0)
        text_add(out, ", ");
    if (next)
        text_addf(out, "before %s", next->kind == ORDER_LOOP ? next->info->name : next->statement->label);
    else
        text_add(out, "at the end");
    text_addf(out, ": %s%s\n", barrier->statement->barrier,
              barrier->statement->lone ? "; each thread waits for its own copies only" : "");
}

static void walk(struct telling *telling, const struct order *order)
{
    if (order->kind == ORDER_LOOP)
        VEC_PUSH(telling->arena, &telling->around, order);
    for (int k = 0; k < order->n_child; k++) {
        const struct order *child = order->child[k], *next = k + 1 < order->n_child ? order->child[k + 1] : NULL;
        while (next && next->kind == ORDER_SEQUENCE)
            next = next->child[0];
        if (child->kind == ORDER_LEAF && child->statement->barrier)
            tell(telling, child, next);
        walk(telling, child);
    }
    telling->around.n -= order->kind == ORDER_LOOP;
}

void explain_barriers(struct arena *arena, const struct order *order, struct text *out)
{
    struct telling telling = {.arena = arena, .out = out};

    walk(&telling, order);
}
