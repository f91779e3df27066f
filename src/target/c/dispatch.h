/* What the parts of a file with several variants share. Inner header of target/c. */
#ifndef TARGET_C_DISPATCH_H
#define TARGET_C_DISPATCH_H

#include "target/c/file.h"
#include "target/c/pieces.h"

/* Around what only gcc and clang for x86 see: functions for more than the file is for, and tests of the processor. */
extern const char asked_start[], asked_end[];

/* asked.c: what a variant has that asks for its instructions. */
void asked_note(struct c_file *file, struct variant_text *variant);
/* What declares instructions of these variants, where the file does not have it in any case. */
void asked_print_includes(const struct dispatch *dispatch, const piece_vec *includes, struct text *out);
/* Adds what texts of these variants declare that is not for instructions of one group alone. */
void asked_share_declared(const struct dispatch *dispatch, piece_vec *pieces);
/* These variants behind pieces that they have in common, each group of them compiled for its instructions. */
void asked_print(const struct dispatch *dispatch, const piece_vec *common, struct names *names, struct text *out);
/* Reports those behind one that runs wherever they could. */
enum status asked_check(const struct dispatch *dispatch, struct diags *diags);

/* question.c: what a variant needs of the processor, and how it asks. */
void question_note(struct c_file *file, struct variant_text *variant);
/* "avx2, fma" of "avx2,fma" */
const char *question_words(struct arena *arena, const char *needed);
/* Does who needs this need all of the other, too? */
bool question_includes(struct arena *arena, const char *needed, const char *other);

#endif
