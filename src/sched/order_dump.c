#include "sched/order.h"

#include <stdlib.h>

static void add_isl(struct text *out, char *text)
{
    text_add(out, text ? text : "?");
    free(text);
}

static void dump_loop(struct text *out, const struct order *order)
{
    const struct loop_info *info = order->info;

    text_addf(out, "loop %s", info->name);
    if (info->stride != 1)
        text_addf(out, " step %lld", (long long)info->stride);
    if (info->offset) {
        text_add(out, " from ");
        add_isl(out, isl_aff_to_str(info->offset));
    }
    text_add(out, ": ");
    add_isl(out, isl_union_pw_aff_to_str(order->time));
}

void order_dump(struct text *out, const struct order *order, int depth)
{
    text_addf(out, "%*s", 2 * depth, "");
    if (order->kind == ORDER_LOOP)
        dump_loop(out, order);
    else if (order->kind == ORDER_SEQUENCE)
        text_add(out, "sequence");
    else
        add_isl(out, isl_set_to_str(order->domain));
    text_char(out, '\n');
    for (int k = 0; k < order->n_child; k++)
        order_dump(out, order->child[k], depth + 1);
}
