/* polynest: from a JSON description of loop nests and schedules to readable, proven C.
 *
 *     polynest *p = polynest_new("gemm.json", text, size);
 *     if (polynest_emit(p) == POLYNEST_OK)
 *         fputs(polynest_source(p), stdout);
 *     fputs(polynest_diagnostics(p), stderr);
 *     polynest_free(p);
 *
 * The library never prints, never ends the process on a bad description and keeps no global state: different
 * objects may be used in different threads. Only running out of memory calls abort().
 */
#ifndef POLYNEST_POLYNEST_H
#define POLYNEST_POLYNEST_H

#include <signal.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define POLYNEST_API __attribute__((visibility("default")))
#define POLYNEST_SENTINEL __attribute__((sentinel))
#else
#define POLYNEST_API
#define POLYNEST_SENTINEL
#endif

/* The result of a call, and the exit status of the program. */
typedef enum polynest_status {
    POLYNEST_OK = 0,
    POLYNEST_REFUSED = 1,     /* the description is wrong or its schedule illegal; the diagnostics say why */
    POLYNEST_USAGE = 2,       /* the call itself was wrong */
    POLYNEST_ENVIRONMENT = 3, /* not the input's fault: no space, unreadable file, internal error */
    POLYNEST_UNDECIDED = 4    /* the budget ran out before there was an answer */
} polynest_status;

/* One description and the results of the last call on it. */
typedef struct polynest polynest;

/* The version, such as "0.1.0". */
POLYNEST_API const char *polynest_version(void);

/* A description: size bytes of text, copied; name stands for it in messages and comments. Never NULL. */
POLYNEST_API polynest *polynest_new(const char *name, const char *text, size_t size);
POLYNEST_API void polynest_free(polynest *p); /* NULL is allowed */
/* The same description with the same settings, without results. */
POLYNEST_API polynest *polynest_copy(const polynest *p);
/* Its text. */
POLYNEST_API const char *polynest_description(const polynest *p);
/* The text of its schedule file; NULL: it has none. */
POLYNEST_API const char *polynest_schedule(const polynest *p);

/* A description that further calls make, of a function called name; messages call it name, too. Each call puts its part
 * into the description's text, which polynest_description returns and in which the places of messages are. Values are
 * written as in a text, without the quotes: what a key takes decides whether "M, K" is a list. What is wrong in them is
 * told by the first call that reads the description, as polynest_check does. Never NULL. */
POLYNEST_API polynest *polynest_describe(const char *name);
/* A parameter, type NULL: an i64; a condition on parameters that callers keep: "N >= 1". */
POLYNEST_API polynest_status polynest_add_param(polynest *p, const char *name, const char *type);
POLYNEST_API polynest_status polynest_assume(polynest *p, const char *condition);
/* A scalar argument, "f32". */
POLYNEST_API polynest_status polynest_add_scalar(polynest *p, const char *name, const char *type);
/* An array: role "in", "out", "inout", "temp" or "const", the type of its elements, extents "M, K". */
POLYNEST_API polynest_status polynest_add_array(polynest *p, const char *name, const char *role, const char *type,
                                                const char *shape);
/* A nest with the loops "i < M, j < N", outermost first; name NULL: n0, n1, ... Statements and blocks go into it until
 * polynest_end. */
POLYNEST_API polynest_status polynest_begin_nest(polynest *p, const char *name, const char *loops);
/* Further loops inside of what is open, around the next statements and blocks until polynest_end. */
POLYNEST_API polynest_status polynest_begin_block(polynest *p, const char *loops);
/* "S: C[i, j] += A[i, k] * B[k, j]"; the label may be left out. */
POLYNEST_API polynest_status polynest_add_statement(polynest *p, const char *statement);
/* Ends what was begun last; POLYNEST_USAGE: nothing is open. */
POLYNEST_API polynest_status polynest_end(polynest *p);
/* Any other key (polynest_step_help("array") tells which): of the object with this name, an array, nest, scalar or
 * parameter; object NULL: of the nest or block that is open, or where none is of the whole description. What calls
 * have no words for may be JSON. */
