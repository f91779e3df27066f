#include "lower/finished/same_elements.h"

#include "lower/finished/least.h"
#include "lower/finished/same_stored.h"
#include "lower/prove/own_part.h"
#include "tree/translate.h"
#include "tree/visit.h"

/* Questions that sets are asked in all; names of names of .. that are looked through. */
enum { MOST_SETS = 24, MOST_NAMES = 8 };

struct elements {
    struct arena *arena;
    struct same_sets *sets;
    struct subscripts *subscripts;
    struct ways ways;
    struct element_result *result;
    int n_asked;
};

/* A node that runs instances, and what its expressions are of. */
struct looking {
    struct elements *elements;
    const struct way *way; /* with the counts of the leaf; that of an inner dimension that is no lane is 0 */
    const struct way *at;  /* where names are looked up: there, or where a name around got its value */
    int depth;             /* names that may still be looked through */
    const struct statement *statement;
    const struct tree_expr *whole; /* the node's value */
    const struct affine *const *argument;
    const struct affine *lane; /* NULL: of one value */
};

static void note(const struct looking *looking, bool shown, const char *why)
{
    struct element_result *result = &looking->elements->result[looking->statement->index];

    result->n++;
    result->shown += shown;
    if (!shown && !result->why)
        result->why = why;
}

/* What the subscripts differ in, of one dimension. NULL: nobody knows. */
static const struct affine *difference(const struct looking *looking, const struct element *element,
                                       const struct stored_access *access, int dim)
{
    struct elements *elements = looking->elements;
    struct arena *arena = elements->arena;
    const struct scope scope = {elements->sets->program, elements->sets->param_var, looking->argument};
    const struct affine *is = way_value(&elements->ways, looking->at, element->index[dim]), *wanted;

    if (is && looking->lane && element->lane_step)
        is = affine_combine(arena, is, 1, looking->lane, element->lane_factor[dim]);
    if (!is || !affine_from_expr(arena, &scope, access->subscript[dim], &wanted) || !wanted)
        return NULL;
    return affine_sub(arena, is, wanted);
}

static bool is_zero(const struct looking *looking, const struct affine *affine)
{
    const struct least least = {looking->elements->arena, looking->elements->sets->param_least, looking->way};
    int64_t value;

    if (affine_is_constant(affine, &value))
        return value == 0;
    return least_is_shown(&least, affine) && least_is_shown(&least, affine_scale(least.arena, affine, -1));
}

/* Is it seen to be 0 from what is known of the counts of the way, in a form in which quotients are counts? */
static bool is_known_zero(const struct looking *looking, const struct affine *affine)
{
    const struct leaf leaf = {looking->way, NULL, looking->statement, &affine, 1};
    const struct side side = {.from = NULL};
    struct shape shape;

    if (!shape_of(looking->elements->arena, &side, &leaf, INT32_MAX, &shape))
        return false;
    shape_find_implied(&shape);
    stored_tell_quotients(&shape);
    return stored_known(looking->elements->arena, &shape, &(condition_vec){0}, shape.argument[0], true);
}

/* Is it that access, and if that is not seen, not shown by sets either? */
static bool is_access(const struct looking *looking, const struct element *element, const struct stored_access *access,
                      bool ask)
{
    struct elements *elements = looking->elements;
    bool same = true;

    for (int d = 0; d < element->array->n_dim && same; d++) {
        const struct affine *more = difference(looking, element, access, d);
        enum same_answer answer = more && is_zero(looking, more) ? SAME_YES : SAME_UNKNOWN;
        if (more && answer != SAME_YES && ask && is_known_zero(looking, more))
            answer = SAME_YES;
        if (more && answer != SAME_YES && ask && elements->n_asked < MOST_SETS) {
            elements->n_asked++;
            answer = same_sets_shown(elements->sets, looking->way, more, true);
            if (answer == SAME_NO && elements->sets->param)
                elements->result[looking->statement->index].param = elements->sets->param;
        }
        same = answer == SAME_YES;
    }
    return same;
}

/* own: the access that it must be; NULL: it is not known which. */
static void look_at(const struct looking *looking, const struct element *element, const struct expr *own, bool stores)
{
    const struct stored_access *access = subscripts_accesses(looking->elements->subscripts, looking->statement), *only;
    int n = 0;

    if (!element->array || element->array->n_dim == 0)
        return;
    if (!subscripts_tell(element)) {
        note(looking, false, "subscripts that are no affine expressions");
        return;
    }
    only = NULL;
    for (; access; access = stores ? NULL : access->next) {
        if (access->array != element->array || !access->told || (own && access->expr != own))
            continue;
        n++;
        only = access;
        if (is_access(looking, element, access, false)) {
            note(looking, true, NULL);
            return;
        }
    }
    if (n == 1 && is_access(looking, element, only, true))
        note(looking, true, NULL);
    else
        note(looking, false, n ? NULL : "arrays that passes have given another form");
}

