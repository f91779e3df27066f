#include "report/workload.h"

#include "base/json.h"
#include "dep/polynomial.h"
#include "program/permit.h"
#include "program/precision.h"
#include "report/draw/sizes.h"
#include "report/explain_parts.h"
#include "tree/layout.h"

#include <inttypes.h>

/* Around multiples of lanes and tiles, and what is smaller than any. */
static const int small[] = {17, 8, 33, 5, 13, 1, 20, 64, 7, 3, 16, 2, 31, 0, 6, 9};

enum { N_SMALL = (int)(sizeof(small) / sizeof(small[0])) };

/* Parameters get different values, in other combinations as numbers go on. */
static const int *wanted(const struct schedule *schedule, unsigned number)
{
    const int n = schedule->program->n_param;
    int *most = ARENA_ARRAY(schedule->arena, n + 1, int);

    for (int k = 0; k < n; k++)
        most[k] = small[(number + (unsigned)k * (1 + 2 * (number / 2))) % N_SMALL];
    return most;
}

static void add_sizes(struct text *out, const struct program *program, __isl_keep isl_set *sizes)
{
    const char *separator = "";
    int64_t value;

    text_add(out, "{\"sizes\": {");
    for (int k = 0; k < program->n_param; k++)
        if (sizes_value(sizes, k, &value)) {
            text_addf(out, "%s\"%s\": %" PRId64, separator, program->param[k].name, value);
            separator = ", ";
        }
    text_add(out, "}, \"permit\": [");
}

static void add_permit(struct text *out, const struct program *program)
{
    static const struct {
        enum permit permit;
        const char *word;
    } words[] = {{PERMIT_REASSOCIATE, "reassociate"},
                 {PERMIT_CONTRACT, "contract"},
                 {PERMIT_APPROXIMATE, "approximate"}};
    const char *separator = "";
    unsigned permit = 0;

    for (int s = 0; s < program->n_statement; s++)
        permit |= statement_permit(program, program->statement[s]);
    for (int k = 0; k < 3; k++)
        if (permit & words[k].permit) {
            text_addf(out, "%s\"%s\"", separator, words[k].word);
            separator = ", ";
        }
}

static void add_count(struct text *out, const struct polynomial *count)
{
    struct text text = {0};

    if (count)
        polynomial_print(&text, count);
    json_string_or_null(out, count ? text_str(&text) : NULL);
    text_free(&text);
}

/* Do data decide which instances run? */
static bool is_decided_by_data(const struct program *program)
{
    for (int k = 0; k < program->n_statement; k++)
        if (program->statement[k]->guard)
            return true;
    return false;
}

static void add_work(struct text *out, const struct schedule *schedule)
{
    const struct program *program = schedule->program;
    const struct polynomial *const *touched;
    const char *separator = "";

    text_add(out, "], \"operations\": ");
    add_count(out, explain_operations(schedule, &touched));
    text_addf(out, ", \"at_most\": %s, \"touched\": {", is_decided_by_data(program) ? "true" : "false");
    for (int k = 0; k < program->n_array; k++)
        if (array_is_argument(&program->array[k])) {
            text_addf(out, "%s\"%s\": ", separator, program->array[k].name);
            add_count(out, touched[k]);
            separator = ", ";
        }
    text_add(out, "}");
}

static void add_rounded(struct text *out, const struct schedule *schedule)
{
    const struct program *program = schedule->program;
    const enum type *precision = program_precision(schedule->arena, program, 0);
    const char *separator = "";

    text_add(out, ", \"rounded\": {");
    for (int k = 0; k < program->n_array; k++)
        if (array_is_argument(&program->array[k]) && program->array[k].role != ROLE_IN && precision[k] != TYPE_NONE) {
            text_addf(out, "%s\"%s\": \"%s\"", separator, program->array[k].name, type_name(precision[k]));
            separator = ", ";
        }
    text_add(out, "}}\n");
}

enum status report_workload(const struct schedule *schedule, const struct size *size, int n_size, unsigned number,
                            struct text *out)
{
    isl_set *sizes;
    const enum status status = sizes_choose(schedule, size, n_size, wanted(schedule, number), &sizes);

    if (status == STATUS_OK) {
        add_sizes(out, schedule->program, sizes);
        add_permit(out, schedule->program);
        add_work(out, schedule);
        add_rounded(out, schedule);
    }
    isl_set_free(sizes);
    return status;
}
