/* Elements of arrays that buffers hold, in the plane of the array's last two dimensions. */
#include "report/draw/held.h"
#include "report/draw/picture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The elements with the same subscripts but for the last two. */
struct plane {
    const int64_t *at; /* of one of them */
    int64_t low[2], high[2];
    int x, y;
};

struct element_view {
    struct picture *picture;
    const struct held *held;
    int cell;
    VEC(struct plane) plane;
    int n_left_out; /* elements in planes that are not drawn */
};

/* The row (0) or column (1) of an element. */
static int64_t subscript(const struct element_view *drawing, const struct held_element *element, int axis)
{
    const int dim = drawing->held->array->n_dim - 2 + axis;

    return dim < 0 ? 0 : element->at[dim];
}

static int outer_dims(const struct element_view *drawing)
{
    const int n = drawing->held->array->n_dim - 2;

    return n < 0 ? 0 : n;
}

static struct plane *plane_of(struct element_view *drawing, const struct held_element *element)
{
    for (int k = 0; k < drawing->plane.n; k++)
        if (compare_counts(drawing->plane.at[k].at, element->at, outer_dims(drawing)) == 0)
            return &drawing->plane.at[k];
    return NULL;
}

static void include(const struct element_view *drawing, struct plane *plane, const struct held_element *element)
{
    for (int axis = 0; axis < 2; axis++) {
        const int64_t at = subscript(drawing, element, axis);
        plane->low[axis] = at < plane->low[axis] ? at : plane->low[axis];
        plane->high[axis] = at > plane->high[axis] ? at : plane->high[axis];
    }
}

static void find_planes(struct element_view *drawing)
{
    for (int k = 0; k < drawing->held->n; k++) {
        const struct held_element *element = &drawing->held->list[k];
        struct plane *plane = plane_of(drawing, element);
        if (!plane && drawing->plane.n < PANELS_MOST) {
            VEC_PUSH(
                drawing->picture->arena, &drawing->plane,
                ((struct plane){.at = element->at, .low = {INT64_MAX, INT64_MAX}, .high = {INT64_MIN, INT64_MIN}}));
            plane = &drawing->plane.at[drawing->plane.n - 1];
        }
        if (plane)
            include(drawing, plane, element);
        else
            drawing->n_left_out++;
    }
}

/* "A[0, 1, .., ..]": which plane it is. */
static const char *caption_of(const struct element_view *drawing, const struct plane *plane)
{
    struct arena *arena = drawing->picture->arena;
    const char *caption = arena_printf(arena, "%s[", drawing->held->array->name);

    for (int k = 0; k < outer_dims(drawing); k++)
        caption = arena_printf(arena, "%s%" PRId64 ", ", caption, plane->at[k]);
    return arena_printf(arena, "%s.., ..]", caption);
}

static void place_planes(struct element_view *drawing)
{
    struct picture *picture = drawing->picture;
    const int above = outer_dims(drawing) > 0 ? CAPTION : 0;
    int x = MARGIN, row = 0;

    for (int k = 0; k < drawing->plane.n; k++) {
        struct plane *plane = &drawing->plane.at[k];
        const int width = (int)(plane->high[1] - plane->low[1] + 1) * drawing->cell;
        const int height = (int)(plane->high[0] - plane->low[0] + 1) * drawing->cell + above;
        const int caption = above ? 8 * (int)strlen(caption_of(drawing, plane)) : 0;
        if (x > MARGIN && x + width > WIDEST) {
            picture->height += row + 4;
            x = MARGIN;
            row = 0;
        }
        plane->x = x;
        plane->y = picture->height + above;
        if (above)
            picture_line(picture, "code", x, plane->y - 5, caption_of(drawing, plane));
        x += (width > caption ? width : caption) + GAP;
        row = height > row ? height : row;
        picture->width = x > picture->width ? x : picture->width;
    }
    picture->height += row;
}

/* Adds the square of an element. */
static void add_square(const struct element_view *drawing, const struct plane *plane,
                       const struct held_element *element, struct text *path)
{
    const int side = drawing->cell;

    text_addf(path, "M%d %dh%dv%dh-%dz", plane->x + (int)(subscript(drawing, element, 1) - plane->low[1]) * side,
              plane->y + (int)(subscript(drawing, element, 0) - plane->low[0]) * side, side, side, side);
}

/* Is the same element in an earlier fill? */
static bool is_repeated(const struct element_view *drawing, int k)
{
    const struct held_element *element = &drawing->held->list[k];

    for (int i = 0; i < k; i++)
        if (compare_counts(drawing->held->list[i].at, element->at, drawing->held->array->n_dim) == 0)
            return true;
    return false;
}

