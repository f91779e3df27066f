/* Footprints and arithmetic: what each time of some times touches and computes. */
#include "report/explain_parts.h"

#include "dep/extent.h"
#include "report/count.h"

/* What one time does, as far as it is known. */
struct work {
    const struct schedule *schedule;
    isl_union_map *times; /* { S[i,j] -> T[..] }; not owned */
    isl_set *all;         /* T[..] */
    const struct polynomial *elements, *operations;
    const struct polynomial **touched; /* elements by array of the program */
    struct table table;
};

static int operations_of(const struct expr *expr)
{
    int n = expr->kind == EXPR_BINARY || expr->kind == EXPR_UNARY || expr->kind == EXPR_CALL;

    if (expr->kind == EXPR_ACCESS)
        return 0;
    if (expr->kind == EXPR_CALL && expr->function == FUNCTION_FMA)
        n = 2;
    for (int k = 0; k < expr->n_arg; k++)
        n += operations_of(expr->arg[k]);
    return n;
}

static bool is_number(const struct polynomial *polynomial, int64_t number)
{
    int64_t value;

    return polynomial_is_constant(polynomial, &value) && value == number;
}

static void add_bytes(struct text *out, const struct array *array, const struct polynomial *count)
{
    const int size = (type_bits(array->type) + 7) / 8;
    int64_t value;

    if (polynomial_is_constant(count, &value) && value < INT64_MAX / 8)
        text_addf(out, ", %lld bytes", (long long)(value * size));
}

/* "M x K elements", "up to 4 x 4 elements", "36 elements within 8 x 8". */
static struct text size_of(struct work *work, const struct array *array, const struct extent *extent)
{
    struct text out = {0};

    if (!extent->filled) {
        if (extent->count)
            polynomial_print(&out, extent->count);
        text_add(&out, extent->count ? " elements within " : "elements within ");
    } else if (!extent->same) {
        text_add(&out, "up to ");
    }
    extent_print(&out, work->schedule->arena, extent);
    if (extent->filled)
        text_add(&out, is_number(extent->box, 1) ? " element" : " elements");
    add_bytes(&out, array, extent->count);
    return out;
}

/* The extent of { T[..] -> X[..] }, where a time without any X has less than the others. */
static struct extent measure(const struct work *work, __isl_take isl_map *map)
{
    isl_set *some = isl_map_domain(isl_map_copy(map));
    struct extent extent = extent_of_map(work->schedule->arena, work->schedule->program, map);

    extent_add_empty(&extent, isl_set_subtract(isl_set_copy(work->all), some));
    return extent;
}

/* The elements as declared: what compute_at put in front of their subscripts is no place in memory. */
static __isl_give isl_map *declared_elements(const struct array *array, __isl_take isl_map *touched)
{
    if (touched && array->n_iteration > 0)
        touched = isl_map_project_out(touched, isl_dim_out, 0, (unsigned)array->n_iteration);
    return touched;
}

/* Instances of the statement in one time. NULL: not known, or not always the same. */
static const struct polynomial *runs_of(const struct work *work, const struct statement *statement)
{
    isl_union_set *domain = isl_union_set_from_set(isl_set_copy(statement->domain));
    isl_union_map *times = isl_union_map_intersect_domain(isl_union_map_copy(work->times), domain);

    if (isl_union_map_is_empty(times) != isl_bool_false) {
        isl_union_map_free(times);
        return polynomial_constant(work->schedule->arena, work->schedule->program, 0);
    }
    if (isl_set_dim(work->all, isl_dim_set) > 0)
        return measure(work, isl_map_from_union_map(isl_union_map_reverse(times))).count;
    return count_points(work->schedule->arena, work->schedule->program, isl_map_domain(isl_map_from_union_map(times)),
                        NULL);
}

/* How often the array is read, or written, in one time. */
static const struct polynomial *accesses_of(const struct work *work, const struct array *array, bool writes)
{
    const struct program *program = work->schedule->program;
    const struct polynomial *sum = polynomial_constant(work->schedule->arena, program, 0);

    for (int s = 0; s < program->n_statement; s++)
        for (int k = 0; k < program->statement[s]->n_access; k++) {
            const struct access *access = &program->statement[s]->access[k];
            if (access->array == array && access->write == writes)
                sum = polynomial_sum(work->schedule->arena, sum, runs_of(work, program->statement[s]));
        }
    return sum;
}

static void add_count(struct text *out, const char *before, const struct polynomial *n, const char *what)
{
    text_add(out, before);
    polynomial_print(out, n);
    text_addf(out, " %s%s", what, is_number(n, 1) ? "" : "s");
}

static bool is_none_or(const struct polynomial *n, const struct polynomial *elements)
{
    return is_number(n, 0) || polynomial_is_equal(n, elements);
}

/* "; 64 reads, 32 writes", unless each element is read, or written, once. */
static void add_uses(struct text *out, const struct polynomial *reads, const struct polynomial *writes,
                     const struct polynomial *elements)
{
    if (is_none_or(reads, elements) && is_none_or(writes, elements))
        return;
    if (reads && !is_number(reads, 0))
        add_count(out, "; ", reads, "read");
    if (writes && !is_number(writes, 0))
        add_count(out, reads && !is_number(reads, 0) ? ", " : "; ", writes, "write");
}

