#include "base/names.h"

#include <string.h>
#include <strings.h>

enum { NAME_MAX_LENGTH = 255 };

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool name_is_identifier(const char *name)
{
    size_t size = 0;

    if (!is_letter(name[0]))
        return false;
    while (is_letter(name[size]) || is_digit(name[size]))
        size++;
    return name[size] == '\0' && size <= NAME_MAX_LENGTH;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static char lower_case(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Edits from a to b: insert, delete or change one character, swap two neighbours; case is free. */
static int edit_distance(const char *a, const char *b)
{
    int row[3][NAME_MAX_LENGTH + 1];
    const int n = (int)strlen(a), m = (int)strlen(b);

    for (int j = 0; j <= m; j++)
        row[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *now = row[i % 3], *before = row[(i + 2) % 3], *two_before = row[(i + 1) % 3];

        now[0] = i;
        for (int j = 1; j <= m; j++) {
            const bool same = lower_case(a[i - 1]) == lower_case(b[j - 1]);

            now[j] = least(least(before[j], now[j - 1]) + 1, before[j - 1] + !same);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], two_before[j - 2] + 1);
        }
    }
    return row[n % 3][m];
}

/* Edits that still look like a slip: one for short names, about a third of longer ones. */
static int tolerated(size_t length)
{
    return length < 2 ? 0 : length < 6 ? 1 : (int)length / 3;
}

/* Words of other languages and tools. */
static const struct {
    const char *theirs, *ours;
} synonyms[] = {
    {"float", "f32"},
    {"float32", "f32"},
    {"single", "f32"},
    {"double", "f64"},
    {"float64", "f64"},
    {"half", "f16"},
    {"float16", "f16"},
    {"bfloat16", "bf16"},
    {"int", "i32"},
    {"int8", "i8"},
    {"int16", "i16"},
    {"int32", "i32"},
    {"int64", "i64"},
    {"int8_t", "i8"},
    {"int16_t", "i16"},
    {"int32_t", "i32"},
    {"int64_t", "i64"},
    {"long", "i64"},
    {"short", "i16"},
    {"char", "i8"},
    {"uint8", "u8"},
    {"uint16", "u16"},
    {"uint32", "u32"},
    {"uint64", "u64"},
    {"uint8_t", "u8"},
    {"uint16_t", "u16"},
    {"uint32_t", "u32"},
    {"uint64_t", "u64"},
    {"unsigned", "u32"},
    {"size_t", "u64"},
    {"byte", "u8"},
    {"logical", "bool"},
    {"input", "in"},
    {"output", "out"},
    {"local", "temp"},
    {"temporary", "temp"},
    {"constant", "const"},
    {"dtype", "type"},
    {"dims", "shape"},
    {"dimensions", "shape"},
    {"sizes", "shape"},
    {"parameters", "params"},
    {"constraints", "assume"},
    {"assumptions", "assume"},
    {"kernels", "nests"},
    {"statements", "body"},
    {"stmts", "body"},
    {"bounds", "loops"},
    {"interchange", "reorder"},
    {"permute", "reorder"},
    {"swap", "reorder"},
    {"strip_mine", "split"},
    {"block", "tile"},
    {"blocking", "tile"},
    {"parallel", "parallelize"},
    {"simd", "vectorize"},
    {"distribute", "fission"},
    {"merge", "fuse"},
    {"flatten", "collapse"},
    {"coalesce", "collapse"},
    {"unroll_and_jam", "kernelize"},
    {"pack", "cache"},
    {"compute_inline", "inline"},
    {"set_scope", "set_memory"},
    {"factor", "by"},
    {"size", "by"},
};

static bool is_synonym(const char *theirs, const char *ours)
{
    for (size_t k = 0; k < sizeof(synonyms) / sizeof(synonyms[0]); k++)
        if (strcmp(synonyms[k].theirs, theirs) == 0 && strcmp(synonyms[k].ours, ours) == 0)
            return true;
    return false;
}

const char *name_nearest(const char *name, const char *const *candidates, int n)
{
    const size_t length = strlen(name);
    int best = tolerated(length) + 1;
    const char *nearest = NULL;

    if (length > NAME_MAX_LENGTH)
        return NULL;
    for (int i = 0; i < n; i++)
        if (is_synonym(name, candidates[i]))
            return candidates[i];
    for (int i = 0; i < n; i++) {
        int distance;

        if (strlen(candidates[i]) > NAME_MAX_LENGTH)
            continue;
        distance = edit_distance(name, candidates[i]);
        if (distance < best) {
            best = distance;
            nearest = candidates[i];
        }
    }
    return nearest;
}

/* Is the name one of the n in front of it? */
static bool is_repeated(const char *const *name, int n)
{
    for (int k = 0; k < n; k++)
        if (strcmp(name[k], name[n]) == 0)
            return true;
    return false;
}

const char *names_listed(struct arena *arena, const char *const *name, int n)
{
    const char *list = NULL;
    int listed = 0;

    for (int k = 0; k < n; k++) {
        if (is_repeated(name, k))
            continue;
        if (listed++ == 8)
            return arena_printf(arena, "%s and more", list);
        list = arena_printf(arena, "%s%s`%s`", list ? list : "", list ? ", " : "", name[k]);
    }
    return list;
}

void names_add(struct names *names, const char *name)
{
    VEC_PUSH(names->arena, &names->used, name);
}

bool names_has(const struct names *names, const char *name)
{
    for (int i = 0; i < names->used.n; i++) {
        if (strcmp(names->used.at[i], name) == 0)
            return true;
    }
    return false;
}

const char *names_start(struct arena *arena, const char *wanted)
{
    return name_is_reserved(arena_printf(arena, "%s_1", wanted)) ? arena_printf(arena, "n%s", wanted) : wanted;
}

const char *names_unique(struct names *names, const char *wanted)
{
    const char *name = wanted = names_start(names->arena, wanted);

    for (int i = 1; name_is_reserved(name) || names_has(names, name); i++)
        name = arena_printf(names->arena, "%s_%d", wanted, i);
    names_add(names, name);
    return name;
}
