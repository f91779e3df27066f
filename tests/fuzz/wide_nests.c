/* Parameters, arrays, loops and statements of any program. */
#include "wide.h"

#include <stdlib.h>
#include <string.h>

bool name_is_used(const struct wide *wide, const char *name)
{
    bool used =
        strcmp(wide->param[0], name) == 0 || strcmp(wide->param[1], name) == 0 || strcmp(wide->tunable, name) == 0;

    for (int k = 0; k < wide->n_scalar; k++)
        used = used || strcmp(wide->scalar[k].name, name) == 0;
    for (int k = 0; k < wide->n_array; k++)
        used = used || strcmp(wide->array[k].name, name) == 0;
    for (int k = 0; k < wide->n_loop; k++)
        used = used || strcmp(wide->loop[k].name, name) == 0;
    for (int k = 0; k < wide->n_nest; k++) {
        used = used || strcmp(wide->nest[k].name, name) == 0;
        for (int l = 0; l < wide->nest[k].n_now; l++)
            used = used || strcmp(wide->nest[k].now[l], name) == 0;
    }
    return used;
}

void name_draw(struct wide *wide, char *name, size_t size, const char *plain)
{
    static const char *const pool[] = {"t0", "t1", "t2", "t3", "i_0", "i_1", "j_0", "j_1", "ii", "jj", "kk", "iii",
                                       "jjj", "acc", "i_j_fused", "j_k_fused", "i_n", "jj_n", "ii_n", "i_end", "j_end",
                                       "lanes", "mask", "sum", "v", "a0_local", "c1_cache", "f", "f2", "i_S0", "tmp",
                                       "row", "n", "rest", "x", "a_2", "b", "value", "t", "k_0", "ij", "bytes", "tile",
                                       "shape", "result", "last", "floor_div", "ax0", "left", "product", "at", "full",
                                       "end", "start", "k", "l", "sum_1", "n0", "lane", "a", "c", "s", "xs", "thread",
                                       "part", "total", "next", "uu", "vv", "pp", "u_0", "i_v_fused", "zero", "one",
                                       "size", "w", "jj_0",
                                       /* of vectors' types and functions */
                                       "lanes_4", "lanes_8", "lanes_16", "v8f32", "v4f64", "v8i32", "v8f32_u", "exp_8f",
                                       "sum_8f", "bytes_4", "load_0_of_2_8f", "load_apart_8f", "lanes_8i32",
                                       "sum_each_8f", "INLINE_VECTORS"};
    char tried[40];

    snprintf(tried, sizeof(tried), "%s", plain);
    if (wide->names && chance(wide, 65))
        snprintf(tried, sizeof(tried), "%s", pool[pick(wide, (int)(sizeof(pool) / sizeof(*pool)))]);
    for (int k = 0; name_is_used(wide, tried); k++)
        snprintf(tried, sizeof(tried), "%.16s%d", plain, k);
    tried[size - 1] = 0;
    strcpy(name, tried);
}

enum type type_draw(struct wide *wide)
{
    static const enum type types[] = {TYPE_F32, TYPE_F32, TYPE_F32,  TYPE_F64,  TYPE_F64,  TYPE_I32, TYPE_I32,
                                      TYPE_U32, TYPE_I64, TYPE_U64,  TYPE_I16,  TYPE_U16,  TYPE_I8,  TYPE_U8,
                                      TYPE_F16, TYPE_F16, TYPE_BF16, TYPE_BF16, TYPE_BOOL, TYPE_BOOL};

    return types[pick(wide, (int)(sizeof(types) / sizeof(*types)))];
}

/* Half of the extents are those of loops: such arrays may have no element. */
static struct affine extent_draw(struct wide *wide)
{
    const int which = pick(wide, 100), more = chance(wide, 50) ? 0 : 1 + pick(wide, 4);

    if (which < 45)
        return (struct affine){1, 0, more};
    if (which < 76)
        return (struct affine){0, 1, more};
    if (which < 82)
        return (struct affine){1, 1, pick(wide, 4)};
    return (struct affine){0, 0, 4 + pick(wide, 6)};
}

