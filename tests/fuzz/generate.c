/* The frame of a random description: its arrays, whose shapes hold whatever the nests access. */
#include "generate.h"

#include <stdio.h>

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

static void write_size(struct text *out, struct size size)
{
    text_char(out, '"');
    if (size.n)
        text_addf(out, "%d * N + ", size.n);
    if (size.m)
        text_addf(out, "%d * M + ", size.m);
    text_addf(out, "%d\"", size.constant > 0 ? size.constant : 1);
}

static void write_array(struct text *out, const struct gen_array *array)
{
    text_addf(out, "  {\"name\": \"%s\", \"role\": \"%s\", \"type\": \"%s\", \"shape\": [", array->name,
              array->role, array->type);
    for (int k = 0; k < array->rank; k++) {
        if (k)
            text_add(out, ", ");
        write_size(out, array->size[k]);
    }
    text_add(out, array->zero ? "], \"init\": 0}" : "]}");
}

static void write_arrays(struct gen *gen, struct text *out)
{
    text_add(out, "\"arrays\": [\n");
    for (int k = 0; k < gen->n_array; k++) {
        write_array(out, &gen->array[k]);
        text_add(out, k + 1 < gen->n_array ? ",\n" : "\n],\n");
    }
}

void generate(struct prng *prng, enum drawn drawn, unsigned chosen, struct text *out)
{
    struct gen gen = {.prng = prng, .caches = drawn == DRAW_CACHES, .few_steps = drawn != DRAW_NOTHING};
    struct text nests = {0};

    gen.pipeline = chance(&gen, 50);
    gen.apart = chance(&gen, 50);
    choose_type(&gen);
    if (gen.pipeline) {
        generate_pipeline(&gen, &nests);
    } else {
        choose_arrays(&gen);
        generate_nests(&gen, &nests);
    }
    text_add(out, "{\"polynest\": 1, \"name\": \"fuzz\", \"params\": [\"N\", \"M\"],\n"
                  "\"assume\": [\"N >= 0\", \"M >= 0\"],\n");
    if (gen.extremes)
        text_add(out, "\"permit\": [\"reassociate\"],\n");
    write_arrays(&gen, out);
    text_add(out, text_str(&nests));
    text_add(out, ",\n\"schedule\": [\n");
    generate_steps(&gen, out);
    text_add(out, "\n]");
    if (drawn == DRAW_CACHES)
        generate_caches(&gen, chosen, out);
    if (drawn == DRAW_PLANS)
        generate_plans(&gen, chosen, out);
    if (drawn == DRAW_LOOP)
        generate_loop_plan(&gen, out);
    if (drawn == DRAW_GRID)
        generate_grid(&gen, chosen, out);
    text_add(out, "}\n");
    text_free(&nests);
}
