/* The buffers that the plan made: how large, how often filled and flushed, for whom. */
#include "report/explain_parts.h"

#include "program/expr/affine.h"
#include "report/count.h"

#include <isl/space.h>

static const struct polynomial *elements_of(const struct schedule *schedule, const struct array *buffer)
{
    const struct program *program = schedule->program;
    isl_space *space = program_params_space(program);
    const struct polynomial *product = polynomial_constant(schedule->arena, program, 1);

    for (int k = buffer->n_iteration; k < buffer->n_dim; k++) {
        isl_pw_aff *size = expr_pw_aff(space, buffer->shape[k]);
        isl_aff *aff = isl_pw_aff_isa_aff(size) == isl_bool_true ? isl_pw_aff_as_aff(isl_pw_aff_copy(size)) : NULL;
        product = polynomial_product(schedule->arena, product,
                                     aff ? polynomial_from_aff(schedule->arena, program, aff) : NULL);
        isl_aff_free(aff);
        isl_pw_aff_free(size);
    }
    isl_space_free(space);
    return product;
}

static bool is_one(const struct polynomial *polynomial)
{
    int64_t value;

    return polynomial_is_constant(polynomial, &value) && value == 1;
}

/* ", 12 elements, 48 bytes", ", up to 12 elements .."; nothing where it is not known. */
static void add_amount(const struct schedule *schedule, const struct polynomial *elements, bool at_most, enum type type,
                       struct text *out)
{
    const int size = (type_bits(type) + 7) / 8;
    const struct polynomial *bytes =
        polynomial_product(schedule->arena, elements, polynomial_constant(schedule->arena, schedule->program, size));

    if (!elements)
        return;
    text_add(out, at_most ? ", up to " : ", ");
    polynomial_print(out, elements);
    text_add(out, is_one(elements) ? " element" : " elements");
    if (!bytes)
        return;
    text_add(out, ", ");
    polynomial_print(out, bytes);
    text_add(out, " bytes");
}

/* How many iterations of the loops outside have copies, or at most have. */
static const struct polynomial *times_of(const struct schedule *schedule, const struct statement *copy, int n_outside,
                                         bool *at_most)
{
    const unsigned n = (unsigned)isl_set_dim(copy->domain, isl_dim_set), first = (unsigned)n_outside;
    isl_set *outside = isl_set_project_out(isl_set_copy(copy->domain), isl_dim_set, first, n - first);

    return count_points(schedule->arena, schedule->program, outside, at_most);
}

/* { [c, a] }: what is copied when. */
static const struct polynomial *copied(const struct schedule *schedule, const struct statement *copy,
                                       const struct array *buffer, int n_outside, bool *at_most)
{
    const unsigned n = (unsigned)isl_set_dim(copy->domain, isl_dim_set), first = (unsigned)n_outside;
    const struct access *other = copy->access[0].array == buffer ? &copy->access[1] : &copy->access[0];
    isl_map *iteration = isl_map_from_domain(isl_set_copy(copy->domain));

    iteration = isl_map_add_dims(iteration, isl_dim_out, n);
    for (unsigned k = 0; k < n; k++)
        iteration = isl_map_equate(iteration, isl_dim_in, (int)k, isl_dim_out, (int)k);
    iteration = isl_map_project_out(iteration, isl_dim_out, first, n - first);
    iteration = isl_map_flat_range_product(iteration, isl_map_reset_tuple_id(isl_map_copy(other->map), isl_dim_out));
    return count_points(schedule->arena, schedule->program, isl_map_range(iteration), at_most);
}

static void explain_copy(const struct schedule *schedule, const struct statement *copy, const struct array *buffer,
                         const struct cached *cached, struct text *out)
{
    const bool fills = copy->target->array == buffer;
    const struct array *array = fills ? copy->access[1].array : copy->access[0].array;
    bool rarely, at_most;
    const struct polynomial *times = times_of(schedule, copy, cached->n_outside, &rarely);
    const struct polynomial *elements = copied(schedule, copy, buffer, cached->n_outside, &at_most);

    text_addf(out, "    %s %s", fills ? "filled from" : "flushed to", array->name);
    if (times) {
        text_add(out, rarely ? ", up to " : ", ");
        polynomial_print(out, times);
        text_add(out, is_one(times) ? " time" : " times");
    } else {
        text_addf(out, " %s `%s`", fills ? "before" : "after", cached->trigger);
    }
    add_amount(schedule, elements, at_most, array->type, out);
    text_char(out, '\n');
}

/* A copy of this buffer, and not one that another buffer makes of it. */
static bool is_own_copy(const struct statement *statement, const struct cached *cached)
{
    return statement->is_copy && statement->copies && strcmp(statement->copies, cached->name) == 0;
}

/* How often the statements that the buffer serves read or write it. */
static const struct polynomial *uses_of(const struct schedule *schedule, const struct array *buffer,
                                        const struct cached *cached, bool writes)
{
    const struct program *program = schedule->program;
    const struct polynomial *sum = polynomial_constant(schedule->arena, program, 0);

    for (int s = 0; s < program->n_statement; s++)
        for (int k = 0; k < program->statement[s]->n_access && !is_own_copy(program->statement[s], cached); k++) {
            const struct access *access = &program->statement[s]->access[k];
            if (access->array == buffer && access->write == writes)
                sum = polynomial_sum(schedule->arena, sum,
                                     count_points(schedule->arena, program, isl_set_copy(program->statement[s]->domain),
                                                  NULL));
        }
    return sum;
}

static void add_uses(struct text *out, const struct polynomial *n, const char *one, const char *several)
{
    int64_t value;

    if (!n || (polynomial_is_constant(n, &value) && value == 0))
        return;
    text_add(out, ", ");
    polynomial_print(out, n);
    text_add(out, is_one(n) ? one : several);
}

static void explain_uses(const struct schedule *schedule, const struct array *buffer, const struct cached *cached,
                         struct text *out)
{
    const struct program *program = schedule->program;
    const char *separator = "    used by ";

    for (int s = 0; s < program->n_statement; s++) {
        if (!statement_uses_array(program->statement[s], buffer) || is_own_copy(program->statement[s], cached))
            continue;
        text_addf(out, "%s%s", separator, program->statement[s]->label);
        separator = ", ";
    }
    if (separator[0] != ',')
        return;
    text_addf(out, ", instead of %s", cached->array);
    add_uses(out, uses_of(schedule, buffer, cached, false), " read", " reads");
    add_uses(out, uses_of(schedule, buffer, cached, true), " write", " writes");
    text_char(out, '\n');
}

void explain_cache(const struct schedule *schedule, const struct cached *cached, struct text *out)
{
    const struct program *program = schedule->program;
    const struct array *buffer = cached->name ? program_array(program, cached->name) : NULL;

    if (!buffer) {
        text_addf(out, "  %s at %s needs no copy: its elements lie in this order without gaps\n", cached->array,
                  cached->loop);
        return;
    }
    text_addf(out, "  %s, for %s at %s", cached->name, cached->array, cached->loop);
    add_amount(schedule, elements_of(schedule, buffer), false, buffer->type, out);
    text_char(out, '\n');
    for (int s = 0; s < program->n_statement; s++)
        if (is_own_copy(program->statement[s], cached))
            explain_copy(schedule, program->statement[s], buffer, cached, out);
    explain_uses(schedule, buffer, cached, out);
}

void explain_caches(const struct schedule *schedule, struct text *out)
{
    if (schedule->cached.n > 0)
        text_add(out, "\ncaches\n");
    for (int k = 0; k < schedule->cached.n; k++)
        explain_cache(schedule, &schedule->cached.at[k], out);
}