struct wide_array *array_add(struct wide *wide, const char *stem, const char *role, enum type type, int n_dim)
{
    struct wide_array *array = &wide->array[wide->n_array];
    char plain[24];

    if (wide->n_array >= MAX_ARRAYS)
        abort();
    snprintf(plain, sizeof(plain), "%.8s%d", stem, wide->n_array);
    name_draw(wide, array->name, sizeof(array->name), plain);
    wide->n_array++;
    array->role = role;
    array->type = type;
    array->n_dim = n_dim;
    for (int k = 0; k < n_dim; k++)
        array->shape[k] = extent_draw(wide);
    return array;
}

static void layout_draw(struct wide *wide, struct wide_array *array)
{
    const int which = pick(wide, 100);

    if (array->n_dim < 1 || array->n_dim > 2 || array->index)
        return;
    if (which < 12) {
        array->n_block = 1;
        array->block_dim[0] = pick(wide, array->n_dim);
        array->block[0] = 2 << pick(wide, 3);
        array->turned = array->n_dim == 2 && chance(wide, 35);
    } else if (which < 24) {
        array->turned = array->n_dim == 2;
        array->gap = pick(wide, 2);
    } else if (which < 36 && strcmp(array->role, "temp") != 0) {
        array->strided = true;
        array->gap = array->n_dim == 1 ? pick(wide, 3) : pick(wide, 4);
        array->offset = pick(wide, 3);
    }
    if (array->n_dim > 0 && chance(wide, 5))
        array->align = 32;
}

static void const_draw(struct wide *wide)
{
    struct wide_array *array =
        array_add(wide, "w", "const", chance(wide, 60) ? wide->type : type_draw(wide), 1 + pick(wide, 2));
    int64_t n = 1;

    for (int k = 0; k < array->n_dim; k++) {
        array->shape[k] = (struct affine){0, 0, 3 + pick(wide, 4)};
        n *= array->shape[k].c;
    }
    array->data = calloc((size_t)n, sizeof(*array->data));
    for (int64_t k = 0; k < n; k++)
        array->data[k] = array->type == TYPE_BOOL                    ? pick(wide, 2)
                         : type_is_float(array->type) && wide->whole ? 8 * (1 + pick(wide, 4))
                                                                     : 1 + pick(wide, 9);
}

static void index_array_draw(struct wide *wide)
{
    static const enum type types[] = {TYPE_I32, TYPE_I32, TYPE_I64, TYPE_U16, TYPE_U8, TYPE_I16, TYPE_U32};
    struct wide_array *array = array_add(wide, "x", "in", types[pick(wide, 7)], 1);

    array->index = true;
    array->shape[0] = chance(wide, 60) ? (struct affine){1, 0, pick(wide, 3)} : (struct affine){0, 1, pick(wide, 3)};
    array->injective = chance(wide, 65);
    array->most = array->injective ? extent_plus(array->shape[0], pick(wide, 2)) : array->shape[0];
    if (!array->injective && array->shape[0].c)
        array->most.c = pick(wide, 2);
    array->least = 0;
}

/* A view of an array that is made for it. */
static void view_draw(struct wide *wide)
{
    static const int strides[] = {1, 1, 2, -1, 2, 3, -2};
    struct wide_array *base = array_add(wide, "z", chance(wide, 70) ? "in" : "inout",
                                        chance(wide, 70) ? wide->type : type_draw(wide), 1 + pick(wide, 2));
    struct wide_array *view = array_add(wide, "y", base->role, base->type, base->n_dim);

    view->of = base;
    for (int k = 0; k < base->n_dim; k++) {
        const int stride = strides[pick(wide, 7)], many = stride < 0 ? -stride : stride, first = pick(wide, 3);
        const struct affine shape = view->shape[k];
        view->stride[k] = stride;
        base->shape[k] = (struct affine){many * shape.n, many * shape.m, many * shape.c + first};
        view->start[k] = stride > 0 ? (struct affine){0, 0, first} : extent_plus(base->shape[k], -1);
    }
    layout_draw(wide, base);
}

