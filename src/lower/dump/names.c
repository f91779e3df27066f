#include "lower/dump/names.h"

#include <string.h>

/* How many before `end` have the name of number k. */
static int count_same(const handle_vec *handles, int k, int end)
{
    int n = 0;

    for (int other = 0; other < end; other++)
        n += strcmp(handles->at[other].name, handles->at[k].name) == 0;
    return n;
}

void handles_set(struct arena *arena, handle_vec *handles)
{
    for (int k = 0; k < handles->n; k++) {
        struct handle *handle = &handles->at[k];
        const bool alone = count_same(handles, k, handles->n) == 1;
        handle->handle =
            alone ? handle->name : arena_printf(arena, "%s#%d", handle->name, count_same(handles, k, k) + 1);
    }
}

const char *handle_of(const handle_vec *handles, const void *thing)
{
    for (int k = 0; k < handles->n; k++)
        if (handles->at[k].thing == thing)
            return handles->at[k].handle;
    return NULL;
}

const void *handle_find(const handle_vec *handles, const char *handle)
{
    for (int k = 0; k < handles->n; k++)
        if (strcmp(handles->at[k].handle, handle) == 0)
            return handles->at[k].thing;
    return NULL;
}

static void add_loops(struct arena *arena, const struct order *order, handle_vec *loops)
{
    bool known = order->kind != ORDER_LOOP;

    for (int k = 0; k < loops->n && !known; k++)
        known = loops->at[k].thing == order->info;
    if (!known)
        VEC_PUSH(arena, loops, ((struct handle){.thing = order->info, .name = order->info->name}));
    for (int k = 0; k < order->n_child; k++)
        add_loops(arena, order->child[k], loops);
}

handle_vec handles_of_loops(const struct dump_scope *scope)
{
    handle_vec loops = {0};

    add_loops(scope->arena, scope->order, &loops);
    handles_set(scope->arena, &loops);
    return loops;
}

const char *handle_of_loop(const handle_vec *loops, const struct loop_info *info)
{
    const char *handle = handle_of(loops, info);

    for (int k = 0; k < loops->n && !handle; k++)
        if (((const struct loop_info *)loops->at[k].thing)->id == info->id)
            handle = loops->at[k].handle;
    return handle;
}
