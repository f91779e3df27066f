#include "poly/system.h"

/* Rows are looked at so often for what they say of single columns. */
enum { MOST_ROUNDS = 6 };

static int64_t magnitude(int64_t a)
{
    return a < 0 ? -a : a;
}

static int64_t gcd_of(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return magnitude(a);
}

static int64_t floor_of(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

struct system system_new(struct arena *arena, int n)
{
    return (struct system){.arena = arena, .n = n};
}

struct system system_copy(const struct system *system)
{
    struct system copy = *system;

    copy.row.at = ARENA_ARRAY(system->arena, system->row.n + 1, struct row);
    copy.row.capacity = system->row.n + 1;
    if (system->row.n)
        memcpy(copy.row.at, system->row.at, (size_t)system->row.n * sizeof(struct row));
    return copy;
}

static bool same_coefficients(const int64_t *a, const int64_t *b, int n)
{
    return memcmp(a, b, (size_t)n * sizeof(*a)) == 0;
}

/* Puts the row in, or makes the one with the same coefficients tighter. */
static void insert(struct system *system, const struct row *row)
{
    const int n = system->n;

    for (int k = 0; k < system->row.n; k++) {
        struct row *old = &system->row.at[k];
        if (old->equal != row->equal || !same_coefficients(old->at, row->at, n))
            continue;
        if (row->equal && old->at[n] != row->at[n])
            system->empty = true;
        if (row->at[n] < old->at[n])
            *old = *row;
        else if (row->at[n] == old->at[n])
            old->derived = old->derived || row->derived;
        return;
    }
    VEC_PUSH(system->arena, &system->row, *row);
}

/* The first coefficient of an equation is positive. */
static int64_t sign_of(const int64_t *at, int n, bool equal)
{
    for (int k = 0; equal && k < n; k++)
        if (at[k] != 0)
            return at[k] < 0 ? -1 : 1;
    return 1;
}

static void insert_reduced(struct system *system, const int64_t *at, int64_t gcd, bool equal, bool derived)
{
    const int n = system->n;
    const int64_t sign = sign_of(at, n, equal);
    int64_t *reduced = ARENA_ARRAY(system->arena, n + 1, int64_t);

    for (int k = 0; k < n; k++)
        reduced[k] = sign * (at[k] / gcd);
    reduced[n] = sign * floor_of(at[n], gcd);
    insert(system, &(struct row){reduced, equal, derived});
}

void system_add(struct system *system, const int64_t *at, bool equal, bool derived)
{
    const int n = system->n;
    int64_t gcd = 0;

    for (int k = 0; k < n; k++)
        gcd = gcd_of(gcd, at[k]);
    if (gcd == 0 ? at[n] < 0 || (equal && at[n] > 0) : equal && at[n] % gcd != 0)
        system->empty = true;
    else if (gcd != 0)
        insert_reduced(system, at, gcd, equal, derived);
}

/* fa * a + fb * b, unless it leaves -INT64_MAX..INT64_MAX. */
static bool combine(int64_t a, int64_t fa, int64_t b, int64_t fb, int64_t *result)
{
    int64_t left, right;

    return !__builtin_mul_overflow(a, fa, &left) && !__builtin_mul_overflow(b, fb, &right) &&
           !__builtin_add_overflow(left, right, result) && *result != INT64_MIN;
}

const int64_t *row_combine(struct arena *arena, int n, const int64_t *a, int64_t fa, const int64_t *b, int64_t fb)
{
    int64_t *sum = ARENA_ARRAY(arena, n + 1, int64_t);

    for (int k = 0; k <= n; k++)
        if (!combine(a[k], fa, b[k], fb, &sum[k]))
            return NULL;
    return sum;
}

const int64_t *row_without(struct arena *arena, int n, const int64_t *row, const int64_t *by, int column)
{
    return row[column] == 0 ? row : row_combine(arena, n, row, 1, by, -row[column] * by[column]);
}

int row_last(const int64_t *row, int end)
{
    while (end > 0 && row[end - 1] == 0)
        end--;
    return end - 1;
}

static void add_found(struct system *system, const int64_t *at, bool equal, bool derived)
{
    if (at)
        system_add(system, at, equal, derived);
    else
        system->failed = true;
}

/* The system without its rows, which are returned. */
static struct system taken(struct system *system)
{
    const struct system old = *system;

    *system = system_new(old.arena, old.n);
    system->empty = old.empty;
    system->failed = old.failed;
    return old;
}

void system_substitute(struct system *system, const int64_t *by, int column)
{
    const struct system old = taken(system);

    for (int k = 0; k < old.row.n; k++) {
        const struct row *row = &old.row.at[k];
        add_found(system, row_without(old.arena, old.n, row->at, by, column), row->equal, row->derived);
    }
}

/* What a lower and an upper bound of the column say together; less: how much more there must be between them. */
static const int64_t *pair_row(const struct system *system, const int64_t *lower, const int64_t *upper, int column,
                               int64_t less)
{
    const int64_t *sum = row_combine(system->arena, system->n, lower, -upper[column], upper, lower[column]);
    int64_t *row = ARENA_ARRAY(system->arena, system->n + 1, int64_t);

    if (!sum)
        return NULL;
    memcpy(row, sum, (size_t)(system->n + 1) * sizeof(*row));
    return __builtin_sub_overflow(row[system->n], less, &row[system->n]) || row[system->n] == INT64_MIN ? NULL : row;
}

/* Where the coefficients of both bounds are larger than 1, there may be no whole number between them although there is
 * room; there surely is one where the room is (a - 1) * (b - 1). That has to follow from the other rows. */
static bool has_room(const struct system *system, const struct interval *box, const int64_t *lower,
                     const int64_t *upper, int column)
{
    const int64_t a = lower[column] - 1, b = -upper[column] - 1;
    struct system room = system_new(system->arena, system->n);
    const int64_t *row = a < INT32_MAX && b < INT32_MAX ? pair_row(system, lower, upper, column, a * b) : NULL;

    if (row)
        system_add(&room, row, false, true);
    return row && !room.empty && (room.row.n == 0 || system_shows(system, box, room.row.at[0].at));
}

static bool is_unit_pair(const int64_t *lower, const int64_t *upper, int column)
{
    return lower[column] == 1 || upper[column] == -1;
}

/* Calls for the pairs of a lower and an upper bound of the column: those with a coefficient of 1 are combined, and for
 * the others it is seen that they say nothing new. */
static bool eliminate_pairs(struct system *system, const struct system *old, int column, bool unit)
{
    const struct interval *box = unit ? NULL : system_box(system);

    for (int l = 0; l < old->row.n; l++)
        for (int u = 0; u < old->row.n; u++) {
            const int64_t *lower = old->row.at[l].at, *upper = old->row.at[u].at;
            if (lower[column] <= 0 || upper[column] >= 0 || is_unit_pair(lower, upper, column) != unit)
                continue;
            if (unit)
                add_found(system, pair_row(system, lower, upper, column, 0), false, true);
            else if (!has_room(system, box, lower, upper, column))
                return false;
        }
    return true;
}

bool system_eliminate(struct system *system, int column)
{
    const struct system old = taken(system);

    for (int k = 0; k < old.row.n; k++)
        if (old.row.at[k].at[column] == 0)
            insert(system, &old.row.at[k]);
        else if (old.row.at[k].equal)
            return false;
    return eliminate_pairs(system, &old, column, true) && eliminate_pairs(system, &old, column, false) &&
           !system->failed;
}

static bool is_bound(int64_t bound)
{
    return bound != INT64_MIN && bound != INT64_MAX;
}

/* The end of the interval that makes factor * column smallest. */
static int64_t small_end(const struct interval *interval, int64_t factor)
{
    return factor > 0 ? interval->low : interval->high;
}

/* What factor * column + largest >= 0 says of the column; true when that is new. */
static bool narrow(struct interval *interval, int64_t factor, int64_t largest)
{
    const int64_t bound = factor > 0 ? -floor_of(largest, factor) : floor_of(largest, -factor);
    const bool news = factor > 0 ? bound > interval->low : bound < interval->high;

    if (news && factor > 0)
        interval->low = bound;
    if (news && factor < 0)
        interval->high = bound;
    return news;
}

/* The largest value of the row in the box without one of its columns; INT64_MAX: none is known. */
static int64_t largest_without(const int64_t *row, int n, const struct interval *box, int column)
{
    int64_t largest = row[n];

    for (int k = 0; k < n; k++) {
        const int64_t end = small_end(&box[k], -row[k]);
        if (row[k] != 0 && k != column && (!is_bound(end) || !combine(largest, 1, end, row[k], &largest)))
            return INT64_MAX;
    }
    return largest;
}

/* How many columns of the row have no largest value in the box: of one at most something can be said. */
static int n_open(const int64_t *row, int n, const struct interval *box, int64_t sign)
{
    int open = 0;

    for (int k = 0; k < n && open < 2; k++)
        open += row[k] != 0 && !is_bound(small_end(&box[k], -sign * row[k]));
    return open;
}

/* What sign * row >= 0 says of each column in the box; true when any of it is new. */
static bool narrow_by(struct arena *arena, const int64_t *row, int64_t sign, int n, struct interval *box)
{
    bool news = false;

    if (n_open(row, n, box, sign) > 1)
        return false;
    if (sign < 0)
        row = row_combine(arena, n, row, -1, row, 0);
    for (int k = 0; k < n && row; k++) {
        const int64_t largest = row[k] == 0 ? INT64_MAX : largest_without(row, n, box, k);
        news = (largest != INT64_MAX && narrow(&box[k], row[k], largest)) || news;
    }
    return news;
}

struct interval *system_box(const struct system *system)
{
    struct interval *box = ARENA_ARRAY(system->arena, system->n + 1, struct interval);
    bool news = true;

    for (int k = 0; k < system->n; k++)
        box[k] = (struct interval){INT64_MIN, INT64_MAX};
    for (int round = 0; round < MOST_ROUNDS && news; round++) {
        news = false;
        for (int k = 0; k < system->row.n; k++) {
            const struct row *row = &system->row.at[k];
            news = narrow_by(system->arena, row->at, 1, system->n, box) || news;
            news = (row->equal && narrow_by(system->arena, row->at, -1, system->n, box)) || news;
        }
    }
    return box;
}

int64_t row_least(const int64_t *row, int n, const struct interval *box)
{
    int64_t least = row[n];

    for (int k = 0; k < n; k++) {
        const int64_t end = small_end(&box[k], row[k]);
        if (row[k] != 0 && (!is_bound(end) || !combine(least, 1, end, row[k], &least)))
            return INT64_MIN;
    }
    return least;
}

static bool is_single(const int64_t *row, int n)
{
    const int last = row_last(row, n);

    return last >= 0 && row_last(row, last) < 0;
}

/* sign * column + constant >= 0 */
static void add_end(struct system *system, int column, int64_t sign, int64_t constant)
{
    int64_t *row = ARENA_ARRAY(system->arena, system->n + 1, int64_t);

    row[column] = sign;
    row[system->n] = constant;
    system_add(system, row, false, false);
}

/* The ends of the ranges that made the row needless. */
static void add_ends(struct system *system, const struct interval *box, const int64_t *needless)
{
    for (int c = 0; c < system->n; c++)
        if (needless[c] > 0)
            add_end(system, c, 1, -box[c].low);
        else if (needless[c] < 0)
            add_end(system, c, -1, box[c].high);
}

void system_prune(struct system *system, int first)
{
    struct interval *box = system_box(system);
    const struct system old = taken(system);

    for (int c = 0; c < first; c++)
        box[c] = (struct interval){INT64_MIN, INT64_MAX};
    for (int k = 0; k < old.row.n; k++) {
        const struct row *row = &old.row.at[k];
        if (row->equal || row_last(row->at, old.n) < first || is_single(row->at, old.n) ||
            row_least(row->at, old.n, box) < 0)
            insert(system, row);
        else
            add_ends(system, box, row->at);
    }
}

/* A column by which the row has no least value in the box; -1: it has one. */
static int open_column(const int64_t *row, int n, const struct interval *box)
{
    for (int k = 0; k < n; k++)
        if (row[k] != 0 && !is_bound(small_end(&box[k], row[k])))
            return k;
    return -1;
}

/* row of which `times` and `less` of another one are the difference that is looked at. */
struct pair {
    const int64_t *row, *other;
    int64_t times, less;
};

/* Is the difference >= 0 in the box, or larger than -times? Then row, a whole number, is not negative where other is
 * not. */
static bool exceeds(const struct pair *pair, int n, const struct interval *box)
{
    int64_t least, one;

    if (!combine(pair->row[n], pair->times, pair->other[n], -pair->less, &least))
        return false;
    for (int k = 0; k < n; k++) {
        int64_t end;
        if (!combine(pair->row[k], pair->times, pair->other[k], -pair->less, &one))
            return false;
        end = small_end(&box[k], one);
        if (one != 0 && (!is_bound(end) || !combine(least, 1, end, one, &least)))
            return false;
    }
    return least > -pair->times;
}

static bool shows(const struct system *system, const struct interval *box, const int64_t *row, int more);

static bool shows_rest(const struct system *system, const struct interval *box, const struct pair *pair, int more)
{
    const int n = system->n;
    int64_t *rest = ARENA_ARRAY(system->arena, n + 1, int64_t);

    for (int k = 0; k <= n; k++)
        if (!combine(pair->row[k], pair->times, pair->other[k], -pair->less, &rest[k]))
            return false;
    return combine(rest[n], 1, pair->times, 1, &rest[n]) && combine(rest[n], 1, 1, -1, &rest[n]) &&
           shows(system, box, rest, more);
}

static bool shows_pair(const struct system *system, const struct interval *box, const struct pair *pair, int more)
{
    return more == 1 ? exceeds(pair, system->n, box) : shows_rest(system, box, pair, more - 1);
}

/* Does the row follow from sign * other and more - 1 rows? Once, or as often as makes the row lose its open column. */
static bool shows_with(const struct system *system, const struct interval *box, const int64_t *row, int open,
                       const int64_t *other, int64_t sign, int more)
{
    const struct pair once = {row, other, 1, sign};
    struct pair pair = once;

    if (open >= 0) {
        const int64_t gcd = gcd_of(row[open], other[open]);
        if (other[open] == 0 || (row[open] > 0) != (sign * other[open] > 0))
            return false;
        pair.times = magnitude(other[open]) / gcd;
        pair.less = sign * (magnitude(row[open]) / gcd);
    }
    if (shows_pair(system, box, &pair, more))
        return true;
    return more > 1 && (pair.times != 1 || pair.less != sign) && shows_pair(system, box, &once, more);
}

/* Is row >= 0 as the sum of `more` rows of the system, at most, and something that is >= 0 in the box? Where the row
 * has no least value because of a column, one of them has to have that column, too. */
static bool shows(const struct system *system, const struct interval *box, const int64_t *row, int more)
{
    const int open = open_column(row, system->n, box);

    if (open < 0 && row_least(row, system->n, box) >= 0)
        return true;
    for (int k = 0; k < system->row.n; k++)
        for (int64_t sign = 1; sign >= (system->row.at[k].equal ? -1 : 1); sign -= 2)
            if (shows_with(system, box, row, open, system->row.at[k].at, sign, more))
                return true;
    return false;
}

bool system_shows(const struct system *system, const struct interval *box, const int64_t *row)
{
    return shows(system, box, row, 1);
}

bool system_shows_by_two(const struct system *system, const struct interval *box, const int64_t *row)
{
    return shows(system, box, row, 1) || shows(system, box, row, 2);
}
