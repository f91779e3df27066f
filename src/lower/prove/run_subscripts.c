#include "lower/prove/run_subscripts.h"

#include "program/storage/lay_out.h"
#include "tree/visit.h"

struct subscripts subscripts_of(struct arena *arena, const struct program *program, const struct program *laid_out)
{
    return (struct subscripts){.arena = arena,
                               .program = program,
                               .laid_out = laid_out,
                               .access = ARENA_ARRAY(arena, program->n_statement + 1, const struct stored_access *)};
}

void subscripts_at(struct subscripts *subscripts, const int64_t *param)
{
    subscripts->param = param;
}

static void add_access(struct subscripts *subscripts, const struct expr *expr, struct stored_access ***last)
{
    struct stored_access *access = ARENA_NEW(subscripts->arena, struct stored_access);

    access->array = laid_out_array(subscripts->laid_out, subscripts->program, expr->array);
    access->told = access->array->stored_dim || access->array->n_dim == expr->n_arg;
    access->subscript = laid_out_subscripts(subscripts->arena, access->array, expr);
    **last = access;
    *last = (struct stored_access **)(uintptr_t)&access->next;
}

/* Adds the accesses in expr, those in subscripts among them. */
static void add_accesses(struct subscripts *subscripts, const struct expr *expr, struct stored_access ***last)
{
    if (!expr)
        return;
    if (expr->kind == EXPR_ACCESS)
        add_access(subscripts, expr, last);
    for (int k = 0; k < expr->n_arg; k++)
        add_accesses(subscripts, expr->arg[k], last);
}

const struct stored_access *subscripts_accesses(struct subscripts *subscripts, const struct statement *statement)
{
    const struct stored_access **known = &subscripts->access[statement->index];
    struct stored_access *first = NULL, **last = &first;

    if (*known)
        return *known;
    add_accesses(subscripts, statement->target, &last);
    add_accesses(subscripts, statement->value, &last);
    add_accesses(subscripts, statement->guard, &last);
    return *known = first;
}

/* One instance, and the node that runs it. */
struct looking {
    struct subscripts *subscripts;
    struct running *running;
    const struct statement *statement;
    const int64_t *coordinate;
    int64_t lane;
    const struct stored_access *last; /* what was loaded last; NULL: nothing so far */
};

bool subscripts_tell(const struct element *element)
{
    return element->array && element->array->n_dim > 0 && element->array->n_dim <= RUN_MOST_LOOPS && !element->base &&
           !element->parts && !element->n_lane_index && !element->distance && !element->indirect &&
           element->lane_step != LANES_APART && (element->lane_step == 0 || element->lane_factor);
}

/* The subscripts of an element, as the node and as the statement have them. */
struct both {
    int64_t is[RUN_MOST_LOOPS], wanted[RUN_MOST_LOOPS];
};

/* Is it the same element in memory nevertheless? Where rows lie side by side, a subscript may go on past the end of
 * one. */
static bool same_place(const struct looking *looking, const struct array *array, const struct both *both)
{
    int64_t is = 0, wanted = 0, extent;

    for (int k = 0; k < array->n_dim; k++) {
        const int d = array->dim_order && !array->stride ? array->dim_order[k] : k;
        const struct expr *factor = array->stride ? array->stride[d] : array->shape[d];
        if (!replay_value(looking->subscripts->program, looking->subscripts->param, NULL, 0, factor, &extent))
            return false;
        is = array->stride ? is + both->is[d] * extent : is * extent + both->is[d];
        wanted = array->stride ? wanted + both->wanted[d] * extent : wanted * extent + both->wanted[d];
    }
    return is == wanted;
}

/* Where the node has the element. */
static void find_place(const struct looking *looking, const struct element *element, struct both *both)
{
    for (int d = 0; d < element->array->n_dim; d++) {
        both->is[d] = running_value(looking->running, element->index[d]);
        both->is[d] += element->lane_step ? element->lane_factor[d] * looking->lane : 0;
    }
}

/* The first subscript in which the element is not that of the access; -1: there is none. */
static int differing(const struct looking *looking, const struct element *element, const struct stored_access *access,
                     struct both *both)
{
    int first = -1;

    for (int d = 0; d < element->array->n_dim; d++) {
        if (!replay_value(looking->subscripts->program, looking->subscripts->param, looking->coordinate,
                          looking->statement->n_loop, access->subscript[d], &both->wanted[d]))
            return -1;
        first = first < 0 && both->is[d] != both->wanted[d] ? d : first;
    }
    return first >= 0 && same_place(looking, element->array, both) ? -1 : first;
}

