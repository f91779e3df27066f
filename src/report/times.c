#include "report/times.h"

#include "sched/time.h"

#include <isl/aff.h>
#include <isl/id.h>
#include <isl/union_set.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Is "(word)" at text, with nothing in front that it could be an argument of? Then its length, else 0. */
static size_t bracketed_word(const char *text, const char *start)
{
    size_t n = 1;

    if (*text != '(' || (text > start && is_word(text[-1])))
        return 0;
    while (is_word(text[n]))
        n++;
    return n > 1 && text[n] == ')' ? n + 1 : 0;
}

/* isl's "floor((y)/32)" as "floor(y/32)". */
static void add_plain(struct text *out, const char *start, size_t size)
{
    for (const char *c = start; c < start + size; c++) {
        const size_t word = bracketed_word(c, start);
        if (word)
            text_add_n(out, c + 1, word - 2);
        else
            text_char(out, *c);
        c += word ? word - 1 : 0;
    }
}

/* What stands between the first `open` and the last `close` behind it; all of the text where there are none. */
static void add_between(struct text *out, const char *text, const char *open, const char *close)
{
    const char *start = strstr(text, open), *end = NULL;

    start = start ? start + strlen(open) : text;
    for (const char *c = start; (c = strstr(c, close)); c++)
        end = c;
    add_plain(out, start, end ? (size_t)(end - start) : strlen(start));
}

/* The count of a statement's instances in a loop, by the names of its loops. */
static __isl_give isl_pw_aff *count_in(const struct order *loop, const struct statement *statement)
{
    isl_ctx *ctx = isl_set_get_ctx(statement->domain);
    isl_pw_aff *count = time_count(loop->time, statement);

    for (int k = 0; k < statement->n_loop; k++) {
        isl_id *name = isl_id_alloc(ctx, statement->loop_name[k], NULL);
        count = isl_pw_aff_set_dim_id(count, isl_dim_in, (unsigned)k, name);
    }
    return count;
}

/* The same as text, "floor(y/32)"; of several pieces each with its condition. */
static const char *count_of(struct arena *arena, const struct order *loop, const struct statement *statement)
{
    isl_pw_aff *count = count_in(loop, statement);
    char *text = isl_pw_aff_to_str(count);
    struct text out = {0};
    const char *copy;
    size_t last;

    if (text && isl_pw_aff_n_piece(count) == 1)
        add_between(&out, text, "-> [(", ")]");
    else if (text)
        add_between(&out, text, "{ ", " }");
    copy = arena_copy(arena, text_str(&out));
    last = out.size ? out.size - 1 : 0;
    if (copy[0] == '(' && strchr(copy, ')') == copy + last)
        copy = arena_printf(arena, "%.*s", (int)last - 1, copy + 1);
    free(text);
    isl_pw_aff_free(count);
    text_free(&out);
    return copy;
}

/* "S0[y, x] : 0 <= y < H", without what the assumptions say; with condition_only only that, "" where there is none. */
static void add_domain(struct text *out, const struct program *program, const struct order *leaf, bool condition_only)
{
    const struct statement *statement = leaf->statement;
    isl_set *domain = isl_set_gist_params(isl_set_copy(leaf->domain), isl_set_copy(program->context));
    char *text;

    for (int k = 0; k < statement->n_loop; k++)
        domain = isl_set_set_dim_name(domain, isl_dim_set, (unsigned)k, statement->loop_name[k]);
    text = isl_set_to_str(domain);
    if (text && !condition_only)
        add_between(out, text, "{ ", " }");
    else if (text && strstr(text, " : "))
        add_between(out, text, " : ", " }");
    free(text);
    isl_set_free(domain);
}

/* Statements below order that have the same count in the loop. */
struct same_count {
    const char *count;
    struct text labels;
};

struct grouping {
    struct arena *arena;
    const struct order *loop;
    VEC(struct same_count) group;
    VEC(const struct statement *) seen;
};

