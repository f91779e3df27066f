/* Random programs of all features of a description, and what is known of each one that is drawn.
 *
 * A program is drawn as data: expressions, loops, statements, arrays and steps. It is printed twice: as a description
 * for polynest (wide_describe.c) and as plain C (wide_plain.c), whose results the interpreter's must equal, so that an
 * error which the reader and the interpreter share shows. Every step has a line of its own in the description; steps
 * that are refused are dropped. Each program and each step knows the features that it has.
 */
#ifndef FUZZ_WIDE_H
#define FUZZ_WIDE_H

#include "base/text.h"
#include "prng.h"
#include "program/type.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* clang-format off */
#define WIDE_FEATURES(X) \
    X(EQUALITY, "condition-equality") X(CONGRUENCE, "condition-congruence") X(OR, "condition-or") \
    X(SEVERAL, "condition-several") X(LANES, "condition-lanes") \
    X(NEGATIVE, "loop-negative") X(QUOTIENT, "nested-quotient") \
    X(STEPPED, "loop-step") X(READ, "loop-read") X(WHILE, "loop-while") X(TRIANGLE, "loop-triangle") \
    X(DATA, "condition-data") X(NEVER, "condition-not") \
    X(BLOCK, "inner-block") X(POLYHEDRAL, "polyhedral") X(BOOL, "bool") X(I8, "i8") \
    X(I16, "i16") X(I32, "i32") X(I64, "i64") X(U8, "u8") \
    X(U16, "u16") X(U32, "u32") X(U64, "u64") X(F16, "f16") X(BF16, "bf16") X(F32, "f32") X(F64, "f64") \
    X(VALUES, "index-values") X(INJECTIVE, "index-injective") X(INDEX_DIV, "index-div") \
    X(INDEX_MOD, "index-mod") X(INDEX_WRAP, "index-wrap") X(INDEX_CLAMP, "index-clamp") \
    X(INDEX_BACK, "index-reversed") X(INDEX_SUM, "index-sum") X(CAST, "cast") X(SELECT, "select") \
    X(BITS, "bit-operators") X(DIVIDE, "integer-division") X(SHIFT, "shifts") X(MIN, "min") X(MAX, "max") \
    X(ABS, "abs") X(SQRT, "sqrt") X(EXP, "exp") X(LOG, "log") X(POW, "pow") X(FLOOR, "floor") X(CEIL, "ceil") \
    X(ROUND, "round") X(SIN, "sin") X(COS, "cos") X(TANH, "tanh") X(FMA, "fma") X(RELU, "relu") \
    X(LIBRARY, "library-function") \
    X(VIEW_OFFSET, "view-offset") X(VIEW_STRIDE, "view-stride") X(LAYOUT_BLOCK, "layout-block") \
    X(LAYOUT_ORDER, "layout-order") X(LAYOUT_STRIDES, "layout-strides") X(PAD_ARRAY, "array-pad") \
    X(EXACT, "extent-exact") \
    X(SCALAR, "scalar") X(CONST, "const-array") X(TEMP, "temp") X(ZERO, "init-zero") \
    X(NARROW_PARAM, "param-type") X(ASSUME, "assume") X(CHECK_ARGS, "check-args") X(SELF_CHECK, "self-check") \
    X(TAIL_PEEL, "tail-peel") \
    X(TAIL_GUARD, "tail-guard") X(TAIL_CASES, "tail-cases") X(TAIL_MASK, "tail-mask") \
    X(TAIL_ROUND, "tail-round_up") X(TAIL_EXACT, "tail-exact") X(SPLIT, "split") X(FACTORS, "split-factors") \
    X(TILE, "tile") X(REORDER, "reorder") X(SKEW, "skew") X(REVERSE, "reverse") X(SHIFTED, "shift") \
    X(SCALE, "scale") X(CUT, "cut") X(PEEL, "peel") X(JOIN, "join") X(PAD, "pad") X(COLLAPSE, "collapse") \
    X(COLLAPSE_SEVERAL, "collapse-several") X(FUSE, "fuse") X(FISSION, "fission") X(MAP, "map") \
    X(INLINE, "inline") X(COMPUTE_AT, "compute_at") X(STORE_AT, "store_at") \
    X(REVERSE_AT, "reverse_compute_at") X(EXPAND, "expand") X(RFACTOR, "rfactor") \
    X(DECOMPOSE, "decompose_init") X(CACHE_READ, "cache_read") \
    X(CACHE_WRITE, "cache_write") X(CACHE, "cache") X(REGISTER_CACHE, "cache-register") \
    X(REGISTER_TAIL, "cache-register-tail") X(CACHE_TYPE, "cache-type") X(VECTORIZE, "vectorize") \
    X(KERNELIZE, "kernelize") X(UNROLL, "unroll") X(JAM, "unroll-jam") X(PARALLELIZE, "parallelize") \
    X(STREAM, "stream") X(PREFETCH, "prefetch") X(PRIVATIZE, "privatize") \
    X(PRIVATE, "private-by-itself") X(SET_MEMORY, "set_memory") \
    X(PRAGMA, "pragma") X(TENSOR_LANES, "tensorize-lanes") X(TENSOR_TILES, "tensorize-tiles") \
    X(TENSOR_CORES, "tensorize-cores") X(TEXT, "tensorize-own") X(BIND, "bind") X(TUNABLE, "tunables") \
    X(VARIANT, "variants") \
    X(ASKS, "asks-processor") X(AUTO, "auto") \
    X(REASSOCIATE, "reassociate") X(CONTRACT, "contract") X(APPROXIMATE, "approximate") \
    X(WORK_BOOL, "working-bool") X(WORK_I8, "working-i8") X(WORK_I16, "working-i16") X(WORK_I32, "working-i32") \
    X(WORK_I64, "working-i64") X(WORK_U8, "working-u8") X(WORK_U16, "working-u16") X(WORK_U32, "working-u32") \
    X(WORK_U64, "working-u64") X(WORK_F16, "working-f16") X(WORK_BF16, "working-bf16") X(WORK_F32, "working-f32") \
    X(WORK_F64, "working-f64") \
    X(NAMES, "default-names") X(NONE, "simd-none") X(OMP, "simd-omp") X(VECTOR, "simd-vector") \
    X(SSE, "simd-sse4.2") X(AVX2, "simd-avx2") X(AVX512, "simd-avx512") X(AMX, "simd-amx") X(NEON, "simd-neon") \
    X(CUDA, "cuda") X(OPENMP, "openmp-on") X(NO_OPENMP, "openmp-off")
