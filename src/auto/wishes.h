/* What a step `auto` asks for, and what it leaves alone. */
#ifndef AUTO_WISHES_H
#define AUTO_WISHES_H

#include "program/program.h"

struct wishes {
    int64_t tile;    /* iterations of a loop of a tile; 0: as caches are large */
    int64_t threads; /* how many; 1: none, 0: as many as the run-time has */
    bool sizes;      /* variants by sizes */
    bool apart;      /* no loops of different nests are joined */
    int n_before;    /* steps of the program's schedule in front of it: what they name is left alone */
};

/* The step `auto` of the program's schedule, or NULL. */
const struct step *wishes_step(const struct program *program);
/* What that asks for; all zero where there is none. */
struct wishes wishes_of(const struct program *program);

#endif
