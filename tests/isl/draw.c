/* Random sets, of the kinds that isl has been wrong about: pieces with and without quotients in one box or frame. */
#include "points.h"

#include <string.h>

struct draw draw_new(uint64_t seed)
{
    struct draw draw = {seed * 0x9E3779B97F4A7C15u + 12345};

    for (int k = 0; k < 4; k++)
        draw_of(&draw, 2);
    return draw;
}

int draw_of(struct draw *draw, int n)
{
    draw->state ^= draw->state << 13;
    draw->state ^= draw->state >> 7;
    draw->state ^= draw->state << 17;
    return (int)((draw->state >> 20) % (uint64_t)n);
}

int draw_between(struct draw *draw, int a, int b)
{
    return a + draw_of(draw, b - a + 1);
}

static struct row *add_row(struct piece *piece)
{
    struct row *row = &piece->row[piece->n++];

    memset(row, 0, sizeof(*row));
    return row;
}

/* sign * x_v + constant >= 0 */
static void add_bound(struct piece *piece, int v, int sign, int constant)
{
    struct row *row = add_row(piece);

    row->a[v] = sign;
    row->a[COLUMNS] = constant;
}

static void add_box(struct piece *piece, int n_dim)
{
    add_bound(piece, 0, 1, 0);
    add_bound(piece, 0, -1, 5);
    for (int v = 1; v <= n_dim; v++) {
        add_bound(piece, v, 1, 4);
        add_bound(piece, v, -1, 9);
    }
}

/* 0 <= x < N, 0 <= x, or nothing. */
static void add_frame(struct draw *draw, struct piece *piece, int n_dim)
{
    for (int v = 1; v <= n_dim; v++) {
        const int kind = draw_of(draw, 4);
        if (kind < 3)
            add_bound(piece, v, 1, draw_between(draw, -1, 1));
        if (kind < 2) {
            add_bound(piece, v, -1, draw_between(draw, -1, 0));
            piece->row[piece->n - 1].a[0] = 1;
        }
    }
}

static void draw_linear(struct draw *draw, int *a, int first, int n_dim, int range)
{
    for (int v = first; v <= n_dim; v++)
        a[v] = draw_of(draw, 3) ? draw_between(draw, -1, 1) : draw_between(draw, -2, 2);
    a[COLUMNS] = draw_between(draw, -range, range);
}

/* (linear mod divisor) =, <= or >= a remainder. */
static void make_modular(struct draw *draw, struct row *row)
{
    const int remainder = draw_of(draw, row->quotient.divisor);
    const bool below = draw_of(draw, 4) == 0;

    row->equal = !below && draw_of(draw, 2);
    for (int v = 0; v <= COLUMNS; v++)
        row->a[v] = below ? -row->quotient.a[v] : row->quotient.a[v];
    row->quotient.factor = below ? row->quotient.divisor : -row->quotient.divisor;
    row->a[COLUMNS] += below ? remainder : -remainder;
}

static void add_condition(struct draw *draw, struct piece *piece, int n_dim)
{
    struct row *row = add_row(piece);

    if (draw_of(draw, 3) == 0) {
        draw_linear(draw, row->a, 0, n_dim, 5);
        row->equal = draw_of(draw, 8) == 0;
        return;
    }
    row->quotient.divisor = draw_between(draw, 2, 5);
    draw_linear(draw, row->quotient.a, draw_of(draw, 3) ? 1 : 0, n_dim, 3);
    if (draw_of(draw, 4)) {
        make_modular(draw, row);
        return;
    }
    row->quotient.factor = draw_of(draw, 2) ? 1 : -1;
    draw_linear(draw, row->a, 0, n_dim, 4);
    row->equal = draw_of(draw, 5) == 0;
}

struct points points_draw(struct draw *draw, int n_dim, bool boxed)
{
    struct points points = {.n = draw_between(draw, 1, MOST_PIECES), .n_dim = n_dim};
    const bool framed = draw_of(draw, 4) != 0;
    struct piece frame = {.n = 0};

    if (boxed)
        add_box(&frame, n_dim);
    else if (framed)
        add_frame(draw, &frame, n_dim);
    for (int k = 0; k < points.n; k++) {
        const int n = draw_of(draw, 3) ? 1 : 2;
        points.piece[k] = frame;
        for (int c = 0; c < n; c++)
            add_condition(draw, &points.piece[k], n_dim);
    }
    return points;
}
