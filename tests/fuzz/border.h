/* Small programs around the border between what is legal and what is not, and their plain enumeration.
 *
 * A draft is drawn, written as a description for polynest, and run here, loop by loop at small parameters. Nothing of
 * polynest takes part but its public header: what it accepts must break nothing at any of these parameters, and what it
 * refuses as illegal must be so at the instances, elements and parameters that its message names.
 */
#ifndef FUZZ_BORDER_H
#define FUZZ_BORDER_H

#include "base/text.h"
#include "prng.h"

#include <stdbool.h>

enum { MAX_LOOPS = 4, MAX_READS = 3, MAX_LINES = 4, MAX_NESTS = 3, MAX_DIMS = 2, MAX_ARRAYS = 6, MAX_BOUND = 3 };

/* loop . i + n * N + m * M + constant, then / divide or % modulo where these are not 0. */
struct form {
    int loop[MAX_LOOPS];
    int n, m, constant, divide, modulo;
};

struct use {
    int array;
    struct form at[MAX_DIMS];
};

/* A statement inside the first `depth` loops of its nest, where guard >= 0 if it is guarded. */
struct line {
    int depth;
    struct use target;
    bool updates; /* += */
    struct use read[MAX_READS];
    int n_read;
    bool guarded;
    struct form guard;
};

/* low <= i < high, by steps */
struct span {
    struct form low, high;
    int step;
};

struct nest {
    struct span loop[MAX_LOOPS];
    int n_loop;
    struct line line[MAX_LINES]; /* those that are deeper than others stand together */
    int n_line;
    bool polyhedral; /* all lines have all loops, and run in the order of these times, those of one time at once */
    struct form time[MAX_LOOPS];
    int n_time;
    bool timed;                 /* the first line has these times only where the first loop >= timed_from, */
    int timed_from, timed_till; /* and those plus 1 where it is <= timed_till */
};

struct array {
    const char *role; /* "temp" and "out" start without values */
    int n_dim;
    struct form size[MAX_DIMS];
    bool zero;    /* "init": 0 */
    bool strided; /* has strides and an offset of its own */
    struct form stride[MAX_DIMS], offset;
    bool viewed; /* named by a view: offset, shape and strides of that */
    struct form view_offset[MAX_DIMS], view_size[MAX_DIMS];
    int view_stride[MAX_DIMS];
};

/* One loop in the new order: sign * form. Tiles are of the first loop, and begin where that does. */
struct place_in_time {
    struct form form;
    int sign;
};

/* What the schedule or plan asks for, for the judge. */
struct asked {
    int nest;
    int loop, n;                              /* the loops of the nest from here on */
    bool doacross;                            /* iterations of those inside wait for the same one of the one before */
    int lanes;                                /* 0: as many as there are */
    bool any_order;                           /* of statements: the compiler makes the vectors */
    bool promised;                            /* that lanes are independent; sums are not collected */
    char axis[MAX_LOOPS];                     /* of the loops of each nest: 'b' blocks, 't' threads, 0 */
    int by;                                   /* tiles */
    bool flushed;                             /* the cached reference writes */
    bool after;                               /* a barrier after the loop, not before it */
    int ahead;                                /* iterations for which buffers are filled ahead */
    int array;                                /* that is moved, or that each iteration has for itself */
    struct place_in_time time[MAX_LOOPS + 2]; /* of the new order */
    int n_time;
    bool fused;
    bool sunk; /* the nest whose array moves to the loop of the nest in front */
};

struct draft {
    struct prng prng;
    struct array array[MAX_ARRAYS];
    int n_array;
    struct nest nest[MAX_NESTS];
    int n_nest;
    int least[2], multiple[2];          /* of N and M */
    bool integers;                      /* i32, not f32 */
    bool reassociate;                   /* permitted */
    struct text schedule, plan, target; /* as they stand in the description */
    struct asked asked;
};

extern const char *const border_loop_name[MAX_NESTS][MAX_LOOPS];
extern const char *const border_array_name[MAX_ARRAYS];

/* factor * loop + n * N + m * M + constant */
static inline struct form form_of(int loop, int factor, int n, int m, int constant)
{
    struct form form = {.n = n, .m = m, .constant = constant};

    form.loop[loop] = factor;
    return form;
}

static inline int border_pick(struct draft *draft, int n)
{
    return (int)prng_range(&draft->prng, 0, n - 1);
}

static inline bool border_chance(struct draft *draft, int percent)
{
    return border_pick(draft, 100) < percent;
}

/* Drawing (border_draw.c). */
void draw_arrays(struct draft *draft,
                 const char *roles); /* a letter each: i in, o out, x inout, t temp; upper case: two dimensions */
void draw_nest(struct draft *draft, int loops, int lines, bool perfect);
struct form draw_subscript(struct draft *draft, const struct nest *nest, int depth);
struct use draw_use(struct draft *draft, const struct nest *nest, int depth, int array);
/* Makes the arrays as large as what is used of them, and moves all subscripts so that none is negative. */
void draft_fit(struct draft *draft);
void draw_sizes(struct draft *draft); /* what the parameters are at least */
void draw_sums(struct draft *draft);  /* more updates, whose order is free or not */
void add_nests(struct draft *draft, int most, bool perfect);
void drop_guards(struct draft *draft);
void prepare_bound(struct draft *draft); /* loops start at constants */
/* The description (border_text.c). */
void draft_write(const struct draft *draft, struct text *out);

