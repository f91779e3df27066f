#include "target/device/shared.h"

#include "target/clike/index.h"
#include "target/clike/storage.h"
#include "target/clike/types.h"

#include <inttypes.h>

static bool non_negative(void *user, const struct affine *affine)
{
    const struct device_file *file = user;

    return affine_least(affine, file->c.unit->param_least) >= 0;
}

/* max(extent, 0) */
static const struct affine *extent_of(struct device_file *file, const struct array *array, int k)
{
    struct arena *arena = file->c.emitter.arena;
    const struct affine *side[2] = {param_affine(&file->c.emitter, array->shape[array_dense_dimension(array, k)]),
                                    affine_constant(arena, 0)};

    return non_negative(file, side[0]) ? side[0] : affine_extreme(arena, ATOM_MAX, side, 2);
}

static bool is_multiple(const struct shared_part *part, int64_t of)
{
    if (part->factor % of == 0)
        return true;
    for (int k = 0; k < part->n; k++)
        if ((part->factor * common_divisor(affine_gcd(part->extent[k]), part->extent[k]->constant)) % of == 0)
            return true;
    return false;
}

struct shared_part shared_part_of(struct device_file *file, const struct array *array, int64_t next)
{
    const bool rows = storage_of(&file->c.emitter, array) == STORAGE_HEAP;
    struct shared_part part = {.array = array, .unit = c_type_bytes(array->type), .factor = 1, .multiple = 1};

    part.extent = ARENA_ARRAY(file->c.emitter.arena, array->n_dim, const struct affine *);
    for (int k = 0; k < array->n_dim; k++) {
        const struct affine *extent = extent_of(file, array, k);
        int64_t value;
        if (!affine_is_constant(extent, &value))
            part.extent[part.n++] = extent;
        else if (__builtin_mul_overflow(value, rows ? part.unit : part.factor, rows ? &part.unit : &part.factor))
            file->c.emitter.failed = true;
    }
    if (next)
        part.multiple = next / common_divisor(next, part.unit);
    if (is_multiple(&part, part.multiple))
        part.multiple = 1;
    return part;
}

/* The units as a sum of parameters; NULL: they are a product. */
static const struct affine *affine_units(struct device_file *file, const struct shared_part *part)
{
    struct arena *arena = file->c.emitter.arena;
    const struct affine *units;

    if (part->n > 1)
        return NULL;
    units = affine_scale(arena, part->extent[0], part->factor);
    if (part->multiple > 1)
        units = affine_scale(arena,
                             affine_floor(arena, affine_add_constant(arena, units, part->multiple - 1), part->multiple),
                             part->multiple);
    file->c.emitter.failed |= !units;
    return units ? affine_mark_plain(arena, units, non_negative, file) : part->extent[0];
}

static struct index_text product_of(struct device_file *file, const struct shared_part *part)
{
    struct emitter *emitter = &file->c.emitter;
    struct index_text text = index_affine(emitter, affine_scale(emitter->arena, part->extent[0], part->factor));

    for (int k = 1; k < part->n; k++)
        text = index_product(emitter, text, index_affine(emitter, part->extent[k]));
    return text;
}

const char *shared_units(struct device_file *file, const struct shared_part *part, enum precedence *precedence)
{
    const struct affine *units = affine_units(file, part);
    const struct index_text text = units ? index_affine(&file->c.emitter, units) : product_of(file, part);

    *precedence = part->multiple > 1 && !units ? PREC_QUOTIENT : text.precedence;
    if (units || part->multiple == 1)
        return text.text;
    return arena_printf(file->c.emitter.arena, "(%s + %" PRId64 ") / %" PRId64 " * %" PRId64, text.text,
                        part->multiple - 1, part->multiple, part->multiple);
}

static const char *call(struct device_file *file, enum helper helper, const char *a, const char *b)
{
    return arena_printf(file->c.emitter.arena, "%s(%s, %s)", helper_use(&file->c.emitter.helpers, helper, TYPE_I64), a,
                        b);
}