static void note_wrong(const struct looking *looking, const struct element *element, bool stores, int dim, int64_t is,
                       int64_t wanted)
{
    struct subscripts *subscripts = looking->subscripts;
    int64_t *coordinate = ARENA_ARRAY(subscripts->arena, looking->statement->n_loop + 1, int64_t);

    for (int k = 0; k < looking->statement->n_loop; k++)
        coordinate[k] = looking->coordinate[k];
    subscripts->wrong = looking->statement;
    subscripts->array = element->array;
    subscripts->stores = stores;
    subscripts->dim = dim;
    subscripts->is = is;
    subscripts->wanted = wanted;
    subscripts->coordinate = coordinate;
    looking->running->failed = true;
}

/* Is the element the statement's target, or, where it is loaded, any that the statement names? Mostly that is the one
 * behind what was loaded last. */
static void look_at(struct looking *looking, const struct element *element, bool stores)
{
    const struct stored_access *target = subscripts_accesses(looking->subscripts, looking->statement);
    const struct stored_access *first = !stores && looking->last && looking->last->next ? looking->last->next : target;
    const struct stored_access *access = first;
    struct both both;
    bool placed = false;
    int dim = -1;

    if (looking->running->failed || !subscripts_tell(element))
        return;
    do {
        if (access->array == element->array && access->told) {
            if (!placed)
                find_place(looking, element, &both);
            placed = true;
            dim = differing(looking, element, access, &both);
            if (dim < 0) {
                looking->last = stores ? NULL : access;
                return;
            }
        }
        access = access->next ? access->next : target;
    } while (!stores && access != first);
    if (dim >= 0)
        note_wrong(looking, element, stores, dim, both.is[dim], both.wanted[dim]);
}

/* Is it a name of a value that nobody looks at where it is computed, as no instance runs there? Adds it to those that
 * were looked at. */
static bool is_new_name(struct subscripts *subscripts, const struct node *let)
{
    if (!let || let->statement || subscripts->n_name == SUBSCRIPTS_NAMES)
        return false;
    for (int k = 0; k < subscripts->n_name; k++)
        if (subscripts->name[k] == let)
            return false;
    subscripts->name[subscripts->n_name++] = let;
    return true;
}

/* A load, or what a name that is used here stands for. */
static void look_at_load(const struct tree_expr *expr, void *user)
{
    struct looking *looking = user;
    const struct node *let = expr->kind == TREE_NAMED ? running_let(looking->running, expr->var) : NULL;

    if (expr->kind == TREE_LOAD)
        look_at(looking, &expr->element, false);
    if (is_new_name(looking->subscripts, let))
        tree_expr_for_each(let->value, look_at_load, looking);
}

/* Of products and tiles the node's elements are those of the first one. */
static bool is_first(struct running *running, const struct node *node)
{
    for (int k = 0; k < node->n_inner; k++) {
        const int at = running->n - node->n_inner + k;
        if (!node->inner[k].lane && running->value[at] != 0)
            return false;
    }
    return true;
}

void subscripts_look(void *user, struct running *running, const struct node *node, const struct statement *statement,
                     const int64_t *coordinate, int64_t lane)
{
    struct looking looking = {user, running, statement, coordinate, lane, NULL};

    if (node->n_also || !is_first(running, node))
        return;
    looking.subscripts->n_name = 0;
    if (node->kind == NODE_ASSIGN)
        look_at(&looking, &node->target, true);
    tree_expr_for_each(node->value, look_at_load, &looking);
    tree_expr_for_each(node->guard_value, look_at_load, &looking);
}

void subscripts_report(const struct subscripts *subscripts, struct diags *diags)
{
    const struct statement *statement = subscripts->wrong;
    struct text at = {0};

    for (int k = 0; k < statement->n_loop; k++)
        text_addf(&at, "%s%lld", k ? ", " : "", (long long)subscripts->coordinate[k]);
    for (int k = 0; k < subscripts->program->n_param; k++)
        text_addf(&at, "%s%s = %lld", k ? ", " : " at ", subscripts->program->param[k].name,
                  (long long)subscripts->param[k]);
    diag_error(diags, "internal", statement->place,
               "internal error: %s(%s): subscript %d of `%s`, which is %s, is %lld in the emitted code and %lld in the "
               "statement",
               statement->label, text_str(&at), subscripts->dim + 1, subscripts->array->name,
               subscripts->stores ? "stored" : "loaded", (long long)subscripts->is, (long long)subscripts->wanted);
    text_free(&at);
}
