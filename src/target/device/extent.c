#include "target/device/extent.h"

#include "caps/gpu.h"

#include <inttypes.h>

static bool non_negative(void *user, const struct affine *affine)
{
    const struct device_file *file = user;

    return affine_least(affine, file->c.unit->param_least) >= 0;
}

/* Limits the grid to this number of blocks; each loops over several positions (a grid-stride loop). */
static void at_most(struct device_file *file, struct extent *extent, int64_t blocks)
{
    struct emitter *emitter = &file->c.emitter;

    extent->text = arena_printf(emitter->arena, "%s(%s, %" PRId64 ")",
                                helper_use(&emitter->helpers, HELPER_MIN, TYPE_I64), extent->text, blocks);
    extent->first = NULL;
    extent->precedence = PREC_PRIMARY;
}

/* The positions of several digits: "M * N", of which each is at least 0. */
static struct extent extent_of_digits(struct device_file *file, const struct launch *launch, int axis)
{
    struct emitter *emitter = &file->c.emitter;
    const int64_t run = launch->run[axis] ? launch->run[axis] : 1;
    struct extent extent = {.least = 1, .per = "", .run = run, .precedence = PREC_QUOTIENT};
    struct index_text product = {0};

    for (int k = AXIS_DIGITS - 1; k >= 0; k--) {
        const struct affine *digit = launch->extent[axis_digit((enum axis)axis, k)];
        struct index_text text;
        int64_t n;
        if (!digit || (affine_is_constant(digit, &n) && n == 1))
            continue;
        digit = affine_mark_plain(emitter->arena, digit, non_negative, file);
        text = index_affine(emitter, digit);
        if (product.text)
            extent.per = arena_printf(emitter->arena, "%s / %s", extent.per,
                                      parenthesised(emitter, text.text, text.precedence, PREC_UNARY));
        else
            extent.first = text.text;
        product = product.text ? index_product(emitter, product, text) : text;
        extent.least = affine_least(digit, file->c.unit->param_least) < 1 ? 0 : extent.least;
    }
    if (!product.text)
        product = index_affine(emitter, affine_constant(emitter->arena, 1));
    if (run == 1) {
        extent.text = product.text;
        extent.precedence = product.precedence;
    } else {
        extent.text = arena_printf(emitter->arena, "(%s + %" PRId64 ") / %" PRId64, product.text, run - 1, run);
    }
    if (launch->blocks[axis] > 0)
        at_most(file, &extent, launch->blocks[axis]);
    return extent;
}

/* What is more than limit where affine is: of a maximum the only one of its parts that can be. */
static const char *beyond_text(struct device_file *file, const struct affine *affine, int64_t limit)
{
    const struct atom *atom = affine->n_term == 1 && affine->term->factor == 1 ? affine->term->atom : NULL;
    const struct affine *only = NULL;

    for (int k = 0; atom && atom->kind == ATOM_MAX && affine->constant == 0 && k < atom->n_arg; k++)
        if (affine_most(atom->arg[k], file->c.unit->param_most) > limit) {
            if (only)
                return index_affine(&file->c.emitter, affine).text;
            only = atom->arg[k];
        }
    return index_affine(&file->c.emitter, only ? only : affine).text;
}

/* The extent of an axis with one position per block, at most `limit` of them; blocks > 0: with at most that number of
 * blocks, each of which loops over its positions. */
static void measure(struct device_file *file, const struct affine *affine, int64_t blocks, int64_t limit,
                    struct extent *extent)
{
    struct emitter *emitter = &file->c.emitter;
    const struct index_text text = index_affine(emitter, affine);

    extent->text = text.text;
    extent->first = affine_most(affine, file->c.unit->param_most) > limit ? beyond_text(file, affine, limit) : NULL;
    extent->precedence = text.precedence;
    if (blocks > 0)
        at_most(file, extent, blocks);
}

struct extent extent_of(struct device_file *file, const struct launch *launch, int axis)
{
    const struct gpu *gpu = gpu_by_language(file->c.unit->program->target.language);
    const int64_t most = launch->blocks[axis] ? launch->blocks[axis] : gpu->limit[axis];
    struct extent extent = {"1", PREC_PRIMARY, {0}, 1, 1, NULL, "", 1};
    const struct affine *affine = launch->extent[axis];

    if (!affine)
        return extent;
    if (launch->extent[axis_digit((enum axis)axis, 1)])
        return extent_of_digits(file, launch, axis);
    if (affine_is_constant(affine, &extent.value)) {
        if (extent.value > most)
            extent.value = most;
        extent.text = arena_printf(file->c.emitter.arena, "%" PRId64, extent.value);
        return extent;
    }
    affine = affine_mark_plain(file->c.emitter.arena, affine, non_negative, file);
    if (axis == AXIS_THREAD_X && launch->wanted_x) {
        extent.filled = index_affine(&file->c.emitter, affine);
        affine = affine_mark_plain(file->c.emitter.arena, launch->wanted_x, non_negative, file);
    }
    extent.least = affine_least(affine, file->c.unit->param_least);
    extent.value = 0;
    measure(file, affine, launch->blocks[axis], gpu->limit[axis], &extent);
    return extent;
}

/* "(unsigned)((N + 15) / 16)", "32" */
static const char *size_text(struct device_file *file, const struct extent *extent)
{
    struct emitter *emitter = &file->c.emitter;
    const char *text = extent->filled.text ? extent->filled.text : extent->text;
    const enum precedence precedence = extent->filled.text ? extent->filled.precedence : extent->precedence;

    if (extent->value)
        return extent->text;
    return arena_printf(emitter->arena, "(unsigned)%s", parenthesised(emitter, text, precedence, PREC_UNARY));
}

const char *extents_text(struct device_file *file, const struct extent *extent)
{
    int n = 3;
    const char *text = "";

    while (n > 1 && extent[n - 1].value == 1)
        n--;
    for (int k = 0; k < n; k++)
        text = arena_printf(file->c.emitter.arena, "%s%s%s", text, k ? ", " : "", size_text(file, &extent[k]));
    return text;
}