POLYNEST_API polynest_status polynest_set_key(polynest *p, const char *object, const char *key, const char *value);
/* A key of the target: "simd", "avx2". */
POLYNEST_API polynest_status polynest_set_target(polynest *p, const char *key, const char *value);

/* Applies a step at the end of the schedule or the plan, whichever it belongs to: its name and value, then further keys
 * and values, then NULL:
 *
 *     polynest_apply(p, "split", "j", "by", "32", "as", "jj", NULL)
 *     polynest_apply(p, "tile", "i: 16, j: 256", NULL)
 *
 * A step that is refused is not there afterwards. Only the last order must be legal: polynest_is_legal asks whether it
 * is already, and polynest_check proves everything. */
POLYNEST_API polynest_status polynest_apply(polynest *p, const char *step, const char *value, ...) POLYNEST_SENTINEL;
/* The same of a step in JSON: {"split": "j", "by": 32}. */
POLYNEST_API polynest_status polynest_apply_json(polynest *p, const char *step);
/* Takes the last step that was applied back, then the one before it, and so on. POLYNEST_USAGE: there is none. */
POLYNEST_API polynest_status polynest_undo(polynest *p);

/* Questions about the order after the schedule, which may be illegal. *yes: the answer, which is 0 where the status is
 * not POLYNEST_OK; polynest_output: for a no the reason, with the smallest instances. A loop is called as in steps. */
POLYNEST_API polynest_status polynest_is_legal(polynest *p, int *yes);
/* May its iterations run in any order, or at once? For a yes polynest_output tells the reductions among them. */
POLYNEST_API polynest_status polynest_is_parallel(polynest *p, const char *loop, int *yes);
/* May these loops, "i, j, k", which are directly inside of each other, be in any order, and be tiled? */
POLYNEST_API polynest_status polynest_is_permutable(polynest *p, const char *loops, int *yes);
/* Makes polynest_output: the elements of the array that one iteration of the loop touches, as an expression in the
 * parameters, "16 * K"; where not all touch as many (!*exact) a bound, or "" when there is none. */
POLYNEST_API polynest_status polynest_footprint(polynest *p, const char *loop, const char *array, int *exact);

/* How many functions the description has in its list "functions"; 0: it is one function, without such a list. */
POLYNEST_API int polynest_functions(const polynest *p);
/* Chooses one of them by its number, from 1 on, or by its name: calls are then about this function. 0: there is none
 * such. */
POLYNEST_API int polynest_set_function(polynest *p, int number);
POLYNEST_API int polynest_choose_function(polynest *p, const char *name);
/* The name of the emitted function instead of the description's; NULL: the description's. */
POLYNEST_API void polynest_set_function_name(polynest *p, const char *name);
/* What the emitted source includes as its header; NULL: the function's name with ".h". */
POLYNEST_API void polynest_set_header_name(polynest *p, const char *name);
/* Whether the emitted function tests its preconditions when it is called. */
POLYNEST_API void polynest_set_check_args(polynest *p, int on);
/* Whether the emitted function also runs the description as written, on copies of its results, and compares: it returns
 * ERANGE where one differs, and tells the first such element on standard error. C only. */
POLYNEST_API void polynest_set_self_check(polynest *p, int on);
/* Whether schedule and plan are left out: the description in its own order, the reference for the other one. */
POLYNEST_API void polynest_set_unscheduled(polynest *p, int on);
/* The variant to use; NULL: the description as it is. The function's name ends with that of the variant. */
POLYNEST_API void polynest_set_variant(polynest *p, const char *name);
/* A schedule file, size bytes of text, copied. Its schedule, plan, target and variants replace the description's.
 * Messages call it name; NULL: there is none. */
