/* Finding steps for a description: proposals (auto/propose.h) are compiled like what a user writes, and what is
 * refused is taken back. */
#ifndef API_AUTO_H
#define API_AUTO_H

#include "api/stages.h"

/* Is the run for proposals, or for what is made with them? */
bool auto_is_wanted(const struct compilation *c);
/* Of a compilation that has its dependences. Makes the output: a schedule file; where the run is for something else,
 * the results of that with these steps. Refused where there are steps that are not to be replaced, and for targets that
 * nothing is proposed for. */
enum status auto_run(struct compilation *c);

#endif
