/* A run-time of OpenMP that the sanitizer of threads sees through: what gcc calls, in place of libgomp, which
 * is not built for the sanitizer.
 *
 * Threads are ordered by what OpenMP orders and by nothing else: begin and end of a region, barriers, critical
 * sections, and in loops with `ordered` what an iteration posts and another waits for. Who does what is fixed, so that
 * threads share nothing to agree on it: the chunks of a loop, and the `single` blocks, are distributed cyclically.
 *
 * A region that asks for one thread gets all, as `if` is about speed: races are to show at small sizes. A region in a
 * region gets one.
 */
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_THREADS = 8, MOST_POSTS = 1 << 22, MOST_ORDERED = 8, MOST_SECONDS = 60 };

struct team {
    int n;
    int arrived[2]; /* threads at the barriers of even and of odd numbers, all together */
    void (*body)(void *data);
    void *data;
    long first[4]; /* of GOMP_parallel_loop_*: start, end, step, chunk */
    bool is_loop;
};

/* A loop of a thread: its next chunk, and how far the one after that is away. */
struct loop {
    long next, end, step, chunk, stride;
};

static __thread struct team *team; /* NULL: outside of a region */
static __thread int me, n_single, n_barrier;
static __thread struct loop loop;

/* The loop with `ordered` that a thread is in: its iterations' posts stand from posts + at on, in an order that extent
 * gives. */
static unsigned char posts[MOST_POSTS];
static __thread long at, used, extent[MOST_ORDERED];
static __thread int n_ordered;

static pthread_mutex_t critical = PTHREAD_MUTEX_INITIALIZER;

static void die(const char *why)
{
    fprintf(stderr, "races: %s\n", why);
    abort();
}

int omp_get_max_threads(void)
{
    const char *wanted = getenv("OMP_NUM_THREADS");
    const int n = wanted ? atoi(wanted) : 3;

    return n < 1 ? 1 : n > MOST_THREADS ? MOST_THREADS : n;
}

int omp_get_num_threads(void)
{
    return team ? team->n : 1;
}

int omp_get_thread_num(void)
{
    return me;
}

int omp_in_parallel(void)
{
    return team && team->n > 1;
}

/* That of pthread.h orders more than it should: a thread that leaves it late is ordered after what others did since.
 * Here no thread reaches the next barrier but one before all have left this one. */
void GOMP_barrier(void)
{
    const int k = n_barrier++;

    if (!omp_in_parallel())
        return;
    __atomic_fetch_add(&team->arrived[k % 2], 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&team->arrived[k % 2], __ATOMIC_ACQUIRE) < (k / 2 + 1) * team->n)
        sched_yield();
}

/* Chunks by turns; without a chunk each thread has one, as long as the others' or one longer. */
static void distribute(long start, long end, long step, long chunk)
{
    const int n = omp_get_num_threads();
    const long count = step > 0 ? (end - start + step - 1) / step : (start - end - step - 1) / -step;
    const long least = count > 0 ? count / n : 0, rest = count > 0 ? count % n : 0;

    if (chunk > 0) {
        loop = (struct loop){start + me * chunk * step, end, step, chunk, n * chunk * step};
        return;
    }
    loop = (struct loop){.next = start + (me * least + (me < rest ? me : rest)) * step,
                         .end = end,
                         .step = step,
                         .chunk = least + (me < rest),
                         .stride = (count + 1) * step};
    if (loop.chunk == 0)
        loop.next = end;
}

static bool take(long *from, long *to)
{
    const bool up = loop.step > 0;

    if (up ? loop.next >= loop.end : loop.next <= loop.end)
        return false;
    *from = loop.next;
    *to = loop.next + loop.chunk * loop.step;
    if (up ? *to > loop.end : *to < loop.end)
        *to = loop.end;
    loop.next += loop.stride;
    return true;
}

static void *run(void *data)
{
    struct team *own = data;

    team = own;
    n_single = 0;
    n_barrier = 0;
    used = 0;
    if (own->is_loop)
        distribute(own->first[0], own->first[1], own->first[2], own->first[3]);
    own->body(own->data);
    return NULL;
}

struct start {
    struct team *team;
    int number;
};

static void *run_other(void *data)
{
    const struct start *start = data;

    me = start->number;
    return run(start->team);
}

/* A region in a region: by this thread alone. */
static void run_alone(struct team *own)
{
    struct team *const outer = team;
    const struct loop around = loop;
    const int number = me, singles = n_single, barriers = n_barrier;
    const long used_before = used;

    own->n = 1;
    me = 0;
    run(own);
    team = outer;
    loop = around;
    me = number;
    n_single = singles;
    n_barrier = barriers;
    used = used_before;
}

/* That there are threads, in the file that the environment names. */
static void tell_region(void)
{
    static bool told;
    const char *name = getenv("RACES_REGIONS");
    FILE *file = told || !name ? NULL : fopen(name, "a");

    told = true;
    if (file) {
        fputs("threads\n", file);
        fclose(file);
    }
}

