/* What a call asks the processor: whether it has the instructions that a variant needs. Where compilers have no word
 * for one, a function asks cpuid.
 */
#include "base/template.h"
#include "target/c/dispatch.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds the instructions that flags, "-mavx2 -mfma", are for. */
static void add_instructions(struct arena *arena, piece_vec *list, const char *flags)
{
    const int set = list->n;

    for (const char *flag = flags; flag && *flag; flag += strspn(flag, " ")) {
        const size_t size = strcspn(flag, " ");
        add_piece(arena, list, arena_printf(arena, "%.*s", (int)size - 2, flag + 2));
        flag += size;
    }
    if (set > 0 && list->n > set)
        qsort(list->at + set, (size_t)(list->n - set), sizeof(*list->at), compare);
}

/* Those of the variant's set, and of what it uses besides: "avx2,fma". */
static const char *needed_by(const struct c_file *file)
{
    struct arena *arena = file->emitter.arena;
    const char *all = NULL;
    piece_vec list = {0};

    add_instructions(arena, &list, file->emitter.simd->flags);
    add_instructions(arena, &list, file->emitter.vector_flags);
    for (int k = 0; k < list.n; k++)
        all = all ? arena_printf(arena, "%s,%s", all, list.at[k]) : list.at[k];
    return all;
}

/* The next of the instructions, which commas keep apart; NULL: there are no more. */
static const char *next_needed(struct arena *arena, const char **rest)
{
    const size_t size = strcspn(*rest, ",");
    const char *name = arena_printf(arena, "%.*s", (int)size, *rest);

    *rest += size + ((*rest)[size] == ',');
    return size ? name : NULL;
}

static bool is_needed(struct arena *arena, const char *needed, const char *instructions)
{
    bool found = false;

    for (const char *name; !found && (name = next_needed(arena, &needed));)
        found = strcmp(name, instructions) == 0;
    return found;
}

bool question_includes(struct arena *arena, const char *needed, const char *other)
{
    bool all = true;

    for (const char *name; all && (name = next_needed(arena, &other));)
        all = is_needed(arena, needed, name);
    return all;
}

const char *question_words(struct arena *arena, const char *needed)
{
    const char *words = NULL;

    for (const char *name; (name = next_needed(arena, &needed));)
        words = words ? arena_printf(arena, "%s, %s", words, name) : name;
    return words;
}

static bool is_of_tiles(const char *name)
{
    return strncmp(name, "amx-", 4) == 0;
}

/* "amx-tile, amx-int8", and the bits that tell them. */
struct tiles {
    const char *words, *bits;
    const char *name; /* of the function that asks, "has_amx_int8" */
};

static struct tiles tiles_of(struct arena *arena, const char *needed)
{
    static const struct {
        const char *name, *bit, *end;
    } rows[] = {{"amx-tile", "TILE", ""}, {"amx-int8", "INT8", "_int8"}, {"amx-bf16", "BF16", "_bf16"}};
    struct tiles tiles = {.name = "has_amx"};

    for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
        if (!is_needed(arena, needed, rows[k].name))
            continue;
        tiles.words = tiles.words ? arena_printf(arena, "%s, %s", tiles.words, rows[k].name) : rows[k].name;
        tiles.bits = tiles.bits ? arena_printf(arena, "%s | %s", tiles.bits, rows[k].bit) : rows[k].bit;
        tiles.name = arena_printf(arena, "%s%s", tiles.name, rows[k].end);
    }
    return tiles;
}

/* "has_f16c()", a call of a function that asks and is added to code. */
static const char *call_text(struct c_file *file, struct text *code, const char *template, const char *usual,
                             const struct tiles *tiles)
{
    struct names *names = &file->emitter.names;
    const char *name = names_unique(names, usual);
    const struct word word = {"may_use_tiles", tiles ? names_unique(names, "may_use_tiles") : ""};
    const struct template_value values[] = {{"NAME", name},
                                            {"WORDS", tiles ? tiles->words : ""},
                                            {"BITS", tiles ? tiles->bits : ""},
                                            {"MAY_USE", "@x86/may_use_tiles@"},
                                            {NULL, NULL}};
    const char *text = template_filled(names->arena, template, (const struct template_value *const[]){values}, 1);

    text_add(code, code->size ? "\n" : "");
    text_add(code, words_replaced(names->arena, text, &word, 1));
    return arena_printf(names->arena, "%s()", name);
}

/* One of the questions; NULL: it is part of another. */
static const char *one_text(struct c_file *file, struct text *code, const char *needed, const char *name)
{
    struct arena *arena = file->emitter.arena;
    const struct tiles tiles = tiles_of(arena, needed);

    if (strcmp(name, "f16c") == 0)
        return call_text(file, code, "x86/has_f16c", "has_f16c", NULL);
    if (!is_of_tiles(name))
        return arena_printf(arena, "__builtin_cpu_supports(\"%s\")", name);
    return strcmp(name, "amx-tile") == 0 ? call_text(file, code, "x86/has_tiles", tiles.name, &tiles) : NULL;
}

void question_note(struct c_file *file, struct variant_text *variant)
{
    struct arena *arena = file->emitter.arena;
    const char *rest = needed_by(file);
    struct text code = {0};

    variant->needed = rest;
    for (const char *name; (name = next_needed(arena, &rest));) {
        const char *one = one_text(file, &code, variant->needed, name);
        if (one)
            variant->question = variant->question ? arena_printf(arena, "%s && %s", variant->question, one) : one;
    }
    variant->question_code = code.size ? arena_copy(arena, text_str(&code)) : NULL;
    text_free(&code);
}
