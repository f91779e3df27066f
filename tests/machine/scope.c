/* The memory of a thread's bindings: a stack, as scopes are. */
#include "machine.h"

#include <string.h>
#include <sys/mman.h>

enum { ALIGN = 64, EXTRA = 1 << 19, POISON = 0xA5 };

/* Most of a pool is never used: pages come from the system one by one, and only what is handed out gets a pattern. (An
 * allocator that fills all of it makes a thousand threads take a minute.) */
bool thread_begin(struct thread *thread, size_t size)
{
    void *pool = mmap(NULL, size + EXTRA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    thread->pool = pool == MAP_FAILED ? NULL : pool;
    thread->size = size;
    thread->top = thread->base = 0;
    return thread->pool != NULL;
}

void thread_end(struct thread *thread)
{
    munmap(thread->pool, thread->size + EXTRA);
    thread->pool = NULL;
}

void *thread_alloc(struct thread *thread, size_t size)
{
    const size_t at = thread->top;

    if (size > thread->size - at - ALIGN)
        machine_fault(thread->machine, "a thread needs too much memory");
    thread->top = (at + size + ALIGN) / ALIGN * ALIGN;
    return memset(thread->pool + at, POISON, size);
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