POLYNEST_API void polynest_set_schedule(polynest *p, const char *name, const char *text, size_t size);
/* A dump of the loop tree after a pass (polynest_dump), size bytes of text, copied. Lowering resumes after that pass
 * with this tree, which must have been dumped from the same description, variant and tunables. Messages call it name.
 * name NULL: lowering starts from the description. */
POLYNEST_API void polynest_set_dump(polynest *p, const char *name, const char *text, size_t size);
/* One of the values of a tunable, as the description writes it (words with or without quotes): "tile", "32". */
POLYNEST_API void polynest_set_tunable(polynest *p, const char *name, const char *value);
/* Permits what may change results besides what the description does: "reassociate" (sums in another order), "contract"
 * (fused multiply-add) or "approximate" (other functions and types). 0 when word is none of these. */
POLYNEST_API int polynest_permit(polynest *p, const char *word);
/* The operations each stage may spend on proofs before it gives up as undecided; 0: unlimited. */
POLYNEST_API void polynest_set_budget(polynest *p, unsigned long operations);
/* trace gets the name of each stage of a run when it starts; NULL: nothing does. */
POLYNEST_API void polynest_set_trace(polynest *p, void (*trace)(const char *stage, void *user), void *user);

/* Does everything but keeping the text: is the description right and its schedule legal? */
POLYNEST_API polynest_status polynest_check(polynest *p);
/* Makes polynest_source, polynest_header and polynest_signature. */
POLYNEST_API polynest_status polynest_emit(polynest *p);
typedef enum polynest_part { POLYNEST_SOURCE, POLYNEST_HEADER, POLYNEST_SIGNATURE } polynest_part;
/* Gets size bytes of text, which end with a NUL. What is not 0 ends the call. */
typedef int polynest_write(polynest_part part, const char *text, size_t size, void *user);
/* The same as polynest_emit, and write gets each of these texts once all is proved; POLYNEST_ENVIRONMENT when it
 * fails. */
POLYNEST_API polynest_status polynest_emit_to(polynest *p, polynest_write *write, void *user);
/* One file of the functions of p[0] .. p[n - 1], all of them C; n > 0. The texts are those of p[0], whose header name
 * it has ("functions.h"); each has its own signature and messages. *failed: which one could not be emitted, -1 for
 * none. */
POLYNEST_API polynest_status polynest_emit_together(polynest *const *p, int n, int *failed);
/* Makes polynest_output: the middle form "program", "order", "tree" or "c", the tree after the pass of that name, or
 * after each pass, "all". */
POLYNEST_API polynest_status polynest_dump(polynest *p, const char *stage);

/* Makes polynest_output: the description's text with blanks, columns and long lines as polynest writes them; comments
 * and values stay what they are. It may be a schedule file, too. */
POLYNEST_API polynest_status polynest_format(polynest *p);

/* How an order is shown: as pseudo-code, with the text of statements and what the plan makes of loops, as a tree with
 * the count that each loop gives an instance, as maps from instances to time, or as an outline, pseudo-code without
 * bounds. After each step `+` marks the lines that it made. POLYNEST_CHANGES is pseudo-code, too, in which `-` marks
 * the lines that it took away. */
typedef enum polynest_form {
    POLYNEST_LOOPS,
    POLYNEST_TREE,
    POLYNEST_MAP,
    POLYNEST_OUTLINE,
    POLYNEST_CHANGES
} polynest_form;

/* Only what runs in a slice is shown: a value, or `*`, for each loop from the outermost on, "1,*,*". NULL: all. */
POLYNEST_API void polynest_set_slice(polynest *p, const char *slice);
/* Makes polynest_output: the order after the whole schedule, or (every_step) after each of its steps; also when a
 * step is refused or the order illegal, as far as it goes. */
POLYNEST_API polynest_status polynest_show(polynest *p, polynest_form form, int every_step);