const struct polynomial *explain_footprint(const struct schedule *schedule, __isl_keep isl_union_map *times,
                                           const struct array *array, bool *exact)
{
    struct work work = {.schedule = schedule};
    isl_map *touched = declared_elements(array, footprint(schedule->program, array, times));
    struct extent extent;

    *exact = true;
    if (!touched || isl_union_map_is_empty(times) != isl_bool_false)
        return polynomial_constant(schedule->arena, schedule->program, 0);
    work.all = isl_set_from_union_set(isl_union_map_range(isl_union_map_copy(times)));
    extent = measure(&work, touched);
    isl_set_free(work.all);
    *exact = extent.count;
    return extent.count ? extent.count : extent.box;
}

static void add_array(struct work *work, const struct array *array)
{
    isl_map *touched = declared_elements(array, footprint(work->schedule->program, array, work->times));
    const struct polynomial *reads, *writes;
    struct text name = {0}, use = {0}, size;
    struct extent extent;

    if (!touched)
        return;
    extent = measure(work, touched);
    work->elements = polynomial_sum(work->schedule->arena, work->elements, extent.count);
    work->touched[array - work->schedule->program->array] = extent.count;
    text_add(&name, array->name);
    reads = accesses_of(work, array, false);
    writes = accesses_of(work, array, true);
    text_add(&use, is_number(writes, 0) ? "read" : is_number(reads, 0) ? "written" : "read, written");
    size = size_of(work, array, &extent);
    add_uses(&size, reads, writes, extent.count);
    table_row(&work->table);
    table_cell(&work->table, &name);
    table_cell(&work->table, &use);
    table_cell(&work->table, &size);
}

static void add_statement(struct work *work, const struct statement *statement)
{
    struct arena *arena = work->schedule->arena;
    const int n = operations_of(statement->value) + (statement->op != OP_NONE);
    const struct polynomial *each = polynomial_constant(arena, work->schedule->program, n);

    if (n > 0)
        work->operations =
            polynomial_sum(arena, work->operations, polynomial_product(arena, runs_of(work, statement), each));
}

static void print_intensity(const struct work *work, struct text *out)
{
    int64_t operations, elements;

    if (!work->operations || (polynomial_is_constant(work->operations, &operations) && operations == 0))
        return;
    text_add(out, "  arithmetic: ");
    polynomial_print(out, work->operations);
    text_add(out, is_number(work->operations, 1) ? " operation" : " operations");
    if (work->elements) {
        text_add(out, " on ");
        polynomial_print(out, work->elements);
        text_add(out, is_number(work->elements, 1) ? " distinct element" : " distinct elements");
    }
    if (polynomial_is_constant(work->operations, &operations) && polynomial_is_constant(work->elements, &elements) &&
        elements > 0 && operations < INT64_MAX / 20) {
        const int64_t tenths = (operations * 10 + elements / 2) / elements;
        text_addf(out, ", %lld.%lld for each", (long long)(tenths / 10), (long long)(tenths % 10));
    }
    text_char(out, '\n');
}

static struct work work_of(const struct schedule *schedule, __isl_keep isl_union_map *times)
{
    const struct program *program = schedule->program;
    const struct polynomial *none = polynomial_constant(schedule->arena, program, 0);
    struct work work = {.schedule = schedule,
                        .times = times,
                        .elements = none,
                        .operations = none,
                        .table = {.arena = schedule->arena}};

    work.touched = ARENA_ARRAY(schedule->arena, program->n_array + 1, const struct polynomial *);
    for (int k = 0; k < program->n_array; k++)
        work.touched[k] = none;
    if (isl_union_map_is_empty(times) != isl_bool_false)
        return work;
    work.all = isl_set_from_union_set(isl_union_map_range(isl_union_map_copy(times)));
    for (int k = 0; k < program->n_array; k++)
        if (!program->array[k].is_call)
            add_array(&work, &program->array[k]);
    for (int k = 0; k < program->n_statement; k++)
        if (!program->statement[k]->call)
            add_statement(&work, program->statement[k]);
    work.all = isl_set_free(work.all);
    return work;
}

void explain_memory(const struct schedule *schedule, __isl_keep isl_union_map *times, struct text *out)
{
    const struct work work = work_of(schedule, times);

    table_print(&work.table, 2, out);
    print_intensity(&work, out);
}

void explain_repetitions(const struct schedule *schedule, struct text *out)
{
    bool first = true;

    for (int k = 0; k < schedule->repetitions.n; k++) {
        struct text line = {0};
        if (repetition_print(&line, schedule->arena, schedule->program, &schedule->repetitions.at[k])) {
            text_addf(out, "%s  %s\n", first ? "\ncomputed again\n" : "", text_str(&line));
            first = false;
        }
        text_free(&line);
    }
}

/* { S[i,j] -> T[] } */
static __isl_give isl_union_map *one_time(const struct schedule *schedule)
{
    isl_space *space = isl_space_add_unnamed_tuple_ui(isl_set_get_space(schedule->program->context), 0);
    isl_union_set *once = isl_union_set_from_set(isl_set_universe(space));

    return isl_union_map_from_domain_and_range(order_domain(schedule->order), once);
}

void explain_whole_memory(const struct schedule *schedule, struct text *out)
{
    isl_union_map *times = one_time(schedule);

    text_add(out, "memory of the whole program\n");
    explain_memory(schedule, times, out);
    isl_union_map_free(times);
}

struct table explain_arrays(const struct schedule *schedule)
{
    isl_union_map *times = one_time(schedule);
    const struct table table = work_of(schedule, times).table;

    isl_union_map_free(times);
    return table;
}

const struct polynomial *explain_operations(const struct schedule *schedule, const struct polynomial *const **touched)
{
    isl_union_map *times = one_time(schedule);
    const struct work work = work_of(schedule, times);

    isl_union_map_free(times);
    *touched = work.touched;
    return work.operations;
}
