/* Tiles with a halo, whose rows are no multiples of what is copied at once: each row is copied up to the next multiple,
 * to a pad behind the row that nothing uses, where the array in the device's memory goes on there, too:
 *
 *     __shared__ float xs[18][66];     becomes     __shared__ alignas(16) float xs[18][68];
 */
#include "plan/device/copies/widening.h"

#include "caps/gpu.h"
#include "plan/device/copies/neighbours.h"
#include "plan/device/kernels.h"
#include "plan/device/shared_bytes.h"
#include "program/accesses.h"

#include <string.h>

/* Is it a copy into a shared buffer, of memory that all kernels have and that this one does not write? All threads of a
 * block make it together. */
static bool is_shared_fill(const struct wide *wide, const struct widening *widening)
{
    const struct statement *statement = widening->statement;
    const struct array *buffer = statement->access[0].array;

    for (int p = 0; p < widening->place.n; p++)
        if (!widening->place.at[p].dealt_out)
            return false;
    return statement->n_access == 2 && strcmp(buffer->name, statement->copies) == 0 &&
           buffer->memory == MEMORY_SHARED && statement->access[1].array->memory != MEMORY_SHARED &&
           statement->access[1].array->memory != MEMORY_LOCAL && !widening_is_overwritten(wide, statement);
}

/* Do the shared arrays of each kernel that has the buffer fit a block? */
static bool fits(const struct wide *wide, const struct array *buffer)
{
    const struct gpu_arch *arch = gpu_arch_by_name(wide->gpu, wide->program->target.arch);
    const struct kernels kernels = kernels_of(wide->arena, wide->order);

    for (int k = 0; k < kernels.n; k++) {
        struct shared_bytes bytes = {0};
        for (int a = 0; a < wide->program->n_array; a++) {
            struct array array = wide->program->array[a];
            array.run = 0; /* it has the dimension for them */
            if (array.memory == MEMORY_SHARED && order_uses(kernels.list[k], &wide->before->array[a]))
                shared_bytes_add(&bytes, wide->program, &array);
        }
        if (order_uses(kernels.list[k], &wide->before->array[buffer - wide->program->array]) &&
            bytes.least > arch->shared_bytes)
            return false;
    }
    return true;
}

/* The elements of a row that are copied; 0: that is not known. */
static int64_t row_of(const struct widening *widening, const struct array *buffer)
{
    const int dim = fastest_dimension(buffer);
    const struct step *step = widening->place.at[0].loop[0]->info->step;
    const int64_t pad = step ? step_int(step, "pad", 0) : 0;

    return dim >= 0 && buffer->shape[dim]->kind == EXPR_INT ? buffer->shape[dim]->integer - pad : 0;
}

/* How many unused elements there are to be behind rows that may be copied in runs of n; -1: such rows would be longer
 * by more than a quarter, or have been given another length. */
static int64_t pad_for(const struct widening *widening, const struct array *buffer, int64_t n)
{
    const int64_t row = row_of(widening, buffer), more = (n - row % n) % n;
    const int64_t given = row ? buffer->shape[fastest_dimension(buffer)]->integer + buffer->pad - row : 0;

    if (row == 0 || 4 * more > row)
        return -1;
    if (given == 0)
        return more;
    return given >= more && (row + given) % n == 0 ? buffer->pad : -1;
}

void widening_pad(const struct wide *wide, struct widening *widening)
{
    struct array *buffer = widening_array(wide, widening->statement->access[0].array);
    const int64_t before = buffer->pad, bytes = widening_bytes(buffer);
    int64_t plain;

    widening_choose(wide, widening);
    plain = widening->apart[0] || widening->apart[1] || widening->n == 0 ? 1 : widening->n;
    if (widening->dealt || !is_shared_fill(wide, widening))
        return;
    for (int64_t n = 16 / bytes; n > plain && n * bytes >= 4; n /= 2) {
        buffer->pad = pad_for(widening, buffer, n);
        widening->rounded = n;
        if (buffer->pad >= 0 && fits(wide, buffer)) {
            widening_choose(wide, widening);
            if (widening->n == n && !widening->apart[0] && !widening->apart[1])
                return;
        }
        buffer->pad = before;
        widening->rounded = 0;
    }
}

/* The places in memory of the instances in set, of access number k, in the context. */
static __isl_give isl_set *elements_of(const struct copied *copied, int k, __isl_keep isl_set *set)
{
    isl_set *elements = isl_set_apply(isl_set_copy(set), isl_map_copy(copied->statement->access[k].map));

    return isl_set_intersect_params(elements, isl_set_copy(copied->program->context));
}

/* Does nothing but the copy write to the buffer? */
static bool is_only_writer(const struct wide *wide, const struct statement *copy)
{
    const struct statement *const *list = (const struct statement *const *)wide->before->statement;

    for (int s = 0; s < wide->before->n_statement; s++)
        if (s != copy->index && list[s]->access[0].array == list[copy->index]->access[0].array)
            return false;
    return true;
}

/* Are what the instances in set copy elements of the array, and do their places hold nothing: are they behind the row
 * of the buffer, or in a part of it that is not used? */
static bool are_unused(const struct wide *wide, const struct widening *widening, const struct copied *copied,
                       __isl_keep isl_set *set, int64_t n)
{
    const struct array *buffer = copied->statement->access[0].array, *from = copied->statement->access[1].array;
    const int64_t row = row_of(widening, buffer);
    const unsigned dim = (unsigned)fastest_dimension(buffer);
    isl_set *read = elements_of(copied, 1, set), *written = elements_of(copied, 0, set), *all, *unused;
    bool are;

    all = array_box(copied->program, from, 0, from->n_dim);
    unused = isl_set_universe(isl_set_get_space(written));
    unused = isl_set_lower_bound_si(unused, isl_dim_set, dim, is_only_writer(wide, copied->statement) ? 0 : (int)row);
    unused = isl_set_upper_bound_si(unused, isl_dim_set, dim, (int)((row + n - 1) / n * n - 1));
    are = isl_set_is_subset(read, all) == isl_bool_true && isl_set_is_subset(written, unused) == isl_bool_true;
    isl_set_free(read);
    isl_set_free(written);
    isl_set_free(all);
    isl_set_free(unused);
    return are;
}

/* Is the first instance of each run there that has one in part? */
static bool are_begun(const struct copied *copied, const isl_set *part, int64_t n)
{
    isl_set *set =
        isl_set_intersect_params(isl_set_copy((isl_set *)(uintptr_t)part), isl_set_copy(copied->program->context));
    isl_set *first = copied_first(copied, isl_set_apply(isl_set_copy(set), copied_runs(copied, n)), n);
    const bool begun = isl_set_is_subset(first, set) == isl_bool_true;

    isl_set_free(set);
    isl_set_free(first);
    return begun;
}

bool widening_may_round(const struct wide *wide, const struct widening *widening, const struct copied *copied,
                        int64_t n)
{
    isl_set *more = isl_set_subtract(isl_set_copy(copied->statement->domain),
                                     isl_set_copy(wide->before->statement[copied->statement->index]->domain));
    bool may = are_unused(wide, widening, copied, more, n);

    for (int p = 0; p < copied->n_part && may; p++)
        may = are_begun(copied, copied->part[p], n);
    isl_set_free(more);
    return may;
}