/* clang-format on */

enum feature {
#define X(name, word) WIDE_##name,
    WIDE_FEATURES(X)
#undef X
        N_FEATURE
};

extern const char *const wide_feature_name[N_FEATURE];

struct features {
    bool has[N_FEATURE];
};

/* n * N + m * M + c for the two parameters. */
struct affine {
    int64_t n, m, c;
};

/* What an expression is. */
enum form {
    FORM_INT,
    FORM_REAL,
    FORM_LOOP,
    FORM_PARAM,
    FORM_SCALAR,
    FORM_ACCESS,
    FORM_UNARY,
    FORM_BINARY,
    FORM_SELECT,
    FORM_CALL,
    FORM_CAST
};

enum { MAX_ARG = 4 };

struct term {
    enum form form;
    enum type type; /* of the value; TYPE_NONE in subscripts, bounds and conditions on loops */
    const char *op; /* an operator's or a function's name */
    int64_t integer;
    double real;
    const struct loop *loop;
    int number; /* of a parameter or scalar */
    const struct wide_array *array;
    struct term *arg[MAX_ARG];
    int n_arg;
};

struct loop {
    char name[24];
    struct affine low, high;        /* all its values are in low <= v < high */
    const struct term *start, *end; /* as written */
    bool to;                        /* the end is a value, too: <= */
    int step;
};

enum { MAX_DIM = 3, MAX_WORDS = 24 };

struct wide_array {
    char name[24];
    const char *role;
    enum type type;
    int n_dim;
    struct affine shape[MAX_DIM];
    int block_dim[2], block[2], n_block; /* dimensions in blocks, their places fastest, in this order */
    bool turned;                         /* the first dimension is the fastest */
    bool strided;                        /* gaps between rows, and an offset */
    int64_t gap, offset;
    int pad, align;
    bool zero, index, injective;
    struct affine most;          /* of an index array: values below that */
    int least;                   /* and from that on */
    const struct wide_array *of; /* a view's array */
    struct affine start[MAX_DIM];
    int stride[MAX_DIM];
    int64_t *data; /* of a const array; eighths for floats */
    bool written;  /* by a nest before */
    bool bounded;  /* values of 8 bits between -64 and 64 */
};

struct wide_statement {
    char label[16];
    struct term *target, *value;
    const char *op; /* "=", "+=", .. */
};

struct wide_block;

struct wide_item {
    struct wide_statement *statement; /* or a block */
    struct wide_block *block;
};

enum { MAX_BLOCK_LOOPS = 4, MAX_ITEMS = 4 };

