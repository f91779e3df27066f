/* Element-wise rows past the caches, with tails that divide by assumption: stream, exact, prefetch, threads. */
#include "wide.h"

#include <string.h>

static const enum type chain_types[] = {TYPE_F32, TYPE_F32, TYPE_F64, TYPE_I32, TYPE_U32,
                                        TYPE_I64, TYPE_U8,  TYPE_I16, TYPE_F16, TYPE_BF16};

static struct term *draw_value(struct wide *wide, const struct sight *sight)
{
    struct term *value = value_draw(wide, sight, wide->type, 1 + pick(wide, 2));

    return type_promote(value->type) != type_promote(wide->type) ||
                   type_is_float(value->type) != type_is_float(wide->type) || value->type != wide->type
               ? wide_cast(wide, wide->type, value)
               : value;
}

static void draw_steps(struct wide *wide, const struct loop *i, const struct loop *j, const char *result, int bytes,
                       bool tiles)
{
    const char *vector = j->name;
    struct wide_step *step;

    if (tiles) {
        step = step_add(wide, false, "{\"split\": \"%s\", \"by\": %d, \"as\": \"v\"%s}", j->name,
                        bytes / (type_bits(wide->type) / 8) * (1 + pick(wide, 2)),
                        wide->multiple[1] > 1 ? ", \"tail\": \"exact\"" : "");
        step->features.has[WIDE_SPLIT] = true;
        step->features.has[WIDE_TAIL_EXACT] = wide->multiple[1] > 1;
        vector = "v";
    }
    step_add(wide, true, "{\"vectorize\": \"%s\"}", vector)->features.has[WIDE_VECTORIZE] = true;
    if (wide->openmp && chance(wide, 60))
        step_add(wide, true, "{\"parallelize\": [\"%s\"]}", i->name)->features.has[WIDE_PARALLELIZE] = true;
    step = step_add(wide, true, "{\"stream\": \"%s\", \"at\": \"%s\"", result,
                    chance(wide, 60)   ? vector
                    : chance(wide, 50) ? j->name
                                       : i->name);
    if (chance(wide, 35))
        text_addf(&step->text, ", \"if\": \"M %% %d == 0 && N * M >= %d\"", 16, 20 + pick(wide, 300));
    text_char(&step->text, '}');
    step->features.has[WIDE_STREAM] = true;
    if (chance(wide, 30))
        step_add(wide, true, "{\"prefetch\": \"%s\", \"at\": \"%s\", \"ahead\": %d}", wide->array[0].name, j->name,
                 1 + pick(wide, 9))
            ->features.has[WIDE_PREFETCH] = true;
}

void wide_chain(struct wide *wide)
{
    static const char *const sets[] = {"avx2", "avx2", "avx512", "sse4.2", "avx2", "avx512"};
    const struct affine rows = {1, 0, 0}, columns = {0, 1, 0};
    const int bytes = 64;
    struct wide_nest *nest;
    struct wide_array *result;
    struct sight sight = {.n = 0};
    struct loop *i, *j;

    wide->simd = sets[pick(wide, 6)];
    wide->openmp = chance(wide, 65);
    wide->type = chain_types[pick(wide, 10)];
    snprintf(wide->param[0], sizeof(wide->param[0]), "N");
    snprintf(wide->param[1], sizeof(wide->param[1]), "M");
    wide->multiple[1] = chance(wide, 85) ? 64 : 0;
    has(wide, WIDE_ASSUME);
    for (int k = 1 + pick(wide, 2); k > 0; k--)
        array_shaped(wide, "a", "in", chance(wide, 75) ? wide->type : type_draw(wide), rows, columns)->align =
            chance(wide, 50) ? bytes : 0;
    result = array_shaped(wide, "y", chance(wide, 85) ? "out" : "inout", wide->type, rows, columns);
    result->align = bytes;
    i = loop_add(wide, "i", (struct affine){0}, rows);
    j = loop_add(wide, "j", (struct affine){0}, columns);
    nest = nest_add(wide, "chain");
    nest->block.loop[nest->block.n_loop++] = i;
    nest->block.loop[nest->block.n_loop++] = j;
    sight.loop[sight.n++] = i;
    sight.loop[sight.n++] = j;
    statement_add(wide, &nest->block, element(wide, result, i, j), "=", draw_value(wide, &sight));
    nest_finish(nest);
    draw_steps(wide, i, j, result->name, bytes, chance(wide, 60));
    wide->n_sizes = 5;
    for (int k = 0; k < 5; k++) {
        static const int64_t sizes[][2] = {{0, 0}, {1, 64}, {3, 128}, {5, 64}, {7, 192}};
        wide->sizes[k][0] = sizes[k][0];
        wide->sizes[k][1] = sizes[k][1] + (wide->multiple[1] ? 0 : pick(wide, 64));
    }
    wide->depth = 2;
}
