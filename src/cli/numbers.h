/* Memory for the whole numbers of isl.
 *
 * isl computes with GMP's numbers, almost all of them one machine word long, and each has memory of its own: most of
 * what a run allocates, and half of the time that malloc takes. Here they come from lists of free words. For a program
 * with one thread; the library leaves GMP as its caller has it.
 */
#ifndef CLI_NUMBERS_H
#define CLI_NUMBERS_H

/* To be called before anything else; does nothing where isl's numbers are not GMP's. */
void numbers_from_lists(void);

#endif