struct wide_block {
    struct loop *loop[MAX_BLOCK_LOOPS];
    int n_loop;
    struct term *goes_on;   /* the last loop ends where it does not hold, or NULL */
    struct term *condition; /* or NULL */
    struct wide_item item[MAX_ITEMS];
    int n_item;
};

enum { MAX_NEST_LOOPS = 16 };

struct wide_nest {
    char name[24];
    struct wide_block block;
    bool polyhedral; /* described as a domain and an order */
    const char *permit;
    char now[MAX_NEST_LOOPS][24]; /* names of the loops around all its statements after the steps so far */
    bool literal[MAX_NEST_LOOPS]; /* of constant length */
    int n_now;
};

struct wide_step {
    struct text text;
    struct features features;
    bool plan, dropped;
    int line;
    int goes_with; /* a step that is useless without this one; -1: none */
};

enum {
    MAX_ARRAYS = 14,
    MAX_NESTS = 4,
    MAX_STEPS = 32,
    MAX_SCALARS = 3,
    MAX_TERMS = 6000,
    MAX_LOOPS = 40,
    MAX_BLOCKS = 24,
    MAX_STATEMENTS = 24
};

struct wide {
    struct prng prng;
    char function[24];
    struct features features;
    char param[2][24];
    const char *param_type[2];
    int least[2], multiple[2]; /* of the parameters; at most 0: no bound */
    int most[2];
    struct {
        char name[24];
        enum type type;
    } scalar[MAX_SCALARS];
    int n_scalar;
    struct wide_array array[MAX_ARRAYS];
    int n_array;
    struct wide_nest nest[MAX_NESTS];
    int n_nest;
    struct wide_step step[MAX_STEPS];
    int n_step;
    enum type type; /* that most is computed in */
    const char *simd;
    bool cuda, openmp;
    bool devices; /* programs for other targets are not wanted */
    bool reassociate, contract, approximate;
    bool whole;      /* data are whole numbers, so that no sum is rounded */
    double close;    /* results may differ by so much, relative above 1 */
    bool plain_data; /* expressions stay small: no functions that leave whole numbers */
    bool variant, check_args, self_check;
    bool asks; /* the variant is called where the processor has its instructions, another one elsewhere */
    struct text instructions; /* of the description's own */
    bool automatic;           /* with the steps that `auto` proposes, not those that were drawn */
    char tunable[24];
    int tuned;        /* the value that stands for it; 0: none */
    bool slow;        /* a finding already */
    bool inputs_only; /* what is read at present is not written anywhere */
    int depth;        /* of the deepest nest */
    bool names;       /* those that defaults use */
    int n_drawn_names;
    struct term term[MAX_TERMS];
    int n_term;
    struct loop loop[MAX_LOOPS];
    int n_loop;
    struct wide_block block[MAX_BLOCKS];
    int n_block;
    struct wide_statement statement[MAX_STATEMENTS];
    int n_statement;
    int64_t sizes[12][2]; /* own sizes to run at, where n_sizes */
    int n_sizes;
};

/* The loops in sight of a statement. */
struct sight {
    const struct loop *loop[8];
    int n;
};

static inline bool chance(struct wide *wide, int percent)
{
    return prng_range(&wide->prng, 1, 100) <= percent;
}

static inline int pick(struct wide *wide, int n)
{
    return (int)prng_range(&wide->prng, 0, n - 1);
}

static inline void has(struct wide *wide, enum feature feature)
{
    wide->features.has[feature] = true;
}

/* wide_terms.c: making expressions */
struct term *wide_int(struct wide *wide, int64_t value, enum type type);
struct term *wide_real(struct wide *wide, double value, enum type type);
struct term *wide_loop(struct wide *wide, const struct loop *loop, enum type type);
struct term *wide_param(struct wide *wide, int number);
struct term *wide_scalar(struct wide *wide, int number);
struct term *wide_access(struct wide *wide, const struct wide_array *array, struct term *const *subscript);
struct term *wide_unary(struct wide *wide, const char *op, struct term *a);
struct term *wide_binary(struct wide *wide, const char *op, struct term *a, struct term *b);
struct term *wide_select(struct wide *wide, struct term *condition, struct term *a, struct term *b);
struct term *wide_call(struct wide *wide, const char *function, struct term *a, struct term *b, struct term *c);
struct term *wide_cast(struct wide *wide, enum type type, struct term *a);
/* a + amount, and a + an affine amount, without what is 0 */
struct term *wide_plus(struct wide *wide, struct term *a, int64_t amount);
struct term *wide_plus_affine(struct wide *wide, struct term *a, struct affine amount);
struct term *wide_affine(struct wide *wide, struct affine affine);

