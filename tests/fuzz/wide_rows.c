/* Reductions of rows: divided, initialised apart, collected in vectors; and functions that may be approximated. */
#include "wide.h"

#include <string.h>

static const enum type sum_types[] = {TYPE_F32, TYPE_F32, TYPE_F64, TYPE_I32, TYPE_U32, TYPE_I64,
                                      TYPE_U64, TYPE_U8,  TYPE_I16, TYPE_U16, TYPE_F16, TYPE_BF16};

static const char *reduction_draw(struct wide *wide)
{
    static const char *const real[] = {"+=", "+=", "+=", "min=", "max=", "-="}, *const whole[] = {"+=",   "+=", "&=",
                                                                                                  "|=",   "^=", "min=",
                                                                                                  "max=", "-="};

    return type_is_float(wide->type) ? real[pick(wide, 6)] : whole[pick(wide, 8)];
}

static struct term *summand(struct wide *wide, const struct sight *sight)
{
    struct term *value = value_draw(wide, sight, wide->type, 1 + pick(wide, 2));

    return value->type != wide->type ? wide_cast(wide, wide->type, value) : value;
}

static void draw_unroll(struct wide *wide, const char *outer, const char *inner)
{
    const bool jam = chance(wide, 60);
    struct wide_step *step =
        step_add(wide, true, "{\"unroll\": \"%s\", \"by\": %d%s}", jam || chance(wide, 50) ? outer : inner,
                 2 + pick(wide, 3), jam ? ", \"jam\": true" : "");

    step->features.has[WIDE_UNROLL] = true;
    step->features.has[WIDE_JAM] = jam;
}

/* y[i] = c; for k: y[i] op= ...; with what divides it. */
static void draw_sum(struct wide *wide, const struct wide_array *result, struct loop *i, struct loop *k)
{
    struct wide_nest *nest = nest_add(wide, "rows");
    struct wide_block *inner;
    struct sight sight = {.loop = {i, k}, .n = 2};
    struct term *at = wide_loop(wide, i, TYPE_NONE),
                *start = wide_cast(wide, wide->type, wide_int(wide, pick(wide, 4), TYPE_I32));
    const char *op = reduction_draw(wide);
    struct wide_statement *sum;

    nest->block.loop[nest->block.n_loop++] = i;
    if (chance(wide, 80))
        statement_add(wide, &nest->block, wide_access(wide, result, &at), "=", start);
    inner = block_add(wide, &nest->block);
    inner->loop[inner->n_loop++] = k;
    if (chance(wide, 20))
        inner->condition = condition_draw(wide, &sight);
    sum = statement_add(wide, inner, wide_access(wide, result, &at), op, summand(wide, &sight));
    nest_finish(nest);
    if (chance(wide, 35))
        step_add(wide, false, "{\"split\": \"%s\", \"by\": %d, \"as\": \"part\"}", k->name, 2 + pick(wide, 15))
            ->features.has[WIDE_SPLIT] = true;
    if (chance(wide, 60))
        step_add(wide, false, "{\"rfactor\": \"%s\", \"of\": \"%s\"%s}",
                 wide->n_step && chance(wide, 50) ? "part" : k->name, sum->label,
                 chance(wide, 30) ? ", \"as\": \"rf\"" : "")
            ->features.has[WIDE_RFACTOR] = true;
    else if (nest->block.n_item == 2 && chance(wide, 85))
        step_add(wide, false, "{\"decompose_init\": \"%s\", \"at\": \"%s\"}", sum->label, i->name)
            ->features.has[WIDE_DECOMPOSE] = true;
    if (strcmp(wide->simd, "none") != 0)
        step_add(wide, true, "{\"vectorize\": \"%s\"%s}", chance(wide, 65) ? k->name : i->name,
                 chance(wide, 30) ? ", \"lanes\": 16" : "")
            ->features.has[WIDE_VECTORIZE] = true;
    if (wide->openmp)
        step_add(wide, true, "{\"parallelize\": [\"%s\"]}", chance(wide, 75) ? i->name : k->name)
            ->features.has[WIDE_PARALLELIZE] = true;
    if (chance(wide, 40)) {
        struct wide_step *step = step_add(wide, true, "{\"cache\": \"%s\", \"at\": \"%s\", \"memory\": \"register\"}",
                                          result->name, k->name);
        step->features.has[WIDE_CACHE] = step->features.has[WIDE_REGISTER_CACHE] = true;
    }
    if (chance(wide, 30))
        draw_unroll(wide, i->name, k->name);
}

