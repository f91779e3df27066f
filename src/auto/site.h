/* Loops directly inside each other, with the statements in the innermost one: what recipes are for. */
#ifndef AUTO_SITE_H
#define AUTO_SITE_H

#include "auto/distance.h"
#include "auto/part.h"
#include "auto/proposal.h"
#include "auto/stride.h"
#include "auto/wishes.h"
#include "caps/machine.h"
#include "caps/simd.h"

/* A loop that is divided in two. */
struct cut {
    const char *loop;              /* as a step names it */
    const struct statement *after; /* the last one in front of the cut */
    int depth;                     /* of the loop */
};

typedef VEC(struct cut) cut_vec;

/* What all parts of a program share. */
struct scene {
    struct arena *arena;
    const struct program *program;
    struct distances *distances;
    const struct machine *machine;
    const struct device *device; /* which the target is a language of; NULL: it is C */
    struct proposal *proposal;
    cut_vec *cuts;          /* of the division that is being found */
    struct choice *instead; /* of the nest as a whole: others count only where it is refused; NULL: none */
    struct choice *with;    /* others count only while an option of it is taken; NULL: none */
    line_vec *used;         /* loop names that steps for other parts of the nest introduced; NULL: none */
    bool vectors, threads;  /* does the target have them? */
    const char *team;       /* more for `parallelize`: how many threads; "" */
    struct wishes wishes;
    int size; /* which of the variants by sizes is proposed; -1: there are none */
};

struct site {
    const struct scene *scene;
    const struct nest_part *loop[MAX_DEPTH]; /* outermost first */
    int n;                                   /* loops */
    int outer;                               /* loops around, which are held; loop[k] is dimension outer + k */
    VEC(const struct statement *) statement;
    bool *member; /* the same by index */
    bool threads; /* may its loops run in threads: none around does */
    int lanes;    /* of a register, for all types of the statements; 0: none */
    struct choice *choice;
};

/* The lanes that registers have for all types in n statements; 0: there are no such registers. */
int common_lanes(const struct scene *scene, const struct statement *const *statement, int n);
/* A choice for the part, which is named by the labels of its statements. */
struct choice *site_choice(const struct scene *scene, const struct nest_part *part);
/* The loops directly inside each other from part, a loop, on, with whatever is in the last one; its statements are
 * those that are in the most loops. */
struct site site_around(const struct scene *scene, const struct nest_part *part, bool threads);
/* The site that starts with part, a loop; false where the innermost loop has more in it than statements. */
bool site_at(const struct scene *scene, const struct nest_part *part, bool threads, struct site *site);
struct reach site_reach(const struct site *site, int loop);
/* Does a pair leave an iteration of the loop? */
bool site_carries(const struct site *site, int loop);
/* Does a statement sum up in the loop, in whichever order? */
bool site_sums(const struct site *site, int loop);
/* May its iterations run at once, whatever they sum up? */
bool site_is_free(const struct site *site, int loop);
/* May the loops be exchanged as one likes? */
bool site_is_permutable(const struct site *site);

/* The loop as a step names it: "S.i", or "i" in a program of one statement. */
const char *site_loop(const struct site *site, int loop);
/* The same of another loop of the site's. */
const char *site_name(const struct site *site, const char *loop);
/* A name for a part of the loop, such as "jj" of j, that nothing has in these statements. */
const char *site_inner(const struct site *site, const char *loop);
/* The wanted name of a loop, or one of its parts' where something has it. */
const char *site_fresh(const struct site *site, const char *wanted);
/* The same for a loop over the lanes of a vector: "v". */
const char *site_lane(const struct site *site);
/* The name of a part of the loop: "ii" of i, with times = 2 "iii". */
const char *site_part(const struct site *site, int loop, int times);
/* Adds a step that divides the loop of the name; more: further arguments, or "". */
void site_split(const struct site *site, struct option *option, const char *loop, int64_t by, const char *as,
                const char *more);
/* Names of loops as a list of JSON: i, .., or qualified "S.i", .. */
const char *site_listed(const struct site *site, const char *const *name, int n, bool qualified);
/* A name for a buffer of the array: "Ap", "acc", different from all others. */
const char *site_buffer(const struct site *site, const char *wanted);

/* Is loop a of the statement always at least `by` ahead of loop b? */
bool loop_is_ahead(const struct statement *statement, int a, int b, int by);
/* One more than the loop's largest value, as an affine text; NULL where that is more than one function. */
const char *site_end(const struct scene *scene, const struct statement *statement, int dim);

/* How many values a loop has at most: as text, NULL where that is a constant, and within which bounds. */
struct extent {
    const char *text;
    int64_t least, most; /* most: INT64_MAX where there is no bound */
};

/* False where that is not one affine function of the parameters. */
bool site_extent(const struct site *site, int loop, struct extent *extent);
/* Does the loop fill half of a register's lanes, for all that is known? */
bool site_fills_lanes(const struct site *site, int loop);
/* Has the loop so few iterations, whatever the parameters are, that compilers unroll it, and processors are at the next
 * iteration of the loop around before this one ends? */
bool site_loop_is_short(const struct site *site, int loop);
/* "N * (M - 2) >= 30000", when threads pay: all iterations of the loops count, those held apart. NULL: always, or
 * nobody knows. */
const char *site_team_pays(const struct site *site);
/* Adds the step that makes the loop parallel, where threads may be. */
void site_parallelize(const struct site *site, struct option *option, const char *loop, const char *more);

#endif
