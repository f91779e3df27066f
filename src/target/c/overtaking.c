/* Loops whose loads and stores gcc 12 would put in a wrong order (doc/COMPILERS.md). Where the stores of an iteration
 * to one array are a group of neighbours, its loop vectorizer makes all of them where the last one stands; loads that
 * stand between them are then too early (doc/COMPILERS.md, "loads overtake stores"):
 *
 *     for (int64_t i = 1; i < n; i++) {
 *         a[2 * i] += 1.0f;
 *         b[2 * i - 2] += a[2 * i - 2];       what the iteration before has stored
 *         a[2 * i + 1] += 1.0f;
 *         b[2 * i - 1] += a[2 * i - 1];
 *     }
 *
 * That takes, in one iteration with its inner loops unrolled, a store, a load that reads what the store has written
 * some iterations before, and another store.
 *
 * The other way round, its loop distribution loses the order ("distributed loops") where something late in an iteration
 * uses an element that a statement further up writes some iterations later:
 *
 *     for (int64_t u = 0; u < n; u++) {
 *         c[3 * m + u] = a[0];
 *         c[9 * m + u] = x[u > 0 ? u - 1 : 0];
 *         c[9 * m + u + 1] = c[u + 1];        what the next iteration writes above
 *     }
 *
 * A fence for the compiler, in standard C, keeps it from both.
 */
#include "target/c/file.h"

#include "tree/pointers.h"
#include "tree/visit.h"

#include <limits.h>
#include <stdlib.h>

enum {
    UNROLLED_MAX = 16, /* gcc unrolls loops of so many iterations before it makes vectors */
    DISTANCE_MAX = 64, /* iterations in one vector, at most */
};

/* What an iteration does to memory, in its order. */
struct touch {
    const struct element *element;
    const struct statement *stores; /* the statement that stores it; NULL: it is loaded */
    const int64_t *factor;          /* of the loop's variable in each subscript; NULL: it is no factor, or always 0 */
};

/* An unrolled loop inside: its variable, and one that counts its iterations instead. */
struct spread {
    const struct var *loop, *var;
    int64_t iterations;
};

struct range {
    int64_t least, most;
};

struct overtaking {
    struct arena *arena; /* of the analysis of one loop */
    const struct node *loop;
    int64_t distance; /* at most so many iterations later it matters */
    VEC(struct touch) touch;
    VEC(struct spread) spread;
};

bool c_is_unrolled(struct arena *arena, const struct node *loop, int64_t *iterations)
{
    const struct affine *length = affine_sub(arena, loop->upper, loop->lower);
    int64_t last;

    if (loop->kind != NODE_LOOP || !length || !affine_is_constant(length, &last) || last / loop->step >= UNROLLED_MAX)
        return false;
    *iterations = last / loop->step + 1;
    return true;
}

static const int64_t *factors(struct overtaking *overtaking, const struct element *element)
{
    const int n = element->array->n_dim;
    int64_t *factor = ARENA_ARRAY(overtaking->arena, n, int64_t);
    bool moves = false;

    for (int k = 0; k < n; k++) {
        if (!affine_linear_factor(overtaking->arena, element->index[k], overtaking->loop->var, &factor[k]))
            return NULL;
        moves = moves || factor[k] != 0;
    }
    return moves ? factor : NULL;
}

static void note_touch(struct overtaking *overtaking, const struct element *element, const struct statement *stores)
{
    if (element->array && element->array->n_dim > 0 && !element->indirect)
        VEC_PUSH(overtaking->arena, &overtaking->touch,
                 ((struct touch){element, stores, factors(overtaking, element)}));
}

static void note_load(const struct tree_expr *expr, void *user)
{
    if (expr->kind == TREE_LOAD)
        note_touch(user, &expr->element, NULL);
}

static void note_statement(struct overtaking *overtaking, const struct node *node)
{
    tree_expr_for_each(node->guard_value, note_load, overtaking);
    tree_expr_for_each(node->value, note_load, overtaking);
    if (node->kind != NODE_ASSIGN)
        return;
    if (node->op != OP_NONE)
        note_touch(overtaking, &node->target, NULL);
    note_touch(overtaking, &node->target, node->statement);
}

