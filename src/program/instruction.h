/* Instructions that a description brings along: text for the compiler, and the nest that says what it computes.
 *
 * polynest does not look into the text. That it does what the nest says is the promise of whoever wrote it; that a
 * statement of the program is this nest is proved (lower/instr/pass_texts.c).
 */
#ifndef PROGRAM_INSTRUCTION_H
#define PROGRAM_INSTRUCTION_H

#include "program/program.h"

struct lines {
    const char **at;
    int n;
};

struct instruction {
    const char *name;
    struct place place;
    /* Its operands (parameters, scalars, arguments) and one nest: loops directly inside each other, from 0 on, with
     * nothing but statements in the innermost one. The text may do what it permits. */
    struct program *program;
    struct lines text; /* "@A@": the operand A, a number, or the address of the array's first element */
    struct place text_place;
    bool is_called;       /* a function that statements call: nobody says what it computes, the nest is what it reads
                           * and writes (read/calls.h) */
    int number;           /* 1, 2, .. among the description's */
    const char *state;    /* of a function: what its calls read and change besides operands; NULL: nothing */
    bool several;         /* the text is more than one statement: it may declare names of its own */
    struct lines declare; /* above the function, as it is */
    struct lines include; /* "<cblas.h>" */
    const char *flags;    /* that the compiler needs; NULL: none */
};

/* A statement `sort(n = N, x = A[i, :])`: the statements of the program that are its n_part parts. */
struct call {
    const struct instruction *instruction;
    const char *written; /* "sort(n = N, x = A[i, :])" */
    struct expr **size;  /* what is passed as each of the function's parameters, of the loops around the call; NULL for
                          * a stride */
    struct place place;
    int n_part;
};

/* NULL: the program has none of that name. */
const struct instruction *program_instruction(const struct program *program, const char *name);
/* Its loops, with the statements. */
const struct block *instruction_loops(const struct instruction *instruction);
bool instruction_has_operand(const struct instruction *instruction, const char *name);
/* The first and the last part of the call that the statement is a part of; the statement itself where it is of none. */
const struct statement *call_first_part(const struct program *program, const struct statement *statement);
const struct statement *call_last_part(const struct program *program, const struct statement *statement);
/* How many of its arrays are operands: the first ones. */
int instruction_arrays(const struct instruction *instruction);
/* The @ that closes the operand which starts with the @ at `at`; NULL: none does. */
const char *instruction_operand_end(const char *at);
/* What follows the string, character constant or comment that starts at text; text itself where none does. */
const char *instruction_behind_quoted(const char *text);

#endif