struct affine extent_add(struct affine a, struct affine b, int64_t factor);
struct affine extent_plus(struct affine a, int64_t amount);
/* Is it never negative, for all parameters that there are? */
bool extent_never_negative(const struct wide *wide, struct affine a);

/* wide_index.c: subscripts and conditions */
struct term *index_draw(struct wide *wide, const struct sight *sight, struct affine extent, bool plain);
/* Has each dimension of the array an element wherever the loops in sight run? */
bool never_empty(const struct wide *wide, const struct sight *sight, const struct wide_array *array);
/* The loop itself, from the first element on, with some offset that fits; NULL where it does not. */
struct term *index_of_loop(struct wide *wide, const struct loop *loop, struct affine extent, bool back);
/* x[i] of an index array whose values differ, all of which fit; NULL where there is none. */
/* An element of an index array, *array, which is a bound of a loop; NULL: there is none. */
struct term *index_bound(struct wide *wide, const struct sight *sight, const struct wide_array **array);
struct term *index_scattered(struct wide *wide, const struct sight *sight, struct affine extent);
struct term *condition_draw(struct wide *wide, const struct sight *sight);

/* wide_values.c: values and data conditions */
struct term *value_draw(struct wide *wide, const struct sight *sight, enum type type, int depth);
struct term *value_condition(struct wide *wide, const struct sight *sight, int depth);
struct term *value_read(struct wide *wide, const struct sight *sight, const struct wide_array *array);

/* wide_polyhedral.c: nests in polyhedral form; all steps forward, conditions on loops, no blocks inside */
bool polyhedral_can(const struct wide_block *block);
/* "domain", "order" and "as" */
void polyhedral_text(const struct wide *wide, const struct wide_block *block, struct text *out);

/* wide_nests.c: arrays, loops, statements */
void frame_draw(struct wide *wide);
void nests_draw(struct wide *wide);
struct wide_array *array_add(struct wide *wide, const char *stem, const char *role, enum type type, int n_dim);
struct wide_array *array_shaped(struct wide *wide, const char *stem, const char *role, enum type type,
                                struct affine rows, struct affine columns);
/* array[row, column] */
struct term *element(struct wide *wide, const struct wide_array *array, const struct loop *row,
                     const struct loop *column);
struct loop *loop_add(struct wide *wide, const char *stem, struct affine low, struct affine high);
struct wide_nest *nest_add(struct wide *wide, const char *name);
struct wide_statement *statement_add(struct wide *wide, struct wide_block *block, struct term *target, const char *op,
                                     struct term *value);
struct wide_block *block_add(struct wide *wide, struct wide_block *around);
void name_draw(struct wide *wide, char *name, size_t size, const char *plain);
bool name_is_used(const struct wide *wide, const char *name);
enum type type_draw(struct wide *wide);
/* After the loops and statements are there: the loops that steps can name. */
void nest_finish(struct wide_nest *nest);

/* wide_steps.c, wide_plan.c */
struct wide_step *step_add(struct wide *wide, bool plan, const char *format, ...) __attribute__((format(printf, 3, 4)));
void schedule_draw(struct wide *wide);
void plan_draw(struct wide *wide);
/* Blocks and threads of a GPU for each nest, in place of the plan; wide_bind.c */
void bind_draw(struct wide *wide);
void target_draw(struct wide *wide);
/* Are target and steps those of a variant, of so many in a hundred, and does it ask the processor? */
void variant_draw(struct wide *wide, int share);

/* Whole programs of one kind. */
void wide_free(struct wide *wide);    /* any nests, any steps */
void wide_product(struct wide *wide); /* products with sums in registers */
void wide_texts(struct wide *wide);   /* some of its loops are an instruction of the description's own */
void wide_dots(struct wide *wide);    /* the same in instructions for groups of products, in lanes and tiles */
void wide_cores(struct wide *wide);   /* and in tensor cores */
void wide_chain(struct wide *wide);   /* results past the caches */
void wide_stages(struct wide *wide);  /* temporaries between nests */
void wide_rows(struct wide *wide);    /* reductions of rows */
void wide_devices(struct wide *wide); /* of the kinds above, for a GPU; wide_bind.c */

/* wide_describe.c: the description; bare: without its steps and what chooses them */
void wide_describe(struct wide *wide, bool bare, struct text *out);
/* wide_plain.c: a function of the harness in plain C */
void wide_plain(struct wide *wide, const char *name, struct text *out);
void wide_text(const struct wide *wide, const struct term *term, struct text *out);

#endif
