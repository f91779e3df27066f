#include "lower/instr/fragments.h"

/* The loops of what a fragment holds: rows and columns of the sums, of the factors. */
static const int loops_of[][2] = {[FRAGMENT_SUMS] = {0, 1}, [FRAGMENT_ROWS] = {0, 2}, [FRAGMENT_COLUMNS] = {2, 1}};

const struct node *tensors_refuse(struct tensors *tensors, const char *hint, const char *format, ...)
{
    struct diag *diag;
    va_list args;

    if (tensors->refused)
        return NULL;
    va_start(args, format);
    diag = diag_error(tensors->diags, "tensorize", tensors->step->place, "%s",
                      arena_vprintf(tensors->arena, format, args));
    va_end(args);
    if (hint)
        diag_hint(tensors->diags, diag, "%s", hint);
    tensors->refused = true;
    return NULL;
}

bool fragment_tile(struct tensors *tensors, const struct element *element, enum fragment_use use,
                   struct tensor_tile *tile)
{
    const char *hint;
    const char *why = tile_find(&tensors->site, element, loops_of[use][0], loops_of[use][1], tile, &hint);

    if (why)
        tensors_refuse(tensors, hint, "%s", why);
    return !why;
}

/* Is the fragment one of these loops' tiles? */
static bool fits(const struct tensors *tensors, const struct fragment *fragment, enum fragment_use use)
{
    const int size[] = {fragment->m, fragment->n, fragment->k};
    const int *loops = loops_of[use];

    return fragment->use == use && size[loops[0]] == tensors->size[loops[0]] &&
           size[loops[1]] == tensors->size[loops[1]];
}

const char *fragment_text(struct arena *arena, const struct fragment *fragment)
{
    static const char *const words[] = {
        [FRAGMENT_SUMS] = "sums", [FRAGMENT_ROWS] = "left factors", [FRAGMENT_COLUMNS] = "right factors"};

    return arena_printf(arena, "%s of %d x %d x %d", words[fragment->use], fragment->m, fragment->n, fragment->k);
}

static const char *two_copies(struct tensors *tensors, const struct array *array)
{
    return arena_printf(tensors->arena,
                        "a tile in registers is one of these: keep `%s` in another memory, from which "
                        "each instruction loads its own",
                        array->name);
}

/* Does the loop of rows go along the last dimension? */
static bool is_turned(const struct tensors *tensors, const struct element *element, enum fragment_use use)
{
    return tile_dimension(tensors->arena, element, tensors->site.var[loops_of[use][0]]) == element->array->n_dim - 1;
}

/* Is the array no fragment yet, or one like wanted? */
static bool agrees(struct tensors *tensors, const struct array *array, const struct fragment *wanted, bool turned)
{
    const struct fragment *own = array->fragment;

    if (own && (!fits(tensors, own, wanted->use) || own->k != wanted->k))
        return tensors_refuse(tensors, two_copies(tensors, array), "`%s` is used as %s, and as %s", array->name,
                              fragment_text(tensors->arena, own), fragment_text(tensors->arena, wanted)),
               false;
    if (own && own->turned != turned)
        return tensors_refuse(tensors, two_copies(tensors, array),
                              "one instruction takes rows of `%s` for columns of another", array->name),
               false;
    return true;
}

bool fragment_make(struct tensors *tensors, const struct element *element, const struct fragment *wanted)
{
    struct array *array = (struct array *)(uintptr_t)element->array;
    const bool turned = is_turned(tensors, element, wanted->use);

    if (!tile_is_whole(&tensors->site, element, loops_of[wanted->use], tensors->size))
        return tensors_refuse(tensors,
                              "divide the loops around the tile before the cache, so that the tile has its own",
                              "`%s` does not have the tile's rows and columns as its last dimensions", array->name),
               false;
    if (!agrees(tensors, array, wanted, turned))
        return false;
    if (array->fragment)
        return true;
    array->fragment = ARENA_NEW(tensors->arena, struct fragment);
    *array->fragment = *wanted;
    array->fragment->turned = turned;
    tensors->found = true;
    return true;
}

struct fragment fragment_wanted(const struct tensors *tensors, enum fragment_use use)
{
    return (struct fragment){.use = use,
                             .m = (int)tensors->size[0],
                             .n = (int)tensors->size[1],
                             .k = (int)tensors->size[2]};
}

enum fragment_use fragment_use(const struct tensors *tensors)
{
    return !tensors->site.var[2] ? FRAGMENT_SUMS : tensors->site.var[0] ? FRAGMENT_ROWS : FRAGMENT_COLUMNS;
}

bool fragment_in_place(const struct tensors *tensors, const struct element *element)
{
    const struct fragment *fragment = element->array->fragment;
    const enum fragment_use use = fragment_use(tensors);

    return fits(tensors, fragment, use) && tile_is_whole(&tensors->site, element, loops_of[use], tensors->size) &&
           is_turned(tensors, element, use) == fragment->turned;
}
