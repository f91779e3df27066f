/* A proposal: steps for a schedule and a plan, part by part of the program, and for each part simpler ones in case
 * those are refused. It is only text: the ordinary stages read and judge it like what a user wrote.
 */
#ifndef AUTO_PROPOSAL_H
#define AUTO_PROPOSAL_H

#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>

struct target_options;

typedef VEC(const char *) line_vec;

/* Steps for one part. */
struct option {
    const char *why; /* one line, for readers */
    line_vec schedule, plan;
};

struct choice {
    const char *what;            /* the labels of the part's statements */
    const struct choice *unless; /* it counts only where none of that one's options is left; NULL: always */
    const struct choice *with;   /* and only where one of that one's options is taken; NULL: always */
    bool divides;                /* its steps make the parts of others; where they are refused, nothing is proposed */
    VEC(struct option *) option; /* the best first */
    int taken;                   /* option.n: none of them */
};

typedef VEC(struct choice *) choice_vec;

/* Sizes for which steps differ from those for others. */
struct size_case {
    const char *name; /* of the variant */
    const char *when; /* the condition on parameters, where those of the sizes before do not hold; NULL: always */
};

struct proposal {
    struct arena *arena;
    bool empty; /* nothing is proposed any more */
    choice_vec choice;
    const char *target;                 /* the object */
    line_vec given;                     /* names of buffers */
    VEC(struct size_case) size;         /* of the first part that has several; the last one's condition is NULL */
    int n_sized;                        /* parts that have */
    line_vec before, after, after_plan; /* steps of the user's, which are printed around those that are proposed */
};

/* Nothing is proposed yet. */
struct proposal *proposal_new(struct arena *arena, const struct target_options *target);
struct option *proposal_option(struct proposal *proposal, struct choice *choice, const char *why);
void line_add(struct arena *arena, line_vec *lines, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The proposal as a schedule file, a step a line. */
void proposal_print(const struct proposal *proposal, struct text *out);
/* After what is in that line (from 1) was refused, or for line 0 something unknown: takes the next option of the part
 * that it belongs to. False when nothing was left to take back. */
bool proposal_step_back(struct proposal *proposal, int line);

#endif
