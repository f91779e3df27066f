/* The whole numbers of isl: GMP's, almost all of them one machine word long.
 *
 * Each has memory of its own: most of what a run allocates, and half of the time that malloc takes. Here it comes from
 * lists of free words. And a third of a run's time is in GMP's functions, which are made for long numbers. The ones
 * that isl calls most stand here once more, for those of a word: a library's calls go to the program's functions where
 * it has some of that name.
 *
 * For a program with one thread; the library leaves GMP as its caller has it. Both functions are to be called before
 * anything else, and do nothing where isl's numbers are not GMP's.
 */
#ifndef CLI_NUMBERS_H
#define CLI_NUMBERS_H

void numbers_from_lists(void);
void numbers_by_words(void);

#endif
