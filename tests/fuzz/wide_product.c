/* Products of matrices with a tile of sums in registers: copies of factors, tails, unrolled loops around a vector. */
#include "wide.h"

#include <string.h>

/* What is drawn of C[i, j] op= A[i, k] * B[k, j]. */
struct product {
    enum type type, factor;
    const struct wide_array *a, *b, *c;
    struct loop *i, *j, *k;
    int rows, vectors, lanes, strip;
    bool padded; /* tails that compute on the padding of copies */
};

static const enum type product_types[] = {TYPE_F32, TYPE_F32, TYPE_F32, TYPE_F64, TYPE_F64,
                                          TYPE_I32, TYPE_U32, TYPE_I64, TYPE_U64, TYPE_I16,
                                          TYPE_U16, TYPE_I8,  TYPE_U8,  TYPE_F16, TYPE_BF16};

static enum type product_type(struct wide *wide)
{
    return product_types[pick(wide, 15)];
}

struct wide_array *array_shaped(struct wide *wide, const char *stem, const char *role, enum type type,
                                struct affine rows, struct affine columns)
{
    struct wide_array *array = array_add(wide, stem, role, type, 2);

    array->shape[0] = rows;
    array->shape[1] = columns;
    return array;
}

struct term *element(struct wide *wide, const struct wide_array *array, const struct loop *row,
                     const struct loop *column)
{
    struct term *at[] = {wide_loop(wide, row, TYPE_NONE), wide_loop(wide, column, TYPE_NONE)};

    return wide_access(wide, array, at);
}

static int lanes_of(const struct wide *wide, enum type type)
{
    const int bits = strcmp(wide->simd, "avx512") == 0 ? 512 : strcmp(wide->simd, "avx2") == 0 ? 256 : 128;
    const int each = type_bits(type == TYPE_F16 || type == TYPE_BF16 ? TYPE_F32 : type);

    return bits / each;
}

static void draw_sizes(struct wide *wide, struct product *product)
{
    product->rows = 2 + pick(wide, 5);
    product->vectors = 1 + pick(wide, 3);
    product->lanes = lanes_of(wide, product->type) * (chance(wide, 12) ? 2 : 1);
    if (product->lanes > 16)
        product->vectors = 1;
    product->padded = chance(wide, 30);
    product->strip = chance(wide, 35) ? 2 + pick(wide, 14) : 0;
}

static void draw_arrays(struct wide *wide, struct product *product)
{
    const struct affine rows = {1, 0, 0}, columns = {0, 1, 0},
                        sum = chance(wide, 50)   ? (struct affine){0, 0, 3 + pick(wide, 20)}
                              : chance(wide, 50) ? rows
                                                 : columns;
    const bool turned = chance(wide, 20);

    product->i = loop_add(wide, "i", (struct affine){0}, rows);
    product->j = loop_add(wide, "j", (struct affine){0}, columns);
    product->k = loop_add(wide, "k", (struct affine){0}, sum);
    product->a = array_shaped(wide, "A", "in", product->factor, turned ? sum : rows, turned ? rows : sum);
    product->b = array_shaped(wide, "B", "in", product->factor, sum, columns);
    product->c = array_shaped(wide, "C", "inout", product->type, rows, columns);
    for (int k = 0; k < wide->n_array; k++)
        if (chance(wide, 12)) {
            wide->array[k].n_block = 1;
            wide->array[k].block_dim[0] = pick(wide, 2);
            wide->array[k].block[0] = 4 << pick(wide, 3);
        } else if (chance(wide, 10)) {
            wide->array[k].turned = true;
        } else if (chance(wide, 10)) {
            wide->array[k].strided = true;
            wide->array[k].gap = pick(wide, 4);
            wide->array[k].offset = pick(wide, 3);
        }
}

