/* Pass "streams": vectors of an array that are stored past the caches (plan step stream). Their addresses must be
 * multiples of their size, which is proved from where the array starts (`align`), the length of its rows and where the
 * loops put the first lane.
 *
 *     for (; j + 8 <= N; j += 8)           if (N % 8 == 0)
 *         y[i * N + j] = ..       becomes      for (; j + 8 <= N; j += 8)
 *                                                  y[i * N + j] = ..       (streamed)
 *                                          else
 *                                              for (; j + 8 <= N; j += 8)
 *                                                  y[i * N + j] = ..
 */
#ifndef LOWER_THREADS_STREAMS_H
#define LOWER_THREADS_STREAMS_H

#include "sched/order.h"
#include "tree/tree.h"
#include "tree/vars.h"

struct diags;

/* *tree is what lower_vectors made of order, and becomes the same with its streams. Refused where vectors need not be
 * where they have to be, where there are none, and where no loop is left. */
enum status lower_streams(struct arena *arena, const struct program *program, struct vars *vars,
                          const struct order *order, struct diags *diags, const struct node **tree);

#endif