/* Checks the loads in expr, which computes the statement's expression own. Where a name stands for a value computed
 * further out, the loads of that value are checked. */
static void look_at_loads(const struct looking *looking, const struct tree_expr *expr, const struct expr *own)
{
    const struct way *name = expr && expr->kind == TREE_NAMED ? way_find(looking->at, expr->var) : NULL;
    struct looking there = *looking;

    if (!expr)
        return;
    if (expr->kind == TREE_LOAD)
        look_at(looking, &expr->element, own_access(own, expr), false);
    for (int k = 0; expr->element.indirect && k < expr->element.array->n_dim; k++)
        look_at_loads(looking, expr->element.indirect[k], NULL);
    for (int k = 0; k < expr->n_arg; k++)
        look_at_loads(looking, expr->arg[k], own_operand(own, expr, k));
    if (!name || name->kind != WAY_LET || !looks_through(name->let, looking->statement, expr == looking->whole) ||
        looking->depth == 0)
        return;
    there.at = name->outer;
    there.depth--;
    look_at_loads(&there, name->let->value, own);
}

/* The node's way with its inner dimensions: lanes as those that run, others at 0, where its elements are. */
static bool at_elements(struct looking *looking, const struct node *node)
{
    struct elements *elements = looking->elements;
    struct arena *arena = elements->arena;
    const struct var *lane = NULL;

    for (int k = 0; k < node->n_inner; k++) {
        const struct inner_dim *dim = &node->inner[k];
        const struct affine *value = affine_constant(arena, 0);
        if (dim->lane) {
            const struct var *count = ways_count(&elements->ways);
            looking->way =
                way_with_count(&elements->ways, looking->way, count, affine_constant(arena, dim->extent - 1));
            looking->lane = value = affine_var(arena, count);
            lane = dim->var;
        }
        looking->way = way_with_name(&elements->ways, looking->way, dim->var, value);
    }
    if (lane && node->vector)
        looking->way = way_in_lanes(&elements->ways, looking->way, node, lane);
    if (looking->way && node->counted)
        looking->way = way_where(&elements->ways, looking->way, node->counted, 1, false);
    looking->argument =
        looking->way ? way_values(&elements->ways, looking->way, node->argument, node->statement->n_loop) : NULL;
    return looking->argument;
}

static void look_at_node(struct elements *elements, const struct stop *stop)
{
    const struct node *node = stop->node;
    struct looking looking = {.elements = elements, .way = stop->way, .statement = node->statement};

    if (!node->argument || !node->statement)
        return;
    if (node->n_also || !at_elements(&looking, node)) {
        looking.statement = node->statement;
        note(&looking, false, node->n_also ? "groups that are stored together" : elements->ways.why);
        return;
    }
    looking.at = looking.way;
    looking.depth = MOST_NAMES;
    if (node->kind == NODE_ASSIGN)
        look_at(&looking, &node->target, NULL, true);
    looking.whole = node->value;
    look_at_loads(&looking, node->value, own_value(node));
    look_at_loads(&looking, node->guard_value, NULL);
}

static void note_lost(const struct node *node, void *user)
{
    const struct looking looking = {.elements = user, .statement = node->statement};

    if (node->statement && node->argument && node->kind != NODE_BARRIER)
        note(&looking, false, looking.elements->ways.why);
}

static void walk(struct elements *elements, const stop_vec *stops)
{
    for (int s = 0; s < stops->n; s++) {
        const struct stop *stop = &stops->at[s];
        if (stop_bodies(stop) == 0)
            look_at_node(elements, stop);
        for (int k = 0; k < stop_bodies(stop); k++) {
            stop_vec inside = {0};
            if (stop_enter(&elements->ways, stop, k, NULL, &inside))
                walk(elements, &inside);
            else
                node_for_each(stop->node->child[k], note_lost, elements);
        }
    }
}

const struct element_result *same_elements(struct same_sets *sets, struct subscripts *subscripts, int first_id,
                                           const struct node *finished)
{
    struct arena *arena = sets->arena;
    struct elements elements = {.arena = arena,
                                .sets = sets,
                                .subscripts = subscripts,
                                .ways = {arena, first_id, 1, true, false, NULL},
                                .result = ARENA_ARRAY(arena, sets->program->n_statement + 1, struct element_result)};
    stop_vec stops = {0};

    way_stops(&elements.ways, way_root(&elements.ways), finished, &stops);
    walk(&elements, &stops);
    return elements.result;
}
