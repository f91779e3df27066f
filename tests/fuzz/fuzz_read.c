/* libFuzzer entry for the reader: clang -fsanitize=fuzzer,address,undefined. It also asserts that the
 * own JSON tokenizer and cJSON agree on what they accept. */
#include "poly/context.h"
#include "program/check/check.h"
#include "read/read.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct primitive *const no_steps[] = {NULL};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    isl_ctx *ctx = poly_context_new(200000);
    struct diags *diags = diags_new(arena);
    struct source *source = ARENA_NEW(arena, struct source);
    struct program *program = NULL;

    *source = (struct source){"fuzz.json", arena_copy_n(arena, (const char *)data, size), size};
    if (read_program(arena, ctx, source, no_steps, no_steps, diags, &program) == STATUS_OK)
        program_check_bounds(program, diags);
    for (int k = 0; k < diags->list.n; k++)
        if (strcmp(diags->list.at[k]->rule, "json-internal") == 0)
            abort();
    arena_free(arena);
    poly_context_free(ctx);
    return 0;
}
