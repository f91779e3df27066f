/* The memory of a thread's bindings: a stack, as scopes are. */
#include "machine.h"

#include <string.h>
#include <sys/mman.h>

enum { ALIGN = 64, EXTRA = 1 << 19, POISON = 0xA5 };

/* A pool that no thread has at the moment; it starts with this. */
struct pool {
    struct pool *next;
    size_t size;
};

/* Most of a pool is never used: pages come from the system one by one, stay for the next thread, and only what is
 * handed out gets a pattern. (An allocator that fills all of it makes a thousand threads take a minute.) */
static void *take_pool(struct machine *machine, size_t size)
{
    struct pool *pool = machine->pools;
    void *memory;

    if (pool && pool->size == size) {
        machine->pools = pool->next;
        return pool;
    }
    memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

bool thread_begin(struct thread *thread, size_t size)
{
    thread->pool = take_pool(thread->machine, size + EXTRA);
    thread->size = size;
    thread->top = thread->base = 0;
    return thread->pool != NULL;
}

void thread_end(struct thread *thread)
{
    struct pool *pool = (struct pool *)(void *)thread->pool;

    if (!pool)
        return;
    *pool = (struct pool){thread->machine->pools, thread->size + EXTRA};
    thread->machine->pools = pool;
    thread->pool = NULL;
}

void machine_release(struct machine *machine)
{
    while (machine->pools) {
        struct pool *pool = machine->pools;
        machine->pools = pool->next;
        munmap(pool, pool->size);
    }
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
