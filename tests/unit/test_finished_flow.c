/* Unit tests of finished/sources.h: loops in loops, conditions, names and several stores of b[i % n] are drawn and
 * run; what is shown must be so. */
#include "tile_copies.h"

enum { SIZE = 1000, FAR = 64, MOST_MODULUS = 9, DRAWN = 40, MOST_ITEMS = 3, DEPTH = 3, LEAST_SHOWN = 98 /* of 100 */ };

enum item_kind { ITEM_FILL, ITEM_USE, ITEM_LOOP, ITEM_IF, ITEM_NAME };

/* One of these:
 *     FILL, USE: F or S at the element; a USE below a NAME is of what the element was there
 *     LOOP: for var = 0 to n - 1, or down; the outermost goes to N - 1
 *     IF: where element >= 0
 *     NAME: a = b, and what stands after it */
struct drawn {
    enum item_kind kind;
    int64_t factor[DEPTH], constant; /* of the element, of the loops around */
    int var;
    int64_t n;
    bool down;
    struct drawn *child;
    int n_child;
};

/* What loops are around, how many USEs there are, and whether a name has been drawn. */
struct drawing {
    int n_loop, n_use;
    bool has_loop[DEPTH], named;
    int64_t modulus;
};

static uint64_t state;

static int64_t draw(int64_t low, int64_t high)
{
    state = state * 6364136223846793005U + 1442695040888963407U;
    return low + (int64_t)((state >> 33) % (uint64_t)(high - low + 1));
}

static void draw_element(const struct drawing *drawing, struct drawn *item)
{
    for (int k = 0; k < DEPTH; k++)
        item->factor[k] = !drawing->has_loop[k] ? 0 : k == 0 || draw(0, 3) > 0 ? 1 : draw(-1, 1);
    item->constant = draw(0, 2) == 0 ? draw(-2, 2) : 0;
}

static void draw_all(struct drawing *drawing, struct drawn *parent, int depth);

static struct drawn draw_one(struct drawing *drawing, int depth, bool last)
{
    struct drawn item = {.kind = (enum item_kind)draw(ITEM_FILL, depth < DEPTH ? ITEM_IF : ITEM_USE)};

    if (last && !drawing->named && drawing->n_loop > 0 && draw(0, 5) == 0)
        item.kind = ITEM_NAME;
    draw_element(drawing, &item);
    switch (item.kind) {
    case ITEM_LOOP:
        item.var = drawing->n_loop++;
        item.n = draw(1, 4);
        item.down = draw(0, 3) == 0;
        drawing->has_loop[item.var] = true;
        draw_all(drawing, &item, depth + 1);
        drawing->has_loop[item.var] = false;
        drawing->n_loop--;
        break;
    case ITEM_IF:
        item.constant = -draw(0, 4);
        draw_all(drawing, &item, depth + 1);
        break;
    case ITEM_NAME:
        drawing->named = true;
        draw_all(drawing, &item, depth);
        drawing->named = false;
        break;
    default:
        drawing->n_use += item.kind == ITEM_USE;
        break;
    }
    return item;
}

static void draw_all(struct drawing *drawing, struct drawn *parent, int depth)
{
    parent->n_child = (int)draw(1, MOST_ITEMS);
    parent->child = ARENA_ARRAY(s.read.arena, parent->n_child, struct drawn);
    for (int k = 0; k < parent->n_child; k++)
        parent->child[k] = draw_one(drawing, depth, k + 1 == parent->n_child);
}

/* What each place has; of the elements from -FAR on. */
struct running {
    int64_t modulus, has[MOST_MODULUS + 1], named[MOST_MODULUS + 1], value[DEPTH];
    bool good;
};

static int64_t element_of(const struct running *running, const struct drawn *item)
{
    int64_t sum = item->constant;

    for (int k = 0; k < DEPTH; k++)
        sum += item->factor[k] * running->value[k];
    return sum;
}

static void run_items(struct running *running, const struct drawn *parent, bool named);

