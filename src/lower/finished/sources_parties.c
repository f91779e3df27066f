/* What leaves load and store of arrays that no caller sees. */
#include "lower/finished/sources_parts.h"
#include "plan/device/copies/neighbours.h"
#include "tree/translate.h"
#include "tree/visit.h"

/* Names of names of .. that are looked through. */
enum { MOST_NAMES = 8 };

static const struct meaning *meanings(struct sourcing *s, const struct statement *statement)
{
    if (!s->is_known[statement->index])
        s->meaning[statement->index] = meanings_of(s->arena, s->scheduled, s->sets->program, statement);
    s->is_known[statement->index] = true;
    return s->meaning[statement->index];
}

static int number_of(const struct sourcing *s, const char *name)
{
    for (int k = 0; k < s->sets->program->n_array; k++)
        if (strcmp(s->sets->program->array[k].name, name) == 0)
            return k;
    return s->sets->program->n_array;
}

const char **sources_why_lost(struct sourcing *s, const struct array *array)
{
    return &s->lost[number_of(s, array->name)];
}

bool sources_is_held(const struct sourcing *s, const struct array *array)
{
    return s->held[number_of(s, array->name)];
}

void sources_lose(struct sourcing *s, const struct array *array, const char *why)
{
    const char **lost = sources_why_lost(s, array);

    *lost = *lost ? *lost : why;
}

/* The arrays that the statement stores are not followed. */
static void lose_stores(struct sourcing *s, const struct statement *statement, const char *why)
{
    for (const struct meaning *meaning = meanings(s, statement); meaning; meaning = meaning->next)
        if (meaning->stores)
            sources_lose(s, meaning->array, why);
}

static bool evaluate(struct sourcing *s, const struct leaf *leaf, struct expr *const *expr, int n,
                     const struct affine **value)
{
    const struct scope scope = {s->sets->program, s->sets->param_var, leaf->argument};

    for (int k = 0; k < n; k++)
        if (!affine_from_expr(s->arena, &scope, expr[k], &value[k]) || !value[k])
            return false;
    return true;
}

/* The dimension whose neighbours are `apart` elements from each other in memory (0 and 1: adjacent); -1: not known. */
static int dimension_of(const struct array *array, int64_t apart)
{
    int64_t size = 1;

    if (apart <= 1 || fastest_dimension(array) < 0)
        return fastest_dimension(array);
    for (int k = array->n_dim - 1; k > 0; k--) {
        const int dim = array->dim_order ? array->dim_order[k] : k;
        if (array->shape[dim]->kind != EXPR_INT ||
            __builtin_mul_overflow(size, array->shape[dim]->integer + (k == array->n_dim - 1 ? array->pad : 0), &size))
            return -1;
        if (size == apart)
            return array->dim_order ? array->dim_order[k - 1] : k - 1;
    }
    return -1;
}

/* A copy of several neighbours is one of each of them, number `next`; false: which these are is not known. */
static bool with_neighbours(struct sourcing *s, struct party *party, const struct affine **index)
{
    const struct meaning *meaning = party->meaning;
    const struct statement *statement = party->leaf.statement;
    const int64_t *apart = statement->apart;
    const int dim = dimension_of(meaning->array, apart[meaning->stores ? 0 : 1]);
    const int of = meaning->of ? dimension_of(meaning->of_array, apart[meaning->stores ? 1 : 0]) : 0;
    const struct var *next = ways_count(&s->ways);

    if (party->leaf.node->neighbours != statement->neighbours || dim < 0 || of < 0)
        return false;
    party->leaf.way =
        way_with_count(&s->ways, party->leaf.way, next, affine_constant(s->arena, statement->neighbours - 1));
    index[dim] = affine_add(s->arena, index[dim], affine_var(s->arena, next));
    if (meaning->of)
        index[party->n_index + of] = affine_add(s->arena, index[party->n_index + of], affine_var(s->arena, next));
    return index[dim] && (!meaning->of || index[party->n_index + of]);
}

/* Sets what the access is of; false: that has no values. */
static bool party_of(struct sourcing *s, const struct meaning *meaning, const struct leaf *leaf, struct party *party)
{
    const int n_index = meaning->array->n_dim;
    const struct affine **index = ARENA_ARRAY(s->arena, n_index + meaning->n_of + 1, const struct affine *);

    *party = (struct party){.meaning = meaning, .leaf = *leaf, .index = index};
    party->n_index = n_index;
    party->n_of = meaning->of ? meaning->n_of : meaning->zero ? 0 : -1;
    return evaluate(s, leaf, meaning->subscript, n_index, index) &&
           (!meaning->of || evaluate(s, leaf, meaning->of_subscript, meaning->n_of, index + n_index)) &&
           (leaf->statement->neighbours + leaf->node->neighbours == 0 || with_neighbours(s, party, index));
}