static void add_to_group(struct grouping *grouping, const struct statement *statement)
{
    const char *count = count_of(grouping->arena, grouping->loop, statement);

    for (int k = 0; k < grouping->seen.n; k++)
        if (grouping->seen.at[k] == statement)
            return;
    VEC_PUSH(grouping->arena, &grouping->seen, statement);
    for (int k = 0; k < grouping->group.n; k++)
        if (strcmp(grouping->group.at[k].count, count) == 0) {
            text_addf(&grouping->group.at[k].labels, ", %s", statement->label);
            return;
        }
    VEC_PUSH(grouping->arena, &grouping->group, ((struct same_count){.count = count}));
    text_add(&grouping->group.at[grouping->group.n - 1].labels, statement->label);
}

static void group_below(struct grouping *grouping, const struct order *order)
{
    if (order->kind == ORDER_LEAF)
        add_to_group(grouping, order->statement);
    for (int k = 0; k < order->n_child; k++)
        group_below(grouping, order->child[k]);
}

/* "loop y by 32" and below it, for each group, "S0, S1: floor(y/32)". */
static void add_loop(struct arena *arena, const struct order *loop, int depth, struct text *out)
{
    struct grouping grouping = {.arena = arena, .loop = loop};

    text_addf(out, "loop %s", loop->info->name);
    if (loop->info->stride != 1)
        text_addf(out, " by %lld", (long long)loop->info->stride);
    group_below(&grouping, loop);
    for (int k = 0; k < grouping.group.n; k++) {
        struct same_count *group = &grouping.group.at[k];
        if (grouping.group.n == 1)
            text_addf(out, ": %s", group->count);
        else
            text_addf(out, "\n%*s%s: %s", 2 * depth + 4, "", text_str(&group->labels), group->count);
        text_free(&group->labels);
    }
}

static void add_tree(struct arena *arena, const struct program *program, const struct order *order, int depth,
                     struct text *out)
{
    text_addf(out, "%*s", 2 * depth, "");
    if (order->kind == ORDER_LOOP)
        add_loop(arena, order, depth, out);
    else if (order->kind == ORDER_SEQUENCE)
        text_add(out, "sequence");
    else
        add_domain(out, program, order, false);
    text_char(out, '\n');
    for (int k = 0; k < order->n_child; k++)
        add_tree(arena, program, order->child[k], depth + 1, out);
}

void report_tree(struct arena *arena, const struct program *program, const struct order *order, struct text *out)
{
    add_tree(arena, program, order, 0, out);
}

/* A loop around, or a place in a sequence. */
struct mark {
    const struct order *loop; /* NULL: a place */
    int place;
};

struct mapping {
    struct arena *arena;
    const struct program *program;
    struct text *out;
    VEC(struct mark) mark;
};

static void add_leaf(struct mapping *mapping, const struct order *leaf)
{
    struct text *out = mapping->out;

    text_addf(out, "%s[", leaf->statement->label);
    for (int k = 0; k < leaf->statement->n_loop; k++)
        text_addf(out, "%s%s", k ? ", " : "", leaf->statement->loop_name[k]);
    text_add(out, "] -> [");
    for (int k = 0; k < mapping->mark.n; k++) {
        const struct mark *mark = &mapping->mark.at[k];
        text_add(out, k ? ", " : "");
        if (mark->loop)
            text_add(out, count_of(mapping->arena, mark->loop, leaf->statement));
        else
            text_addf(out, "%d", mark->place);
    }
    text_add(out, "]\n    ");
    add_domain(out, mapping->program, leaf, true);
    text_char(out, '\n');
}

static void add_map(struct mapping *mapping, const struct order *order)
{
    if (order->kind == ORDER_LEAF)
        add_leaf(mapping, order);
    for (int k = 0; k < order->n_child; k++) {
        const struct mark mark = {order->kind == ORDER_LOOP ? order : NULL, k};
        VEC_PUSH(mapping->arena, &mapping->mark, mark);
        add_map(mapping, order->child[k]);
        mapping->mark.n--;
    }
}

void report_map(struct arena *arena, const struct program *program, const struct order *order, struct text *out)
{
    struct mapping mapping = {.arena = arena, .program = program, .out = out};

    add_map(&mapping, order);
}