static void run_item(struct running *running, const struct drawn *item, bool named)
{
    const int64_t element = element_of(running, item);
    const int64_t place = (element + FAR * running->modulus) % running->modulus;
    const int64_t n = item->var == 0 ? SIZE : item->n;

    switch (item->kind) {
    case ITEM_FILL:
        running->has[place] = element;
        break;
    case ITEM_USE:
        running->good = running->good && (named ? running->named : running->has)[place] == element;
        break;
    case ITEM_LOOP:
        for (int64_t k = 0; k < n && running->good; k++) {
            running->value[item->var] = item->down ? n - 1 - k : k;
            run_items(running, item, named);
        }
        running->value[item->var] = 0;
        break;
    case ITEM_IF:
        if (element >= 0)
            run_items(running, item, named);
        break;
    case ITEM_NAME:
        memcpy(running->named, running->has, sizeof(running->has));
        run_items(running, item, true);
        break;
    }
}

static void run_items(struct running *running, const struct drawn *parent, bool named)
{
    for (int k = 0; k < parent->n_child; k++)
        run_item(running, &parent->child[k], named);
}

/* Do all uses have what they are to have? */
static bool is_so(const struct drawn *root, int64_t modulus)
{
    struct running running = {.modulus = modulus, .good = true};

    for (int k = 0; k <= MOST_MODULUS; k++)
        running.has[k] = INT64_MIN;
    run_items(&running, root, false);
    return running.good;
}

static const struct var *loop_var(int k)
{
    return k == 0 ? s.j : k == 1 ? s.l : s.t;
}

static const struct affine *affine_of(const struct drawn *item)
{
    const struct affine *sum = constant(item->constant);

    for (int k = 0; k < DEPTH; k++)
        sum = affine_combine(s.read.arena, sum, 1, at(loop_var(k)), item->factor[k]);
    return sum;
}

static const struct node *tree_of_items(const struct drawn *parent, bool is_named);

static const struct node *tree_of(const struct drawn *item, bool is_named)
{
    const struct affine *last = item->var == 0 ? plus(end(), -1) : constant(item->n - 1);
    struct condition *from = ARENA_NEW(s.read.arena, struct condition);
    struct guard *guard = ARENA_NEW(s.read.arena, struct guard);

    switch (item->kind) {
    case ITEM_FILL:
        return assign(FILL, affine_of(item), load(&s.read.program->array[0]));
    case ITEM_USE:
        return assign(READ, affine_of(item), is_named ? named() : load(s.buffer));
    case ITEM_LOOP:
        return node_loop(s.read.arena, loop_var(item->var), item->down ? last : constant(0),
                         item->down ? constant(0) : last, item->down ? -1 : 1, NULL, tree_of_items(item, is_named));
    case ITEM_NAME:
        return let(load(s.buffer), tree_of_items(item, true));
    default:
        *from = (struct condition){affine_of(item), false};
        *guard = (struct guard){from, 1};
        return node_if(s.read.arena, guard, 1, tree_of_items(item, is_named));
    }
}

static const struct node *tree_of_items(const struct drawn *parent, bool is_named)
{
    const struct node *child[MOST_ITEMS];

    for (int k = 0; k < parent->n_child; k++)
        child[k] = tree_of(&parent->child[k], is_named);
    return node_block(s.read.arena, child, parent->n_child);
}

static void compare(int64_t modulus)
{
    int shown = 0, so = 0;

    set_up_modulus(modulus);
    state = (uint64_t)modulus;
    for (int k = 0; k < DRAWN; k++) {
        struct drawing drawing = {.modulus = modulus};
        struct drawn root = {.kind = ITEM_LOOP};
        bool good, sees;
        draw_all(&drawing, &root, 0);
        if (drawing.n_use == 0)
            continue;
        good = is_so(&root, modulus);
        sees = is_shown(tree_of_items(&root, false));
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

UNIT_MAIN("finished_flow", as_it_runs)
