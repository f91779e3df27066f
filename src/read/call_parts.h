/* The statements that a call is read as (read/calls.h). Inner header of calls.c. */
#ifndef READ_CALL_PARTS_H
#define READ_CALL_PARTS_H

#include "read/call_text.h"

/* A call on its way to statements. */
struct calling {
    struct reader *reader;
    const struct nest *nest;
    const struct scope *scope; /* around the call */
    struct expr *guard;
    const struct instruction *instruction;
    struct call *call;
    struct call_text text;
    const struct array *value; /* T: what its results depend on */
    struct block *block;
};

struct diag *call_refuse(const struct calling *calling, struct place place, const char *what);
/* What is passed as the operand; NULL: nothing is. */
const struct passed *call_passed(const struct calling *calling, const char *name);
/* Adds all parts to the block, in order. False after reporting. */
bool call_add_parts(struct calling *calling);

#endif