/* What subscripts of an array are whose elements are in variables: the variable, its register, and the lane. */
enum { HELD_VARIABLE, HELD_REGISTER, HELD_LANE, HELD_SUBSCRIPTS };

/* Makes the party's element that of a variable. False: its register has no value. */
static bool hold(struct sourcing *s, struct party *party, const struct var *var, const struct affine *place)
{
    const struct node *node = party->leaf.node;
    const struct affine **index = ARENA_ARRAY(s->arena, HELD_SUBSCRIPTS + party->n_of + 1, const struct affine *);

    for (int k = 0; k < party->n_of; k++)
        index[HELD_SUBSCRIPTS + k] = party->index[party->n_index + k];
    index[HELD_VARIABLE] = affine_constant(s->arena, var->id);
    index[HELD_REGISTER] = place ? way_value(&s->ways, party->leaf.way, place) : affine_constant(s->arena, 0);
    index[HELD_LANE] = affine_constant(s->arena, 0);
    for (int k = 0; k < node->n_inner; k++)
        if (node->inner[k].lane)
            index[HELD_LANE] = way_value(&s->ways, party->leaf.way, affine_var(s->arena, node->inner[k].var));
    party->index = index;
    party->n_index = HELD_SUBSCRIPTS;
    return index[HELD_REGISTER] && index[HELD_LANE];
}

/* Where a node's value is loaded from an array: the outermost place, as its names go. */
struct loading {
    struct sourcing *s;
    const char *array;
    const struct way *way, *at; /* where names are looked up, and what is looked at is computed */
    const struct way *place;    /* found; NULL: nowhere */
    bool named;                 /* there it is that of a name */
    const struct var *held;     /* there it is in this variable; NULL: in memory */
    const struct affine *in;    /* in that register of it */
    int depth;
};

static int length(const struct way *way)
{
    int n = 0;

    for (; way; way = way->outer)
        n++;
    return n;
}

static void note_place(struct loading *loading, const struct var *held, const struct affine *in)
{
    if (loading->place && length(loading->at) >= length(loading->place))
        return;
    loading->held = held;
    loading->in = in;
    loading->place = loading->at;
    loading->named = loading->depth < MOST_NAMES;
}

static void look_for_load(const struct tree_expr *expr, void *user)
{
    struct loading *loading = user;
    const struct way *name = expr->kind == TREE_NAMED ? way_find(loading->way, expr->var) : NULL;
    const struct way *way = loading->way, *at = loading->at;

    if (expr->kind == TREE_LOAD && expr->element.array && strcmp(expr->element.array->name, loading->array) == 0)
        note_place(loading, NULL, NULL);
    if (!name || name->kind != WAY_LET || loading->depth == 0)
        return;
    if (name->let->argument && strcmp(name->let->statement->target->array->name, loading->array) == 0) {
        note_place(loading, expr->var, expr->affine);
        return;
    }
    loading->depth--;
    loading->way = name->outer;
    loading->at = name;
    tree_expr_for_each(name->let->value, look_for_load, loading);
    loading->way = way;
    loading->at = at;
    loading->depth++;
}

/* Does the node load of the array? Sets where. */
static bool find_load(struct sourcing *s, struct party *party)
{
    const struct node *node = party->leaf.node;
    const struct way *way = party->leaf.way;
    struct loading loading = {s, party->meaning->array->name, way, way, NULL, false, NULL, NULL, MOST_NAMES};

    const bool first = node->warp_sum && node->warp_sum->by_warp;

    if (node->kind == NODE_ASSIGN && node->op != OP_NONE && node->target.array && !first &&
        strcmp(node->target.array->name, loading.array) == 0)
        note_place(&loading, lane_held_variable(node), node->vector ? node->vector->place : NULL);
    tree_expr_for_each(node->value, look_for_load, &loading);
    tree_expr_for_each(node->guard_value, look_for_load, &loading);
    party->from = loading.place;
    party->named = loading.named;
    return loading.place && (!sources_is_held(s, party->meaning->array) || hold(s, party, loading.held, loading.in));
}

/* A load that is not followed. */
static void note_lost(struct sourcing *s, const struct statement *statement, const char *why)
{
    struct loaded *loaded = ARENA_NEW(s->arena, struct loaded);

    *loaded = (struct loaded){.statement = statement, .open = 1, .why = why};
    VEC_PUSH(s->arena, &s->loaded, loaded);
}

