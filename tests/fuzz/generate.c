/* The frame of a random description: its arrays, whose shapes hold whatever the nests access. */
#include "generate.h"

#include <stdio.h>
#include <string.h>

static void add_array(struct gen *gen, const char *stem, const char *role, const char *type, int rank)
{
    struct gen_array *array = &gen->array[gen->n_array];

    *array = (struct gen_array){.role = role, .type = type, .rank = rank};
    snprintf(array->name, sizeof(array->name), "%s%d", stem, gen->n_array++);
}

static const char *narrower(const char *type)
{
    switch (type[0]) {
    case 'f':
        return "f32";
    case 'u':
        return "u8";
    default:
        return "i8";
    }
}

static void choose_type(struct gen *gen)
{
    static const char *const types[] = {"f32", "f64", "u32", "i32", "u64", "f32"};

    gen->type = types[pick(gen, 6)];
}

static void choose_arrays(struct gen *gen)
{
    add_array(gen, "a", "in", gen->type, 1 + pick(gen, 2));
    add_array(gen, "c", "inout", gen->type, 1 + pick(gen, 2));
    if (gen->apart || chance(gen, 60))
        add_array(gen, "c", "inout", gen->type, chance(gen, 10) ? 3 : 1 + pick(gen, 2));
    if (gen->apart)
        add_array(gen, "c", "inout", gen->type, 1 + pick(gen, 2));
    if (chance(gen, 25))
        add_array(gen, "s", "inout", gen->type, 0);
    if (chance(gen, 25))
        add_array(gen, "b", "in", narrower(gen->type), 1 + pick(gen, 2));
    if (chance(gen, 25))
        add_array(gen, "o", "out", gen->type, 1 + pick(gen, 2));
}

/* Exactly: an array may have no element. */
static void write_size(struct text *out, struct size size)
{
    const char *plus = "";

    text_char(out, '"');
    if (size.n)
        text_addf(out, "%d * N", size.n), plus = " + ";
    if (size.m)
        text_addf(out, "%s%d * M", plus, size.m), plus = " + ";
    if (size.constant > 0 || !*plus)
        text_addf(out, "%s%d", plus, size.constant > 0 ? size.constant : 1);
    text_char(out, '"');
}

/* Blocks, an order of dimensions, or "auto" for a temporary. */
static void write_layout(struct gen *gen, const struct gen_array *array, struct text *out)
{
    const int which = gen->caches && array->rank > 0 ? pick(gen, 100) : 100;
    const bool is_temp = strcmp(array->role, "temp") == 0;

    if (which < 10)
        text_add(out, ", \"layout\": \"col_major\"");
    else if (which < 25)
        text_addf(out, ", \"layout\": {\"block\": {\"%d\": %d}%s}", pick(gen, array->rank), 2 + pick(gen, 3),
                  chance(gen, 30) ? ", \"order\": \"col_major\"" : "");
    else if (which < 60 && is_temp)
        text_add(out, ", \"layout\": \"auto\"");
}

/* All of the array, some dimensions from the back. */
static void write_view(struct gen *gen, const struct gen_array *array, struct text *out)
{
    const int reversed = pick(gen, 1 << array->rank);

    text_addf(out, ",\n  {\"name\": \"v_%s\", \"view\": {\"of\": \"%s\", \"offset\": [", array->name, array->name);
    for (int k = 0; k < array->rank; k++) {
        struct size last = array->size[k];
        last.constant = (last.constant > 0 || last.n || last.m ? last.constant : 1) - 1;
        text_add(out, k ? ", " : "");
        if (reversed >> k & 1)
            text_addf(out, "\"%d * N + %d * M + %d\"", last.n, last.m, last.constant);
        else
            text_add(out, "0");
    }
    text_add(out, "], \"shape\": [");
    for (int k = 0; k < array->rank; k++) {
        text_add(out, k ? ", " : "");
        write_size(out, array->size[k]);
    }
    text_add(out, "], \"strides\": [");
    for (int k = 0; k < array->rank; k++)
        text_addf(out, "%s%d", k ? ", " : "", reversed >> k & 1 ? -1 : 1);
    text_add(out, "]}}");
}

