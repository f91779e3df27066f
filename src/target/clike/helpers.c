#include "target/clike/helpers.h"

#include "base/template.h"
#include "target/clike/types.h"

#include <string.h>

/* A template of templates/, with its own values beside those of the type. */
struct row {
    const char *name;
    bool typed; /* the name tells the type: min_f32 */
    const char *template;
    struct template_value value[3];
};

#define BYTES(bytes, word)                                                                                             \
    {                                                                                                                  \
        {"BYTES", bytes},                                                                                              \
        {                                                                                                              \
            "WORD", word                                                                                               \
        }                                                                                                              \
    }
#define JOINED(text)                                                                                                   \
    {                                                                                                                  \
        {                                                                                                              \
            "JOINED", text                                                                                             \
        }                                                                                                              \
    }
#define OPERATOR(text)                                                                                                 \
    {                                                                                                                  \
        {                                                                                                              \
            "OP", text                                                                                                 \
        }                                                                                                              \
    }

static const struct row rows[] = {
    [HELPER_MIN] = {"min", true, "c/min", {{0}}},
    [HELPER_MAX] = {"max", true, "c/max", {{0}}},
    [HELPER_RELU] = {"relu", true, "c/relu", {{0}}},
    [HELPER_ABS] = {"abs", true, "c/abs", {{0}}},
    [HELPER_MINUS] = {"minus", true, "cuda/minus", {{0}}},
    [HELPER_ROUNDED] = {"rounded", true, "c/rounded", {{0}}},
    [HELPER_AND] = {"and", true, "c/and", {{0}}},
    [HELPER_ADD] = {"add", true, "c/add", {{0}}},
    [HELPER_MULTIPLY] = {"multiply", true, "c/multiply", {{0}}},
    [HELPER_FLOOR_DIV] = {"floor_div", false, "c/floor_div", {{0}}},
    [HELPER_FLOOR_MOD] = {"floor_mod", false, "c/floor_mod", {{0}}},
    [HELPER_FROM_BF16] = {"bf16_to_f32", false, "c/bf16_to_f32", {{0}}},
    [HELPER_TO_BF16] = {"f32_to_bf16", false, "c/f32_to_bf16", {{0}}},
    [HELPER_FROM_F16] = {"f16_to_f32", false, "c/f16_to_f32", {{0}}},
    [HELPER_F16_BITS] = {"f16_bits", false, "c/f16_bits", {{0}}},
    [HELPER_TO_F16] = {"f32_to_f16", false, "c/f32_to_f16", {{0}}},
    [HELPER_F64_TO_F16] = {"f64_to_f16", false, "c/f64_to_f16", {{0}}},
    [HELPER_FURTHER] = {"further", true, "c/further", {{0}}},
    [HELPER_SIZE] = {"size_product", false, "c/size_product", {{0}}},
    [HELPER_SIZE_SUM] = {"size_sum", false, "c/size_sum", {{0}}},
    [HELPER_ALLOCATE] = {"allocate", false, "c/allocate", {{0}}},
    [HELPER_ALLOCATE_ZERO] = {"allocate_zero", false, "c/allocate_zero", {{0}}},
    [HELPER_ALLOCATE_ALIGNED] = {"allocate_aligned", false, "c/allocate_aligned", {{0}}},
    [HELPER_ALLOCATE_ALIGNED_ZERO] = {"allocate_aligned_zero", false, "c/allocate_aligned_zero", {{0}}},
    [HELPER_COPY_OF] = {"copy_of", false, "c/copy_of", {{0}}},
    [HELPER_COPY_OF_ALIGNED] = {"copy_of_aligned", false, "c/copy_of_aligned", {{0}}},
    [HELPER_IS_THERE] = {"is_there", false, "c/is_there", {{0}}},
    [HELPER_ORDER] = {"order", true, "c/order", {{0}}},
    [HELPER_NONDECREASING] = {"is_nondecreasing", true, "c/is_nondecreasing", {{0}}},
    [HELPER_DISTINCT] = {"check_distinct", true, "c/check_distinct", {{0}}},
    [HELPER_IS_OTHER] = {"is_other", true, "c/is_other", {{0}}},
    [HELPER_IS_FAR] = {"is_far", true, "c/is_far", {{0}}},
    [HELPER_LARGER] = {"larger", false, "c/larger", {{0}}},
    [HELPER_DEVICE_SIZE] = {"device_size", false, "device/device_size", {{0}}},
    [HELPER_COPY_16] = {"copy_16", false, "device/copy", BYTES("16", "int4")},
    [HELPER_COPY_8] = {"copy_8", false, "device/copy", BYTES("8", "int2")},
    [HELPER_COPY_4] = {"copy_4", false, "device/copy", BYTES("4", "int")},
    [HELPER_SPREAD_16] = {"spread_16", true, "device/spread", BYTES("16", "int4")},
    [HELPER_SPREAD_8] = {"spread_8", true, "device/spread", BYTES("8", "int2")},
    [HELPER_SPREAD_4] = {"spread_4", true, "device/spread", BYTES("4", "int")},
    [HELPER_GATHER_16] = {"gather_16", true, "device/gather", BYTES("16", "int4")},
    [HELPER_GATHER_8] = {"gather_8", true, "device/gather", BYTES("8", "int2")},
    [HELPER_GATHER_4] = {"gather_4", true, "device/gather", BYTES("4", "int")},
    [HELPER_ATOMIC_SUM] = {"atomic_sum", true, "device/atomic", JOINED("b + a")},
    [HELPER_ATOMIC_PRODUCT] = {"atomic_product", true, "device/atomic", JOINED("b * a")},
    [HELPER_ATOMIC_MIN] = {"atomic_min", true, "device/atomic", JOINED("b < a ? b : a")},
    [HELPER_ATOMIC_MAX] = {"atomic_max", true, "device/atomic", JOINED("b > a ? b : a")},
    [HELPER_ATOMIC_AND] = {"atomic_and", true, "device/atomic", JOINED("b & a")},
    [HELPER_ATOMIC_OR] = {"atomic_or", true, "device/atomic", JOINED("b | a")},
    [HELPER_ATOMIC_XOR] = {"atomic_xor", true, "device/atomic", JOINED("b ^ a")},
    [HELPER_WARP_SUM] = {"warp_sum", true, "device/warp_reduce", OPERATOR("+")},
    [HELPER_WARP_PRODUCT] = {"warp_product", true, "device/warp_reduce", OPERATOR("*")},
    [HELPER_WARP_MIN] = {"warp_min", true, "device/warp_choose", OPERATOR("<")},
    [HELPER_WARP_MAX] = {"warp_max", true, "device/warp_choose", OPERATOR(">")},
    [HELPER_WARP_AND] = {"warp_and", true, "device/warp_reduce", OPERATOR("&")},
    [HELPER_WARP_OR] = {"warp_or", true, "device/warp_reduce", OPERATOR("|")},
    [HELPER_WARP_XOR] = {"warp_xor", true, "device/warp_reduce", OPERATOR("^")},
    [HELPER_UNROLL] = {"UNROLL", false, "c/unroll", {{0}}},
    [HELPER_SIMD] = {"SIMD", false, "c/simd", {{0}}},
};

