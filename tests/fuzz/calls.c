/* Functions that random statements call. In C they compute what the oracle and the abstract machine have in their
 * place: each result depends on all that was read, and on its place in the operand. */
#include "generate.h"

#include <string.h>

static const char *c_type(const char *type)
{
    static const char *const names[][2] = {{"f32", "float"},    {"f64", "double"},   {"u32", "uint32_t"},
                                           {"i32", "int32_t"}, {"u64", "uint64_t"}};
    size_t k = 0;

    while (strcmp(names[k][0], type) != 0)
        k++;
    return names[k][1];
}

/* The line of a declaration that reads or writes the operand. */
static void add_loop(const struct gen *gen, struct text *out, const char *name, bool write)
{
    const bool real = gen->type[0] == 'f';

    text_addf(out, "\"    for (int k = 0; k < 2; k++)\", ");
    if (write)
        text_addf(out, "\"        %s[k * l%s] = (%s)(bits_taken(h, (uint64_t)k) >> 57);\", ", name, name,
                  c_type(gen->type));
    else
        text_addf(out, "\"        h = %s(h, %s%s[k * l%s]);\", ", real ? "real_taken" : "bits_taken",
                  real ? "" : gen->type[0] == 'i' ? "(uint64_t)(int64_t)" : "", name, name);
}

static void add_function(const struct gen *gen, struct text *out, int number, bool two)
{
    const char *name = two ? "mix" : "turn", *type = c_type(gen->type);
    static const char operand[] = "{\"name\": \"%s\", \"role\": \"%s\", \"type\": \"%s\", \"shape\": [2], "
                                  "\"layout\": {\"strides\": [\"l%s\"]}}";

    text_addf(out,
              "  {\"name\": \"%s\", \"params\": [\"lx\"%s], \"include\": [\"<string.h>\"],\n"
              "   \"arrays\": [",
              name, two ? ", \"lz\"" : "");
    text_addf(out, operand, "x", "inout", gen->type, "x");
    if (two) {
        text_add(out, ", ");
        text_addf(out, operand, "z", "in", gen->type, "z");
    }
    text_addf(out, "],\n   \"text\": \"%s(@x@, @lx@%s);\",\n   \"declare\": [", name, two ? ", @z@, @lz@" : "");
    text_add(out, "\"#ifndef TAKEN\", \"#define TAKEN\", "
                  "\"static inline uint64_t bits_taken(uint64_t h, uint64_t v)\", \"{\", "
                  "\"    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);\", \"    return h ^ h >> 29;\", \"}\", "
                  "\"static inline uint64_t real_taken(uint64_t h, double v)\", \"{\", \"    uint64_t b;\", "
                  "\"    memcpy(&b, &v, sizeof b);\", \"    return bits_taken(h, b);\", \"}\", \"#endif\", ");
    text_addf(out, "\"static void %s(%s *x, int64_t lx", name, type);
    if (two)
        text_addf(out, ", const %s *z, int64_t lz", type);
    text_addf(out, ")\", \"{\", \"    uint64_t h = %d;\", ", number);
    add_loop(gen, out, "x", false);
    if (two)
        add_loop(gen, out, "z", false);
    add_loop(gen, out, "x", true);
    text_add(out, "\"}\"]}");
}

void generate_functions(const struct gen *gen, struct text *out)
{
    text_add(out, "\"instructions\": [\n");
    add_function(gen, out, 1, true);
    text_add(out, ",\n");
    add_function(gen, out, 2, false);
    text_add(out, "\n],\n");
}