static void params_draw(struct wide *wide)
{
    for (int k = 0; k < 2; k++) {
        wide->least[k] = pick(wide, 3);
        if (chance(wide, 12)) {
            wide->multiple[k] = 1 << (1 + pick(wide, 4));
            has(wide, WIDE_ASSUME);
        }
        if (chance(wide, 12))
            wide->most[k] = 64 + pick(wide, 100);
        name_draw(wide, wide->param[k], sizeof(wide->param[k]), k ? "M" : "N");
        if (chance(wide, 10)) {
            static const char *const types[] = {"i32", "i32", "u32", "u16"};
            wide->param_type[k] = types[pick(wide, 2)];
            has(wide, WIDE_NARROW_PARAM);
        }
    }
}

static void scalars_draw(struct wide *wide)
{
    const int n = pick(wide, 3);

    for (int k = 0; k < n; k++) {
        char name[24];
        name_draw(wide, name, sizeof(name), k ? "beta" : "alpha");
        snprintf(wide->scalar[k].name, sizeof(name), "%s", name);
        wide->scalar[k].type = chance(wide, 70) ? wide->type : type_draw(wide);
        if (wide->scalar[k].type == TYPE_BOOL)
            wide->scalar[k].type = TYPE_I32;
        wide->n_scalar++;
    }
}

/* Has an index array elements, but no value to fill them with, where the parameters are 0? */
static bool lacks_values(const struct wide_array *array)
{
    return array->index && array->shape[0].c > 0 && array->most.c < 1;
}

void frame_draw(struct wide *wide)
{
    const int inputs = 1 + pick(wide, 3), results = 1 + pick(wide, 3);

    params_draw(wide);
    scalars_draw(wide);
    for (int k = 0; k < inputs; k++)
        layout_draw(wide, array_add(wide, "a", "in", chance(wide, 65) ? wide->type : type_draw(wide),
                                    chance(wide, 8)   ? 3
                                    : chance(wide, 5) ? 0
                                                      : 1 + pick(wide, 2)));
    for (int k = 0; k < results; k++)
        layout_draw(wide, array_add(wide, "c", chance(wide, 80) ? "inout" : "out",
                                    chance(wide, 85) ? wide->type : type_draw(wide),
                                    chance(wide, 8)   ? 3
                                    : chance(wide, 6) ? 0
                                                      : 1 + pick(wide, 2)));
    if (chance(wide, 55))
        index_array_draw(wide);
    if (chance(wide, 35))
        const_draw(wide);
    if (chance(wide, 30))
        view_draw(wide);
    for (int k = 0; k < wide->n_array; k++)
        for (int p = 0; p < 2 && lacks_values(&wide->array[k]); p++)
            wide->least[p] = wide->least[p] > 1 ? wide->least[p] : 1;
}

struct loop *loop_add(struct wide *wide, const char *stem, struct affine low, struct affine high)
{
    struct loop *loop = &wide->loop[wide->n_loop];

    if (wide->n_loop >= MAX_LOOPS)
        abort();
    name_draw(wide, loop->name, sizeof(loop->name), stem);
    wide->n_loop++;
    loop->low = low;
    loop->high = high;
    loop->start = wide_affine(wide, low);
    loop->end = wide_affine(wide, high);
    loop->step = 1;
    return loop;
}