/* Makes polynest_output: why the order after the schedule is as free as it is - verdicts, dependences, which loops
 * are parallel and what the others carry, footprints. topic: NULL for all of that, a loop (loop, nest.loop or
 * label.loop), the number of a step, a step of the plan (plan.2), or a buffer of the plan by its name. Also when a
 * step is refused or the order illegal, as far as it goes. */
POLYNEST_API polynest_status polynest_explain(polynest *p, const char *topic);
/* The same of the order after the schedule as a JSON object: "legal" or what is broken, "dependences", "loops" with
 * their bodies, "arrays". */
POLYNEST_API polynest_status polynest_explain_json(polynest *p);

/* The value of a parameter in pictures and where emitted code is run; those without one get small values.
 * name NULL: no parameter has one any more. */
POLYNEST_API void polynest_set_size(polynest *p, const char *name, long value);
/* The two loops that pictures are drawn along, "i,k": i down, k across; NULL: the last two of each statement. */
POLYNEST_API void polynest_set_plane(polynest *p, const char *loops);
/* A picture shows what is so while the instance with this number, from 1 on, runs; 0: when all have run. */
POLYNEST_API void polynest_set_time(polynest *p, long number);
/* Makes polynest_output: a picture of the iteration spaces after schedule and plan, as SVG: when each instance runs,
 * tiles, dependences, those that the order breaks in red, vectors, and who runs what. Also when a step is refused or
 * the order illegal, as far as it goes. */
POLYNEST_API polynest_status polynest_draw(polynest *p);
/* The same after each step, as one HTML page without outside resources, with what is proved, what caches move and the
 * emitted code. */
POLYNEST_API polynest_status polynest_draw_page(polynest *p);

/* Makes polynest_output: a schedule and a plan for the description and its target, or for each of several variants
 * between which a call chooses, as a schedule file (polynest_set_schedule). Refused where the description has steps of
 * its own, unless they are to be replaced. */
POLYNEST_API polynest_status polynest_auto(polynest *p, int replace);
/* Later calls take what polynest_auto proposes as the steps. */
POLYNEST_API void polynest_set_auto(polynest *p, int replace);

/* Makes polynest_output: sizes to try the description with and what it computes there, {"sizes": {"N": 17},
 * "permit": [..], "operations": "2 * N", "at_most": false, "touched": {"A": "N"}, "rounded": {"s": "f32"}}.
 * Parameters without a size get small values that the assumptions allow, others for each number; operations and
 * elements of arrays are expressions in the parameters, or null; with "at_most": true data decide how many operations
 * there are; "rounded" has the type whose rounding errors results of floats have. */
POLYNEST_API polynest_status polynest_workload(polynest *p, unsigned number);

/* How emitted code is built and run, by key: "compiler" (a command; else $CC, else cc), "flags" ("-O3"), "seed" (1),
 * "runs" (6: of verify, how many sizes and data; of bench, how many rounds), "timeout" (60, seconds a run may take),
 * "threads" (0: as many as there are), "json" (0). Of tune: "time" (60, in seconds) or "trials" (candidates that are
 * measured), "jobs" (1, compilers at the same time), "log" (a file that keeps what is known), "from" (which kinds of
 * candidates: "grid,neighbour,affine"), "report" (a file for a page), "plan" (a folder for candidates as commands,
 * which start with "command"), "only" (one of these), "merge" (a folder with what they measured). 0 where nothing has
 * this key, or it cannot have this value. */
POLYNEST_API int polynest_set_running(polynest *p, const char *key, const char *value);
/* While *stop is 0, running goes on; the run that sees something else cleans up and fails. NULL: nothing stops it. */
POLYNEST_API void polynest_set_stop(polynest *p, const volatile sig_atomic_t *stop);
/* Makes polynest_output: builds the emitted function and the description without schedule and plan, runs both on the
 * same data in processes of their own, and compares the results: bit for bit, or, where results may change, within a
 * bound. */
