#include "lower/loops/counts.h"

#include <isl/mat.h>
#include <isl/space.h>
#include <isl/val.h>

bool counts_number(__isl_take isl_val *val, int64_t *number)
{
    const bool fits = isl_val_is_int(val) == isl_bool_true && isl_val_cmp_si(val, INT32_MAX) <= 0 &&
                      isl_val_cmp_si(val, INT32_MIN) >= 0;

    *number = fits ? isl_val_get_num_si(val) : 0;
    isl_val_free(val);
    return fits;
}

int counts_param_column(const struct program *program, const char *name)
{
    for (int k = 0; k < program->n_param; k++)
        if (strcmp(program->param[k].name, name) == 0)
            return k;
    return -1;
}

/* The column of set's parameter or dimension at `position`, which from column `first` on are the dimensions; the
 * constant's behind them, -1 behind that: a division. */
static int column_at(const struct program *program, __isl_keep isl_set *set, int position, int first, int constant)
{
    const int n_param = (int)isl_set_dim(set, isl_dim_param), n = (int)isl_set_dim(set, isl_dim_set);

    if (position < n_param)
        return counts_param_column(program, isl_set_get_dim_name(set, isl_dim_param, (unsigned)position));
    return position < n_param + n ? first + position - n_param : position == n_param + n ? constant : -1;
}

/* Adds the rows of a matrix over set's parameters, its dimensions from column `first` on, 1 and divisions. Rows with a
 * division are left out; false where there are any, or large numbers. */
static bool add_matrix(const struct program *program, __isl_keep isl_set *set, __isl_take isl_mat *mat, int first,
                       bool equal, struct system *system)
{
    const int n_row = (int)isl_mat_rows(mat), n_column = (int)isl_mat_cols(mat);
    bool all = mat != NULL;

    for (int r = 0; r < n_row; r++) {
        int64_t *at = ARENA_ARRAY(system->arena, system->n + 1, int64_t);
        bool fits = true;
        for (int c = 0; c < n_column && fits; c++) {
            const int column = column_at(program, set, c, first, system->n);
            int64_t number;
            fits = counts_number(isl_mat_get_element_val(mat, r, c), &number) && (column >= 0 || number == 0);
            if (fits && column >= 0)
                at[column] = number;
        }
        if (fits)
            system_add(system, at, equal, false);
        all = all && fits;
    }
    isl_mat_free(mat);
    return all;
}

bool counts_add_set(const struct program *program, __isl_keep isl_set *set, int first, struct system *system)
{
    static const enum isl_dim_type o[] = {isl_dim_param, isl_dim_set, isl_dim_cst, isl_dim_div};
    isl_basic_set_list *list = isl_set_get_basic_set_list(set);
    const int n = (int)isl_basic_set_list_size(list);
    isl_basic_set *part = n == 1 ? isl_basic_set_list_get_at(list, 0) : NULL;
    bool equations, inequalities;

    isl_basic_set_list_free(list);
    system->empty = system->empty || n == 0;
    if (n != 1)
        return n == 0;
    equations =
        add_matrix(program, set, isl_basic_set_equalities_matrix(part, o[0], o[1], o[2], o[3]), first, true, system);
    inequalities =
        add_matrix(program, set, isl_basic_set_inequalities_matrix(part, o[0], o[1], o[2], o[3]), first, false, system);
    isl_basic_set_free(part);
    return equations && inequalities;
}

struct system counts_context(struct lowering *lowering, int width)
{
    struct system context = system_new(lowering->arena, width);

    counts_add_set(lowering->program, lowering->program->context, 0, &context);
    return context;
}

/* Rewrites row r of the matrix as a row over the parameters and the constant; its division becomes the variable at
 * `column`. False where the row has no division, several, or large coefficients. */
static bool read_congruence(const struct program *program, __isl_keep isl_set *set, __isl_keep isl_mat *mat, int r,
                            int column, int constant, int64_t *at)
{
    const int n_column = (int)isl_mat_cols(mat);
    int divisions = 0;

    for (int c = 0; c < n_column; c++) {
        const int own = column_at(program, set, c, 0, constant);
        int64_t number;
        if (!counts_number(isl_mat_get_element_val(mat, r, c), &number))
            return false;
        if (number == 0)
            continue;
        divisions += own < 0;
        at[own < 0 ? column : own] = number;
    }
    return divisions == 1;
}

void counts_congruences(struct lowering *lowering, int first, int n, struct system *system)
{
    isl_set *context = lowering->program->context;
    isl_basic_set_list *list = isl_set_get_basic_set_list(context);
    isl_basic_set *part = isl_basic_set_list_size(list) == 1 ? isl_basic_set_list_get_at(list, 0) : NULL;
    isl_mat *mat =
        part ? isl_basic_set_equalities_matrix(part, isl_dim_param, isl_dim_set, isl_dim_cst, isl_dim_div) : NULL;
    const int n_row = mat ? (int)isl_mat_rows(mat) : 0;

    for (int r = 0, used = 0; r < n_row && used < n; r++) {
        int64_t *at = ARENA_ARRAY(system->arena, system->n + 1, int64_t);
        if (!read_congruence(lowering->program, context, mat, r, first + used, system->n, at))
            continue;
        system_add(system, at, true, false);
        used++;
    }
    isl_mat_free(mat);
    isl_basic_set_free(part);
    isl_basic_set_list_free(list);
}
