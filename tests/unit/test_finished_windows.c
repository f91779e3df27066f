/* Unit tests of finished/sources.h: elements that take the places of others, b[i % n], as in windows and rings. Loops
 * are drawn, and run; what is shown must be so. */
#include "tile_copies.h"

enum { SIZE = 1000, FAR = 64, MOST_MODULUS = 7, DRAWN = 300, LEAST_SHOWN = 90 /* of 100 */ };

/* for l = 0 to n - 1: F at front + l, or from the other end; for j = 0 to N - 1, or down:
 *     F at j + more[0], where j >= from
 *     F at j + more[1]                     if there are two
 *     S at j + back, where j >= first
 * and S in front of these if it is early. */
struct drawn {
    int64_t modulus, front, n, more[2], from, back, first;
    bool two, early, down;
};

static uint64_t state;

static int64_t draw(int64_t low, int64_t high)
{
    state = state * 6364136223846793005U + 1442695040888963407U;
    return low + (int64_t)((state >> 33) % (uint64_t)(high - low + 1));
}

static struct drawn draw_one(int64_t modulus)
{
    const bool near = draw(0, 3) > 0;
    struct drawn own = {.modulus = modulus, .down = draw(0, 3) == 0, .early = draw(0, 3) == 0, .two = draw(0, 2) == 0};
    const int64_t ahead = draw(0, modulus), sign = own.down ? -1 : 1;

    own.back = draw(0, 2) == 0 ? draw(-2, 2) : 0;
    own.more[0] = near ? own.back + sign * ahead : draw(-modulus, modulus);
    own.more[1] = near ? own.more[0] + sign * draw(0, 1) : draw(-modulus, modulus);
    own.from = draw(0, 2) == 0 ? draw(0, 3) : 0;
    own.n = draw(0, 2) == 0 ? 0 : near ? ahead + draw(0, 1) : draw(0, modulus);
    own.front = draw(0, 3) == 0 ? draw(-1, 1) : own.back;
    own.first = draw(0, 2) == 0 ? ahead + draw(-1, 1) : 0;
    return own;
}

/* What each place has; of the elements from -FAR on. */
struct places {
    int64_t modulus, has[MOST_MODULUS + 1];
};

static int64_t *place_of(struct places *places, int64_t element)
{
    return &places->has[(element + FAR * places->modulus) % places->modulus];
}

static bool is_read(struct places *places, const struct drawn *drawn, int64_t j)
{
    return j < drawn->first || *place_of(places, j + drawn->back) == j + drawn->back;
}

/* Does S read in each iteration what F stored for it? */
static bool is_so(const struct drawn *drawn)
{
    struct places places = {.modulus = drawn->modulus};

    for (int k = 0; k <= MOST_MODULUS; k++)
        places.has[k] = INT64_MIN;
    for (int64_t l = 0; l < drawn->n; l++) {
        const int64_t element = drawn->down ? SIZE - 1 - drawn->front - l : drawn->front + l;
        *place_of(&places, element) = element;
    }
    for (int64_t k = 0; k < SIZE; k++) {
        const int64_t j = drawn->down ? SIZE - 1 - k : k;
        if (drawn->early && !is_read(&places, drawn, j))
            return false;
        if (j >= drawn->from)
            *place_of(&places, j + drawn->more[0]) = j + drawn->more[0];
        if (drawn->two)
            *place_of(&places, j + drawn->more[1]) = j + drawn->more[1];
        if (!drawn->early && !is_read(&places, drawn, j))
            return false;
    }
    return true;
}

static const struct node *where_from(int64_t first, const struct node *body)
{
    struct condition *from = ARENA_NEW(s.read.arena, struct condition);
    struct guard *guard = ARENA_NEW(s.read.arena, struct guard);

    *from = (struct condition){plus(at(s.j), -first), false};
    *guard = (struct guard){from, 1};
    return first == 0 ? body : node_if(s.read.arena, guard, 1, body);
}

static const struct node *fill_at(const struct affine *element)
{
    return assign(FILL, element, load(&s.read.program->array[0]));
}

static const struct node *tree_of(const struct drawn *drawn)
{
    struct arena *arena = s.read.arena;
    const struct affine *last = plus(end(), -1);
    const struct affine *front = drawn->down ? plus(last, -drawn->front) : constant(drawn->front);
    const struct node *fill = where_from(drawn->from, fill_at(plus(at(s.j), drawn->more[0])));
    const struct node *use = where_from(drawn->first, assign(READ, plus(at(s.j), drawn->back), load(s.buffer)));
    const struct node *loop;

    if (drawn->two)
        fill = both(fill, fill_at(plus(at(s.j), drawn->more[1])));
    loop = node_loop(arena, s.j, drawn->down ? last : constant(0), drawn->down ? constant(0) : last,
                     drawn->down ? -1 : 1, NULL, drawn->early ? both(use, fill) : both(fill, use));
    if (drawn->n == 0)
        return loop;
    fill = fill_at(affine_combine(arena, front, 1, at(s.l), drawn->down ? -1 : 1));
    return both(node_loop(arena, s.l, constant(0), constant(drawn->n - 1), 1, NULL, fill), loop);
}

static void compare(int64_t modulus)
{
    int shown = 0, so = 0;

    set_up_modulus(modulus);
    state = (uint64_t)modulus;
    for (int k = 0; k < DRAWN; k++) {
        const struct drawn drawn = draw_one(modulus);
        const bool good = is_so(&drawn), sees = is_shown(tree_of(&drawn));
        ck_assert_msg(good || !sees, "modulus %d, drawn %d is not so", (int)modulus, k);
        so += good;
        shown += sees;
    }
    ck_assert_msg(100 * shown >= LEAST_SHOWN * so, "modulus %d: %d of %d are shown", (int)modulus, shown, so);
    tear_down();
}

START_TEST(as_it_runs)
{
    for (int64_t modulus = 2; modulus <= MOST_MODULUS; modulus++)
        compare(modulus);
}
END_TEST

UNIT_MAIN("finished_windows", as_it_runs)