POLYNEST_API polynest_status polynest_verify(polynest *p);
/* Makes polynest_output, a table or JSON: how long the description takes in its own order by the compilers that are
 * there, with its steps, each of its variants and with what polynest_auto proposes, in turn, beside what the machine
 * can do. The flags are "-O3 -march=native" unless others are given. */
POLYNEST_API polynest_status polynest_bench(polynest *p);
/* progress gets a line about a search now and then; NULL: nothing does. */
POLYNEST_API void polynest_set_progress(polynest *p, void (*progress)(const char *line, void *user), void *user);
/* Makes polynest_output, a schedule file: the fastest steps that were found among values of tunables, neighbours of
 * what polynest_auto proposes and random affine schedules. Those that are illegal are never run, and what a candidate
 * computes is compared before its time counts. */
POLYNEST_API polynest_status polynest_tune(polynest *p);

/* Results of the last call, valid until the next one on p; "" where it made none. */
POLYNEST_API const char *polynest_source(const polynest *p);
POLYNEST_API const char *polynest_header(const polynest *p);
/* The emitted function as JSON, for bindings in other languages and build systems: {"name": "f", "language": "c",
 * "returns": "void", "arguments": [..], "flags": ["-mavx2"], "needs": ["N >= 1"]}: flags of the compiler, and what
 * callers see to. An argument has "name", "kind" ("param", "scalar" or "array") and "type"; an array also "role",
 * "shape" and the extents of its memory, slowest first, as "stored", or "strides" and "offset". Extents are expressions
 * in the parameters, in which / rounds down. An array may have "align" (bytes), "values" (a condition on each element,
 * which has the array's name) "injective" and "monotone", which the caller sees to; a result of floats has "rounded", a
 * type, where it is rounded to that with fewer digits than its own. */
POLYNEST_API const char *polynest_signature(const polynest *p);
POLYNEST_API const char *polynest_output(const polynest *p);
/* Errors and warnings, as gcc prints them, or as a JSON array. */
POLYNEST_API const char *polynest_diagnostics(const polynest *p);
POLYNEST_API const char *polynest_diagnostics_json(const polynest *p);

/* The files besides the description that the last call read, for data of const arrays: number 0, 1, ...; NULL at the
 * end. */
POLYNEST_API const char *polynest_input_file(const polynest *p, int number);

/* Texts about polynest itself; malloc'ed, never NULL, to be freed by the caller with free(). */
POLYNEST_API char *polynest_primitives(void); /* the steps of a schedule and a plan, with their arguments */
/* The page of one step, in Markdown: rule, arguments, what is proved, an example before and after, and one that is
 * refused; or the page of an object of the description, with its keys. NULL when nothing has this name. */
POLYNEST_API char *polynest_step_help(const char *name);
/* The page of a message's code, "PN0801": what it means, an example and its cure. NULL when there is no such code. */
POLYNEST_API char *polynest_code_help(const char *code);
POLYNEST_API char *polynest_codes(void); /* all codes, each with its title, a line each */
/* The name of step, or kind of object, number 0, 1, ...; NULL at the end. */
POLYNEST_API const char *polynest_step(int number);
POLYNEST_API const char *polynest_object(int number);
/* A commented description to start from, such as "gemm": its text, or NULL when there is none of this name. */
POLYNEST_API char *polynest_start(const char *name);
/* The name of start number 0, 1, ...; NULL at the end. */
POLYNEST_API const char *polynest_start_name(int number);
POLYNEST_API char *polynest_targets(void); /* what can be emitted */
POLYNEST_API char *polynest_schema(void);  /* the JSON Schema of a description */

/* The candidate nearest to a misspelt word, NULL when none is near; n of them. */
POLYNEST_API const char *polynest_nearest(const char *word, const char *const *candidates, int n);

#ifdef __cplusplus
}
#endif

#endif
