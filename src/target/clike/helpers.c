#include "target/clike/helpers.h"

#include "target/clike/types.h"

#include <string.h>

#define WARP_HEAD                                                                                                      \
    "static __device__ @T @F(@T a)\n"                                                                                  \
    "{\n"                                                                                                              \
    "    for (int lane = 16; lane > 0; lane /= 2)"
/* What all threads of a warp give, joined by an operator, for each of them. */
#define WARP_JOINED(op)                                                                                                \
    WARP_HEAD "\n"                                                                                                     \
              "        a " op "= __shfl_xor_sync(0xffffffffu, a, lane);\n"                                             \
              "    return a;\n"                                                                                        \
              "}\n"
/* Bytes that are read, or written, at once, and elements apart on the other side. nvcc stores what stood in registers
 * word by word where it is not told again that the address is aligned. */
#define SPREAD(bytes, word)                                                                                            \
    "/* " bytes " bytes that are read at once, to elements that are so far apart */\n"                                 \
    "static __device__ void @F(@T *to, int apart, const @T *from)\n"                                                   \
    "{\n"                                                                                                              \
    "    const int n = " bytes " / sizeof(@T);\n"                                                                      \
    "    const " word " all = *(const " word " *)from;\n"                                                              \
    "    @T run[n];\n"                                                                                                 \
    "\n"                                                                                                               \
    "    memcpy(run, &all, sizeof run);\n"                                                                             \
    "    for (int k = 0; k < n; k++)\n"                                                                                \
    "        to[k * apart] = run[k];\n"                                                                                \
    "}\n"
#define GATHER(bytes, word)                                                                                            \
    "/* elements that are so far apart, written as " bytes " bytes at once */\n"                                       \
    "static __device__ void @F(@T *to, const @T *from, int apart)\n"                                                   \
    "{\n"                                                                                                              \
    "    const int n = " bytes " / sizeof(@T);\n"                                                                      \
    "    alignas(" bytes ") @T run[n];\n"                                                                              \
    "\n"                                                                                                               \
    "    for (int k = 0; k < n; k++)\n"                                                                                \
    "        run[k] = from[k * apart];\n"                                                                              \
    "    *(" word " *)__builtin_assume_aligned(to, " bytes ") =\n"                                                     \
    "        *(const " word " *)__builtin_assume_aligned(run, " bytes ");\n"                                           \
    "}\n"
/* Of two the one that is less, or greater. */
#define WARP_CHOSEN(op)                                                                                                \
    WARP_HEAD " {\n"                                                                                                   \
              "        const @T b = __shfl_xor_sync(0xffffffffu, a, lane);\n"                                          \
              "        a = b " op " a ? b : a;\n"                                                                      \
              "    }\n"                                                                                                \
              "    return a;\n"                                                                                        \
              "}\n"

/* The element is exchanged for what comes of it unless another thread was faster: then for what comes of that. */
#define EXCHANGED(joined)                                                                                              \
    "/* *at joined with a, in one go */\n"                                                                             \
    "static __device__ void @F(@T *at, @T a)\n"                                                                        \
    "{\n"                                                                                                              \
    "    @W seen = @B@[*at@], old;\n"                                                                                  \
    "\n"                                                                                                               \
    "    do {\n"                                                                                                       \
    "        old = seen;\n"                                                                                            \
    "        const @T b = @V@[old@];\n"                                                                                \
    "        seen = atomicCAS((@W *)at, old, @B(" joined "));\n"                                                       \
    "    } while (seen != old);\n"                                                                                     \
    "}\n"

/* @F: the function's name, @T: the type; @0: its zero; @N: the name of HELPER_F16_BITS, @O: of HELPER_ORDER for the
 * type; @W: the word of the type's bits, @B, @V: what makes that of a value, and a value of that, with @[ and @] around
 * where it is a function. One row a helper. */