static const char *number(struct device_file *file, int64_t value)
{
    return arena_printf(file->c.emitter.arena, "%" PRId64, value);
}

/* The greatest number of which all of a sum is a multiple, which is taken out of it. */
static int64_t take_factor(struct device_file *file, const struct affine **units)
{
    struct arena *arena = file->c.emitter.arena;
    const int64_t factor = common_divisor(affine_gcd(*units), (*units)->constant);
    const struct affine *rest = affine_constant(arena, (*units)->constant / factor);

    for (int k = 0; k < (*units)->n_term; k++)
        rest = affine_add(arena, rest,
                          affine_scale(arena, affine_atom(arena, (*units)->term[k].atom),
                                       (*units)->term[k].factor / factor));
    *units = rest;
    return factor;
}

/* The bytes of a part, negative where they are too many. */
static const char *checked_bytes(struct device_file *file, const struct shared_part *part)
{
    const struct affine *units = affine_units(file, part), *sum = units ? units : part->extent[0];
    const int64_t factor = take_factor(file, &sum) * part->unit * (units ? 1 : part->factor);
    const char *text = index_affine(&file->c.emitter, sum).text;

    for (int k = 1; k < part->n; k++)
        text = call(file, HELPER_SIZE, text, index_affine(&file->c.emitter, part->extent[k]).text);
    if (factor > 1)
        text = call(file, HELPER_SIZE, text, number(file, factor));
    if (units || part->multiple == 1)
        return text;
    const int64_t align = part->multiple * part->unit;
    return arena_printf(file->c.emitter.arena, "%s & -%" PRId64,
                        call(file, HELPER_SIZE_SUM, text, number(file, align - 1)), align);
}

/* The same where no product overflows. */
static struct index_text plain_bytes(struct device_file *file, const struct shared_part *part)
{
    struct emitter *emitter = &file->c.emitter;
    const struct affine *units = affine_units(file, part);
    struct index_text text;

    if (units)
        return index_affine(emitter, affine_scale(emitter->arena, units, part->unit));
    text.text = shared_units(file, part, &text.precedence);
    text.wide = true;
    return index_product(emitter, text, index_affine(emitter, affine_constant(emitter->arena, part->unit)));
}

/* A bound of the bytes of a part; INT64_MAX: there is none. */
static int64_t most_bytes(const struct device_file *file, const struct shared_part *part)
{
    int64_t most = part->factor;

    for (int k = 0; k < part->n; k++) {
        const int64_t extent = affine_most(part->extent[k], file->c.unit->param_most);
        if (extent == INT64_MAX || __builtin_mul_overflow(most, extent, &most))
            return INT64_MAX;
    }
    if (__builtin_add_overflow(most, part->multiple - 1, &most) || __builtin_mul_overflow(most, part->unit, &most))
        return INT64_MAX;
    return most;
}

static int64_t most_of_all(const struct device_file *file, const struct shared_part *part, int n, int64_t before)
{
    for (int k = 0; k < n; k++) {
        const int64_t most = most_bytes(file, &part[k]);
        if (most == INT64_MAX || __builtin_add_overflow(before, most, &before))
            return INT64_MAX;
    }
    return before;
}

const char *shared_bytes(struct device_file *file, const struct shared_part *part, int n, int64_t before, int64_t *most)
{
    struct emitter *emitter = &file->c.emitter;
    const char *text = before ? number(file, before) : NULL;
    struct index_text sum = {0};

    *most = most_of_all(file, part, n, before);
    for (int k = 0; k < n && *most == INT64_MAX; k++) {
        const char *bytes = checked_bytes(file, &part[k]);
        text = text ? call(file, HELPER_SIZE_SUM, text, bytes) : bytes;
    }
    if (*most == INT64_MAX)
        return text;
    for (int k = 0; k < n; k++)
        sum = k ? index_join(emitter, sum, plain_bytes(file, &part[k])) : plain_bytes(file, &part[k]);
    return index_sum(emitter, sum, affine_constant(emitter->arena, before)).text;
}
