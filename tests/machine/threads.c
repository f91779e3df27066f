/* Regions of threads, and the loops and parts in them that the threads share. */
#include "machine.h"

#include <string.h>

enum { WORKS = 1 << 18 };

void run_region(struct thread *thread, const struct node *node)
{
    struct team team = {.n = MACHINE_THREADS};
    const struct binding *scope = thread->scope;

    team_meet(thread);
    for (int k = 0; k < node->n_local; k++)
        space_declare(thread, node->local[k]);
    team.thread = thread_alloc(thread, (size_t)team.n * sizeof(*team.thread));
    memset(team.thread, 0, (size_t)team.n * sizeof(*team.thread));
    team.single_taken = thread_alloc(thread, WORKS);
    memset(team.single_taken, 0, WORKS);
    team_run(&team, thread, node);
    leave(thread, scope);
}

/* Cyclic: neighbours are never one thread's. */
void run_shared_loop(struct thread *thread, const struct node *loop)
{
    const int64_t n = iterations_of(thread, loop);
    const struct team *team = thread->machine->team;

    if (!team)
        machine_fault(thread->machine, "a shared loop outside of a region");
    for (int64_t k = 0; k < n; k++)
        if ((k + thread->work) % team->n == thread->number)
            run_iteration(thread, loop, k);
    thread->work++;
    if (!loop->nowait)
        wait_for(thread, WAIT_FOR_ALL, loop);
}

void run_single(struct thread *thread, const struct node *single)
{
    const struct binding *scope = thread->scope;
    struct team *team = thread->machine->team;

    if (!team)
        machine_fault(thread->machine, "a single outside of a region");
    if (thread->work == WORKS)
        machine_lacks(thread->machine, "memory for so many shared parts");
    bool *taken = &team->single_taken[thread->work++];
    if (!*taken) {
        *taken = true;
        run_node(thread, single->child[0]);
        leave(thread, scope);
    }
    if (!single->nowait)
        wait_for(thread, WAIT_FOR_ALL, single);
}
