#include "report/outline.h"

#include "caps/gpu.h"
#include "plan/loop_plan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void add_mark(struct text *out, int *n, const char *mark)
{
    text_addf(out, "%s%s", *n ? ", " : "  [", mark);
    ++*n;
}

/* "  [parallel, vector]": what the plan makes of the loop. */
static void add_marks(struct text *out, const struct loop_info *info)
{
    static const char *const unrolled[] = {
        [UNROLL_FULL] = "unrolled", [UNROLL_LITERAL] = "unrolled", [UNROLL_HINT] = "unrolled by the compiler"};
    const struct loop_plan plan = loop_plan_of(info);
    int n = 0;

    if (info->skewed)
        add_mark(out, &n, "skewed");
    if (plan.parallel != 0)
        add_mark(out, &n, "parallel");
    if (plan.axis != AXIS_NONE)
        add_mark(out, &n, axis_name(plan.axis));
    if (plan.vector)
        add_mark(out, &n, "vector");
    if (plan.unroll != UNROLL_NONE)
        add_mark(out, &n, unrolled[plan.unroll]);
    if (plan.tensor)
        add_mark(out, &n, "matrix instruction");
    if (plan.text_place == 1)
        add_mark(out, &n, step_string(plan.text_step, "with", ""));
    if (n > 0)
        text_char(out, ']');
}

static void add_loop(struct text *out, const struct loop_info *info)
{
    const int64_t step = info->stride < 0 ? -info->stride : info->stride;

    text_addf(out, "for %s", info->name);
    if (info->tile > 0)
        text_addf(out, " < %lld", (long long)(info->span ? info->span : info->tile * step));
    if (info->stride != 1)
        text_addf(out, " by %lld", (long long)info->stride);
    add_marks(out, info);
}

/* Does a name that ends before `end` name an array that a step made? */
static bool is_buffer(const struct program *program, const char *text, const char *end)
{
    const struct program *described = program->described ? program->described : program;
    const char *start = end;

    while (start > text && (isalnum((unsigned char)start[-1]) || start[-1] == '_'))
        start--;
    for (int k = 0; k < described->n_array; k++)
        if (strlen(described->array[k].name) == (size_t)(end - start) &&
            strncmp(described->array[k].name, start, (size_t)(end - start)) == 0)
            return false;
    return true;
}

static const char *end_of_subscripts(const char *c)
{
    int depth = 0;

    for (; *c; c++) {
        depth += (*c == '[') - (*c == ']');
        if (depth == 0)
            return c;
    }
    return c - 1;
}

void report_assignment(const struct program *program, const struct statement *statement, struct text *out)
{
    struct text whole = {0};
    const char *text;

    statement_print(&whole, statement);
    text = text_str(&whole);
    for (const char *c = text; *c; c++)
        if (*c == '[' && is_buffer(program, text, c)) {
            text_add(out, "[..]");
            c = end_of_subscripts(c);
        } else {
            text_char(out, *c);
        }
    text_free(&whole);
}

static void add_statement(struct text *out, const struct program *program, const struct statement *statement)
{
    if (statement->is_copy || statement->barrier) {
        text_add(out, statement->barrier ? "barrier" : statement->label);
        return;
    }
    text_addf(out, "%s: ", statement->label);
    report_assignment(program, statement, out);
}

static void add_order(struct text *out, const struct program *program, const struct order *order, int depth)
{
    if (order->kind != ORDER_SEQUENCE) {
        text_addf(out, "%*s", 4 * depth++, "");
        if (order->kind == ORDER_LOOP)
            add_loop(out, order->info);
        else
            add_statement(out, program, order->statement);
        text_char(out, '\n');
    }
    for (int k = 0; k < order->n_child; k++)
        add_order(out, program, order->child[k], depth);
}

void report_outline(const struct program *program, const struct order *order, struct text *out)
{
    add_order(out, program, order, 0);
}

/* The lines of a text. */
struct lines {
    struct line {
        const char *start;
        int size, blanks; /* of the line, and how many of them are in front */
    } * line;
    int n;
};

static struct lines lines_of(const char *text)
{
    struct lines lines = {NULL, 0};
    int capacity = 1;

    for (const char *c = text; *c; c++)
        capacity += *c == '\n';
    lines.line = calloc((size_t)capacity, sizeof(*lines.line));
    for (const char *c = text; lines.line && *c; c += lines.line[lines.n++].size + 1)
        lines.line[lines.n] = (struct line){c, (int)strcspn(c, "\n"), (int)strspn(c, " ")};
    return lines;
}

static bool is_same(const struct line *a, const struct line *b)
{
    return a->size - a->blanks == b->size - b->blanks &&
           memcmp(a->start + a->blanks, b->start + b->blanks, (size_t)(a->size - a->blanks)) == 0;
}

/* longest[i * (b.n + 1) + j]: how many lines a from its i-th on and b from its j-th on have in common, in order. */
static int *common_lines(const struct lines *a, const struct lines *b)
{
    const size_t row = (size_t)b->n + 1;
    int *longest = calloc(((size_t)a->n + 1) * row, sizeof(*longest));

    for (int i = a->n - 1; longest && i >= 0; i--)
        for (int j = b->n - 1; j >= 0; j--) {
            int *here = &longest[(size_t)i * row + (size_t)j];

            *here = is_same(&a->line[i], &b->line[j]) ? here[row + 1] + 1 : here[row] > here[1] ? here[row] : here[1];
        }
    return longest;
}

static void add_line(struct text *out, const char *mark, const struct line *line)
{
    text_addf(out, "%s%.*s\n", mark, line->size, line->start);
}

void report_changes(const char *then, const char *now, bool gone, struct text *out)
{
    const struct lines a = lines_of(then ? then : now), b = lines_of(now);
    int *longest = common_lines(&a, &b);
    int i = 0, j = 0;

    while (longest && (i < a.n || j < b.n)) {
        const int *here = &longest[(size_t)i * ((size_t)b.n + 1) + (size_t)j];

        if (i < a.n && j < b.n && is_same(&a.line[i], &b.line[j]))
            add_line(out, "  ", &b.line[j++]), i++;
        else if (i < a.n && (j == b.n || here[b.n + 1] >= here[1])) {
            if (gone)
                add_line(out, "- ", &a.line[i]);
            i++;
        } else
            add_line(out, "+ ", &b.line[j++]);
    }
    free(longest);
    free(a.line);
    free(b.line);
}