/* The variable that counts the iterations of the unrolled loop; one for all copies of the loop. */
static const struct var *counter(struct overtaking *overtaking, const struct node *loop, int64_t iterations)
{
    struct var *var;

    for (int k = 0; k < overtaking->spread.n; k++) {
        struct spread *spread = &overtaking->spread.at[k];
        if (spread->loop != loop->var)
            continue;
        spread->iterations = iterations > spread->iterations ? iterations : spread->iterations;
        return spread->var;
    }
    var = ARENA_NEW(overtaking->arena, struct var);
    *var = (struct var){.kind = VAR_LOOP, .id = INT_MAX - overtaking->spread.n, .name = loop->var->name};
    VEC_PUSH(overtaking->arena, &overtaking->spread, ((struct spread){loop->var, var, iterations}));
    return var;
}

/* The body of an unrolled loop inside, whose variable is its first value and steps of a counter. */
static const struct node *unrolled_body(struct overtaking *overtaking, const struct node *loop, int64_t iterations)
{
    struct arena *arena = overtaking->arena;
    const struct affine *count = affine_var(arena, counter(overtaking, loop, iterations));

    return node_substitute(arena, loop->child[0], loop->var, affine_combine(arena, loop->lower, 1, count, loop->step));
}

static bool note_touches(struct overtaking *overtaking, const struct node *node);

/* Twice: what comes after something in the body also comes before it, in the next iteration. */
static bool note_unrolled(struct overtaking *overtaking, const struct node *loop)
{
    int64_t iterations;

    if (!c_is_unrolled(overtaking->arena, loop, &iterations))
        return false;
    const struct node *body = unrolled_body(overtaking, loop, iterations);
    return note_touches(overtaking, body) && (iterations == 1 || note_touches(overtaking, body));
}

/* Notes what the node does. False: no vectors are made of what is around it, as it has a loop that stays one, or has
 * vectors. */
static bool note_touches(struct overtaking *overtaking, const struct node *node)
{
    if (!node || node->vector || node->tile || node->kind == NODE_TUPLE)
        return false;
    if (node->kind == NODE_LOOP)
        return note_unrolled(overtaking, node);
    if (node->kind == NODE_VALUE)
        return note_touches(overtaking, node_substitute(overtaking->arena, node->child[0], node->var, node->lower));
    note_statement(overtaking, node);
    for (int k = 0; k < node->n_child; k++)
        if (!note_touches(overtaking, node->child[k]))
            return false;
    return true;
}

static const struct spread *spread_of(const struct overtaking *overtaking, const struct atom *atom)
{
    for (int k = 0; atom->kind == ATOM_VAR && k < overtaking->spread.n; k++)
        if (overtaking->spread.at[k].var == atom->var)
            return &overtaking->spread.at[k];
    return NULL;
}

static bool is_param(const struct atom *atom)
{
    return atom->kind == ATOM_VAR && atom->var->kind == VAR_PARAM;
}

/* Adds what the counters in index, sign * index, are at least and at most. */
static void add_spread(const struct overtaking *overtaking, const struct affine *index, int sign, struct range *range)
{
    for (int k = 0; k < index->n_term; k++) {
        const struct spread *spread = spread_of(overtaking, index->term[k].atom);
        const int64_t most = spread ? sign * index->term[k].factor * (spread->iterations - 1) : 0;
        range->least += most < 0 ? most : 0;
        range->most += most > 0 ? most : 0;
    }
}

/* By how much a subscript of the store is larger than one of the load, in the same iteration of the loop and in any of
 * those inside. False: gcc knows no such numbers. */
static bool difference(struct overtaking *overtaking, const struct affine *store, const struct affine *load,
                       struct range *range)
{
    const struct affine *apart = affine_sub(overtaking->arena, store, load);

    if (!apart)
        return false;
    *range = (struct range){apart->constant, apart->constant};
    for (int k = 0; k < apart->n_term; k++) {
        if (is_param(apart->term[k].atom))
            return false;
        if (!spread_of(overtaking, apart->term[k].atom)) /* what another variable is, gcc may know */
            *range = (struct range){INT32_MIN, INT32_MAX};
    }
    add_spread(overtaking, store, 1, range);
    add_spread(overtaking, load, -1, range);
    return true;
}

/* May `later` be in some iteration the element that `earlier` was some iterations before? *apart: are iterations more
 * than one element apart? */
