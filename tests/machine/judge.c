/* The arrays of a run before and after, and what they are compared with. */
#include "judge.h"

#include "../oracle/inputs.h"
#include "../oracle/record.h"

#include "program/permit.h"
#include "tree/visit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct space *memory_by_name(const struct machine *machine, const char *name)
{
    for (int k = 0; k < machine->program->n_array; k++)
        if (strcmp(machine->memory[k].array->name, name) == 0)
            return &machine->memory[k];
    return NULL;
}

/* A const array: its data are in row-major order of its subscripts. */
static void give_data(struct machine *machine, struct space *memory)
{
    const struct array *array = memory->array;
    const size_t size = (size_t)word_size(array->type);
    int64_t *index = ARENA_ARRAY(machine->arena, array->n_dim + 1, int64_t);
    int k = 0;

    memory->byte = ARENA_ARRAY(machine->arena, (size_t)memory->n * size + 1, unsigned char);
    for (int64_t from = 0; from < memory->n && k >= 0; from++) {
        int64_t position = memory->offset;
        for (k = 0; k < array->n_dim; k++)
            position += index[k] * memory->stride[k];
        memcpy(memory->byte + (size_t)position * size, array->data + (size_t)from * size, size);
        for (k = array->n_dim - 1; k >= 0 && ++index[k] == memory->extent[k]; k--)
            index[k] = 0;
    }
}

/* The arrays of the interface start as they did for the interpreter; const ones have their data. */
static void give_arrays(struct machine *machine, const struct run *run, const struct snapshot *before)
{
    for (int k = 0; k < machine->program->n_array; k++)
        space_shape(machine, &machine->memory[k], &machine->program->array[k]);
    for (int k = 0; k < machine->program->n_array; k++)
        if (machine->program->array[k].data)
            give_data(machine, &machine->memory[k]);
    for (int k = 0; k < run->program->n_array; k++) {
        const struct storage *storage = &run->storage[k];
        struct space *memory = (struct space *)memory_by_name(machine, storage->array->name);
        const size_t size = (size_t)(storage->n * word_size(storage->array->type));

        if (storage->array->role == ROLE_TEMP || storage->array->data || !memory)
            continue;
        if (memory->n != storage->n)
            machine_fault(machine, "%s has another size in memory", storage->array->name);
        memory->byte = ARENA_ARRAY(machine->arena, size + 1, unsigned char);
        memcpy(memory->byte, before->byte[k], size);
    }
}

static bool is_close(double a, double b, double fraction)
{
    const double size = fabs(a) > fabs(b) ? fabs(a) : fabs(b);

    return fabs(a - b) <= fraction * (size > 1 ? size : 1);
}

static double allowed_fraction(const struct judge *judge, enum type type)
{
    const struct program *program = judge->finished->described;
    unsigned permit = program->permit;

    if (judge->close >= 0)
        return judge->close;
    for (int k = 0; k < program->n_nest; k++)
        permit |= program->nest[k].permit;
    if (!(permit & (PERMIT_REASSOCIATE | PERMIT_APPROXIMATE)))
        return 0;
    return type == TYPE_F64 ? (permit & PERMIT_APPROXIMATE ? 1e-2 : 1e-10) : type == TYPE_F32 ? 1e-2 : 5e-2;
}

static bool same(const struct judge *judge, enum type type, const void *a, const void *b)
{
    const struct word x = word_load(type, a), y = word_load(type, b);
    const double fraction = allowed_fraction(judge, type);

    if (!type_is_float(type))
        return x.integer == y.integer;
    if (isnan(x.real) || isnan(y.real))
        return isnan(x.real) && isnan(y.real);
    return (x.real == y.real && signbit(x.real) == signbit(y.real)) ||
           (fraction > 0 && is_close(x.real, y.real, fraction));
}

/* Says the first element that differs. */
static bool compare(const struct judge *judge, const struct machine *machine, const struct run *run,
                    struct text *message)
{
    for (int k = 0; k < run->program->n_array; k++) {
        const struct storage *storage = &run->storage[k];
        const struct space *memory = memory_by_name(machine, storage->array->name);
        const enum type type = storage->array->type;
        const size_t size = (size_t)word_size(type);

        if (storage->array->role == ROLE_TEMP || storage->array->data || !memory)
            continue;
        for (int64_t n = 0; n < storage->n; n++) {
            if (same(judge, type, storage->byte + (size_t)n * size, memory->byte + (size_t)n * size))
                continue;
            const struct word want = word_load(type, storage->byte + (size_t)n * size);
            const struct word got = word_load(type, memory->byte + (size_t)n * size);
            text_addf(message, "%s[%lld] is %.17g, should be %.17g", storage->array->name, (long long)n,
                      type_is_float(type) ? got.real : (double)got.integer,
                      type_is_float(type) ? want.real : (double)want.integer);
            return false;
        }
    }
    return true;
}

