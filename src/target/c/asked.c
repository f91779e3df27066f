/* Variants for which a call asks the processor: gcc and clang compile functions for more than the file (attribute
 * `target`), and ask for it by __builtin_cpu_supports. Other compilers see the other variants only.
 */
#include "base/template.h"
#include "target/c/dispatch.h"
#include "target/clike/nodes/texts.h"
#include "target/clike/vector/vector.h"

#include <string.h>

const char asked_start[] = "#if defined(__GNUC__) && defined(__x86_64__)\n", asked_end[] = "#endif\n";

const char *c_asked_end(struct arena *arena, const char *simd)
{
    char *end = arena_printf(arena, "_%s", simd);

    for (char *c = end; *c; c++)
        if (*c == '.')
            *c = '_';
    return end;
}

void asked_note(struct c_file *file, struct variant_text *variant)
{
    struct emitter *emitter = &file->emitter;
    struct text own = {0};

    variant->asks = file->unit->program->when_supported;
    question_note(file, variant);
    vector_print_helpers(emitter, &own);
    variant->own_helpers = arena_copy(emitter->arena, text_str(&own));
    text_truncate(&own, 0);
    texts_add_declarations(emitter, &own);
    variant->declared = arena_copy(emitter->arena, text_str(&own));
    text_free(&own);
    variant->own_header = emitter->uses_vectors ? emitter->simd->header : NULL;
    variant->own_end = emitter->own_end;
    for (int k = 0; k < emitter->own.n; k++)
        VEC_PUSH(emitter->arena, &variant->own, emitter->own.at[k].to);
}

const char *c_where(struct arena *arena, const struct variant_text *variant)
{
    if (!variant->asks)
        return variant->condition ? arena_printf(arena, "where %s", variant->condition) : "elsewhere";
    return arena_printf(arena, "where the processor has %s%s%s", question_words(arena, variant->needed),
                        variant->condition ? ", and " : "", variant->condition ? variant->condition : "");
}

static void add_include(struct arena *arena, piece_vec *includes, const char *header)
{
    if (header)
        add_piece(arena, includes, arena_printf(arena, "#include <%s>\n", header));
}

void asked_print_includes(const struct dispatch *dispatch, const piece_vec *includes, struct text *out)
{
    const struct variant_text *variant = dispatch->variant.at;
    piece_vec all = {0};

    for (int k = 0; k < includes->n; k++)
        add_piece(dispatch->arena, &all, includes->at[k]);
    for (int k = 0; k < dispatch->variant.n; k++)
        add_include(dispatch->arena, &all, variant[k].question_code ? "cpuid.h" : NULL);
    for (int k = 0; k < dispatch->variant.n; k++)
        add_include(dispatch->arena, &all, variant[k].own_header);
    for (int k = includes->n; k < all.n; k++)
        text_addf(out, "%s%s", k == includes->n ? asked_start : "", all.at[k]);
    text_add(out, all.n > includes->n ? asked_end : "");
}

/* Variants that need the same, the first of them at `first`, and the names that their functions have here. */
struct group {
    int first;
    VEC(struct word) renamed;
};

static bool is_first(const struct dispatch *dispatch, int k)
{
    const struct variant_text *variant = dispatch->variant.at;

    for (int before = 0; variant[k].asks && before < k; before++)
        if (variant[before].asks && strcmp(variant[before].needed, variant[k].needed) == 0)
            return false;
    return variant[k].asks;
}

static bool is_in(const struct dispatch *dispatch, const struct group *group, int k)
{
    const struct variant_text *variant = dispatch->variant.at;

    return variant[k].asks && strcmp(variant[k].needed, variant[group->first].needed) == 0;
}

/* Adds a name of a function's own, unless it has one. The file's names are those of its last variant. */
static void add_renamed(struct arena *arena, struct group *group, struct names *names, const char *name)
{
    for (int k = 0; k < group->renamed.n; k++)
        if (strcmp(group->renamed.at[k].from, name) == 0)
            return;
    if (!names_has(names, name))
        names_add(names, name);
    VEC_PUSH(arena, &group->renamed, ((struct word){name, names_unique(names, name)}));
}

/* Functions of a set that is there with other instructions in front of the group, too, get names of their own. */
static void rename_own(const struct dispatch *dispatch, struct names *names, struct group *group)
{
    const struct variant_text *variant = dispatch->variant.at;
    bool shared = false;

    for (int k = 0; k < group->first && !shared; k++)
        shared = variant[k].asks && strcmp(variant[k].own_end, variant[group->first].own_end) == 0;
    for (int k = group->first; shared && k < dispatch->variant.n; k++)
        for (int own = 0; is_in(dispatch, group, k) && own < variant[k].own.n; own++)
            add_renamed(dispatch->arena, group, names, variant[k].own.at[own]);
}