/* Enumeration (border_run.c). */
struct touch {
    int array;
    int64_t at[MAX_DIMS];
    bool writes;
};

struct event {
    int nest, line;
    int depth;
    int64_t at[MAX_LOOPS];
    struct touch touch[MAX_READS + 2]; /* reads first, as they are made */
    int n_touch;
};

struct trace {
    struct event *event;
    int n;
    int64_t start; /* the least value of the first nest's first loop */
};

int64_t form_at(const struct form *form, const int64_t *loop, const int64_t *size);
/* Do the assumptions and the extents of arrays allow these sizes, N and M? */
bool draft_allows(const struct draft *draft, const int64_t *size);
/* The instances in the order in which they are written; at most `most` of them. */
struct trace draft_run(const struct draft *draft, const int64_t *size, int most);
void trace_free(struct trace *trace);
/* What the line touches at these values of its loops, be it an instance or not. */
struct event draft_event(const struct draft *draft, int nest, int line, const int64_t *at, const int64_t *size);
/* The number of the statement among all of them, which its label has. */
int draft_label(const struct draft *draft, int nest, int line);
bool touch_same(const struct touch *a, const struct touch *b);
/* Do both touch an element that one of them writes? */
bool events_conflict(const struct event *a, const struct event *b);
/* The event whose value b reads from the array, of those in front of it; -1: none. element: which one. */
int trace_source(const struct trace *trace, int b, const struct touch *read);

/* What polynest says (border_said.c). */
enum { MAX_TUPLES = 12 };

struct tuple {
    char name[16];
    int n;
    int64_t at[8];
};

struct said {
    char rule[32];
    char text[4096]; /* the first error and its notes, one a line */
    bool has_hint, has_place;
    struct tuple tuple[MAX_TUPLES]; /* NAME[numbers], in order */
    int n_tuple;
    bool has[2]; /* N = , M = */
    int64_t size[2];
    const char *kind, *judge; /* from the table of refusals; "limit" and NULL where that has no row */
};

/* The table of refusals; false when it cannot be read. */
bool said_table(const char *path);
void said_read(struct said *said, const char *diagnostics);
/* The place in the trace of the instance that a tuple names, or -1. */
int said_event(const struct draft *draft, const struct trace *trace, const struct tuple *tuple);
bool said_statement(const struct tuple *tuple);

/* The judges (border_judge.c, border_pairs.c, ..). */
enum outcome { ACCEPTED, CONFIRMED, MAY, LIMIT, UNDECIDED, WRONG, N_OUTCOMES };

/* What is wrong is told in reason. */
typedef enum outcome judge(const struct draft *draft, bool accepted, const struct said *said, struct text *reason);
typedef void draw(struct draft *draft);
/* Does what is asked for lose the order of event a and the later event b of the trace, which conflict? */
typedef bool breaks(const struct draft *draft, const struct trace *trace, int a, int b, const int64_t *size);

struct word {
    const char *name;
    draw *draw;
    judge *judge;
};

extern const struct word border_words[];
extern const int n_border_words;

extern const int64_t border_sizes[][2];
extern const int n_border_sizes;

judge judge_bounds, judge_assumed, judge_initial, judge_layout, judge_exact, judge_sync, judge_moved, judge_private;
/* Of an order that a computation at a loop is too late for. */
enum outcome judge_placed(const struct draft *draft, const struct said *said, struct text *reason);
judge judge_order, judge_parallel, judge_vector, judge_races, judge_ties, judge_copied;
judge judge_total, judge_jam, judge_local, judge_ahead, judge_trigger;
judge judge_promise, judge_timed, judge_rounded, judge_partial, judge_sunk;
draw draw_order, draw_ranges, draw_ties, draw_timed, draw_total, draw_jam;
draw draw_parallel, draw_vector, draw_promise, draw_races, draw_sync, draw_local;
draw draw_private, draw_moved, draw_copied, draw_trigger, draw_ahead;
draw draw_rounded, draw_partial, draw_sunk;
/* Accepted: no pair is broken at the sizes. Refused: the first two instances that are named are such a pair. */
enum outcome judge_pairs(const struct draft *draft, bool accepted, const struct said *said, breaks *is_broken,
                         struct text *reason);
/* Of two events of the trace, in the new order: < 0: the first comes first. */
int border_compare_times(const struct draft *draft, const struct trace *trace, int one, int other, const int64_t *size);
/* Are both inside the first `depth` loops of one nest, in one iteration of these? */
bool events_together(const struct event *a, const struct event *b, int depth);
/* Do both touch an element that one of them writes, or, after_write, that a writes? Updates of it in an order that is
 * free do not count. */
bool events_disagree(const struct draft *draft, const struct event *a, const struct event *b, bool after_write);

#endif
