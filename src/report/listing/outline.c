#include "report/listing/outline.h"

#include "report/listing/loop_marks.h"
#include "sched/time.h"

#include <ctype.h>
#include <string.h>

static void add_loop(struct text *out, const struct loop_info *info)
{
    const int64_t step = info->stride < 0 ? -info->stride : info->stride;
    struct text marks = {0};

    text_addf(out, "for %s", info->name);
    if (info->tile > 0)
        text_addf(out, " < %lld", (long long)(info->span ? info->span : info->tile * step));
    if (info->stride != 1)
        text_addf(out, " by %lld", (long long)info->stride);
    if (loop_marks(info, &marks))
        text_addf(out, "  [%s]", text_str(&marks));
    text_free(&marks);
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

typedef VEC(const struct statement *) statement_vec;

/* What is listed: those statements of the order that are marked in member, by their place in the list. The program may
 * be one that a later step has made. */
struct outline {
    const struct program *program;
    statement_vec statement;
    const bool *member;
    struct text *out;
};

static void add_order(const struct outline *outline, const struct order *order, int depth);

static bool has_member(const struct outline *outline, const struct order *order)
{
    for (int k = 0; k < outline->statement.n; k++)
        if (outline->member[k] && order_has(order, outline->statement.at[k]))
            return true;
    return false;
}

/* The count of all of the statement's instances in a loop around it; false where that is not one constant. */
static bool constant_count(const struct order *loop, const struct statement *statement, int64_t *count)
{
    isl_pw_aff *time = isl_pw_aff_gist(time_count(loop->time, statement), isl_set_copy(statement->domain));
    const bool constant = pw_aff_constant(time, count);

    isl_pw_aff_free(time);
    return constant;
}

/* Do all listed statements stand at one count of the loop each? */
static bool stands_still(const struct outline *outline, const struct order *loop)
{
    int64_t count;

    for (int k = 0; k < outline->statement.n; k++)
        if (outline->member[k] && order_has(loop, outline->statement.at[k]) &&
            !constant_count(loop, outline->statement.at[k], &count))
            return false;
    return true;
}

/* Is it a loop of a nest that was fused with those of the listed statements, which do not go through it? */
static bool is_of_others(const struct outline *outline, const struct order *order)
{
    return order->kind == ORDER_LOOP && order->info->role == ROLE_UNFUSED && stands_still(outline, order);
}

/* Does the loop run through nests, one at each count? */
static bool is_through_nests(const struct outline *outline, const struct order *order)
{
    return order->kind == ORDER_LOOP && order->info->role == ROLE_FUSING && stands_still(outline, order);
}

/* Marks the statements with the smallest count above *last, or of all; false where there are none. */
static bool next_part(const struct outline *outline, const struct order *loop, bool first, bool *part, int64_t *last)
{
    int64_t next = 0;
    bool any = false;

    for (int k = 0; k < outline->statement.n; k++) {
        int64_t count;

        part[k] = false;
        if (!outline->member[k] || !order_has(loop, outline->statement.at[k]) ||
            !constant_count(loop, outline->statement.at[k], &count) || (!first && count <= *last))
            continue;
        for (int j = 0; j < k && (!any || count < next); j++)
            part[j] = false;
        part[k] = !any || count <= next;
        next = part[k] ? count : next;
        any = true;
    }
    *last = next;
    return any;
}

/* Inside of a loop that runs through nests: one after the other, each with the loops that it has. */
static void add_parts(const struct outline *outline, const struct order *loop, int depth)
{
    bool *part = ARENA_ARRAY(outline->program->arena, outline->statement.n, bool);
    struct outline one = *outline;
    int64_t last = 0;

    one.member = part;
    for (bool first = true; next_part(outline, loop, first, part, &last); first = false)
        for (int k = 0; k < loop->n_child; k++)
            add_order(&one, loop->child[k], depth);
}

static void add_order(const struct outline *outline, const struct order *order, int depth)
{
    if (!has_member(outline, order))
        return;
    if (order->kind != ORDER_SEQUENCE && !is_of_others(outline, order)) {
        text_addf(outline->out, "%*s", 2 * depth++, "");
        if (order->kind == ORDER_LOOP)
            add_loop(outline->out, order->info);
        else
            add_statement(outline->out, outline->program, order->statement);
        text_char(outline->out, '\n');
    }
    if (is_through_nests(outline, order)) {
        add_parts(outline, order, depth);
        return;
    }
    for (int k = 0; k < order->n_child; k++)
        add_order(outline, order->child[k], depth);
}

static void list_statements(struct arena *arena, const struct order *order, statement_vec *into)
{
    bool listed = order->kind == ORDER_LOOP || order->kind == ORDER_SEQUENCE;

    for (int k = 0; !listed && k < into->n; k++)
        listed = into->at[k] == order->statement;
    if (!listed)
        VEC_PUSH(arena, into, order->statement);
    for (int k = 0; k < order->n_child; k++)
        list_statements(arena, order->child[k], into);
}

void report_outline(const struct program *program, const struct order *order, struct text *out)
{
    struct outline outline = {.program = program, .out = out};
    bool *member;

    list_statements(program->arena, order, &outline.statement);
    member = ARENA_ARRAY(program->arena, outline.statement.n, bool);
    for (int k = 0; k < outline.statement.n; k++)
        member[k] = outline.statement.at[k]->part == 0;
    outline.member = member;
    add_order(&outline, order, 0);
}
