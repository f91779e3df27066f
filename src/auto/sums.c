#include "auto/sums.h"

#include "program/expr/expr.h"

/* Arrays that stay in registers beside all else. */
enum { MOST_SUMS = 8 };

/* Is it the same element in the loops inside, and that of a neighbour in the loop? */
static bool is_lanes_own(const struct access *access, int n_loop, int loop)
{
    for (int k = loop + 1; k < n_loop; k++)
        if (stride_of(access, k) != STRIDE_NONE)
            return false;
    return stride_of(access, loop) == STRIDE_NEXT;
}

static bool reads_target(const struct statement *statement)
{
    bool reads = false;

    for (int k = 0; k < statement->n_access && !reads; k++)
        reads = !statement->access[k].write && expr_equal(statement->access[k].expr, statement->target);
    return reads;
}

/* Does a loop inside update the array, all of whose writes are the lanes' own? */
static bool is_sum(const struct site *site, const struct array *array, int loop)
{
    const struct program *program = site->scene->program;
    bool updated = false;

    for (int s = 0; s < program->n_statement; s++) {
        const struct statement *statement = program->statement[s];

        for (int k = 0; site->member[s] && k < statement->n_access; k++)
            if (statement->access[k].array == array && statement->access[k].write &&
                !is_lanes_own(&statement->access[k], statement->n_loop, loop))
                return false;
        updated = updated || (site->member[s] && statement->target->array == array && statement->n_loop > loop + 1 &&
                              reads_target(statement));
    }
    return updated;
}

sum_vec sums_inside(const struct site *site, int loop)
{
    const struct program *program = site->scene->program;
    sum_vec sums = {0};

    for (int a = 0; a < program->n_array; a++)
        if (program->array[a].n_dim > 0 && is_sum(site, &program->array[a], loop))
            VEC_PUSH(site->scene->arena, &sums, &program->array[a]);
    if (sums.n > MOST_SUMS)
        sums.n = 0;
    return sums;
}

void sums_keep(const struct site *site, struct option *option, const sum_vec *sums, const char *loop)
{
    for (int k = 0; k < sums->n; k++)
        line_add(
            site->scene->arena, &option->plan,
            "{\"cache\": \"%s\", \"inside\": \"%s\", \"only\": \"written\", \"as\": \"%s\", \"memory\": \"register\"}",
            sums->at[k]->name, loop, site_buffer(site, arena_printf(site->scene->arena, "%s_sum", sums->at[k]->name)));
}

/* How many iterations the loops inside have for one of the loop; 0: nobody knows. */
static int64_t work_inside(const struct site *site, int loop)
{
    const struct program *program = site->scene->program;
    int64_t most = 1;

    for (int s = 0; s < program->n_statement; s++) {
        struct site inner = {.scene = site->scene};
        struct extent extent;
        int64_t work = 1;

        VEC_PUSH(site->scene->arena, &inner.statement, program->statement[s]);
        for (int k = loop + 1; site->member[s] && k < program->statement[s]->n_loop; k++) {
            if (!site_extent(&inner, k, &extent) || extent.most == INT64_MAX)
                return 0;
            work *= extent.most;
        }
        most = work > most ? work : most;
    }
    return most;
}

int64_t sums_chunk(const struct site *site, int loop, int64_t most, int64_t vectors)
{
    const int64_t work = work_inside(site, loop), least = vectors * site->lanes;
    const int64_t chunk = work > 0 ? most / work / site->lanes * site->lanes : 0;

    return chunk < least ? least : chunk;
}
