/* The threads of a region, as fibers: each runs to the next place where all wait, or to its end, before the next one
 * starts, in the order of the run. */
#include "machine.h"

#include <string.h>

enum { STACK = 1 << 19, POOL = 1 << 24, WORKS = 1 << 20 };

static void begin_thread(unsigned high, unsigned low)
{
    struct thread *thread = (struct thread *)(((uintptr_t)high << 32) | low);

    run_node(thread, thread->start->child[0]);
    thread->done = true;
    swapcontext(&thread->context, &thread->machine->region->scheduler);
}

static void start(struct thread *thread)
{
    const uintptr_t address = (uintptr_t)thread;

    getcontext(&thread->context);
    if (!thread_begin(thread, POOL))
        machine_fault(thread->machine, "no memory for a thread");
    thread->stack = thread->pool + POOL;
    thread->context.uc_stack.ss_sp = thread->stack;
    thread->context.uc_stack.ss_size = STACK;
    makecontext(&thread->context, (void (*)(void))begin_thread, 2, (unsigned)(address >> 32), (unsigned)address);
}

/* All threads from one wait to the next. */
static bool run_to_wait(struct region *region, uint64_t order)
{
    bool any = false;

    for (int k = 0; k < region->n; k++) {
        struct thread *thread = &region->thread[order % 2 ? region->n - 1 - k : k];
        if (thread->done)
            continue;
        thread->waits = false;
        swapcontext(&region->scheduler, &thread->context);
        any = any || !thread->done;
    }
    return any;
}

static int waiting(const struct region *region)
{
    int n = 0;

    for (int k = 0; k < region->n; k++)
        n += region->thread[k].waits && !region->thread[k].done;
    return n;
}

void run_region(struct thread *thread, const struct node *node)
{
    struct machine *machine = thread->machine;
    struct region region = {.n = MACHINE_THREADS}, *outer = machine->region;
    const struct binding *scope = thread->scope;

    for (int k = 0; k < node->n_local; k++)
        space_declare(thread, node->local[k]);
    region.thread = thread_alloc(thread, (size_t)region.n * sizeof(*region.thread));
    region.n_single = WORKS;
    region.single_taken = thread_alloc(thread, WORKS);
    memset(region.single_taken, 0, WORKS);
    machine->region = &region;
    for (int k = 0; k < region.n; k++) {
        region.thread[k] = (struct thread){.machine = machine, .scope = thread->scope, .number = k, .start = node};
        start(&region.thread[k]);
    }
    while (run_to_wait(&region, machine->order))
        if (waiting(&region) != region.n)
            machine_fault(machine, "not all threads come to a wait");
    for (int k = 0; k < region.n; k++)
        thread_end(&region.thread[k]);
    machine->region = outer;
    leave(thread, scope);
}

void wait_for_all(struct thread *thread)
{
    if (!thread->machine->region)
        machine_fault(thread->machine, "threads wait outside of a region");
    thread->waits = true;
    swapcontext(&thread->context, &thread->machine->region->scheduler);
}

/* Cyclic: neighbours are never one thread's. */
void run_shared_loop(struct thread *thread, const struct node *loop)
{
    const int64_t n = iterations_of(thread, loop);
    const struct region *region = thread->machine->region;

    if (!region)
        machine_fault(thread->machine, "a shared loop outside of a region");
    for (int64_t k = 0; k < n; k++)
        if ((k + thread->work) % region->n == thread->number)
            run_iteration(thread, loop, k);
    thread->work++;
    if (!loop->nowait)
        wait_for_all(thread);
}

void run_single(struct thread *thread, const struct node *single)
{
    struct region *region = thread->machine->region;

    if (!region)
        machine_fault(thread->machine, "a single outside of a region");
    bool *taken = &region->single_taken[thread->work++ % region->n_single];
    if (!*taken) {
        const struct binding *scope = thread->scope;
        *taken = true;
        run_node(thread, single->child[0]);
        leave(thread, scope);
    }
    if (!single->nowait)
        wait_for_all(thread);
}