/* Does the leaf update a vector that comes to its target in the end, in a register that the vector has? */
static bool is_collected(struct sourcing *s, const struct leaf *leaf)
{
    const struct vector *vector = leaf->node->vector;
    const struct node *let = vector && vector->sum ? lane_totals_of(&s->totals, leaf->node) : NULL;
    const int64_t last = let && let->vector->registers > 0 ? let->vector->registers - 1 : 0;
    const struct affine *place = let && vector->place ? way_value(&s->ways, leaf->way, vector->place) : NULL;
    const struct affine *left = place ? affine_sub(s->arena, affine_constant(s->arena, last), place) : NULL;

    return let && (!vector->place || sources_are_known(s, leaf, (const struct affine *[]){place, left}, 2));
}

/* What is not followed of how the leaf stores or loads the array; NULL: nothing. */
static const char *stores_apart(struct sourcing *s, const struct leaf *leaf, const struct array *array)
{
    const struct node *node = leaf->node;
    const bool sums = node->into || (node->vector && node->vector->sum);

    if (sums && !sources_is_held(s, array) && node->target.array &&
        strcmp(node->target.array->name, array->name) == 0 && !is_collected(s, leaf))
        return "sums of several threads or lanes";
    if (array->run)
        return "arrays of which a block's threads have parts";
    return NULL;
}

/* Does it store what updates of another array come to in some instances? That is to be loaded as such. */
static void note_part(struct sourcing *s, struct party *party)
{
    struct part_store *part = ARENA_NEW(s->arena, struct part_store);

    *part = (struct part_store){party->meaning->array, false};
    party->summed = &part->summed;
    if (!party->leaf.statement->is_copy && party->n_of >= 0 && party->meaning->of &&
        strcmp(party->meaning->of, part->array->name) != 0)
        VEC_PUSH(s->arena, &s->part_store, part);
}

/* around: where the node is. */
static void add_leaf(struct sourcing *s, const struct way *around, const struct leaf *leaf, party_vec *loads,
                     party_vec *stores)
{
    const struct node *node = leaf->node;
    const struct meaning *meaning = meanings(s, leaf->statement);

    for (; meaning; meaning = meaning->next) {
        const char *apart = stores_apart(s, leaf, meaning->array);
        const bool held = sources_is_held(s, meaning->array);
        struct party party;
        bool good = party_of(s, meaning, leaf, &party);
        if (good && held && meaning->stores)
            good = hold(s, &party, lane_held_variable(node), node->vector ? node->vector->place : NULL);
        if (good && !apart && node->warp_sum && meaning->stores && !sources_store_of_warp(s, around, &party))
            apart = "sums of several threads or lanes";
        if (meaning->stores && (apart || !good || (node->kind != NODE_ASSIGN && !held)))
            sources_lose(s, meaning->array, apart ? apart : "subscripts that are no affine expressions");
        if (meaning->stores) {
            party.sure = !node->guard_value && !leaf->statement->guard;
            party.zero = meaning->zero;
            note_part(s, &party);
            if (good)
                VEC_PUSH(s->arena, stores, party);
            continue;
        }
        if (!find_load(s, &party))
            continue;
        if (apart || !good) {
            note_lost(s, leaf->statement, apart ? apart : "subscripts that are no affine expressions");
            continue;
        }
        party.leaf.way = sources_way_of_arm(s, &party.leaf, meaning->where);
        sources_add_load(s, &party, loads);
    }
}

/* Instances of the statement are not followed. */
static void lose_statement(struct sourcing *s, const struct statement *statement)
{
    bool loads = false;

    for (const struct meaning *meaning = meanings(s, statement); meaning; meaning = meaning->next)
        loads = loads || !meaning->stores;
    if (loads)
        note_lost(s, statement, s->ways.why);
    lose_stores(s, statement, s->ways.why);
}

/* What stands at a stop that runs instances itself. */
void sources_add_leaves(struct sourcing *s, const struct stop *stop, party_vec *loads, party_vec *stores)
{
    for (int k = 0; k < s->sets->program->n_statement; k++) {
        const struct statement *statement = s->sets->program->statement[k];
        leaf_vec leaves = {0};
        if (statement->barrier || !node_runs(stop->node, statement) || !meanings(s, statement))
            continue;
        if (!stop_leaves(&s->ways, stop, statement, &leaves))
            lose_statement(s, statement);
        for (int l = 0; l < leaves.n; l++)
            add_leaf(s, stop->way, &leaves.at[l], loads, stores);
    }
}

/* What runs in a node that cannot be entered. */
void sources_lose_node(struct sourcing *s, const struct node *node)
{
    for (int k = 0; k < s->sets->program->n_statement; k++) {
        const struct statement *statement = s->sets->program->statement[k];
        if (!statement->barrier && node_runs(node, statement) && meanings(s, statement))
            lose_statement(s, statement);
    }
}