/* The sum's operator and its value. */
static void draw_statement(struct wide *wide, struct product *product, struct wide_block *block)
{
    static const char *const others[] = {"-=", "min=", "max="}, *const bits[] = {"^=", "&=", "|="};
    const bool turned = product->a->shape[0].n == 0 || (product->k->high.n && chance(wide, 0));
    struct term *a = element(wide, product->a, turned ? product->k : product->i, turned ? product->i : product->k);
    struct term *b = element(wide, product->b, product->k, product->j), *value;
    const char *op = chance(wide, 80)                                   ? "+="
                     : type_is_float(product->type) || chance(wide, 60) ? others[pick(wide, 3)]
                                                                        : bits[pick(wide, 3)];

    if (chance(wide, 20) && wide->n_scalar)
        a = wide_binary(wide, "*", wide_scalar(wide, 0), a);
    if (chance(wide, 10)) {
        has(wide, WIDE_RELU);
        a = wide_call(wide, "relu", a, NULL, NULL);
    }
    value = wide_binary(wide, op[1] == 'i' || op[1] == 'a' ? "+" : "*", a, b);
    if (!type_holds(product->type, value->type))
        value = wide_cast(wide, product->type, value);
    statement_add(wide, block, element(wide, product->c, product->i, product->j), op, value);
}

static void add_tail(struct wide *wide, struct wide_step *step, bool columns)
{
    static const char *const tails[] = {"peel", "guard", "cases", "mask", "round_up"};
    static const enum feature features[] = {WIDE_TAIL_PEEL, WIDE_TAIL_GUARD, WIDE_TAIL_CASES, WIDE_TAIL_MASK,
                                            WIDE_TAIL_ROUND};
    const int which = columns && chance(wide, 40) ? 3 : pick(wide, 5);

    text_addf(&step->text, ", \"tail\": \"%s\"", tails[which]);
    step->features.has[features[which]] = true;
    step->features.has[WIDE_REGISTER_TAIL] = true;
}

enum { ROUNDED = -1 }; /* instead of how often there is a tail */

static void add_split(struct wide *wide, const char *loop, int by, const char *as, int tails, bool columns)
{
    struct wide_step *step = step_add(wide, false, "{\"split\": \"%s\", \"by\": %d, \"as\": \"%s\"", loop, by, as);

    if (tails == ROUNDED) {
        text_add(&step->text, ", \"tail\": \"round_up\"");
        step->features.has[WIDE_TAIL_ROUND] = step->features.has[WIDE_REGISTER_TAIL] = true;
    } else if (chance(wide, tails)) {
        add_tail(wide, step, columns);
    }
    text_char(&step->text, '}');
    step->features.has[WIDE_SPLIT] = true;
}

static void draw_schedule(struct wide *wide, const struct product *product, char name[4][24])
{
    const char *i = product->i->name, *j = product->j->name, *k = product->k->name;
    const bool by_columns = chance(wide, 40);
    struct wide_step *step;

    for (int n = 0; n < 4; n++)
        name_draw(wide, name[n], sizeof(name[n]), n == 0 ? "ii" : n == 1 ? "jj" : n == 2 ? "v" : "kk");
    add_split(wide, i, product->rows, name[0], product->padded ? ROUNDED : 50, false);
    add_split(wide, j, product->vectors * product->lanes, name[1], product->padded ? ROUNDED : 50, true);
    add_split(wide, name[1], product->lanes, name[2], product->padded ? 0 : 12, true);
    if (product->strip)
        add_split(wide, k, product->strip, name[3], 25, false);
    step = step_add(wide, false, "{\"reorder\": [\"%s\", \"%s\", \"%s\"%s%s%s, \"%s\", \"%s\", \"%s\"]}",
                    by_columns ? j : i, by_columns ? i : j, k, product->strip ? ", \"" : "",
                    product->strip ? name[3] : "", product->strip ? "\"" : "", name[0], name[1], name[2]);
    step->features.has[WIDE_REORDER] = true;
}

/* A copy of a factor, in panels or as it is. */
static void draw_copy(struct wide *wide, const struct wide_array *array, const char *loop, const char *as,
                      const char *layout)
{
    struct wide_step *step =
        step_add(wide, true, "{\"cache\": \"%s\", \"at\": \"%s\", \"as\": \"%s\"", array->name, loop, as);

    if (chance(wide, 55))
        text_addf(&step->text, ", \"layout\": [%s]", layout);
    text_add(&step->text, chance(wide, 25)   ? ", \"memory\": \"heap\"}"
                          : chance(wide, 10) ? ", \"double_buffer\": true}"
                                             : "}");
    step->features.has[WIDE_CACHE] = true;
}

