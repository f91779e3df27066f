/* What each iteration has for itself, where a loop is in several parts: each part gets an array of its own.
 *
 *     for (i = 0; i < 5; i++) { more[i] = 1; .. }        for (i = 0; i < 5; i++) { more[i] = 1; .. }
 *     for (i = 5; i < N; i++) { more[i] = 1; .. }        for (i = 5; i < N; i++) { more_1[i] = 1; .. }
 *
 * No value goes from one part to another. Statements that have instances in several parts are divided. After that
 * contraction makes variables of the two. */
#ifndef PLAN_STORAGE_BRANCHES_H
#define PLAN_STORAGE_BRANCHES_H

#include "sched/schedule.h"

/* The schedule goes on with such a program; with its own where no array needs that. */
enum status branches_divide(struct schedule *schedule);

#endif
