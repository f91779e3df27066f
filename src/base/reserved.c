#include "base/names.h"

#include <stdio.h>
#include <string.h>

/* Lists of words, a blank before and after each. The emitted .c file is C, its header is also read by C++, a CUDA file
 * is C++. */
static const char keyword[] =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class "
    "co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype "
    "default delete do double dynamic_cast else enum explicit export extern false float for friend goto if "
    "inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected "
    "public register reinterpret_cast requires restrict return short signed sizeof static static_assert "
    "static_cast struct switch template this thread_local throw true try typedef typeid typename typeof union "
    "unsigned using virtual void volatile wchar_t while xor xor_eq ";

/* Types, macros and functions of the headers that emitted files include or call. */
static const char library[] =
    " EDOM EILSEQ EINVAL ENOMEM EOVERFLOW ERANGE EXIT_FAILURE EXIT_SUCCESS FLT_EVAL_METHOD FP_FAST_FMA "
    "FP_FAST_FMAF FP_ILOGB0 FP_ILOGBNAN FP_INFINITE FP_NAN FP_NORMAL FP_SUBNORMAL FP_ZERO HUGE_VAL HUGE_VALF "
    "HUGE_VALL INFINITY MATH_ERREXCEPT MATH_ERRNO MB_CUR_MAX M_1_PI M_2_PI M_2_SQRTPI M_E M_LN10 M_LN2 M_LOG10E "
    "M_LOG2E M_PI M_PI_2 M_PI_4 M_SQRT1_2 M_SQRT2 NAN NDEBUG NULL PTRDIFF_MAX PTRDIFF_MIN RAND_MAX "
    "SIG_ATOMIC_MAX SIG_ATOMIC_MIN SIZE_MAX WCHAR_MAX WCHAR_MIN WINT_MAX WINT_MIN abort abs aligned_alloc assert "
    "calloc ceil ceilf cos cosf div_t double_t errno exit exp expf fabs fabsf float_t floor floorf fma fmaf fmax "
    "fmaxf fmin fminf fmod fpclassify free fprintf isfinite isgreater isgreaterequal isinf isless islessequal "
    "islessgreater isnan isnormal isunordered labs ldiv_t linux llabs lldiv_t log logf main malloc "
    "math_errhandling max max_align_t memcmp memcpy memmove memset min nan nearbyint offsetof posix_memalign pow "
    "powf printf ptrdiff_t realloc relu rint rintf round roundf signbit sin sinf size_t sqrt sqrtf stderr stdin "
    "stdout strlen tanh tanhf trunc truncf unix ";

static const char cuda[] =
    " CUDARTAPI CUDART_CB atomicAdd atomicAnd atomicCAS atomicExch atomicMax atomicMin atomicOr atomicSub "
    "atomicXor blockDim blockIdx cluster_dims cooperative_groups dim3 gridDim half half2 nv_bfloat16 "
    "nv_bfloat162 nvcuda std threadIdx warpSize wmma ";

/* CUDA's vector types: these with 1, 2, 3 or 4 after them. */
static const char vector_base[] = " char uchar short ushort int uint long ulong longlong ulonglong float double ";

static const char reserved_prefix[] = "__ _mm _tile_ INT8_ INT16_ INT32_ INT64_ UINT8_ UINT16_ UINT32_ UINT64_ INTMAX_ "
                                      "UINTMAX_ INTPTR_ UINTPTR_ INT_FAST "
                                      "INT_LEAST UINT_FAST UINT_LEAST FLT_ DBL_ LDBL_ omp_ polynest_ POLYNEST_";
static const char standard_type_prefix[] = "int uint float poly bfloat";

/* The next word of a list, its size in *size; NULL at the end. */
static const char *next_word(const char *list, size_t *size)
{
    list += strspn(list, " ");
    *size = strcspn(list, " ");
    return *size ? list : NULL;
}

/* Is name, or its first size bytes, a word of the list? */
static bool is_listed(const char *name, size_t size, const char *list)
{
    char word[64];

    if (size + 2 >= sizeof word)
        return false;
    snprintf(word, sizeof word, " %.*s ", (int)size, name);
    return strstr(list, word) != NULL;
}

static bool has_listed_prefix(const char *name, const char *list)
{
    size_t length;

    for (const char *word = next_word(list, &length); word; word = next_word(word + length, &length)) {
        if (strncmp(word, name, length) == 0)
            return true;
    }
    return false;
}

/* "_" or "cuda" before a capital letter. */
static bool is_implementation_name(const char *name)
{
    const char *rest = strncmp(name, "cuda", 4) == 0 ? name + 4 : name[0] == '_' ? name + 1 : "";

    return *rest >= 'A' && *rest <= 'Z';
}

/* int8_t, uint_fast16_t, int64x2_t, float32x4_t, ...: C's integer types and the vector types of NEON. */
static bool is_standard_type(const char *name, size_t size)
{
    return size > 2 && strcmp(name + size - 2, "_t") == 0 && has_listed_prefix(name, standard_type_prefix);
}

static bool is_vector_type(const char *name, size_t size)
{
    return size > 1 && name[size - 1] >= '1' && name[size - 1] <= '4' && is_listed(name, size - 1, vector_base);
}

bool name_is_reserved(const char *name)
{
    const size_t size = strlen(name);

    return is_listed(name, size, keyword) || is_listed(name, size, library) || is_listed(name, size, cuda) ||
           has_listed_prefix(name, reserved_prefix) || is_implementation_name(name) || is_standard_type(name, size) ||
           is_vector_type(name, size);
}
