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

/* Is it the first thread that reaches its next worksharing construct? */
static bool takes_part(struct thread *thread)
{
    bool *taken;

    if (thread->work == WORKS)
        machine_lacks(thread->machine, "memory for that number of worksharing constructs");
    taken = &thread->machine->team->single_taken[thread->work++];
    if (*taken)
        return false;
    *taken = true;
    return true;
}

/* How many iterations the loops inside of the n-th loop of a doacross loop have. */
static int64_t iterations_inside(struct thread *thread, const struct node *doacross, int n)
{
    const struct node *loop = doacross;
    int64_t inside = 1;

    for (int l = 1; l < doacross->threads->collapse; l++) {
        loop = loop->child[0];
        inside *= l > n ? iterations_of(thread, loop) : 1;
    }
    return inside;
}

/* Iteration m of the loops inside, in iteration k of the doacross loop. */
static void run_waiting(struct thread *thread, const struct node *doacross, int64_t k, int64_t m)
{
    const struct binding *scope = thread->scope;
    const struct node *loop = doacross;

    bind_iteration(thread, loop, k);
    for (int l = 1; l < doacross->threads->collapse; l++) {
        const int64_t inside = iterations_inside(thread, doacross, l);
        loop = loop->child[0];
        bind_iteration(thread, loop, m / inside);
        m %= inside;
    }
    run_node(thread, loop->child[0]);
    leave(thread, scope);
}

/* The outer iteration whose next inner one runs, of those that need not wait: the first, the last or any. */
static int64_t next_outer(struct machine *machine, const int64_t *done, int64_t n, int64_t inner)
{
    int64_t chosen = -1, ready = 0;

    for (int64_t k = 0; k < n; k++) {
        if (done[k] == inner || (k > 0 && done[k - 1] <= done[k]))
            continue;
        if (machine->order == 0)
            return k;
        ready++;
        if (machine->order == 1 || machine_choose(machine, ready) == 0)
            chosen = k;
    }
    return chosen;
}

void run_doacross(struct thread *thread, const struct node *doacross)
{
    const int64_t n = iterations_of(thread, doacross), inner = iterations_inside(thread, doacross, 0);
    int64_t *done = ARENA_ARRAY(thread->machine->arena, n + 1, int64_t);

    for (int64_t k; (k = next_outer(thread->machine, done, n, inner)) >= 0; done[k]++)
        run_waiting(thread, doacross, k, done[k]);
}

/* Cyclic: neighbours are never one thread's. The first one that comes to a doacross loop does all of it, in an order
 * that several could have. */
void run_shared_loop(struct thread *thread, const struct node *loop)
{
    const int64_t n = iterations_of(thread, loop);
    const struct team *team = thread->machine->team;

    if (!team)
        machine_fault(thread->machine, "a shared loop outside of a region");
    if (!loop->threads->doacross) {
        for (int64_t k = 0; k < n; k++)
            if ((k + thread->work) % team->n == thread->number)
                run_iteration(thread, loop, k);
        thread->work++;
    } else if (takes_part(thread))
        run_doacross(thread, loop);
    if (!loop->nowait)
        wait_for(thread, WAIT_FOR_ALL, loop);
}

void run_single(struct thread *thread, const struct node *single)
{
    const struct binding *scope = thread->scope;

    if (!thread->machine->team)
        machine_fault(thread->machine, "a single outside of a region");
    if (takes_part(thread)) {
        run_node(thread, single->child[0]);
        leave(thread, scope);
    }
    if (!single->nowait)
        wait_for(thread, WAIT_FOR_ALL, single);
}
