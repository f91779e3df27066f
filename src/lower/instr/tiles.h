/* Pass "tiles": tiles that the plan wants in registers of a CPU that hold tiles (step tensorize with four loops).
 *
 *     for (m < 16) for (n < 16) for (k < 16) for (q < 4)
 *         acc[u][m][n] += A[i + m][4 * k + q] * B[k][n][q]       becomes one assignment with a tile, of acc[u]
 *
 * and so do the copies that fill such tiles from memory and flush them, and their zeros. Conditions inside make parts
 * of tiles: rows, columns and groups up to an end. In registers these are whole, with zeros around them, which add
 * nothing; in memory only the part is touched.
 */
#ifndef LOWER_INSTR_TILES_H
#define LOWER_INSTR_TILES_H

#include "lower/lower.h"
#include "tree/vars.h"

/* program: as it is in memory, its arrays may change. Refused: statements that are something else, with the difference;
 * tiles that are not where the instructions find them; more of them than there are registers. */
enum status lower_tiles(struct arena *arena, const struct program *program, struct vars *vars, const struct node *tree,
                        struct diags *diags, const struct node **result);

#endif
