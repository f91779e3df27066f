#include "lower/instr/tile_parts.h"

#include "base/diag.h"

const struct node *tiles_refuse(struct tiles *tiles, const char *hint, const char *format, ...)
{
    struct diag *diag;
    va_list args;

    if (tiles->refused)
        return NULL;
    va_start(args, format);
    diag = diag_error(tiles->diags, "tensorize", tiles->step ? tiles->step->place : PLACE_NONE, "%s",
                      arena_vprintf(tiles->arena, format, args));
    va_end(args);
    if (hint)
        diag_hint(tiles->diags, diag, "%s", hint);
    tiles->refused = true;
    return NULL;
}

const struct affine *tiles_first(const struct tiles *tiles, const struct affine *a)
{
    for (int k = 0; k < TILE_LOOPS && a; k++)
        if (tiles->var[k])
            a = affine_substitute(tiles->arena, a, tiles->var[k], tiles->first[k]);
    return a;
}

const struct affine *tiles_numbered(const struct tiles *tiles, const struct affine *a)
{
    struct arena *arena = tiles->arena;

    for (int k = 0; k < TILE_LOOPS && a; k++)
        if (tiles->var[k])
            a = affine_substitute(arena, a, tiles->var[k],
                                  affine_combine(arena, tiles->first[k], 1, affine_var(arena, tiles->var[k]),
                                                 tiles->unit[k]));
    return a;
}

/* The only loop of the tile whose variable a uses, TILE_LOOPS: none; -1: there are several. */
static int only_loop(const struct tiles *tiles, const struct affine *a)
{
    int found = TILE_LOOPS;

    for (int k = 0; k < TILE_LOOPS; k++) {
        if (!tiles->var[k] || !affine_uses(a, tiles->var[k]))
            continue;
        if (found != TILE_LOOPS)
            return -1;
        found = k;
    }
    return found;
}

/* The multiple of unit above first, which is where the numbers n * unit >= 0 up to first end; NULL: it is not known. */
static const struct affine *end_of(const struct tiles *tiles, const struct affine *first, int64_t unit)
{
    for (int64_t r = 1; r <= unit; r++) {
        const struct affine *end = affine_add_constant(tiles->arena, first, r);
        if (end && tile_multiple_of(&tiles->site, end) % unit == 0)
            return end;
    }
    return NULL;
}

static bool refuse_part(struct tiles *tiles)
{
    tiles_refuse(
        tiles,
        "\"assume\" that the products that are summed up are whole groups, or cut off what is left (`cut`), and "
        "plan it by itself",
        "a tile is cut off in another way than behind a row, a column or a group of products");
    return false;
}

static void add(struct tiles *tiles, struct condition **list, int *n, const struct affine *affine, bool equal)
{
    struct condition *longer = ARENA_ARRAY(tiles->arena, *n + 1, struct condition);

    for (int k = 0; k < *n; k++)
        longer[k] = (*list)[k];
    longer[(*n)++] = (struct condition){affine, equal};
    *list = longer;
}

bool tiles_limit(struct tiles *tiles, const struct condition *condition)
{
    const int loop = only_loop(tiles, condition->affine);
    const struct affine *first, *run, *both[2];
    int64_t unit, factor = 0;

    if (loop == TILE_LOOPS) {
        add(tiles, &tiles->outside, &tiles->n_outside, condition->affine, condition->equal);
        return true;
    }
    if (loop < 0 || !affine_linear_factor(tiles->arena, condition->affine, tiles->var[loop], &factor) ||
        condition->equal || factor >= 0 || loop == TILE_PRODUCTS)
        return refuse_part(tiles);
    unit = -factor * tiles->unit[loop];
    first = affine_substitute(tiles->arena, condition->affine, tiles->var[loop], tiles->first[loop]);
    run = first && !affine_uses(first, tiles->var[loop]) ? end_of(tiles, first, unit) : NULL;
    if (!run || (tiles->run[loop] && tiles->apart[loop] != unit))
        return refuse_part(tiles);
    add(tiles, &tiles->inside, &tiles->n_inside, tiles_numbered(tiles, condition->affine), false);
    both[0] = tiles->run[loop];
    both[1] = run;
    tiles->apart[loop] = unit;
    tiles->run[loop] = both[0] ? affine_extreme(tiles->arena, ATOM_MIN, both, 2) : run;
    return tiles->run[loop] && tiles->inside[tiles->n_inside - 1].affine;
}

void tiles_must_be(struct tiles *tiles)
{
    for (int loop = 0; loop < TILE_LOOPS; loop++)
        if (tiles->run[loop])
            add(tiles, &tiles->outside, &tiles->n_outside, tiles->run[loop], false);
}

const struct affine *tiles_run(const struct tiles *tiles, enum tile_loop loop, int64_t factor)
{
    struct arena *arena = tiles->arena;

    if (!tiles->run[loop])
        return affine_constant(arena, tiles->size[loop] * factor);
    if (factor % tiles->apart[loop] == 0)
        return affine_scale(arena, tiles->run[loop], factor / tiles->apart[loop]);
    return affine_scale(arena, affine_floor(arena, tiles->run[loop], tiles->apart[loop]), factor);
}

const struct affine *tiles_step(const struct tiles *tiles, const struct element *element, enum tile_loop loop)
{
    struct arena *arena = tiles->arena;
    const struct var *var = tiles->var[loop];
    const struct affine *step = affine_constant(arena, 0), *next;
    int64_t factor;

    if (!var || element->array->stride)
        return var ? NULL : step;
    next = affine_add_constant(arena, affine_var(arena, var), tiles->unit[loop]);
    for (int k = 0; k < element->array->n_dim && step; k++) {
        const struct affine *index = element->index[k], *distance, *difference;
        if (index && !affine_uses(index, var))
            continue;
        distance = tile_distance(&tiles->site, element->array, k);
        difference = index ? affine_sub(arena, affine_substitute(arena, index, var, next), index) : NULL;
        if (!distance || !difference || !affine_is_constant(difference, &factor))
            return NULL;
        step = affine_combine(arena, step, 1, distance, factor);
    }
    return step;
}

bool tiles_step_is(const struct tiles *tiles, const struct element *element, enum tile_loop loop, int64_t step)
{
    const struct affine *is = tiles_step(tiles, element, loop);
    int64_t value;

    return is && affine_is_constant(is, &value) && value == step;
}
