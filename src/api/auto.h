/* Finding steps for a description: proposals (auto/propose.h) are compiled like what a user writes, and what is
 * refused is taken back. */
#ifndef API_AUTO_H
#define API_AUTO_H

#include "api/stages.h"

/* Variants between which a call chooses: steps are proposed for each of them, in turn. */
struct auto_set {
    int n, n_proposed; /* those that were looked at, and those with steps from here */
    struct place own;  /* a step of one that keeps its own */
};

/* Is the run for proposals, or for what is made with them? */
bool auto_is_wanted(const struct compilation *c);
/* Of a compilation that has its dependences. Makes the output: a schedule file, or the part of one that is a variant's;
 * where the run is for something else, the results of that with these steps. Refused where there are steps that are not
 * to be replaced, and for targets that nothing is proposed for; of several variants those with such steps keep them. */
enum status auto_run(struct compilation *c);
/* After the last of several variants: refused where all have steps of their own. */
enum status auto_end_set(const struct compilation *c, const struct auto_set *set);

#endif
