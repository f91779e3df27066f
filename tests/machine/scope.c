/* The memory of a thread's bindings: a stack, as scopes are. */
#include "machine.h"

#include <stdlib.h>

enum { ALIGN = 64, EXTRA = 1 << 19 };

bool thread_begin(struct thread *thread, size_t size)
{
    thread->pool = malloc(size + EXTRA);
    thread->size = size;
    thread->top = thread->base = 0;
    return thread->pool != NULL;
}

void thread_end(struct thread *thread)
{
    free(thread->pool);
    thread->pool = NULL;
}

void *thread_alloc(struct thread *thread, size_t size)
{
    const size_t at = thread->top;

    if (size > thread->size - at - ALIGN)
        machine_fault(thread->machine, "a thread needs too much memory");
    thread->top = (at + size + ALIGN) / ALIGN * ALIGN;
    return thread->pool + at;
}

struct binding *bind(struct thread *thread, const struct var *var)
{
    struct binding *binding = thread_alloc(thread, sizeof(*binding));

    *binding = (struct binding){.outer = thread->scope, .var = var, .owner = thread, .end = thread->top};
    thread->scope = binding;
    return binding;
}

void leave(struct thread *thread, const struct binding *scope)
{
    thread->scope = scope;
    thread->top = scope && scope->owner == thread ? scope->end : thread->base;
}
