/* Footprints and arithmetic: what each time of some times touches and computes. */
#include "report/explain_parts.h"

#include "dep/extent.h"

/* What one time does, as far as it is known. */
struct work {
    const struct schedule *schedule;
    isl_union_map *times; /* { S[i,j] -> T[..] }; not owned */
    isl_set *all;         /* T[..] */
    const struct polynomial *elements, *operations;
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

static struct text use_of(const struct program *program, const struct array *array)
{
    bool reads = false, writes = false;
    struct text out = {0};

    for (int s = 0; s < program->n_statement; s++)
        for (int k = 0; k < program->statement[s]->n_access; k++) {
            const struct access *access = &program->statement[s]->access[k];
            if (access->array == array)
                *(access->write ? &writes : &reads) = true;
        }
    text_add(&out, reads && writes ? "read, written" : reads ? "read" : "written");
    return out;
}

static bool is_one(const struct polynomial *polynomial)
{
    int64_t value;

    return polynomial_is_constant(polynomial, &value) && value == 1;
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
        text_add(&out, is_one(extent->box) ? " element" : " elements");
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

static void add_array(struct work *work, const struct array *array)
{
    isl_map *touched = declared_elements(array, footprint(work->schedule->program, array, work->times));
    struct text name = {0}, use, size;
    struct extent extent;

    if (!touched)
        return;
    extent = measure(work, touched);
    work->elements = polynomial_sum(work->schedule->arena, work->elements, extent.count);
    text_add(&name, array->name);
    use = use_of(work->schedule->program, array);
    size = size_of(work, array, &extent);
    table_row(&work->table);
    table_cell(&work->table, &name);
    table_cell(&work->table, &use);
    table_cell(&work->table, &size);
}

static void add_statement(struct work *work, const struct statement *statement)
{
    struct arena *arena = work->schedule->arena;
    const struct program *program = work->schedule->program;
    const int n = operations_of(statement->value) + (statement->op != OP_NONE);
    isl_union_set *domain = isl_union_set_from_set(isl_set_copy(statement->domain));
    isl_union_map *times = isl_union_map_intersect_domain(isl_union_map_copy(work->times), domain);
    struct extent extent;

    if (n == 0 || isl_union_map_is_empty(times) != isl_bool_false) {
        isl_union_map_free(times);
        return;
    }
    extent = measure(work, isl_map_from_union_map(isl_union_map_reverse(times)));
    work->operations = polynomial_sum(arena, work->operations,
                                      polynomial_product(arena, extent.count, polynomial_constant(arena, program, n)));
}

static void print_intensity(const struct work *work, struct text *out)
{
    int64_t operations, elements;

    if (!work->operations || (polynomial_is_constant(work->operations, &operations) && operations == 0))
        return;
    text_add(out, "  arithmetic: ");
    polynomial_print(out, work->operations);
    text_add(out, is_one(work->operations) ? " operation" : " operations");
    if (work->elements) {
        text_add(out, " on ");
        polynomial_print(out, work->elements);
        text_add(out, " distinct elements");
    }
    if (polynomial_is_constant(work->operations, &operations) && polynomial_is_constant(work->elements, &elements) &&
        elements > 0 && operations < INT64_MAX / 20) {
        const int64_t tenths = (operations * 10 + elements / 2) / elements;
        text_addf(out, ", %lld.%lld for each", (long long)(tenths / 10), (long long)(tenths % 10));
    }
    text_char(out, '\n');
}

void explain_memory(const struct schedule *schedule, __isl_keep isl_union_map *times, struct text *out)
{
    const struct program *program = schedule->program;
    const struct polynomial *none = polynomial_constant(schedule->arena, program, 0);
    struct work work = {schedule, times, NULL, none, none, {.arena = schedule->arena}};

    if (isl_union_map_is_empty(times) != isl_bool_false)
        return;
    work.all = isl_set_from_union_set(isl_union_map_range(isl_union_map_copy(times)));
    for (int k = 0; k < program->n_array; k++)
        add_array(&work, &program->array[k]);
    for (int k = 0; k < program->n_statement; k++)
        add_statement(&work, program->statement[k]);
    table_print(&work.table, 2, out);
    print_intensity(&work, out);
    isl_set_free(work.all);
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

void explain_whole_memory(const struct schedule *schedule, struct text *out)
{
    isl_space *space = isl_space_add_unnamed_tuple_ui(isl_set_get_space(schedule->program->context), 0);
    isl_union_set *once = isl_union_set_from_set(isl_set_universe(space));
    isl_union_map *times = isl_union_map_from_domain_and_range(order_domain(schedule->order), once);

    text_add(out, "memory of the whole program\n");
    explain_memory(schedule, times, out);
    isl_union_map_free(times);
}