static void write_array(struct gen *gen, const struct gen_array *array, struct text *out)
{
    text_addf(out, "  {\"name\": \"%s\", \"role\": \"%s\", \"type\": \"%s\", \"shape\": [", array->name,
              array->role, array->type);
    for (int k = 0; k < array->rank; k++) {
        if (k)
            text_add(out, ", ");
        write_size(out, array->size[k]);
    }
    text_add(out, array->zero ? "], \"init\": 0" : "]");
    write_layout(gen, array, out);
    if (gen->even && array->rank > 0 && array->role[0] != 't')
        text_add(out, ", \"align\": 16");
    text_add(out, "}");
    if (array->has_view)
        write_view(gen, array, out);
}

/* What is there before, and need not be written, may be used by a view that turns it around. */
static void choose_views(struct gen *gen)
{
    for (int k = 0; k < gen->n_array; k++)
        gen->array[k].has_view = gen->caches && gen->array[k].rank > 0 && gen->array[k].role[0] == 'i' &&
                                 chance(gen, 25);
}

/* nests, where some accesses name the view of their array. */
static void write_nests(struct gen *gen, const char *nests, struct text *out)
{
    while (*nests) {
        const size_t word = strspn(nests, "abcdefghijklmnopqrstuvwxyz_0123456789");
        for (int k = 0; k < gen->n_array && word > 0 && nests[word] == '['; k++)
            if (gen->array[k].has_view && strlen(gen->array[k].name) == word &&
                strncmp(gen->array[k].name, nests, word) == 0 && chance(gen, 50))
                text_add(out, "v_");
        text_add_n(out, nests, word > 0 ? word : 1);
        nests += word > 0 ? word : 1;
    }
}

static void write_arrays(struct gen *gen, struct text *out)
{
    text_add(out, "\"arrays\": [\n");
    for (int k = 0; k < gen->n_array; k++) {
        write_array(gen, &gen->array[k], out);
        text_add(out, k + 1 < gen->n_array ? ",\n" : "\n],\n");
    }
}

void generate(struct prng *prng, enum drawn drawn, unsigned chosen, struct text *out)
{
    struct gen gen = {.prng = prng,
                      .caches = drawn == DRAW_CACHES,
                      .calls = drawn == DRAW_CALLS,
                      .few_steps = drawn != DRAW_NOTHING,
                      .collapses = drawn == DRAW_GRID ? 25 : drawn == DRAW_LOOP ? 15 : drawn == DRAW_PLANS ? 10 : 0};
    struct text nests = {0};

    if (drawn == DRAW_PRODUCT) {
        generate_product(&gen, chosen, out);
        return;
    }
    if (drawn == DRAW_SUM) {
        generate_sum(&gen, chosen, out);
        return;
    }
    if (drawn == DRAW_CHAIN) {
        generate_chain(prng->state, out);
        return;
    }
    if (drawn == DRAW_POLYHEDRAL) {
        generate_polyhedral(&gen, chosen, out);
        return;
    }
    gen.pipeline = chance(&gen, 50) && !gen.calls;
    gen.apart = chance(&gen, 50);
    choose_type(&gen);
    if (gen.pipeline) {
        generate_pipeline(&gen, &nests);
    } else {
        choose_arrays(&gen);
        generate_nests(&gen, &nests);
    }
    gen.even = drawn == DRAW_GRID && chance(&gen, 40);
    text_addf(out, "{\"polynest\": 1, \"name\": \"fuzz\", \"params\": [\"N\", \"M\"],\n"
                   "\"assume\": [\"N >= 0\", \"M >= 0\"%s],\n",
              gen.even ? ", \"N % 4 = 0\", \"M % 4 = 0\"" : "");
    if (gen.extremes)
        text_add(out, "\"permit\": [\"reassociate\"],\n");
    choose_views(&gen);
    if (drawn == DRAW_CACHES)
        text_add(out, "\"target\": {\"openmp\": true},\n");
    write_arrays(&gen, out);
    if (gen.calls)
        generate_functions(&gen, out);
    write_nests(&gen, text_str(&nests), out);
    text_add(out, ",\n\"schedule\": [\n");
    generate_steps(&gen, out);
    text_add(out, "\n]");
    if (drawn == DRAW_CACHES)
        generate_caches(&gen, chosen, out);
    if (drawn == DRAW_PLANS || drawn == DRAW_CALLS)
        generate_plans(&gen, chosen, out);
    if (drawn == DRAW_LOOP)
        generate_loop_plan(&gen, out);
    if (drawn == DRAW_GRID)
        generate_grid(&gen, chosen, out);
    text_add(out, "}\n");
    text_free(&nests);
}
