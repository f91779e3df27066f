/* Texts of instructions that the description brings along, with their operands in the places of @NAME@. */
#ifndef TARGET_CLIKE_NODES_TEXTS_H
#define TARGET_CLIKE_NODES_TEXTS_H

#include "target/clike/emitter.h"

/* Takes note of a TEXT node: its instruction is used. */
void texts_note(struct emitter *emitter, const struct node *text);
/* Nothing that is named later has a name of the texts. */
void texts_claim_names(struct emitter *emitter);
/* Is the array one that the node's text writes? */
bool text_writes(const struct program *program, const struct node *text, const struct array *array);
/* Must compilers not contract what the node's text computes? */
bool text_keeps_rounding(const struct program *program, const struct node *text);
/* The lines in the place of the node; alone: there are braces around them and nothing else. */
void text_print(struct emitter *emitter, const struct node *text, bool alone);

/* What all of them need: headers, declarations, flags of the compiler, NULL where there are none. */
void texts_add_includes(const struct emitter *emitter, struct text *out);
void texts_add_declarations(const struct emitter *emitter, struct text *out);
const char *texts_flags(const struct emitter *emitter);
/* "dgemm_8x8": what the comment calls them; NULL: there are none. */
const char *texts_names(const struct emitter *emitter);

#endif