/* *assignments: how many it did. */
static bool run_once(struct judge *judge, const struct run *run, const struct snapshot *before,
                     const struct word *scalar, uint64_t order, int64_t *assignments, struct text *message)
{
    const struct finished *finished = judge->finished;
    struct machine machine = {.arena = arena_new(),
                              .program = finished->laid_out,
                              .param_var = finished->param_var,
                              .param = run->param,
                              .scalar = scalar,
                              .order = order,
                              .assignments = judge->assignments};
    bool good = false;

    machine.memory = ARENA_ARRAY(machine.arena, machine.program->n_array + 1, struct space);
    if (!setjmp(machine.stop)) {
        give_arrays(&machine, run, before);
        good = machine_run(&machine, finished->tree) && compare(judge, &machine, run, message);
    } else {
        machine_stopped();
    }
    if (machine.fault[0] && !machine.lacks)
        text_add(message, machine.fault);
    judge->lacks |= machine.lacks;
    *assignments = judge->assignments - machine.assignments;
    arena_free(machine.arena);
    judge->runs++;
    return good || machine.lacks;
}

static void find_threads(const struct node *node, void *user)
{
    *(bool *)user |= node->threads || node->kind == NODE_REGION || node->kind == NODE_KERNEL;
}

/* In how many orders does it make sense to run the tree? */
static int orders_of(const struct judge *judge)
{
    bool threads = false;

    node_for_each(judge->finished->tree, find_threads, &threads);
    return threads ? judge->orders : 1;
}

/* Runs the tree in its orders; where that is much, in one of them. */
static bool run_orders(struct judge *judge, const struct run *run, const struct snapshot *before,
                       const struct word *scalar, struct text *message)
{
    const int n = orders_of(judge), first = judge->n_large % n;
    int64_t assignments;

    for (int k = 0; k < n; k++) {
        if (!run_once(judge, run, before, scalar, (uint64_t)((first + k) % n), &assignments, message))
            return false;
        if (judge->large > 0 && assignments > judge->large) {
            judge->n_large++;
            return true;
        }
    }
    return true;
}

static void set_scalars(const struct judge *judge, struct run *run, const double *given, struct word *scalar,
                        struct prng *prng)
{
    const struct program *program = judge->finished->described;

    for (int k = 0; k < program->n_scalar; k++) {
        const enum type type = program->scalar[k].type;
        run->scalar[k] = !given || isnan(given[k]) ? inputs_value(type, prng)
                                                   : datum_convert(datum_real(TYPE_F64, given[k]), type, &run->blame);
        scalar[k] =
            type_is_float(type) ? word_real(type, run->scalar[k].real) : word_integer(type, run->scalar[k].integer);
    }
}

static void add_sizes(struct text *message, const struct run *run)
{
    for (int k = 0; k < run->program->n_param; k++)
        text_addf(message, "%s=%lld ", run->program->param[k].name, (long long)run->param[k]);
}

bool judge_size(struct judge *judge, const int64_t *param, const double *given, struct prng *prng, struct text *message)
{
    const struct program *program = judge->finished->described;
    struct arena *arena = arena_new();
    struct word *scalar = ARENA_ARRAY(arena, program->n_scalar + 1, struct word);
    struct text what = {0};
    bool good = true;
    struct run run;

    run_init(&run, program, param);
    set_scalars(judge, &run, given, scalar, prng);
    inputs_random(&run, prng);
    struct snapshot before = snapshot_take(&run);
    run_program(&run);
    const char *undefined = run.fault[0] ? run.fault : run.blame.reason;
    if (!undefined) {
        if (judge->records)
            record_write(judge->records, &run, &before, 0);
        good = run_orders(judge, &run, &before, scalar, &what);
    } else if (judge->records) {
        text_addf(&what, "the description's own order is undefined, %s", undefined);
        good = false;
    }
    judge->undefined += undefined != NULL;
    if (!good) {
        add_sizes(message, &run);
        text_addf(message, ": %s", text_str(&what));
    }
    text_free(&what);
    snapshot_free(&run, &before);
    run_free(&run);
    arena_free(arena);
    return good;
}
