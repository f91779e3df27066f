#include "lower/prove/run_subscripts.h"

#include "lower/prove/own_part.h"
#include "program/storage/lay_out.h"

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

    access->expr = expr;
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

/* The place in memory of the element with these subscripts; false: it has none here. */
static bool position_of(const struct looking *looking, const struct array *array, const int64_t *index,
                        int64_t *position)
{
    int64_t extent;

    *position = 0;
    for (int k = 0; k < array->n_dim; k++) {
        const int d = array->dim_order && !array->stride ? array->dim_order[k] : k;
        const struct expr *factor = array->stride ? array->stride[d] : array->shape[d];
        if (!replay_value(looking->subscripts->program, looking->subscripts->param, NULL, 0, factor, &extent))
            return false;
        *position = array->stride ? *position + index[d] * extent : *position * extent + index[d];
    }
    return true;
}

/* Is it the same element in memory nevertheless? Where rows lie side by side, a subscript may go on past the end of
 * one. */
static bool same_place(const struct looking *looking, const struct array *array, const struct both *both)
{
    int64_t is, wanted;

    return position_of(looking, array, both->is, &is) && position_of(looking, array, both->wanted, &wanted) &&
           is == wanted;
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

static void note_wrong(const struct looking *looking, const char *what)
{
    struct subscripts *subscripts = looking->subscripts;
    int64_t *coordinate = ARENA_ARRAY(subscripts->arena, looking->statement->n_loop + 1, int64_t);

    for (int k = 0; k < looking->statement->n_loop; k++)
        coordinate[k] = looking->coordinate[k];
    subscripts->wrong = looking->statement;
    subscripts->what = what;
    subscripts->coordinate = coordinate;
    looking->running->failed = true;
}

static void note_element(const struct looking *looking, const struct element *element, bool stores, int dim,
                         const struct both *both)
{
    note_wrong(looking, arena_printf(looking->subscripts->arena,
                                     "subscript %d of `%s`, which is %s, is %lld in the emitted code and %lld in the "
                                     "statement",
                                     dim + 1, element->array->name, stores ? "stored" : "loaded",
                                     (long long)both->is[dim], (long long)both->wanted[dim]));
}

/* Are the lanes of an element, or of groups of so many neighbours, as far apart in memory as their subscripts say? Code
 * is printed of the distance. */
static void look_at_step(const struct looking *looking, const struct element *element, int64_t group)
{
    int64_t step;

    if (!looking->running->failed && subscripts_tell(element) && looking->lane == 1 && element->lane_step != 0 &&
        position_of(looking, element->array, element->lane_factor, &step) && step != element->lane_step * group)
        note_wrong(looking,
                   arena_printf(looking->subscripts->arena,
                                "lanes of `%s` are %lld elements apart in the emitted code, and %lld by their "
                                "subscripts",
                                element->array->name, (long long)(element->lane_step * group), (long long)step));
}

/* Is the access one that the element may be? own: that it must be; NULL: it is not known. */
static bool may_be(const struct stored_access *access, const struct element *element, const struct expr *own)
{
    return access->array == element->array && access->told && (!own || access->expr == own);
}

/* Is the element the statement's target, or, where it is loaded, the access own, or any that the statement names?
 * Mostly that is the one behind what was loaded last. */
static void look_at(struct looking *looking, const struct element *element, const struct expr *own, bool stores)
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
        if (may_be(access, element, own)) {
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
        note_element(looking, element, stores, dim, &both);
}

bool subscripts_look_through(const struct node *let, const struct statement *statement)
{
    return !let->statement || (!let->argument && let->statement == statement);
}

/* Is it a name to be looked through, for own? Adds it to those that were. */
static bool is_new_name(struct looking *looking, const struct node *let, const struct expr *own)
{
    struct subscripts *subscripts = looking->subscripts;

    if (!let || !subscripts_look_through(let, looking->statement) || subscripts->n_name == SUBSCRIPTS_NAMES)
        return false;
    for (int k = 0; k < subscripts->n_name; k++)
        if (subscripts->name[k].let == let && subscripts->name[k].own == own)
            return false;
    subscripts->name[subscripts->n_name].let = let;
    subscripts->name[subscripts->n_name++].own = own;
    return true;
}

/* What expr, which computes own, loads, by names, too. */
static void look_at_loads(struct looking *looking, const struct tree_expr *expr, const struct expr *own)
{
    const struct node *let;

    if (!expr)
        return;
    if (own_differs(own, expr) && !looking->running->failed)
        note_wrong(looking, "the emitted code computes with another number than the statement");
    let = expr->kind == TREE_NAMED ? running_let(looking->running, expr->var) : NULL;
    if (expr->kind == TREE_LOAD) {
        look_at(looking, &expr->element, own_access(own, expr), false);
        look_at_step(looking, &expr->element, expr->integer > 0 ? expr->integer : 1);
    }
    if (is_new_name(looking, let, own))
        look_at_loads(looking, let->value, own);
    for (int k = 0; expr->element.indirect && k < expr->element.array->n_dim; k++)
        look_at_loads(looking, expr->element.indirect[k], NULL);
    for (int k = 0; k < expr->n_arg; k++)
        look_at_loads(looking, expr->arg[k], own_operand(own, expr, k));
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
    if (node->kind == NODE_ASSIGN) {
        look_at(&looking, &node->target, NULL, true);
        look_at_step(&looking, &node->target, 1);
    }
    look_at_loads(&looking, node->value, own_value(node));
    look_at_loads(&looking, node->guard_value, NULL);
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
    diag_error(diags, "internal", statement->place, "internal error: %s(%s): %s", statement->label, text_str(&at),
               subscripts->what);
    text_free(&at);
}
