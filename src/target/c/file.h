/* One emitted C file under construction, shared by the parts of the C printer. */
#ifndef TARGET_C_FILE_H
#define TARGET_C_FILE_H

#include "base/vec.h"
#include "target/clike/emitter.h"
#include "target/target.h"

/* A function that the main one calls, or that such a one does: its lines are not yet broken. */
struct c_function {
    const char *name;
    const char *comment; /* NULL: none */
    const char *parameters, *body;
    bool inlined; /* always, so that its numbers are constants */
};

/* What the comment of a function that chooses between variants tells of them all; NULL: nothing. */
struct joined {
    const char *variants;
    const char *flags, *permits, *statics;
};

struct c_file {
    const struct unit *unit;
    const struct joined *joined; /* NULL: it has no variants */
    struct emitter emitter;
    struct text checks;              /* lines at the start of the function: run-time tests, allocation */
    struct text body;                /* the loops, their lines not yet broken */
    struct text tables;              /* constant arrays, in front of the function */
    VEC(struct c_function) function; /* those that it calls, each behind those that it calls itself */
    bool *array_used;                /* of program->array: by the loops */
    bool allocates;                  /* may return ENOMEM */
    bool asks;                       /* a variant that is called only where the processor has its instructions */
    bool compares;                   /* results with those of the description as written */
    const char *returns;             /* what the comment tells of the result; NULL: nothing, or an errno value */
    const char *device_flags;        /* what a device's compiler must be told; NULL: nothing, or there is no device */
    bool has_threads;                /* loops that run in them */
    bool has_tiles;                  /* registers of tiles, which the system must grant */
    bool has_simd;                   /* loops that the compiler is asked to run in vectors */
    bool multiplies;                 /* a floating-point product that a compiler might contract */
    bool scales;                     /* an update that is one */
    bool adds;                       /* a floating-point sum that an update's product might be contracted with */
};

/* Sets up the file of a unit that has a tree, and notes what its loops use. */
void c_prepare(struct c_file *file, const struct dialect *dialect, struct arena *arena, const struct unit *unit);
/* Reports what the target has no instruction for, or what else cannot be printed. */
enum status c_check_lacks(const struct c_file *file, struct diags *diags);
/* Does it test its preconditions? Parts of a function that checks itself leave that to it. */
bool c_checks_args(const struct c_file *file);
/* Is the result an errno value? */
bool c_returns_status(const struct c_file *file);
/* `(void)n;` for each parameter, scalar and argument array that a function's code does not mention. */
void c_print_unused(const struct program *program, const char *code, struct text *out);

/* Parts of the file, in order: its includes but that of its header, pragmas, what the loops call, and, behind tables,
 * functions, the main one last. */
void c_print_includes(const struct c_file *file, struct text *out);
void c_print_heads(const struct c_file *file, struct text *out);
void c_print_helpers(struct c_file *file, struct text *out);
void c_print_code(struct c_file *file, struct text *out);

/* The parts of a function that shares a file with others. */
struct c_parts {
    struct text includes, heads, helpers, tables, code;
};

/* c.c: leaves them in the unit's `several`, with the declaration. Reports what does not fit beside the others, unless
 * another try may. */
enum status c_leave_parts(struct c_file *file, const struct c_parts *parts, struct diags *diags);
void c_parts_free(struct c_parts *parts);
/* signature.c: a header of such functions, whose declarations use NAME_RESTRICT where they have pointers. */
struct c_header {
    const char *name; /* in upper case */
    bool shows_bool, has_pointers, uses_f16;
    const char *functions;
};

void c_print_header(struct arena *arena, const struct c_header *header, struct text *out);
/* name in upper case, with _ for what no identifier has. */
const char *c_upper_case(struct arena *arena, const char *name);
/* signature.c: the declaration, with its comment; macro: a word for restrict. */
void c_declaration(struct c_file *file, const char *macro, struct text *out);
bool c_has_pointers(struct c_file *file);

/* dispatch.c: leaves the file's parts in the unit's dispatch; the last variant's file is that of all of them. Reports
 * those that never run. */
enum status c_print_variant(struct c_file *file, struct text *source, struct text *header, struct diags *diags);
/* self_check.c: leaves the parts of the description as written, and of the function that compares. */
enum status c_print_self_check(struct c_file *file, struct diags *diags);
/* "N, alpha, x, y": its arguments, as it hands them on. */
const char *c_arguments(const struct c_file *file);
/* "where the processor has avx2, fma, and N < 100", "elsewhere" */
const char *c_where(struct arena *arena, const struct variant_text *variant);
/* asked.c: what functions that a variant for the set of this name needs end with. */
const char *c_asked_end(struct arena *arena, const char *simd);

/* function.c: `f_2(N, i, x, y);`, a call of a function that is added with it. */
const char *c_call_text(struct emitter *emitter, const struct node *call);
void c_print_functions(struct c_file *file, struct text *out);

/* merge.c: functions that differ in numbers only become one. */
void c_merge_functions(struct c_file *file);

/* comment.c: the block at the top of source or header. */
void c_comment(struct c_file *file, struct text *out, bool header);
/* Its lines on steps, "" where there are none. */
const char *c_steps(struct c_file *file);
/* The block above a variant. */
void c_comment_variant(struct arena *arena, const struct variant_text *variant, struct text *out);
/* "-mavx2 -fopenmp": what compilers must be told for these loops; NULL: nothing. */
const char *c_needed_flags(struct c_file *file);
/* "t: one call at a time"; NULL: nothing is static. */
const char *c_statics(struct c_file *file);
/* Its statements. */
void c_comment_statements(struct c_file *file, struct text *out);
/* "contract (fused multiply-add); dot: reassociate (sums in another order)", or NULL */
const char *c_permits(struct arena *arena, const struct program *program);
/* "M, N, K >= 1" or NULL. */
const char *c_preconditions(struct c_file *file);

/* signature.c: "void f(int64_t M, ...)" wrapped; the qualifier is what stands for restrict. */
void c_signature(struct c_file *file, struct text *out, const char *restrict_word, const char *end);
void c_header(struct c_file *file, struct text *out);
/* "float x": the parameter of an argument that is passed by value. */
const char *c_value_argument(struct c_file *file, const char *name, enum type type);
/* `x = f16_to_f32(f32_to_f16(x));` where the type of an argument's parameter has more values than its own. */
void c_round_values(struct c_file *file);
/* Does the function need the type of f16, which the header defines? */
bool c_uses_f16(const struct c_file *file);

/* rounding.c: finds the products that gcc must be kept from fusing with sums. */
void c_note_rounded(struct c_file *file);

/* overlap.c: does a loop store and use vectors of one array that may overlap in part? */
bool c_has_overlap(const struct c_file *file);

/* distribution.c: is there a loop that gcc must be kept from distributing over its statements? */
bool c_is_distributed(const struct c_file *file);

/* overtaking.c: does gcc unroll the loop completely, before it looks at those around? *iterations: their number. */
bool c_is_unrolled(struct arena *arena, const struct node *loop, int64_t *iterations);
/* overtaking.c: finds the loops that gcc must be kept from making vectors of. */
void c_note_overtaken(struct c_file *file);

/* table.c: the constant arrays that the loops use. */
void c_print_tables(struct c_file *file, struct text *out);

/* memory.c: temporaries and run-time tests. */
void c_print_checks(struct c_file *file);
/* The test whether registers of tiles may be used. */
void c_print_tile_check(struct c_file *file);
void c_print_declarations(struct c_file *file);
void c_print_release(struct c_file *file);

#endif