const char *helper_use(struct helpers *helpers, enum helper helper, enum type type)
{
    const struct row *row = &rows[helper];
    const char **name = &helpers->name[helper][row->typed ? type : TYPE_I64];
    struct names *names = helpers->names;

    if (*name)
        return *name;
    const bool index = type == TYPE_I64 && (helper == HELPER_MIN || helper == HELPER_MAX);
    const bool plain = !row->typed || (index && !names_has(names, row->name));
    *name = plain ? row->name : arena_printf(names->arena, "%s_%s", row->name, type_name(type));
    if (names_has(names, *name))
        *name = names_unique(names, *name);
    else
        names_add(names, *name);
    return *name;
}

bool helper_used(const struct helpers *helpers, enum helper helper)
{
    for (int type = 0; type <= TYPE_F64; type++)
        if (helpers->name[helper][type])
            return true;
    return false;
}

bool helpers_any(const struct helpers *helpers)
{
    for (int helper = 0; helper < HELPER_COUNT; helper++)
        if (helper_used(helpers, (enum helper)helper))
            return true;
    return false;
}

static const char *type_word(const struct helpers *helpers, enum type type)
{
    const char *half = type == TYPE_F16 || type == TYPE_BF16 ? helpers->half[type == TYPE_BF16] : NULL;

    return half ? half : c_type_name(type);
}

