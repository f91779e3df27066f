/* Texts that are pieces of a file, in order, each of them once. */
#ifndef TARGET_C_PIECES_H
#define TARGET_C_PIECES_H

#include "base/text.h"
#include "base/vec.h"

typedef VEC(const char *) piece_vec;

void add_piece(struct arena *arena, piece_vec *pieces, const char *text);
/* Adds what stands in text: definitions, with the comments in front of them, and directives. */
void add_pieces(struct arena *arena, piece_vec *pieces, const char *text);
/* By their text. */
void sort_pieces(piece_vec *pieces);
/* With blank lines around what has several. */
void print_pieces(const piece_vec *pieces, struct text *out);

#endif
