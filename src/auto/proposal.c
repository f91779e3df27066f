#include "auto/proposal.h"

#include "program/program.h"

#include <stdarg.h>
#include <string.h>

enum { LINES_IN_FRONT = 2 }; /* "{" and "schedule" */

void line_add(struct arena *arena, line_vec *lines, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    VEC_PUSH(arena, lines, arena_vprintf(arena, format, args));
    va_end(args);
}

struct proposal *proposal_new(struct arena *arena, const struct target_options *target)
{
    struct proposal *proposal = ARENA_NEW(arena, struct proposal);

    proposal->arena = arena;
    if (strcmp(target->language, "c") != 0)
        proposal->target =
            arena_printf(arena, "{\"language\": \"%s\"%s%s%s%s}", target->language,
                         target->arch ? ", \"arch\": \"" : "", target->arch ? target->arch : "",
                         target->arch ? "\"" : "", target->host_launcher ? ", \"launcher\": \"host\"" : "");
    else
        proposal->target = arena_printf(arena, "{\"language\": \"%s\", \"simd\": \"%s\", \"openmp\": %s}",
                                        target->language, target->simd, target->openmp ? "true" : "false");
    return proposal;
}

struct option *proposal_option(struct proposal *proposal, struct choice *choice, const char *why)
{
    struct option *option = ARENA_NEW(proposal->arena, struct option);

    option->why = why;
    VEC_PUSH(proposal->arena, &choice->option, option);
    return option;
}

static bool is_out(const struct choice *choice)
{
    return choice->taken == choice->option.n;
}

/* Is nothing left of what it stands instead of, and is there what it goes with? */
static bool counts_at_all(const struct choice *choice)
{
    const struct choice *unless = choice->unless, *with = choice->with;

    return (!unless || (is_out(unless) && counts_at_all(unless))) && (!with || (!is_out(with) && counts_at_all(with)));
}

static const struct option *taken(const struct proposal *proposal, const struct choice *choice)
{
    const bool counts = !proposal->empty && counts_at_all(choice);

    return counts && !is_out(choice) ? choice->option.at[choice->taken] : NULL;
}

/* A line of the text, and the part that it is from; -1: it is always there. */
struct row {
    const char *text;
    int choice;
};

typedef VEC(struct row) row_vec;

static void add_rows(struct arena *arena, row_vec *rows, const line_vec *lines, int choice)
{
    for (int k = 0; k < lines->n; k++)
        VEC_PUSH(arena, rows, ((struct row){lines->at[k], choice}));
}

/* The steps of one of the two lists, with why they are there in front of those of a part, and the user's around. */
static row_vec rows_of(const struct proposal *proposal, bool of_plan)
{
    row_vec rows = {0};

    if (!of_plan)
        add_rows(proposal->arena, &rows, &proposal->before, -1);
    for (int k = 0; k < proposal->choice.n; k++) {
        const struct choice *choice = proposal->choice.at[k];
        const struct option *option = taken(proposal, choice);
        const line_vec *lines = option ? of_plan ? &option->plan : &option->schedule : NULL;

        if (!lines || lines->n == 0)
            continue;
        VEC_PUSH(proposal->arena, &rows,
                 ((struct row){arena_printf(proposal->arena, "// %s: %s", choice->what, option->why), k}));
        add_rows(proposal->arena, &rows, lines, k);
    }
    add_rows(proposal->arena, &rows, of_plan ? &proposal->after_plan : &proposal->after, -1);
    return rows;
}

static bool is_step(const struct row *row)
{
    return row->text[0] == '{';
}

static void print_rows(struct text *out, const char *key, const row_vec *rows)
{
    int last = rows->n - 1;

    text_addf(out, "  \"%s\": [\n", key);
    while (last >= 0 && !is_step(&rows->at[last]))
        last--;
    for (int k = 0; k < rows->n; k++)
        text_addf(out, "    %s%s\n", rows->at[k].text, is_step(&rows->at[k]) && k < last ? "," : "");
    text_add(out, "  ],\n");
}

void proposal_print(const struct proposal *proposal, struct text *out)
{
    const row_vec schedule = rows_of(proposal, false), plan = rows_of(proposal, true);

    text_add(out, "{\n");
    print_rows(out, "schedule", &schedule);
    print_rows(out, "plan", &plan);
    text_addf(out, "  \"target\": %s\n}\n", proposal->target);
}

/* The part that the line is from, or -1. */
static int choice_at(const struct proposal *proposal, int line)
{
    const row_vec schedule = rows_of(proposal, false), plan = rows_of(proposal, true);
    int at = line - 1 - LINES_IN_FRONT;

    if (at >= 0 && at < schedule.n)
        return schedule.at[at].choice;
    at -= schedule.n + LINES_IN_FRONT; /* "]," and "plan" */
    return at >= 0 && at < plan.n ? plan.at[at].choice : -1;
}

bool proposal_step_back(struct proposal *proposal, int line)
{
    const int at = line > 0 ? choice_at(proposal, line) : -1;
    bool changed = false;

    if (at >= 0 && !proposal->choice.at[at]->divides) {
        proposal->choice.at[at]->taken++;
        return true;
    }
    for (int k = 0; at < 0 && k < proposal->choice.n; k++)
        if (taken(proposal, proposal->choice.at[k]) && !proposal->choice.at[k]->divides) {
            proposal->choice.at[k]->taken++;
            changed = true;
        }
    if (changed || proposal->empty)
        return changed;
    proposal->empty = true;
    return true;
}
