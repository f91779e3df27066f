/* Random descriptions: programs whose accesses are inside their arrays by construction, and steps. */
#ifndef FUZZ_GENERATE_H
#define FUZZ_GENERATE_H

#include "base/text.h"
#include "prng.h"

#include <stdbool.h>

enum { MAX_LOOPS = 16, MAX_NESTS = 6, MAX_ARRAYS = 16, MAX_RANK = 3, MAX_STATEMENTS = 16 };

/* A size: n * N + m * M + constant. Loops run inside [0, size). */
struct size {
    int n, m, constant;
};

struct gen_loop {
    char name[16];
    struct size size;
};

struct gen_statement {
    char label[16];
    int n_loop; /* the first n_loop loops of its nest as written */
};

struct gen_nest {
    char name[16];
    struct gen_loop loop[MAX_LOOPS]; /* as written, then changed by the steps */
    int n_loop, n_written;
    int n_chain; /* loops directly inside each other, from the outermost on */
    struct gen_statement statement[MAX_STATEMENTS];
    int n_statement;
    bool perfect;
    int less;        /* of a pipeline's nest: what its loops have less than the frame */
    int target;      /* of a pipeline's nest: the array that it computes */
    int scalar;      /* and the array for one value that it uses on the way; 0: none */
    unsigned reads;  /* bit k: it reads array k */
    char update[16]; /* label of its reduction, or empty */
    bool initialises; /* its reduction starts in it */
    bool joined;      /* it has statements of other nests, too */
};

struct gen_array {
    char name[16];
    const char *role, *type;
    int rank;
    struct size size[MAX_RANK];
    int less;  /* of a pipeline's array: what its sizes have less than the frame; -1: no stage of its own */
    bool zero; /* starts with zeros */
    bool has_view; /* v_NAME is all of it, each dimension reversed or not */
};

struct gen {
    struct prng *prng;
    const char *type; /* of most arrays */
    struct gen_array array[MAX_ARRAYS];
    int n_array;
    bool apart; /* each nest mostly has an array of its own: then many fusions are legal */
    struct gen_nest nest[MAX_NESTS];
    int n_nest;
    int n_names; /* loops made so far, for unique names */
    bool caches; /* draw cache_read and cache_write, layouts and views */
    bool few_steps;
    int collapses; /* of a hundred steps, so many more than of others collapse loops */
    bool even;   /* sizes are multiples of 4, arguments aligned: what copies of several elements at once need */
    bool pipeline;
    struct size frame[2]; /* of a pipeline's arrays */
    int less;             /* taken off it so far */
    bool calls;    /* many statements call functions (calls.c) */
    bool extremes; /* its reductions are minima and maxima, which may be regrouped: no value changes by that */
};

static inline bool chance(struct gen *gen, int percent)
{
    return prng_range(gen->prng, 1, 100) <= percent;
}

static inline int pick(struct gen *gen, int n)
{
    return (int)prng_range(gen->prng, 0, n - 1);
}

enum { MAX_CACHES = 10, MAX_LOOP_STEPS = 2 }; /* steps of the plan; the last ones are about loops */
enum { MAX_POLYHEDRAL_STEPS = 3 };

/* What the plan of a description is drawn from. */
enum drawn { DRAW_NOTHING, DRAW_CACHES, DRAW_PLANS, DRAW_LOOP, DRAW_GRID, DRAW_PRODUCT, DRAW_SUM, DRAW_CHAIN,
             DRAW_POLYHEDRAL, DRAW_CALLS };

/* A description with random nests and steps, and a plan: of the steps drawn for it, those whose bits are set in
 * `chosen`. */
void generate(struct prng *prng, enum drawn drawn, unsigned chosen, struct text *out);

/* The parts: nests with their statements, steps. */
/* The functions that statements call, "mix" of two operands and "turn" of one, with what the oracle has for them. */
void generate_functions(const struct gen *gen, struct text *out);
void generate_nests(struct gen *gen, struct text *out);
void generate_steps(struct gen *gen, struct text *out);
/* The chosen ones of some caches for the plan, which may be refused; and one for the schedule. */
void generate_caches(struct gen *gen, unsigned chosen, struct text *out);
void generate_cache(struct gen *gen, int number, struct text *out);
/* The same of steps of all kinds, and a target. */
void generate_plans(struct gen *gen, unsigned chosen, struct text *out);
/* One loop in threads, or in the compiler's vectors. */
void generate_loop_plan(struct gen *gen, struct text *out);
/* A whole description of a matrix product, with an instruction that sums up several products at once. It starts with
 * GENERATE_PLAIN where that must be accepted. */
void generate_product(struct gen *gen, unsigned chosen, struct text *out);
#define GENERATE_PLAIN "// plain\n"
/* The same of a reduction by blocks and threads. */
void generate_sum(struct gen *gen, unsigned chosen, struct text *out);
/* Description number `number` of all nests with three steps. */
void generate_chain(uint64_t number, struct text *out);
/* A whole description of a nest in polyhedral form, with the chosen ones of some steps. */
void generate_polyhedral(struct gen *gen, unsigned chosen, struct text *out);
/* The same of bound loops, caches on a device and barriers, and that target. */
void generate_grid(struct gen *gen, unsigned chosen, struct text *out);
void generate_nest_cache(struct gen *gen, struct text *out);
/* Nests that compute arrays for each other, with their temporaries. */
void generate_pipeline(struct gen *gen, struct text *out);
/* A step that places, expands, reduces or divides. */
void generate_placing(struct gen *gen, struct text *out);
/* A step that moves the instances of one nest. */
void generate_order_step(struct gen *gen, struct text *out);
/* A fusion of two or three nests; gen has the fused nest in their place afterwards. */
void generate_fuse(struct gen *gen, struct text *out);

#endif
