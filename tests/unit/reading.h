/* Reading a description in a test: everything a test looks at, and giving it back. */
#ifndef TESTS_UNIT_READING_H
#define TESTS_UNIT_READING_H

#include "poly/context.h"
#include "read/read.h"

#include <string.h>

struct reading_result {
    struct arena *arena;
    isl_ctx *ctx;
    struct diags *diags;
    struct program *program; /* NULL when refused */
    enum status status;
};

static const struct argument reading_split[] = {
    {.key = "split", .kind = ARGUMENT_LOOP, .required = true, .doc = "the loop"},
    {.key = "by", .kind = ARGUMENT_INT, .minimum = 1, .doc = "iterations"},
    {.key = "factors", .kind = ARGUMENT_INTS, .doc = "factors"},
    {.key = "as", .kind = ARGUMENT_NAME, .doc = "the inner loop"},
    {.key = "tail", .kind = ARGUMENT_CHOICE, .choices = "auto peel guard exact", .fallback = "auto", .doc = "the rest"},
    {.key = "hint", .kind = ARGUMENT_BOOL, .fallback = "false", .doc = "a switch"},
    {.key = "at", .kind = ARGUMENT_AFFINE, .doc = "a place"},
    {.key = "map", .kind = ARGUMENT_MAP, .doc = "an order"},
    {0},
};
static const struct argument reading_tile[] = {
    {.key = "tile", .kind = ARGUMENT_LOOP_INTS, .required = true, .minimum = 1, .doc = "sizes"},
    {.key = "as", .kind = ARGUMENT_LOOP_NAMES, .doc = "names"},
    {0},
};
static const struct primitive reading_split_step = {.name = "split",
                                                    .summary = "cuts a loop",
                                                    .argument = reading_split};
static const struct primitive reading_tile_step = {.name = "tile", .summary = "cuts loops", .argument = reading_tile};
static const struct primitive *const reading_steps[] = {&reading_split_step, &reading_tile_step, NULL};
static const struct primitive *const reading_no_steps[] = {NULL};

/* Reads size bytes of text as "t.json". */
static inline struct reading_result read_bytes(const char *text, size_t size)
{
    struct reading_result result = {.arena = arena_new(), .ctx = poly_context_new(20000000)};
    struct source *source = ARENA_NEW(result.arena, struct source);

    result.diags = diags_new(result.arena);
    *source = (struct source){"t.json", arena_copy_n(result.arena, text, size), size};
    result.status =
        read_program(result.arena, result.ctx, source, reading_steps, reading_no_steps, result.diags, &result.program);
    return result;
}

/* text with ' as ", which keeps descriptions in C readable; malloc'ed. */
static inline char *double_quoted(const char *text)
{
    struct text copy = {0};

    text_add(&copy, text);
    for (size_t k = 0; k < copy.size; k++)
        copy.data[k] = copy.data[k] == '\'' ? '"' : copy.data[k];
    return text_take(&copy);
}

static inline struct reading_result read_text(const char *text)
{
    char *copy = double_quoted(text);
    struct reading_result result = read_bytes(copy, strlen(copy));

    free(copy);
    return result;
}

static inline void reading_free(struct reading_result *result)
{
    arena_free(result->arena);
    poly_context_free(result->ctx);
}

/* "rule line:column", or "accepted". */
static inline const char *first_error(const struct reading_result *result)
{
    int line, column;

    for (int k = 0; k < result->diags->list.n; k++) {
        const struct diag *diag = result->diags->list.at[k];

        if (diag->severity != SEVERITY_ERROR)
            continue;
        place_position(diag->place, &line, &column);
        return arena_printf(result->arena, "%s %d:%d", diag->rule, line, column);
    }
    return "accepted";
}

#endif
