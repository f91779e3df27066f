/* Loop trees written as text, for tests of what comes after them: node_dump's form, and
 * `for int ii = 0 to 31` and `let int n = ..` for narrow variables, `mod(e, d)` beside floor((e)/d). */
#ifndef TESTS_UNIT_TREE_TEXT_H
#define TESTS_UNIT_TREE_TEXT_H

#include "program/program.h"
#include "tree/tree.h"
#include "tree/vars.h"

/* NULL when the text is wrong; all floors whose operand has no negative part are marked plain. */
const struct node *tree_from_text(struct arena *arena, const struct program *program, const char *text,
                                  struct vars *vars);

#endif
