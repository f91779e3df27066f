/* Part of pass "grid": axes whose positions have several digits, each that of a loop of a tuple:
 *
 *     const int64_t i = (int64_t)blockIdx.x / N, j = (int64_t)blockIdx.x % N;
 *
 * where a block has a run of the tuple's iterations, of
 *
 *     const int64_t ij = (int64_t)blockIdx.x * 256 + (int)threadIdx.x;
 *
 * and where there are fewer blocks than that takes, in a loop over ij.
 */
#ifndef LOWER_DEVICE_AXIS_DIGITS_H
#define LOWER_DEVICE_AXIS_DIGITS_H

#include "base/names.h"
#include "lower/device/positions.h"

/* Is it a digit of an axis that has several? */
bool is_axis_digit(const struct positions *positions, enum axis axis);
/* May there be fewer blocks along such an axis than positions, so that each walks on? */
bool axis_digits_walk(const struct positions *positions, enum axis axis);
/* Those of an axis and of all its digits, as in positions_bits. */
unsigned axis_digits_bits(const struct positions *positions, enum axis axis);
/* Is node a loop that counts such a digit, and nothing else? */
bool counts_axis_digit(const struct positions *positions, const struct node *node);
/* The coarsest digit of a whole axis that has several. */
enum axis axis_digits_coarsest(const struct positions *positions, enum axis axis);
/* Sets positions->first. */
void axis_digits_begin(struct positions *positions, const struct node *kernel);
/* Variables for the digits, in place of positions->at, called like the loops over them in kernel: of axes along which
 * each block has one position, or run of them. */
void axis_digits_declare(struct positions *positions, const struct node *kernel, struct names *names,
                         struct vars *vars);
/* The same for those of one tuple, whose outermost loop this is, and their extents: in it blocks walk through them. */
void axis_digits_enter(struct positions *positions, const struct node *tuple, struct names *names, struct vars *vars);
/* body, with the values of the digits that it uses in front, but of those through which blocks walk. NULL flows
 * through. */
const struct node *axis_digits_in_front(const struct positions *positions, const struct node *body);
/* The loop in which a block walks through the positions that body has digits of; together: all threads go round equally
 * often. NULL flows through. */
const struct node *axis_digits_walking(const struct positions *positions, enum axis axis, const struct node *body,
                                       bool together);

/* The position of the first iteration of the block's run on axis. */
const struct affine *axis_digits_first(const struct positions *positions, enum axis axis);
/* body, with the digits of number, a position on axis, as the variables digit[..] in front, for those that there are.
 */
const struct node *axis_digits_of(const struct positions *positions, enum axis axis, const struct var *number,
                                  const struct var *const digit[AXIS_DIGITS], const struct node *body);

#endif