/* An end that is not affine, in range of the one that the loop has. */
static void curve_end(struct wide *wide, struct loop *loop, const struct sight *sight)
{
    struct term *end = (struct term *)loop->end;
    const struct loop *around = sight->n ? sight->loop[pick(wide, sight->n)] : NULL;

    switch (pick(wide, 5)) {
    case 0:
        has(wide, WIDE_QUOTIENT);
        loop->end =
            wide_binary(wide, "/",
                        wide_plus(wide, wide_binary(wide, "/", wide_plus(wide, end, 1), wide_int(wide, 2, TYPE_NONE)),
                                  1),
                        wide_int(wide, 2, TYPE_NONE));
        return;
    case 1:
        loop->end = wide_binary(wide, "-", end,
                                wide_binary(wide, "%", wide_param(wide, pick(wide, 2)),
                                            wide_int(wide, 2 + pick(wide, 3), TYPE_NONE)));
        return;
    case 2:
        loop->end = wide_call(wide, "min", end, wide_plus(wide, wide_param(wide, pick(wide, 2)), pick(wide, 4)), NULL);
        return;
    default:
        if (!around)
            return;
        has(wide, WIDE_TRIANGLE);
        loop->end =
            wide_call(wide, "min", end, wide_plus(wide, wide_loop(wide, around, TYPE_NONE), 1 + pick(wide, 8)), NULL);
    }
}

/* A start that depends on a loop around, in range. */
static void curve_start(struct wide *wide, struct loop *loop, const struct sight *sight)
{
    struct term *start = (struct term *)loop->start, *around;

    if (!sight->n)
        return;
    around = wide_loop(wide, sight->loop[pick(wide, sight->n)], TYPE_NONE);
    has(wide, WIDE_TRIANGLE);
    if (chance(wide, 30)) {
        has(wide, WIDE_QUOTIENT);
        around = wide_unary(wide, "-",
                            wide_binary(wide, "/", wide_unary(wide, "-", around),
                                        wide_int(wide, 2 + pick(wide, 2), TYPE_NONE)));
    } else if (chance(wide, 30)) {
        has(wide, WIDE_QUOTIENT);
        around = wide_binary(wide, "/", around, wide_int(wide, 2 + pick(wide, 2), TYPE_NONE));
    } else if (chance(wide, 20)) {
        around = wide_binary(wide, "%", around, wide_int(wide, 2 + pick(wide, 3), TYPE_NONE));
    }
    loop->start = wide_call(wide, "max", around, start, NULL);
}

/* Bounds that are read from an index array, in range of its values; NULL: there is none. */
static struct loop *read_loop_draw(struct wide *wide, const char *stem, const struct sight *sight)
{
    const struct wide_array *array;
    struct term *end = sight->n ? index_bound(wide, sight, &array) : NULL;
    const int more = pick(wide, 3);
    struct loop *loop;

    if (!end)
        return NULL;
    has(wide, WIDE_READ);
    loop = loop_add(wide, stem, (struct affine){0}, extent_plus(array->most, more - 1));
    loop->end = more ? wide_plus(wide, end, more) : end;
    if (chance(wide, 50))
        loop->start = index_bound(wide, sight, &array);
    return loop;
}

/* Loops over N, M or a constant; from 0, or from below; or with bounds that are read. */
static struct loop *loop_draw(struct wide *wide, const char *stem, const struct sight *sight)
{
    static const int starts[] = {0, 0, 0, 0, 1, 2, -1, -2, 0, 0};
    const int start = starts[pick(wide, 10)], which = pick(wide, 100);
    struct affine low = {0, 0, start}, high = which < 43   ? (struct affine){1, 0, 0}
                                              : which < 76 ? (struct affine){0, 1, 0}
                                                           : (struct affine){0, 0, 2 + pick(wide, 4)};
    struct loop *loop = chance(wide, 9) ? read_loop_draw(wide, stem, sight) : NULL;

    if (loop)
        return loop;
    if (chance(wide, 8)) {
        low = extent_plus(extent_add((struct affine){0}, high, -1), pick(wide, 2));
        high = (struct affine){0, 0, pick(wide, 2)};
    } else {
        high.c += pick(wide, 2) && start < 0 ? start : 0;
        high.c -= start > 0 && chance(wide, 30) ? 1 : 0;
    }
    loop = loop_add(wide, stem, low, high);
    if (low.c < 0 || low.n < 0 || low.m < 0)
        has(wide, WIDE_NEGATIVE);
    if (chance(wide, 14))
        curve_end(wide, loop, sight);
    else if (chance(wide, 12))
        curve_start(wide, loop, sight);
    if (chance(wide, 9)) {
        static const int steps[] = {2, 3, 2, -1, -2};
        loop->step = steps[pick(wide, 5)];
        has(wide, WIDE_STEPPED);
    }
    return loop;
}

