/* Unit tests of poly/system.h: what it says of small systems, against trying out all whole numbers. Each ck_assert
 * writes to a file: one for a system, not for a point. */
#include "poly/system.h"
#include "unit.h"

enum { COLUMNS = 3, REACH = 5, SYSTEMS = 3000 };

/* The same numbers in every run. */
static uint32_t state = 1;

static int64_t draw(int64_t low, int64_t high)
{
    state = state * 1664525u + 1013904223u;
    return low + (int64_t)((state >> 8) % (uint32_t)(high - low + 1));
}

static void draw_row(int64_t *row, int64_t most)
{
    for (int c = 0; c < COLUMNS; c++)
        row[c] = draw(-most, most);
    row[COLUMNS] = draw(-9, 9);
}

/* A few random inequalities, sometimes an equation, and -REACH <= column <= REACH for each column. */
static struct system draw_system(struct arena *arena)
{
    struct system system = system_new(arena, COLUMNS);
    int64_t row[COLUMNS + 1];

    for (int64_t k = draw(1, 4); k > 0; k--) {
        draw_row(row, 3);
        system_add(&system, row, draw(0, 7) == 0, false);
    }
    for (int c = 0; c < COLUMNS; c++)
        for (int sign = -1; sign <= 1; sign += 2) {
            memset(row, 0, sizeof(row));
            row[c] = sign;
            row[COLUMNS] = REACH;
            system_add(&system, row, false, false);
        }
    return system;
}

static int64_t value_at(const int64_t *row, const int64_t *point)
{
    int64_t value = row[COLUMNS];

    for (int c = 0; c < COLUMNS; c++)
        value += row[c] * point[c];
    return value;
}

static bool holds(const struct system *system, const int64_t *point)
{
    for (int k = 0; k < system->row.n; k++) {
        const int64_t value = value_at(system->row.at[k].at, point);
        if (value < 0 || (system->row.at[k].equal && value > 0))
            return false;
    }
    return !system->empty;
}

/* The next point of the cube; false behind the last. */
static bool next_point(int64_t *point)
{
    for (int c = 0; c < COLUMNS; c++) {
        if (point[c] < REACH) {
            point[c]++;
            return true;
        }
        point[c] = -REACH;
    }
    return false;
}

static bool holds_somewhere(const struct system *system, int64_t *point, int column)
{
    const int64_t kept = point[column];
    bool found = false;

    for (point[column] = -REACH; point[column] <= REACH && !found; point[column]++)
        found = holds(system, point);
    point[column] = kept;
    return found;
}

static bool has_equation(const struct system *system, int column)
{
    for (int k = 0; k < system->row.n; k++)
        if (system->row.at[k].equal && system->row.at[k].at[column] != 0)
            return true;
    return false;
}

START_TEST(eliminating_leaves_the_points_of_some_whole_number)
{
    int n_eliminated = 0;

    for (int run = 0; run < SYSTEMS; run++) {
        struct arena *arena = arena_new();
        const struct system system = draw_system(arena);
        struct system rest = system_copy(&system);
        const int column = (int)draw(0, COLUMNS - 1);
        int64_t point[COLUMNS] = {-REACH, -REACH, -REACH};
        const bool eliminated = !system.empty && system_eliminate(&rest, column);
        bool good = !eliminated || !has_equation(&system, column);
        n_eliminated += eliminated;
        do
            good = good && (!eliminated || holds(&rest, point) == holds_somewhere(&system, point, column));
        while (eliminated && next_point(point));
        ck_assert_msg(good, "system %d", run);
        arena_free(arena);
    }
    ck_assert_int_gt(n_eliminated, SYSTEMS / 10);
}
END_TEST

START_TEST(what_is_shown_holds_at_every_point)
{
    int n_shown = 0;

    for (int run = 0; run < SYSTEMS; run++) {
        struct arena *arena = arena_new();
        const struct system system = draw_system(arena);
        const struct interval *box = system_box(&system);
        int64_t point[COLUMNS] = {-REACH, -REACH, -REACH}, row[COLUMNS + 1];
        bool shown, good = true;
        draw_row(row, 2);
        shown = system_shows(&system, box, row) || system_shows_by_two(&system, box, row);
        n_shown += shown;
        do
            good = good && (!shown || !holds(&system, point) || value_at(row, point) >= 0);
        while (shown && next_point(point));
        ck_assert_msg(good, "system %d", run);
        arena_free(arena);
    }
    ck_assert_int_gt(n_shown, SYSTEMS / 20);
}
END_TEST

START_TEST(every_point_is_in_the_box)
{
    for (int run = 0; run < SYSTEMS; run++) {
        struct arena *arena = arena_new();
        const struct system system = draw_system(arena);
        const struct interval *box = system_box(&system);
        int64_t point[COLUMNS] = {-REACH, -REACH, -REACH};
        bool good = true;
        do
            for (int c = 0; c < COLUMNS && holds(&system, point); c++)
                good = good && box[c].low <= point[c] && point[c] <= box[c].high;
        while (next_point(point));
        ck_assert_msg(good, "system %d", run);
        arena_free(arena);
    }
}
END_TEST

static const int64_t *row_in(const struct system *system, int64_t a, int64_t b, int64_t c, int64_t constant)
{
    int64_t *row = ARENA_ARRAY(system->arena, COLUMNS + 1, int64_t);

    memcpy(row, (int64_t[]){a, b, c, constant}, sizeof(int64_t[COLUMNS + 1]));
    return row;
}

/* N - 16 t - u >= 0 with 0 <= u <= 15 is N - 16 t >= 0 without u: there is a u of 0. */
START_TEST(digits_are_eliminated)
{
    struct arena *arena = arena_new();
    struct system system = system_new(arena, COLUMNS);

    system_add(&system, row_in(&system, 1, -16, -1, 0), false, false);
    system_add(&system, row_in(&system, 0, 0, 1, 0), false, false);
    system_add(&system, row_in(&system, 0, 0, -1, 15), false, false);
    ck_assert(system_eliminate(&system, 2));
    ck_assert_int_eq(system.row.n, 1);
    ck_assert(memcmp(system.row.at[0].at, row_in(&system, 1, -16, 0, 0), sizeof(int64_t[COLUMNS + 1])) == 0);
    arena_free(arena);
}
END_TEST

START_TEST(large_numbers_fail)
{
    struct arena *arena = arena_new();
    struct system system = system_new(arena, COLUMNS);

    system_add(&system, row_in(&system, 1, INT64_MAX - 1, 0, 1), false, false);
    system_add(&system, row_in(&system, -1, INT64_MAX - 1, 0, 3), false, false);
    ck_assert(!system_eliminate(&system, 0));
    ck_assert(system.failed);
    arena_free(arena);
}
END_TEST

UNIT_MAIN("system", eliminating_leaves_the_points_of_some_whole_number, what_is_shown_holds_at_every_point,
          every_point_is_in_the_box, digits_are_eliminated, large_numbers_fail)