static bool meets_later(struct overtaking *overtaking, const struct touch *earlier, const struct touch *later,
                        bool *apart)
{
    const int n = earlier->element->array->n_dim;
    int64_t most_step = 0;

    *apart = true;
    if (earlier->element->base != later->element->base)
        return true;
    if (!earlier->factor || !later->factor)
        return false;
    for (int k = 0; k < n; k++) {
        struct range range;
        if (earlier->factor[k] != later->factor[k] ||
            !difference(overtaking, earlier->element->index[k], later->element->index[k], &range))
            return false;
        const int64_t step = earlier->factor[k] * overtaking->loop->step, size = llabs(step);
        const int64_t first = step < 0 ? -range.most : range.least, last = step < 0 ? -range.least : range.most;
        if (size != 0 ? last < size || first > overtaking->distance * size : first > 0 || last < 0)
            return false;
        most_step = size != 0 && k < n - 1 ? INT64_MAX : size > most_step ? size : most_step;
    }
    *apart = most_step > 1;
    return most_step > 0;
}

/* May the load read what the store has written some iterations before? Stores of neighbours are not a group. */
static bool reads_later(struct overtaking *overtaking, const struct touch *store, const struct touch *load)
{
    bool apart;

    return meets_later(overtaking, store, load, &apart) && apart;
}

/* Does the touch store to the array of the other one? */
static bool stores_to(const struct touch *touch, const struct touch *other)
{
    return touch->stores && touch->element->array == other->element->array;
}

/* Is there a store, a load behind it, and another store? */
static bool has_overtaken(struct overtaking *overtaking)
{
    for (int at = 1; at < overtaking->touch.n; at++) {
        const struct touch *load = &overtaking->touch.at[at];
        bool again = false, before = false;
        for (int k = at + 1; !load->stores && k < overtaking->touch.n && !again; k++)
            again = stores_to(&overtaking->touch.at[k], load);
        for (int k = 0; again && k < at && !before; k++)
            before =
                stores_to(&overtaking->touch.at[k], load) && reads_later(overtaking, &overtaking->touch.at[k], load);
        if (before)
            return true;
    }
    return false;
}

/* Does another statement store to the array, too? */
static bool has_other_store(const struct overtaking *overtaking, const struct touch *store)
{
    for (int k = 0; k < overtaking->touch.n; k++) {
        const struct touch *touch = &overtaking->touch.at[k];
        if (touch->stores != store->stores && stores_to(touch, store))
            return true;
    }
    return false;
}

/* Is there a store, and behind it a use of an element that it writes some iterations later? */
static bool has_backward(struct overtaking *overtaking)
{
    for (int first = 0; first < overtaking->touch.n; first++) {
        const struct touch *store = &overtaking->touch.at[first];
        const bool shared = store->stores && has_other_store(overtaking, store);
        for (int k = first + 1; shared && k < overtaking->touch.n; k++) {
            bool apart;
            if (overtaking->touch.at[k].element->array == store->element->array &&
                meets_later(overtaking, &overtaking->touch.at[k], store, &apart))
                return true;
        }
    }
    return false;
}

static bool is_overtaken(const struct node *loop)
{
    struct overtaking overtaking = {.arena = arena_new(), .loop = loop};
    int64_t iterations;

    overtaking.distance = c_is_unrolled(overtaking.arena, loop, &iterations) ? iterations - 1 : DISTANCE_MAX;
    const bool overtaken =
        note_touches(&overtaking, loop->child[0]) && (has_overtaken(&overtaking) || has_backward(&overtaking));
    arena_free(overtaking.arena);
    return overtaken;
}

/* One fence is enough for all loops around it. whole: node without pointers. */
static bool walk(struct emitter *emitter, const struct node *node, const struct node *whole)
{
    bool fenced = false;

    while (node != whole && node->kind == NODE_POINTER)
        node = node->child[0];
    for (int k = 0; k < node->n_child; k++)
        fenced |= walk(emitter, node->child[k], whole->child[k]);
    if (fenced || node->kind != NODE_LOOP || node->simd || !is_overtaken(whole))
        return fenced;
    VEC_PUSH(emitter->arena, &emitter->fenced, node);
    return true;
}

void c_note_overtaken(struct c_file *file)
{
    struct arena *arena = arena_new();
    const struct node *tree = file->unit->tree, *whole = node_without_pointers(arena, tree);

    walk(&file->emitter, tree, whole);
    arena_free(arena);
}