/* The bits of floats, in the words of devices. */
static const struct bits {
    const char *word, *of, *value;
} float_bits[] = {
    [TYPE_F16] = {"unsigned short", "__half_as_ushort", "__ushort_as_half"},
    [TYPE_BF16] = {"unsigned short", "__bfloat16_as_ushort", "__ushort_as_bfloat16"},
    [TYPE_F32] = {"unsigned", "__float_as_uint", "__uint_as_float"},
    [TYPE_F64] = {"unsigned long long", "__double_as_longlong", "__longlong_as_double"},
};

static const char *bits_word(enum type type)
{
    if (type_is_float(type))
        return float_bits[type].word;
    return type_bits(type) == 16 ? "unsigned short" : type_bits(type) == 32 ? "unsigned" : "unsigned long long";
}

/* Those of the type's bits, for updates that threads make of one element. */
static void add_bits(struct arena *arena, enum type type, struct template_value *value)
{
    const bool function = type_is_float(type);
    const char *as = function ? float_bits[type].of : arena_printf(arena, "(%s)", bits_word(type));
    const char *operand = function ? "({a})" : "{a}";

    value[0] = (struct template_value){"BITS", bits_word(type)};
    value[1] = (struct template_value){"AS_BITS", as};
    value[2] = (struct template_value){"TO_BITS", arena_printf(arena, "%s%s", as, operand)};
    as = function ? float_bits[type].value : arena_printf(arena, "(%s)", c_type_name(type));
    value[3] = (struct template_value){"VALUE", arena_printf(arena, "%s%s", as, operand)};
}

static const char *row_text(const struct helpers *helpers, enum helper helper, enum type type)
{
    struct arena *arena = helpers->names->arena;
    struct text zero = {0};
    struct template_value value[] = {{"NAME", helpers->name[helper][type]},
                                     {"TYPE", type_word(helpers, type)},
                                     {"F16_BITS", helpers->name[HELPER_F16_BITS][TYPE_I64]},
                                     {"ORDER", helpers->name[HELPER_ORDER][type]},
                                     {"ZERO", NULL},
                                     {"EXCHANGE", helpers->exchange},
                                     {"HALF", arena_printf(arena, "%d", helpers->warp / 2)},
                                     {"UNSIGNED", c_type_name(type_bits(type) == 64 ? TYPE_U64 : TYPE_U32)},
                                     {NULL, NULL},
                                     {NULL, NULL},
                                     {NULL, NULL},
                                     {NULL, NULL},
                                     {NULL, NULL}};

    c_int_literal(&zero, type, 0, true);
    value[4].value = arena_copy(arena, text_str(&zero));
    text_free(&zero);
    if (helper >= HELPER_ATOMIC_SUM && helper <= HELPER_ATOMIC_XOR)
        add_bits(arena, type, value + 8);
    return template_filled(arena, rows[helper].template,
                           (const struct template_value *const[]){value, rows[helper].value}, 2);
}

/* With the qualifier in front of functions. */
static void print_row(const struct helpers *helpers, struct text *out, enum helper helper, enum type type)
{
    for (const char *c = row_text(helpers, helper, type); *c; c++) {
        if (helpers->qualifier && strncmp(c, "static inline", 13) == 0)
            text_add(out, helpers->qualifier(helpers->name[helper][type], helpers->user));
        text_char(out, *c);
    }
}

void helpers_print(const struct helpers *helpers, struct text *out)
{
    bool blank = false;

    for (int helper = 0; helper < HELPER_COUNT; helper++) {
        const char *text = template_named(rows[helper].template);
        const bool tall = strstr(text, "\n{") != NULL || text[0] == '/';
        for (int type = 0; type <= TYPE_F64; type++) {
            if (!helpers->name[helper][type])
                continue;
            text_add(out, blank && tall ? "\n" : "");
            print_row(helpers, out, (enum helper)helper, (enum type)type);
            blank = true;
        }
    }
}