/* What a variant's texts declare for its group alone, or also for others, which no group's processors are for. */
static void add_declared(const struct dispatch *dispatch, int variant, bool alone, piece_vec *pieces)
{
    const struct variant_text *all = dispatch->variant.at;
    const struct group group = {.first = variant};
    piece_vec own = {0};

    add_pieces(dispatch->arena, &own, all[variant].declared);
    for (int k = 0; k < own.n; k++) {
        bool others = false;
        for (int other = 0; other < dispatch->variant.n && !others; other++)
            others = !is_in(dispatch, &group, other) &&
                     strstr(all[other].asks ? all[other].declared : all[other].heads, own.at[k]);
        if (others != alone)
            add_piece(dispatch->arena, pieces, own.at[k]);
    }
}

void asked_share_declared(const struct dispatch *dispatch, piece_vec *pieces)
{
    for (int k = 0; k < dispatch->variant.n; k++)
        if (dispatch->variant.at[k].asks)
            add_declared(dispatch, k, false, pieces);
}

static void print_group(const struct dispatch *dispatch, const struct group *group, struct text *out)
{
    const struct variant_text *variant = dispatch->variant.at;
    struct arena *arena = dispatch->arena;
    const struct template_value values[] = {{"WORDS", question_words(arena, variant[group->first].needed)},
                                            {"NEEDED", variant[group->first].needed},
                                            {NULL, NULL}};
    piece_vec helpers = {0}, declared = {0};

    text_add(out, template_filled(arena, "x86/for_processors", (const struct template_value *const[]){values}, 1));
    text_char(out, '\n');
    for (int k = group->first; k < dispatch->variant.n; k++)
        if (is_in(dispatch, group, k))
            add_declared(dispatch, k, true, &declared);
    print_pieces(&declared, out);
    for (int k = group->first; k < dispatch->variant.n; k++)
        if (is_in(dispatch, group, k))
            add_pieces(arena, &helpers,
                       words_replaced(arena, variant[k].own_helpers, group->renamed.at, group->renamed.n));
    print_pieces(&helpers, out);
    for (int k = group->first; k < dispatch->variant.n; k++)
        if (is_in(dispatch, group, k)) {
            c_comment_variant(arena, &variant[k], out);
            text_addf(out, "%s\n", words_replaced(arena, variant[k].code, group->renamed.at, group->renamed.n));
        }
    text_addf(out, "%s\n", template_named("x86/for_processors_end"));
}

/* The functions that ask for instructions. */
static void print_questions(const struct dispatch *dispatch, struct text *out)
{
    piece_vec functions = {0};

    for (int k = 0; k < dispatch->variant.n; k++)
        if (dispatch->variant.at[k].question_code)
            add_pieces(dispatch->arena, &functions, dispatch->variant.at[k].question_code);
    print_pieces(&functions, out);
}

void asked_print(const struct dispatch *dispatch, const piece_vec *common, struct names *names, struct text *out)
{
    bool any = false;

    for (int k = 0; k < dispatch->variant.n; k++) {
        struct group group = {.first = k};
        if (!is_first(dispatch, k))
            continue;
        if (!any) {
            text_add(out, asked_start);
            print_questions(dispatch, out);
            print_pieces(common, out);
        }
        any = true;
        rename_own(dispatch, names, &group);
        print_group(dispatch, &group, out);
    }
    if (any)
        text_addf(out, "%s\n", asked_end);
}

enum status asked_check(const struct dispatch *dispatch, struct diags *diags)
{
    struct arena *arena = dispatch->arena;
    const struct variant_text *variant = dispatch->variant.at;
    enum status status = STATUS_OK;

    for (int k = 0; k < dispatch->variant.n; k++)
        for (int before = 0; variant[k].asks && before < k; before++) {
            if (!variant[before].asks || variant[before].condition ||
                !question_includes(arena, variant[k].needed, variant[before].needed))
                continue;
            diag_hint(diags,
                      diag_error(diags, "variant", variant[k].asks->place,
                                 "this variant never runs: where there is %s, `%s` in front of it is called",
                                 question_words(arena, variant[k].needed), variant[before].name),
                      "put it in front of that one, or give that one a \"when\"");
            status = STATUS_REFUSED;
            break;
        }
    return status;
}
