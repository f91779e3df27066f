#include "target/clike/nodes/openmp.h"

#include "target/clike/expr.h"
#include "target/clike/storage.h"
#include "target/clike/types.h"
#include "tree/layout.h"
#include "tree/visit.h"

#include <inttypes.h>
#include <string.h>

/* What OpenMP calls a reduction; its own `&` starts at ~0u, of which clang warns for signed types, and its sums of
 * signed integers may overflow where the whole does not. */
static const char *reduction_name(struct emitter *emitter, enum expr_op op, enum type type)
{
    if (type_is_signed(type) && !type_is_float(type) && (op == OP_ADD || op == OP_SUB || op == OP_MUL))
        return helper_use(&emitter->helpers, op == OP_MUL ? HELPER_MULTIPLY : HELPER_ADD, type);
    if (op == OP_AND && type_is_signed(type))
        return helper_use(&emitter->helpers, HELPER_AND, type);
    return op == OP_SUB ? "+" : op_symbol(op);
}

/* "reduction(+ : total)"; through a pointer `total[:1]`, or all elements of an array. */
static const char *reduction_text(struct emitter *emitter, const struct statement *update)
{
    const struct array *array = program_array(emitter->program, update->target->array->name);
    const bool address = array_is_argument(array) || emitter->by_reference[array - emitter->program->array];
    int64_t n = 1;

    for (int d = 0; d < array->n_dim; d++)
        n *= array->shape[d]->integer;
    return arena_printf(emitter->arena, address ? "reduction(%s : %s[:%" PRId64 "])" : "reduction(%s : %s)",
                        reduction_name(emitter, update->op, array->type), array->name, n);
}

/* Signed integers are updated as unsigned ones, so that a partial sum may wrap around. */
const char *openmp_atomic(struct emitter *emitter, const struct node *assign)
{
    const enum type type = assign->target.array->type;
    const bool wraps = assign->wrap && (type == TYPE_I32 || type == TYPE_I64) && expr_wraps(assign->op, type);
    const enum type own = wraps ? c_unsigned_type(type) : type;
    enum precedence precedence;
    const char *target = element_text(emitter, &assign->target, &precedence);

    if (wraps)
        target = arena_printf(emitter->arena, "*(%s *)&%s", emitter_type(emitter, own), target);
    return arena_printf(emitter->arena, "%s %s= %s;", target, op_symbol(assign->op),
                        expr_assigned(emitter, assign->value, own));
}

static const char *total_name(struct emitter *emitter, const struct lane_total *total)
{
    return reduction_name(emitter, total->op, total->type);
}

static const char *variable_of(const struct lane_total *total)
{
    return total->var ? total->var->name : total->array->name;
}

/* " reduction(+ : sum, total)", of the total at `first` and those behind it that are reduced alike; "" where one in
 * front of it is. */
static const char *clause_text(struct emitter *emitter, const struct node *loop, int first)
{
    const char *op = total_name(emitter, &loop->total[first]), *names = variable_of(&loop->total[first]);

    for (int k = 0; k < first; k++)
        if (strcmp(total_name(emitter, &loop->total[k]), op) == 0)
            return "";
    for (int k = first + 1; k < loop->n_total; k++)
        if (strcmp(total_name(emitter, &loop->total[k]), op) == 0)
            names = arena_printf(emitter->arena, "%s, %s", names, variable_of(&loop->total[k]));
    return arena_printf(emitter->arena, " reduction(%s : %s)", op, names);
}

/* " reduction(+ : sum, total) reduction(max : most)" */
static const char *totals_text(struct emitter *emitter, const struct node *loop)
{
    static const enum expr_op ops[] = {OP_ADD, OP_MUL, OP_MIN, OP_MAX, OP_AND, OP_OR, OP_XOR};
    const char *text = "";

    for (size_t o = 0; o < sizeof(ops) / sizeof(ops[0]); o++)
        for (int k = 0; k < loop->n_total; k++)
            if (loop->total[k].op == ops[o])
                text = arena_printf(emitter->arena, "%s%s", text, clause_text(emitter, loop, k));
    return text;
}

const char *openmp_simd(struct emitter *emitter, const struct node *loop)
{
    const char *lanes = loop->lanes ? arena_printf(emitter->arena, " simdlen(%" PRId64 ")", loop->lanes) : "";

    return arena_printf(emitter->arena, "#pragma omp simd%s%s", lanes, totals_text(emitter, loop));
}

/* Where threads run: `primary` is `master` to compilers that are older than OpenMP 5.1, and newer ones take both. */
static const char *place_word(const char *places)
{
    return strcmp(places, "primary") == 0 ? "master" : places;
}

/* What a parallel region is started with; on a directive that has other parts, its condition says what it is about. */
static const char *start_text(struct emitter *emitter, const struct threads *threads, bool combined)
{
    const char *text = "";

    if (threads->condition)
        text = arena_printf(emitter->arena, " if (%s%s)", combined ? "parallel : " : "",
                            expr_truth(emitter, threads->condition).text);
    if (threads->number)
        text = arena_printf(emitter->arena, "%s num_threads(%" PRId64 ")", text, threads->number);
    return threads->places ? arena_printf(emitter->arena, "%s proc_bind(%s)", text, place_word(threads->places)) : text;
}

