#include "read/choose/dispatch.h"

#include "caps/processor.h"
#include "caps/simd.h"
#include "read/choose/functions.h"
#include "read/json.h"

#include <string.h>

static bool has_condition(const struct value *variant)
{
    return value_member(variant, "when") || value_member(variant, "when_supported");
}

const struct value *dispatched_list(const struct value *root)
{
    const struct value *list = root ? value_of_kind(root, "variants", VALUE_LIST) : NULL;

    for (int k = 0; list && k < list->n_item; k++)
        if (has_condition(&list->item[k]))
            return list;
    return NULL;
}

int dispatched_variants(struct arena *arena, const struct source *source, int function, const char *const **name)
{
    const struct value *root = function_number(json_read(arena, source, diags_new(arena)), function);
    const struct value *list = root && root->kind == VALUE_OBJECT ? dispatched_list(root) : NULL;
    const char **names = ARENA_ARRAY(arena, list ? list->n_item : 0, const char *);

    for (int k = 0; list && k < list->n_item; k++) {
        const struct value *own =
            list->item[k].kind == VALUE_OBJECT ? value_of_kind(&list->item[k], "name", VALUE_STRING) : NULL;
        if (!own)
            return 0;
        names[k] = own->string;
    }
    *name = names;
    return list ? list->n_item : 0;
}

/* What the variant says of the processor; NULL: nothing. */
static const struct value *supported(const struct value *variant)
{
    const struct value *value = value_of_kind(variant, "when_supported", VALUE_BOOL);

    return value && value->integer ? value : NULL;
}

static bool is_word(const struct value *value, const char *const *words)
{
    while (*words && (value->kind != VALUE_STRING || strcmp(value->string, *words) != 0))
        words++;
    return *words;
}

/* The set of instructions that the variant is for, or NULL: what it says is judged elsewhere. */
static const char *set_of(struct reader *reader, const struct value *root, const struct value *variant)
{
    const struct value *own = value_member(variant, "target"), *target = own ? own : value_member(root, "target");
    const struct value *simd = value_member(target, "simd"), *language = value_member(target, "language");

    if (language && (language->kind != VALUE_STRING || strcmp(language->string, "c") != 0))
        return NULL;
    if (!simd)
        return "none";
    return is_word(simd, simd_names(reader->arena)) ? simd->string : NULL;
}

/* The variant in front of number k that runs wherever this one could: a processor that has its set has the other's,
 * which is smaller. */
static const char *taken_before(struct reader *reader, const struct value *root, const struct value *list, int k)
{
    const char *set = set_of(reader, root, &list->item[k]);

    for (int before = 0; before < k; before++) {
        const struct value *other = &list->item[before], *name = value_of_kind(other, "name", VALUE_STRING);
        const char *less = set_of(reader, root, other);
        const bool asks = supported(other) && !value_member(other, "when") && less && !processor_unasked(less);
        if (asks && name && processor_includes(set, less) && !processor_includes(less, set))
            return name->string;
    }
    return NULL;
}

/* Reports instructions that a call of variant k cannot ask the processor for, or need not. */
static void check_supported(struct reader *reader, const struct value *root, const struct value *list, int k)
{
    const struct place place = supported(&list->item[k])->place;
    const char *set = set_of(reader, root, &list->item[k]),
               *least = set_of(reader, root, &list->item[list->n_item - 1]);
    const char *unasked = set ? processor_unasked(set) : NULL;
    const char *before = set && !unasked ? taken_before(reader, root, list, k) : NULL;
    struct diags *diags = reader->diags;

    if (unasked)
        diag_hint(diags, diag_error(diags, "variant", place, "a call cannot ask for simd %s: %s", set, unasked),
                  "leave \"when_supported\" out, or give the variant a target with simd sse4.2, avx2, avx512 or amx");
    else if (set && least && !processor_unasked(least) && processor_includes(least, set))
        diag_hint(diags,
                  diag_error(diags, "variant", place,
                             "there is nothing to ask: the last variant is for simd %s, so the file runs only where "
                             "there is %s",
                             least, set),
                  "leave \"when_supported\" out, or give the last variant a target with less");
    else if (before)
        diag_hint(diags,
                  diag_error(diags, "variant", place,
                             "this variant never runs: where there is %s, variant `%s` in front of it is taken", set,
                             before),
                  "put it in front of `%s`", before);
}

/* Is it of another kind, which reading the variant tells? */
static bool is_misfit(const struct value *asked)
{
    return asked && asked->kind != VALUE_BOOL;
}

static void report_last(struct reader *reader, const struct value *variant)
{
    const struct value *when = value_member(variant, "when");
    const char *key = when ? "when" : "when_supported";

    if (when || supported(variant))
        diag_hint(reader->diags,
                  diag_error(reader->diags, "variant", when ? when->place : supported(variant)->place,
                             "the last variant has a condition: where it does not hold there is none to run"),
                  "leave the last variant's \"%s\" out", key);
}

void check_dispatch(struct reader *reader, const struct value *root)
{
    const struct value *list = dispatched_list(root);

    for (int k = 0; list && k < list->n_item - 1; k++) {
        const struct value *variant = &list->item[k];

        if (supported(variant))
            check_supported(reader, root, list, k);
        else if (!value_member(variant, "when") && !is_misfit(value_member(variant, "when_supported")))
            diag_hint(reader->diags,
                      diag_error(reader->diags, "variant", variant->place,
                                 "this variant has no \"when\" and is not the last one: those behind it never run"),
                      "give it a \"when\" or \"when_supported\", or make it the last one");
    }
    if (list && list->n_item > 0)
        report_last(reader, &list->item[list->n_item - 1]);
}

void read_when(struct reader *reader, const struct value *value, void *program)
{
    struct value *condition = ARENA_NEW(reader->arena, struct value);

    *condition = *value;
    if (read_condition(reader, "when", condition))
        ((struct program *)program)->when = condition;
}

void read_when_supported(struct reader *reader, const struct value *value, void *program)
{
    (void)reader;
    if (value->integer)
        ((struct program *)program)->when_supported = value;
}