/* y[i] = f(a[i] ..) of functions that the permission is about: each result is off by some units of itself at most. */
static void draw_functions(struct wide *wide, const struct wide_array *result, struct loop *i)
{
    static const enum feature functions[] = {WIDE_EXP,  WIDE_LOG, WIDE_SIN, WIDE_COS,
                                             WIDE_TANH, WIDE_POW, WIDE_COS, WIDE_LOG};
    const enum feature first = functions[pick(wide, 8)], second = functions[pick(wide, 5)];
    struct wide_nest *nest = nest_add(wide, "values");
    struct sight sight = {.loop = {i}, .n = 1};
    struct term *at = wide_loop(wide, i, TYPE_NONE), *a = value_read(wide, &sight, &wide->array[0]), *value, *b = NULL;

    nest->block.loop[nest->block.n_loop++] = i;
    if (first == WIDE_LOG || first == WIDE_POW) {
        has(wide, WIDE_ABS);
        a = wide_binary(wide, "+", wide_call(wide, "abs", a, NULL, NULL), wide_real(wide, 1.5, wide->type));
    }
    if (first == WIDE_POW)
        b = value_read(wide, &sight, &wide->array[1]);
    has(wide, first);
    value = wide_call(wide, wide_feature_name[first], a, b, NULL);
    if (chance(wide, 40) && second != WIDE_LOG) {
        has(wide, second);
        value = wide_binary(wide, chance(wide, 50) ? "+" : "*", value,
                            wide_call(wide, wide_feature_name[second], value_read(wide, &sight, &wide->array[1]), NULL,
                                      NULL));
    }
    if (chance(wide, 30))
        nest->block.condition = condition_draw(wide, &sight);
    statement_add(wide, &nest->block, wide_access(wide, result, &at), "=", value);
    nest_finish(nest);
    schedule_draw(wide);
    plan_draw(wide);
}

void wide_rows(struct wide *wide)
{
    const bool functions = chance(wide, 36);
    struct wide_array *array, *result;
    struct loop *i;

    target_draw(wide);
    wide->type = functions ? (chance(wide, 65) ? TYPE_F32 : TYPE_F64) : sum_types[pick(wide, 12)];
    wide->names = chance(wide, 15);
    if (wide->names)
        has(wide, WIDE_NAMES);
    snprintf(wide->param[0], sizeof(wide->param[0]), "N");
    snprintf(wide->param[1], sizeof(wide->param[1]), "M");
    wide->approximate = functions;
    wide->contract = chance(wide, 30);
    wide->reassociate = !functions && chance(wide, 75);
    wide->whole = wide->plain_data = !functions && (wide->reassociate || wide->contract);
    /* values are at most exp(2) * 1 and the like, each function's error some units in the last place */
    wide->close = functions ? (wide->type == TYPE_F32 ? 4e-6 : 1e-14) : 0;
    for (int k = 0; k < 2; k++) {
        array = array_add(wide, "a", "in", functions || chance(wide, 80) ? wide->type : type_draw(wide),
                          functions ? 1 : 1 + pick(wide, 2));
        array->shape[0] = (struct affine){1, 0, pick(wide, 3)};
        array->shape[1] = (struct affine){0, 1, pick(wide, 3)};
    }
    result = array_add(wide, "y", functions ? "inout" : chance(wide, 50) ? "inout" : "out", wide->type, 1);
    result->shape[0] = (struct affine){1, 0, 0};
    if (!functions)
        result->role = "inout";
    i = loop_add(wide, "i", (struct affine){0}, (struct affine){1, 0, 0});
    wide->depth = functions ? 1 : 2;
    if (functions)
        draw_functions(wide, result, i);
    else
        draw_sum(wide, result, i,
                 loop_add(wide, "k", (struct affine){0},
                          chance(wide, 80) ? (struct affine){0, 1, 0} : (struct affine){0, 0, 4 + pick(wide, 30)}));
    variant_draw(wide, 8);
}
