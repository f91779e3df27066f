/* Dates: when an order runs an instance, evaluated at concrete values. */
#ifndef FUZZ_DATES_H
#define FUZZ_DATES_H

#include "sched/order.h"

enum { MAX_DATE = 64 };

struct date {
    int64_t at[MAX_DATE];
    const struct order *node[MAX_DATE]; /* whose counts and places they are */
    int n;
    int mark; /* place of the loop that was asked for; -1: the instance is not in it */
};

/* Counts of loops and places in sequences from the root to the leaf that runs the instance; false
 * when no leaf does. */
bool date_of(const struct order *order, const struct program *program, const int64_t *param,
             const struct statement *statement, const int64_t *instance, struct date *date);
/* The same, with the place of the loop of this name (or NULL). */
bool date_marked(const struct order *order, const struct program *program, const int64_t *param,
                 const struct statement *statement, const int64_t *instance, const char *loop, struct date *date);
/* < 0, 0, > 0 */
int date_compare(const struct date *a, const struct date *b);

#endif