struct row {
    const char *name;
    bool typed; /* the name tells the type: min_f32 */
    const char *text;
};

static const struct row rows[] = {
    [HELPER_MIN] = {"min", true, "static inline @T @F(@T a, @T b) { return a < b ? a : b; }\n"},
    [HELPER_MAX] = {"max", true, "static inline @T @F(@T a, @T b) { return a > b ? a : b; }\n"},
    [HELPER_RELU] = {"relu", true, "static inline @T @F(@T a) { return a > @0 ? a : @0; }\n"},
    [HELPER_ROUNDED] = {"rounded", true,
                        "/* a product that is not fused with a sum; gcc 12 would, though contraction is off */\n"
                        "static inline @T @F(@T a)\n"
                        "{\n"
                        "#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12\n"
                        "    return __builtin_assoc_barrier(a);\n"
                        "#else\n"
                        "    return a;\n"
                        "#endif\n"
                        "}\n"},
    [HELPER_ABS] = {"abs", true, "static inline @T @F(@T a) { return a < @0 ? -a : a; }\n"},
    [HELPER_AND] = {"and", true,
                    "#pragma omp declare reduction(@F : @T : omp_out &= omp_in) initializer(omp_priv = -1)\n"},
    [HELPER_FLOOR_DIV] = {"floor_div", false,
                          "/* the quotient, rounded down; b > 0 */\n"
                          "static inline int64_t @F(int64_t a, int64_t b) { return a / b - (a % b < 0); }\n"},
    [HELPER_FLOOR_MOD] = {"floor_mod", false,
                          "/* what floor division leaves; b > 0 */\n"
                          "static inline int64_t @F(int64_t a, int64_t b) { return a % b + (a % b < 0 ? b : 0); }\n"},
    [HELPER_FROM_BF16] = {"bf16_to_f32", false,
                          "static inline float @F(uint16_t a)\n"
                          "{\n"
                          "    const uint32_t bits = (uint32_t)a << 16;\n"
                          "    float value;\n"
                          "    memcpy(&value, &bits, sizeof(value));\n"
                          "    return value;\n"
                          "}\n"},
    [HELPER_TO_BF16] = {"f32_to_bf16", false,
                        "/* to the nearest, ties to even */\n"
                        "static inline uint16_t @F(float a)\n"
                        "{\n"
                        "    uint32_t bits;\n"
                        "    memcpy(&bits, &a, sizeof(bits));\n"
                        "    if (a != a)\n"
                        "        return (uint16_t)(bits >> 16 | 0x40);\n"
                        "    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);\n"
                        "}\n"},
    [HELPER_FROM_F16] = {"f16_to_f32", false,
                         "static inline float @F(polynest_f16 a)\n"
                         "{\n"
                         "#ifdef __FLT16_MANT_DIG__\n"
                         "    return a;\n"
                         "#else\n"
                         "    const uint32_t size = a & 0x7fffu;\n"
                         "    uint32_t bits = (size << 13) + (size < 0x7c00 ? 0x38000000 : 0x70000000);\n"
                         "    float value = (float)size * 0x1p-24f;\n"
                         "    if (size < 0x400)\n"
                         "        memcpy(&bits, &value, sizeof(bits));\n"
                         "    bits |= (uint32_t)(a & 0x8000u) << 16;\n"
                         "    memcpy(&value, &bits, sizeof(value));\n"
                         "    return value;\n"
                         "#endif\n"
                         "}\n"},
    [HELPER_F16_BITS] = {"f16_bits", false,
                         "#ifndef __FLT16_MANT_DIG__\n"
                         "/* to the nearest, ties to even; 0.5 has the last bit of the smallest numbers */\n"
                         "static inline uint16_t @F(float a)\n"
                         "{\n"
                         "    uint32_t bits, sign;\n"
                         "    memcpy(&bits, &a, sizeof(bits));\n"
                         "    sign = bits >> 16 & 0x8000;\n"
                         "    bits &= 0x7fffffff;\n"
                         "    if (bits > 0x7f800000)\n"
                         "        return (uint16_t)(sign | 0x7e00 | (bits >> 13 & 0x3ff));\n"
                         "    if (bits >= 0x477ff000)\n"
                         "        return (uint16_t)(sign | 0x7c00);\n"
                         "    if (bits >= 0x38800000)\n"
                         "        return (uint16_t)(sign | (bits - 0x38000000 + 0xfff + (bits >> 13 & 1)) >> 13);\n"
                         "    a = (a < 0.0f ? -a : a) + 0.5f;\n"
                         "    memcpy(&bits, &a, sizeof(bits));\n"
                         "    return (uint16_t)(sign | (bits - 0x3f000000));\n"
                         "}\n"
                         "#endif\n"},
    [HELPER_TO_F16] = {"f32_to_f16", false,
                       "static inline polynest_f16 @F(float a)\n"
                       "{\n"
                       "#ifdef __FLT16_MANT_DIG__\n"
                       "    return (polynest_f16)a;\n"
                       "#else\n"
                       "    return @N(a);\n"
                       "#endif\n"
                       "}\n"},
    [HELPER_F64_TO_F16] = {"f64_to_f16", false,
                           "/* rounded to an odd float on the way, and so only once */\n"
                           "static inline polynest_f16 @F(double a)\n"
                           "{\n"
                           "#ifdef __FLT16_MANT_DIG__\n"
                           "    return (polynest_f16)a;\n"
                           "#else\n"
                           "    float b = (float)a;\n"
                           "    uint32_t bits;\n"
                           "    memcpy(&bits, &b, sizeof(bits));\n"
                           "    if (((double)b < a || (double)b > a) && !(bits & 1))\n"
                           "        bits += ((double)b < a) == (a > 0.0) ? 1u : UINT32_MAX;\n"
                           "    memcpy(&b, &bits, sizeof(b));\n"
                           "    return @N(b);\n"
                           "#endif\n"
                           "}\n"},
    [HELPER_FURTHER] = {"further", true,
                        "/* n elements behind p, where the array may have ended */\n"
                        "static inline const @T *@F(const @T *p, int64_t n)\n"
                        "{\n"
                        "    return (const @T *)((uintptr_t)p + (uintptr_t)n * sizeof *p);\n"
                        "}\n"},
    [HELPER_SIZE] = {"size_product", false,
                     "/* a * b, or -1 when a factor is negative or the product too large for an object */\n"
                     "static inline int64_t @F(int64_t a, int64_t b)\n"
                     "{\n"
                     "    return a < 0 || b < 0 || (b > 0 && a > PTRDIFF_MAX / b) ? -1 : a * b;\n"
                     "}\n"},
    [HELPER_SIZE_SUM] = {"size_sum", false,
                         "/* a + b, or -1 when one is negative or the sum too large for an object */\n"
                         "static inline int64_t @F(int64_t a, int64_t b)\n"
                         "{\n"
                         "    return a < 0 || b < 0 || a > PTRDIFF_MAX - b ? -1 : a + b;\n"
                         "}\n"},
    [HELPER_ALLOCATE] = {"allocate", false,
                         "static void *@F(int64_t bytes)\n"
                         "{\n"
                         "    return bytes < 0 ? NULL : malloc(bytes > 0 ? (size_t)bytes : 1);\n"
                         "}\n"},
    [HELPER_ALLOCATE_ZERO] = {"allocate_zero", false,
                              "static void *@F(int64_t bytes)\n"
                              "{\n"
                              "    return bytes < 0 ? NULL : calloc(bytes > 0 ? (size_t)bytes : 1, 1);\n"
                              "}\n"},
    [HELPER_ALLOCATE_ALIGNED] = {"allocate_aligned", false,
                                 "static void *@F(int64_t align, int64_t bytes)\n"
                                 "{\n"
                                 "    if (bytes < 0 || bytes > PTRDIFF_MAX - align)\n"
                                 "        return NULL;\n"
                                 "    return aligned_alloc((size_t)align, (size_t)((bytes / align + 1) * align));\n"
                                 "}\n"},
    [HELPER_ALLOCATE_ALIGNED_ZERO] =
        {"allocate_aligned_zero", false,
         "static void *@F(int64_t align, int64_t bytes)\n"
         "{\n"
         "    const int64_t size = bytes < 0 || bytes > PTRDIFF_MAX - align ? 0 : (bytes / align + 1) * align;\n"
         "    void *memory = size ? aligned_alloc((size_t)align, (size_t)size) : NULL;\n"
         "    return memory ? memset(memory, 0, (size_t)size) : NULL;\n"
         "}\n"},
    [HELPER_IS_THERE] = {"is_there", false,
                         "/* an array of so many bytes: a size that is possible, and not NULL unless empty */\n"
                         "static inline int @F(const void *array, int64_t bytes)\n"
                         "{\n"
                         "    return bytes == 0 || (bytes > 0 && array != NULL);\n"
                         "}\n"},
    [HELPER_ORDER] = {"order", true,
                      "static int @F(const void *a, const void *b)\n"
                      "{\n"
                      "    const @T x = *(const @T *)a, y = *(const @T *)b;\n\n"
                      "    return (x > y) - (x < y);\n"
                      "}\n"},
    [HELPER_DISTINCT] = {"check_distinct", true,
                         "/* 0 where all n elements differ, else EINVAL; or ENOMEM */\n"
                         "static int @F(const @T *array, int64_t n)\n"
                         "{\n"
                         "    @T *sorted = n > 1 ? malloc((size_t)n * sizeof *sorted) : NULL;\n"
                         "    int status = n > 1 && !sorted ? ENOMEM : 0;\n\n"
                         "    if (!sorted)\n"
                         "        return status;\n"
                         "    memcpy(sorted, array, (size_t)n * sizeof *sorted);\n"
                         "    qsort(sorted, (size_t)n, sizeof *sorted, @O);\n"
                         "    for (int64_t k = 1; k < n && !status; k++)\n"
                         "        status = sorted[k] == sorted[k - 1] ? EINVAL : 0;\n"
                         "    free(sorted);\n"
                         "    return status;\n"
                         "}\n"},
    [HELPER_DEVICE_SIZE] = {"device_size", false,
                            "/* what to allocate for so many bytes: at least one, and too many for a size that is none "
                            "*/\n"
                            "static inline size_t @F(int64_t bytes)\n"
                            "{\n"
                            "    return bytes < 0 ? SIZE_MAX : bytes > 0 ? (size_t)bytes : 1;\n"
                            "}\n"},
    [HELPER_COPY_16] = {"copy_16", false,
                        "/* 16 bytes at once: both addresses are multiples of that */\n"
                        "static inline void @F(void *to, const void *from)\n"
                        "{\n"
                        "    *(int4 *)to = *(const int4 *)from;\n"
                        "}\n"},
    [HELPER_COPY_8] = {"copy_8", false,
                       "/* 8 bytes at once: both addresses are multiples of that */\n"
                       "static inline void @F(void *to, const void *from)\n"
                       "{\n"
                       "    *(int2 *)to = *(const int2 *)from;\n"
                       "}\n"},
    [HELPER_COPY_4] = {"copy_4", false,
                       "/* 4 bytes at once: both addresses are multiples of that */\n"
                       "static inline void @F(void *to, const void *from)\n"
                       "{\n"
                       "    *(int *)to = *(const int *)from;\n"
                       "}\n"},
    [HELPER_SPREAD_16] = {"spread_16", true, SPREAD("16", "int4")},
    [HELPER_SPREAD_8] = {"spread_8", true, SPREAD("8", "int2")},
    [HELPER_SPREAD_4] = {"spread_4", true, SPREAD("4", "int")},
    [HELPER_GATHER_16] = {"gather_16", true, GATHER("16", "int4")},
    [HELPER_GATHER_8] = {"gather_8", true, GATHER("8", "int2")},
    [HELPER_GATHER_4] = {"gather_4", true, GATHER("4", "int")},
    [HELPER_ATOMIC_SUM] = {"atomic_sum", true, EXCHANGED("b + a")},
    [HELPER_ATOMIC_PRODUCT] = {"atomic_product", true, EXCHANGED("b * a")},
    [HELPER_ATOMIC_MIN] = {"atomic_min", true, EXCHANGED("b < a ? b : a")},
    [HELPER_ATOMIC_MAX] = {"atomic_max", true, EXCHANGED("b > a ? b : a")},
    [HELPER_ATOMIC_AND] = {"atomic_and", true, EXCHANGED("b & a")},
    [HELPER_ATOMIC_OR] = {"atomic_or", true, EXCHANGED("b | a")},
    [HELPER_ATOMIC_XOR] = {"atomic_xor", true, EXCHANGED("b ^ a")},
    [HELPER_WARP_SUM] = {"warp_sum", true, WARP_JOINED("+")},
    [HELPER_WARP_PRODUCT] = {"warp_product", true, WARP_JOINED("*")},
    [HELPER_WARP_MIN] = {"warp_min", true, WARP_CHOSEN("<")},
    [HELPER_WARP_MAX] = {"warp_max", true, WARP_CHOSEN(">")},
    [HELPER_WARP_AND] = {"warp_and", true, WARP_JOINED("&")},
    [HELPER_WARP_OR] = {"warp_or", true, WARP_JOINED("|")},
    [HELPER_WARP_XOR] = {"warp_xor", true, WARP_JOINED("^")},
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

/* The bits of floats, in CUDA's words. */
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

/* What @W, @B, @V, @[ and @] stand for. */
static void print_bits(struct text *out, char what, enum type type)
{
    const bool function = type_is_float(type);

    if (what == 'W')
        text_add(out, bits_word(type));
    else if (what == '[' || what == ']')
        text_add(out, !function ? "" : what == '[' ? "(" : ")");
    else if (function)
        text_add(out, what == 'B' ? float_bits[type].of : float_bits[type].value);
    else
        text_addf(out, "(%s)", what == 'B' ? bits_word(type) : c_type_name(type));
}

static void print_row(const struct helpers *helpers, struct text *out, const struct row *row, const char *name,
                      enum type type)
{
    for (const char *c = row->text; *c; c++) {
        if (helpers->qualifier && strncmp(c, "static inline", 13) == 0)
            text_add(out, helpers->qualifier(name, helpers->user));
        if (*c != '@') {
            text_char(out, *c);
            continue;
        }
        c++;
        if (*c == '0')
            c_int_literal(out, type, 0, true);
        else if (strchr("WBV[]", *c))
            print_bits(out, *c, type);
        else if (*c == 'N')
            text_add(out, helpers->name[HELPER_F16_BITS][TYPE_I64]);
        else if (*c == 'O')
            text_add(out, helpers->name[HELPER_ORDER][type]);
        else
            text_add(out, *c == 'F' ? name : type_word(helpers, type));
    }
}

void helpers_print(const struct helpers *helpers, struct text *out)
{
    bool blank = false;

    for (int helper = 0; helper < HELPER_COUNT; helper++) {
        const bool tall = strstr(rows[helper].text, "\n{") != NULL || rows[helper].text[0] == '/';
        for (int type = 0; type <= TYPE_F64; type++) {
            if (!helpers->name[helper][type])
                continue;
            text_add(out, blank && tall ? "\n" : "");
            print_row(helpers, out, &rows[helper], helpers->name[helper][type], (enum type)type);
            blank = true;
        }
    }
}
