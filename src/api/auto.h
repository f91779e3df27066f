/* Finding steps for a description: proposals (auto/propose.h) are compiled like what a user writes, and what is
 * refused is taken back. */
#ifndef API_AUTO_H
#define API_AUTO_H

#include "api/stages.h"

/* Of a compilation that has its dependences. Makes the output: a schedule file. Refused where there are steps that are
 * not to be replaced, and for targets that nothing is proposed for. */
enum status auto_find(struct compilation *c);

#endif