/* All elements that the buffer ever has. */
static void add_grid(struct element_view *drawing)
{
    struct text path = {0};

    for (int k = 0; k < drawing->held->n; k++) {
        const struct held_element *element = &drawing->held->list[k];
        const struct plane *plane = plane_of(drawing, element);
        if (plane && !is_repeated(drawing, k))
            add_square(drawing, plane, element, &path);
    }
    text_addf(&drawing->picture->body, "<path class=\"element\" d=\"%s\"/>\n", text_str(&path));
    text_free(&path);
}

/* Where the buffer has the element, as a number in its cell. */
static void add_place(struct element_view *drawing, const struct plane *plane, const struct held_element *element)
{
    if (drawing->cell < 20 || element->place < 0)
        return;
    text_addf(&drawing->picture->body, "<text class=\"number\" x=\"%d\" y=\"%d\">%" PRId64 "</text>\n",
              plane->x + (int)(subscript(drawing, element, 1) - plane->low[1]) * drawing->cell + 2,
              plane->y + (int)(subscript(drawing, element, 0) - plane->low[0]) * drawing->cell + 9, element->place);
}

/* What one fill brings, elements from `first` on; returns how many these are. */
static int add_fill(struct element_view *drawing, int first, bool hidden)
{
    const struct held_element *element = &drawing->held->list[first];
    const struct fill *fill = &drawing->held->fill[element->fill];
    struct text *body = &drawing->picture->body, path = {0};
    int n = 0;

    text_addf(body, "<g class=\"fill\" data-from=\"%d\" data-to=\"%d\"%s>\n", fill->from + 1, fill->to,
              hidden ? " hidden=\"hidden\"" : "");
    for (; first + n < drawing->held->n && element[n].fill == element->fill; n++)
        if (plane_of(drawing, &element[n]))
            add_square(drawing, plane_of(drawing, &element[n]), &element[n], &path);
    text_addf(body, "<path class=\"held\" d=\"%s\"/>\n", text_str(&path));
    for (int k = 0; k < n; k++)
        if (plane_of(drawing, &element[k]))
            add_place(drawing, plane_of(drawing, &element[k]), &element[k]);
    text_add(body, "</g>\n");
    text_free(&path);
    return n;
}

/* ", 12 fills"; where not all are looked at that is told. */
static const char *fills_of(const struct element_view *drawing)
{
    const int n = drawing->held->n_fill;

    if (drawing->picture->instances.some_copies)
        return ", a part of the first fills";
    return arena_printf(drawing->picture->arena, ", %d fill%s", n, n == 1 ? "" : "s");
}

/* "Ap: what it holds of A, 12 fills   (rows down, columns across)" */
static void add_heading(struct element_view *drawing)
{
    const struct held *held = drawing->held;
    struct picture *picture = drawing->picture;
    const int dims = held->array->n_dim;

    picture->height += GAP;
    picture_line(picture, "code", MARGIN, picture->height,
                 arena_printf(picture->arena, "%s: what it holds of %s%s%s", held->cached->name, held->array->name,
                              fills_of(drawing),
                              dims >= 2   ? "   (rows down, columns across)"
                              : dims == 1 ? "   (elements across)"
                                          : ""));
    picture->height += LINE / 2;
}

static bool is_at(const struct fill *fill, int64_t number)
{
    return fill->from < number && number <= fill->to;
}

/* A page has all fills, and shows those of a time. */
static void add_fills(struct element_view *drawing)
{
    const struct held *held = drawing->held;
    const int64_t held_time = drawing->picture->time ? drawing->picture->time : 1;
    int n, drawn = 0;

    for (int k = 0; k < held->n; k += n) {
        const bool now = is_at(&held->fill[held->list[k].fill], held_time);
        for (n = 0; k + n < held->n && held->list[k + n].fill == held->list[k].fill;)
            n++;
        if ((now || drawing->picture->page) && drawn < DRAW_MOST) {
            add_fill(drawing, k, !now);
            drawn += n;
        }
    }
    if (drawn >= DRAW_MOST && drawing->picture->page)
        text_addf(&drawing->picture->notes, "%s: only the first fills are drawn\n", held->cached->name);
}

static void add_cache(struct picture *picture, const struct held *held)
{
    struct element_view drawing = {.picture = picture, .held = held, .cell = held->n <= 600 ? 22 : 8};

    add_heading(&drawing);
    find_planes(&drawing);
    place_planes(&drawing);
    add_grid(&drawing);
    add_fills(&drawing);
    if (drawing.n_left_out > 0)
        text_addf(&picture->notes, "%s: the first %d planes are drawn\n", held->cached->name, PANELS_MOST);
    picture->has_held = true;
}

void picture_add_caches(struct picture *picture, __isl_keep isl_set *sizes)
{
    for (int k = 0; k < picture->schedule->cached.n; k++) {
        struct held held;
        if (held_find(picture->arena, picture->schedule, &picture->instances, sizes, &picture->schedule->cached.at[k],
                      &held))
            add_cache(picture, &held);
    }
}