struct wide_block *block_add(struct wide *wide, struct wide_block *around)
{
    struct wide_block *block = &wide->block[wide->n_block++];

    if (wide->n_block >= MAX_BLOCKS || around->n_item >= MAX_ITEMS)
        abort();
    around->item[around->n_item++].block = block;
    return block;
}

struct wide_statement *statement_add(struct wide *wide, struct wide_block *block, struct term *target, const char *op,
                                     struct term *value)
{
    struct wide_statement *statement = &wide->statement[wide->n_statement];

    if (wide->n_statement + 1 >= MAX_STATEMENTS || block->n_item >= MAX_ITEMS)
        abort();
    snprintf(statement->label, sizeof(statement->label), "S%d", wide->n_statement++);
    statement->target = target;
    statement->value = value;
    statement->op = op;
    block->item[block->n_item++].statement = statement;
    return statement;
}

static const char *update_draw(struct wide *wide, enum type type, bool readable)
{
    static const char *const real[] = {"+=", "+=", "-=", "*=", "min=", "max=", "+="};
    static const char *const whole[] = {"+=", "+=", "-=", "&=", "|=", "^=", "min=", "max="};

    if (!readable || chance(wide, 55) || type == TYPE_BOOL)
        return "=";
    if (type == TYPE_U32 && chance(wide, 15))
        return "*=";
    return type_is_float(type) ? real[pick(wide, wide->whole ? 3 : 7)] : whole[pick(wide, 8)];
}

/* Subscripts of what is written: loops of their own for the dimensions, mostly, so that iterations do not meet. */
static struct term *target_draw_of(struct wide *wide, const struct wide_array *array, const struct sight *sight)
{
    struct term *at[MAX_DIM] = {NULL};
    bool used[8] = {false};

    for (int k = 0; k < array->n_dim; k++) {
        const int first = sight->n ? pick(wide, sight->n) : 0;
        if (k == 0 && chance(wide, 10))
            at[k] = index_scattered(wide, sight, array->shape[k]);
        for (int l = 0; l < sight->n && !at[k] && !chance(wide, 4); l++) {
            const int number = (first + l) % sight->n;
            if (used[number])
                continue;
            at[k] = index_of_loop(wide, sight->loop[number], array->shape[k], chance(wide, 8));
            used[number] = at[k] != NULL;
        }
        if (!at[k])
            at[k] = index_draw(wide, sight, array->shape[k], chance(wide, 40));
    }
    return wide_access(wide, array, at);
}

static const struct wide_array *result_draw(struct wide *wide, const struct sight *sight)
{
    for (int k = 0; k < 40; k++) {
        const struct wide_array *array = &wide->array[pick(wide, wide->n_array)];
        const char *role = (array->of ? array->of : array)->role;
        if ((strcmp(role, "inout") == 0 || strcmp(role, "out") == 0) && never_empty(wide, sight, array))
            return array;
    }
    for (int k = 0; k < wide->n_array; k++)
        if (wide->array[k].role[0] == 'o' || wide->array[k].role[2] == 'o')
            return &wide->array[k];
    return NULL;
}

static void statement_draw(struct wide *wide, struct wide_block *block, const struct sight *sight)
{
    const struct wide_array *array = result_draw(wide, sight);
    struct term *target;
    const char *op;

    if (!array)
        return;
    const enum type type = array->type;
    target = target_draw_of(wide, array, sight);
    op = update_draw(wide, type, array->role[0] == 'i');
    struct term *value = value_draw(wide, sight, type, 2 + pick(wide, 2));
    /* what is wider, or was made of other types, needs a cast */
    if (type_is_float(type_promote(value->type)) != type_is_float(type) ||
        type_promote(value->type) != type_promote(type))
        value = wide_cast(wide, type, value);
    statement_add(wide, block, target, op, value);
}