static void draw_plan(struct wide *wide, const struct product *product, char name[4][24])
{
    const char *loops[] = {product->i->name, product->j->name, product->k->name};
    char layout[200], acc[24];
    struct wide_step *step;

    name_draw(wide, acc, sizeof(acc), "acc");
    if (product->padded || chance(wide, 30)) {
        snprintf(layout, sizeof(layout), "\"%s\", \"%s\", \"%s\"", name[1], product->strip ? name[3] : loops[2],
                 name[2]);
        draw_copy(wide, product->b, loops[product->padded ? 2 : pick(wide, 3)], "Bp", layout);
    }
    if (product->padded || chance(wide, 30)) {
        snprintf(layout, sizeof(layout), "\"%s\", \"%s\"", product->strip ? name[3] : loops[2], name[0]);
        draw_copy(wide, product->a, loops[product->padded ? 2 : pick(wide, 3)], "Ap", layout);
    }
    step = step_add(wide, true, "{\"cache\": \"%s\", \"at\": \"%s\", \"as\": \"%s\", \"memory\": \"register\"}",
                    product->c->name, product->strip && chance(wide, 40) ? name[3] : loops[2], acc);
    step->features.has[WIDE_CACHE] = step->features.has[WIDE_REGISTER_CACHE] = true;
    step = step_add(wide, true, "{\"kernelize\": {\"unroll\": [\"%s\", \"%s\"], \"vectorize\": \"%s\"}}", name[0],
                    name[1], name[2]);
    step->features.has[WIDE_KERNELIZE] = true;
    if (wide->openmp && chance(wide, 60))
        step_add(wide, true, "{\"parallelize\": [\"%s\"]}", loops[pick(wide, 2)])->features.has[WIDE_PARALLELIZE] =
            true;
    if (chance(wide, 25))
        step_add(wide, true, "{\"prefetch\": \"%s\", \"at\": \"%s\", \"ahead\": %d}",
                 (chance(wide, 50) ? product->a : product->b)->name, loops[2], 1 + pick(wide, 6))
            ->features.has[WIDE_PREFETCH] = true;
    if (chance(wide, 15))
        step_add(wide, true, "{\"unroll\": \"%s\", \"by\": %d}", product->strip ? name[3] : loops[2], 2 + pick(wide, 3))
            ->features.has[WIDE_UNROLL] = true;
}

static void draw_permits(struct wide *wide)
{
    const int which = pick(wide, 100);

    wide->contract = which < 45;
    wide->reassociate = which >= 30 && which < 55;
    wide->whole = wide->contract || wide->reassociate;
}

void wide_product(struct wide *wide)
{
    struct product product = {0};
    struct wide_nest *nest;
    char name[4][24];

    do
        target_draw(wide);
    while (strcmp(wide->simd, "none") == 0 || strcmp(wide->simd, "omp") == 0);
    draw_permits(wide);
    wide->names = chance(wide, 15);
    if (wide->names)
        has(wide, WIDE_NAMES);
    wide->type = product.type = product_type(wide);
    product.factor = chance(wide, 80) ? product.type : product_type(wide);
    if (type_is_float(product.type) != type_is_float(product.factor))
        product.factor = product.type;
    snprintf(wide->param[0], sizeof(wide->param[0]), "N");
    snprintf(wide->param[1], sizeof(wide->param[1]), "M");
    if (chance(wide, 40))
        wide->scalar[wide->n_scalar++].type = product.type,
        name_draw(wide, wide->scalar[0].name, sizeof(wide->scalar[0].name), "alpha");
    wide->depth = 3;
    draw_sizes(wide, &product);
    draw_arrays(wide, &product);
    nest = nest_add(wide, "mm");
    nest->block.loop[nest->block.n_loop++] = product.i;
    nest->block.loop[nest->block.n_loop++] = product.j;
    nest->block.loop[nest->block.n_loop++] = product.k;
    if (chance(wide, 8)) {
        struct sight sight = {.loop = {product.i, product.j, product.k}, .n = 3};
        nest->block.condition = condition_draw(wide, &sight);
    }
    draw_statement(wide, &product, &nest->block);
    nest_finish(nest);
    draw_schedule(wide, &product, name);
    draw_plan(wide, &product, name);
    variant_draw(wide, 8);
    wide->n_sizes = 6;
    for (int k = 0; k < 6; k++) {
        wide->sizes[k][0] = k == 0 ? 0 : 1 + pick(wide, 3 * product.rows);
        wide->sizes[k][1] = k == 1 ? 1 : 1 + pick(wide, 2 * product.lanes * product.vectors + 2);
    }
}