static bool stores_vectors(const struct node *node)
{
    bool stores = node->kind == NODE_ASSIGN && (node->vector || node->tile) && !node_writes_vector(node) &&
                  !node->target.array->in_registers;

    for (int k = 0; k < node->n_child && !stores; k++)
        stores = stores_vectors(node->child[k]);
    return stores;
}

/* Does a loop that stays one, not written out, store vectors, or do tiles? */
static bool loops_store_vectors(const struct node *node)
{
    bool found = (node->kind == NODE_TILES || (node->kind == NODE_LOOP && node->unroll == 0)) && stores_vectors(node);

    for (int k = 0; k < node->n_child && !found; k++)
        found = loops_store_vectors(node->child[k]);
    return found;
}

/* Do threads of node sum up in the array? What is in that clause is in no other one, and shared in the region. */
static bool is_reduced(const struct node *node, const struct array *array)
{
    bool reduced = false;

    for (int k = 0; node->threads && k < node->threads->n_reduction && !reduced; k++)
        reduced = strcmp(node->threads->reduction[k]->target->array->name, array->name) == 0;
    for (int k = 0; k < node->n_child && !reduced; k++)
        reduced = is_reduced(node->child[k], array);
    return reduced;
}

static void add_private(struct emitter *emitter, const char **list, const char *code, const char *name)
{
    if (c_mentions(code, name))
        *list = arena_printf(emitter->arena, "%s%s%s", *list, **list ? ", " : "", name);
}

/* " firstprivate(N, x, y)": what the function's arguments and the variables around the threads' code are there. clang
 * has threads load them from memory, again behind each vector stored, which for all it knows is stored to them. */
static const char *private_text(struct emitter *emitter, const struct node *node, const char *code)
{
    const struct program *program = emitter->program;
    const char *list = "";

    if (!loops_store_vectors(node) || (node->kind == NODE_REGION && node->child[0]->kind == NODE_CALL))
        return "";
    for (int k = 0; k < program->n_param; k++)
        add_private(emitter, &list, code, program->param[k].name);
    for (int k = 0; k < node->n_argument_var; k++)
        add_private(emitter, &list, code, node->argument_var[k]->name);
    for (int k = 0; k < program->n_scalar; k++)
        add_private(emitter, &list, code, program->scalar[k].name);
    for (int k = 0; k < program->n_array; k++)
        if (array_is_argument(&program->array[k]) && !is_reduced(node, &program->array[k]))
            add_private(emitter, &list, code, program->array[k].name);
    return *list ? arena_printf(emitter->arena, " firstprivate(%s)", list) : "";
}

const char *openmp_parallel(struct emitter *emitter, const struct node *region, const char *code)
{
    return arena_printf(emitter->arena, "#pragma omp parallel%s%s", start_text(emitter, region->threads, false),
                        private_text(emitter, region, code));
}

const char *openmp_for(struct emitter *emitter, const struct node *loop, const char *code)
{
    struct arena *arena = emitter->arena;
    const struct threads *threads = loop->threads;
    const bool sums = loop->simd && (loop->n_total || threads->n_reduction);
    const char *lanes = sums ? helper_use(&emitter->helpers, HELPER_SIMD, TYPE_I64) : "simd";
    const char *text = arena_printf(arena, "#pragma omp %sfor%s%s", threads->shared ? "" : "parallel ",
                                    loop->simd ? " " : "", loop->simd ? lanes : "");

    if (threads->doacross)
        text = arena_printf(arena, "%s ordered(%d)", text, threads->collapse);
    else if (threads->collapse > 1)
        text = arena_printf(arena, "%s collapse(%d)", text, threads->collapse);
    if (threads->policy && threads->chunk)
        text = arena_printf(arena, "%s schedule(%s, %" PRId64 ")", text, threads->policy, threads->chunk);
    else if (threads->policy || threads->doacross)
        text = arena_printf(arena, "%s schedule(%s)", text, threads->policy ? threads->policy : "static, 1");
    for (int k = 0; k < threads->n_reduction; k++)
        text = arena_printf(arena, "%s %s", text, reduction_text(emitter, threads->reduction[k]));
    if (!threads->shared)
        text = arena_printf(arena, "%s%s%s", text, start_text(emitter, threads, loop->simd),
                            private_text(emitter, loop, code));
    return arena_printf(arena, "%s%s%s", text, loop->nowait ? " nowait" : "", totals_text(emitter, loop));
}

const char *openmp_wait(struct emitter *emitter, const struct node *doacross)
{
    const int64_t step = doacross->step < 0 ? -doacross->step : doacross->step;
    const char *text = arena_printf(emitter->arena, "#pragma omp ordered depend(sink : %s %c %" PRId64,
                                    doacross->var->name, doacross->step < 0 ? '+' : '-', step);
    const struct node *loop = doacross;

    for (int k = 1; k < doacross->threads->collapse; k++) {
        loop = loop->child[0];
        text = arena_printf(emitter->arena, "%s, %s", text, loop->var->name);
    }
    return arena_printf(emitter->arena, "%s)", text);
}
