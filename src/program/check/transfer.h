/* What has to be there before the program runs on a copy of an array, and what it leaves. */
#ifndef PROGRAM_CHECK_TRANSFER_H
#define PROGRAM_CHECK_TRANSFER_H

#include "program/program.h"

enum { TRANSFER_IN = 1, TRANSFER_OUT = 2 };

/* By array: are its contents read, or left as they are in places, though it is written (TRANSFER_IN); is it written
 * (TRANSFER_OUT)? */
const int *program_transfers(struct arena *arena, const struct program *program);

#endif