static void conditions_draw(struct wide *wide, struct wide_block *block, const struct sight *sight)
{
    if (!sight->n)
        return;
    if (chance(wide, 32)) {
        block->condition = condition_draw(wide, sight);
    } else if (chance(wide, 13)) {
        has(wide, WIDE_DATA);
        wide->inputs_only = true;
        block->condition = value_condition(wide, sight, 1);
        wide->inputs_only = false;
    }
}

/* The condition may read what the body changes. */
static void while_draw(struct wide *wide, struct wide_block *block, const struct sight *sight)
{
    if (!block->n_loop || !chance(wide, 11))
        return;
    has(wide, WIDE_WHILE);
    wide->inputs_only = chance(wide, 40);
    block->goes_on = value_condition(wide, sight, 1);
    wide->inputs_only = false;
}

/* Blocks inside have one or no loop. */
static void block_draw(struct wide *wide, struct wide_block *block, struct sight *sight, const char *const *stems,
                       int n_loop, int depth)
{
    const int n = chance(wide, 60) ? 1 : 2 + pick(wide, 2);

    for (int k = 0; k < n_loop; k++) {
        block->loop[k] = loop_draw(wide, stems[k], sight);
        sight->loop[sight->n++] = block->loop[k];
    }
    block->n_loop = n_loop;
    wide->depth = sight->n > wide->depth ? sight->n : wide->depth;
    while_draw(wide, block, sight);
    conditions_draw(wide, block, sight);
    for (int k = 0; k < n; k++) {
        if (depth > 0 && chance(wide, 22)) {
            struct sight inside = *sight;
            has(wide, WIDE_BLOCK);
            block_draw(wide, block_add(wide, block), &inside, stems + n_loop, sight->n < 3 ? pick(wide, 2) : 0,
                       depth - 1);
        } else {
            statement_draw(wide, block, sight);
        }
    }
}

void nest_finish(struct wide_nest *nest)
{
    const struct wide_block *block = &nest->block;

    nest->n_now = 0;
    while (block) {
        for (int k = 0; k < block->n_loop; k++) {
            const struct loop *loop = block->loop[k];
            snprintf(nest->now[nest->n_now], sizeof(nest->now[0]), "%s", loop->name);
            nest->literal[nest->n_now++] = !loop->low.n && !loop->low.m && !loop->high.n && !loop->high.m;
        }
        block = block->n_item == 1 ? block->item[0].block : NULL;
    }
}

struct wide_nest *nest_add(struct wide *wide, const char *name)
{
    struct wide_nest *nest = &wide->nest[wide->n_nest++];

    snprintf(nest->name, sizeof(nest->name), "%s", name);
    return nest;
}

void nests_draw(struct wide *wide)
{
    static const char *const stems[][8] = {{"i", "j", "k", "l", "i2", "j2", "k2"},
                                           {"u", "v", "w", "z", "u2", "v2", "w2"},
                                           {"p", "q", "r", "s", "p2", "q2", "r2"}};
    static const int counts[] = {1, 1, 1, 2, 2, 3}, loops[] = {1, 1, 2, 2, 2, 3};
    const int n = counts[pick(wide, 6)];

    for (int k = 0; k < n; k++) {
        struct sight sight = {.n = 0};
        char name[16];
        struct wide_nest *nest;
        snprintf(name, sizeof(name), "nest%d", k);
        nest = nest_add(wide, name);
        block_draw(wide, &nest->block, &sight, stems[k], loops[pick(wide, 6)], 2);
        nest_finish(nest);
        nest->polyhedral = chance(wide, 20) && polyhedral_can(&nest->block);
        if (nest->polyhedral)
            has(wide, WIDE_POLYHEDRAL);
    }
}