static void run_all(struct team *own, unsigned wanted)
{
    pthread_t thread[MOST_THREADS];
    struct start start[MOST_THREADS];

    tell_region();
    own->n = wanted < 2 ? omp_get_max_threads() : wanted < MOST_THREADS ? (int)wanted : MOST_THREADS;
    memset(posts, 0, (size_t)used);
    for (int k = 1; k < own->n; k++) {
        start[k] = (struct start){own, k};
        if (pthread_create(&thread[k], NULL, run_other, &start[k]))
            die("no thread");
    }
    run(own);
    for (int k = 1; k < own->n; k++)
        pthread_join(thread[k], NULL);
    team = NULL;
}

static void run_team(struct team *own, unsigned wanted)
{
    if (team)
        run_alone(own);
    else
        run_all(own, wanted);
}

void GOMP_parallel(void (*body)(void *), void *data, unsigned wanted, unsigned flags)
{
    struct team own = {.body = body, .data = data};

    (void)flags;
    run_team(&own, wanted);
}

/* What the names of loops with a schedule have in common. */
#define LOOP(kind)                                                                                                     \
    bool GOMP_loop_##kind##_start(long start, long end, long step, long chunk, long *from, long *to)                   \
    {                                                                                                                  \
        distribute(start, end, step, chunk);                                                                           \
        return take(from, to);                                                                                         \
    }                                                                                                                  \
    bool GOMP_loop_##kind##_next(long *from, long *to)                                                                 \
    {                                                                                                                  \
        return take(from, to);                                                                                         \
    }                                                                                                                  \
    void GOMP_parallel_loop_##kind(void (*body)(void *), void *data, unsigned wanted, long start, long end, long step, \
                                   long chunk, unsigned flags)                                                         \
    {                                                                                                                  \
        struct team own = {.body = body, .data = data, .first = {start, end, step, chunk}, .is_loop = true};           \
                                                                                                                       \
        (void)flags;                                                                                                   \
        run_team(&own, wanted);                                                                                        \
    }

LOOP(static)
LOOP(dynamic)
LOOP(guided)
LOOP(nonmonotonic_dynamic)
LOOP(nonmonotonic_guided)

void GOMP_loop_end(void)
{
    GOMP_barrier();
}

void GOMP_loop_end_nowait(void)
{
}

bool GOMP_single_start(void)
{
    return n_single++ % omp_get_num_threads() == me;
}

void GOMP_critical_start(void)
{
    pthread_mutex_lock(&critical);
}

void GOMP_critical_end(void)
{
    pthread_mutex_unlock(&critical);
}

void GOMP_atomic_start(void)
{
    pthread_mutex_lock(&critical);
}

void GOMP_atomic_end(void)
{
    pthread_mutex_unlock(&critical);
}

/* n loops, of count[k] iterations; those of the outermost one are distributed among the threads. */
static bool start_ordered(unsigned n, const long *count, long chunk, long *from, long *to)
{
    long size = 1;

    if (n > MOST_ORDERED)
        die("too many loops with `ordered`");
    for (unsigned k = 0; k < n; k++) {
        extent[k] = count[k];
        if (count[k] > 0 && size > (MOST_POSTS - used) / count[k])
            die("too many iterations with `ordered`");
        size *= count[k] > 0 ? count[k] : 0;
    }
    n_ordered = (int)n;
    at = used;
    used += size;
    distribute(0, count[0], 1, chunk);
    return take(from, to);
}

bool GOMP_loop_doacross_static_start(unsigned n, long *count, long chunk, long *from, long *to)
{
    return start_ordered(n, count, chunk, from, to);
}

bool GOMP_loop_doacross_dynamic_start(unsigned n, long *count, long chunk, long *from, long *to)
{
    return start_ordered(n, count, chunk, from, to);
}

bool GOMP_loop_doacross_guided_start(unsigned n, long *count, long chunk, long *from, long *to)
{
    return start_ordered(n, count, chunk, from, to);
}

void GOMP_doacross_post(long *iteration)
{
    long k = 0;

    if (!omp_in_parallel())
        return;
    for (int d = 0; d < n_ordered; d++)
        k = k * extent[d] + iteration[d];
    __atomic_store_n(&posts[at + k], 1, __ATOMIC_RELEASE);
}

void GOMP_doacross_wait(long first, ...)
{
    const time_t latest = time(NULL) + MOST_SECONDS;
    long k = first;
    va_list rest;

    va_start(rest, first);
    for (int d = 1; d < n_ordered; d++)
        k = k * extent[d] + va_arg(rest, long);
    va_end(rest);
    while (omp_in_parallel() && !__atomic_load_n(&posts[at + k], __ATOMIC_ACQUIRE)) {
        if (time(NULL) > latest)
            die("an iteration waits for one that posts nothing");
        sched_yield();
    }
}
