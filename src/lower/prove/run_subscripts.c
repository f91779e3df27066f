#include "lower/prove/run_subscripts.h"

#include "lower/prove/run_tiles.h"
#include "program/storage/lay_out.h"

struct subscripts subscripts_of(struct arena *arena, const struct program *program, const struct program *laid_out)
{
    return (struct subscripts){.arena = arena,
                               .program = program,
                               .laid_out = laid_out,
                               .looks = {arena, {NULL}},
                               .access = ARENA_ARRAY(arena, program->n_statement + 1, const struct stored_access *)};
}

void subscripts_at(struct subscripts *subscripts, const int64_t *param)
{
    subscripts->param = param;
    subscripts->n_sizes++;
    subscripts->extents = (extents_vec){0};
}

static void add_access(struct subscripts *subscripts, const struct expr *expr, int n_loop, struct stored_access ***last)
{
    struct stored_access *access = ARENA_NEW(subscripts->arena, struct stored_access);

    access->expr = expr;
    access->array = laid_out_array(subscripts->laid_out, subscripts->program, expr->array);
    access->told = access->array->stored_dim || access->array->n_dim == expr->n_arg;
    access->subscript = laid_out_subscripts(subscripts->arena, access->array, expr);
    access->linear = ARENA_ARRAY(subscripts->arena, access->array->n_dim + 1, const struct linear *);
    for (int d = 0; d < access->array->n_dim && access->told; d++)
        access->linear[d] = linear_of(subscripts->arena, subscripts->program, n_loop, access->subscript[d]);
    **last = access;
    *last = (struct stored_access **)(uintptr_t)&access->next;
}

/* Adds the accesses in expr, those in subscripts among them. */
static void add_accesses(struct subscripts *subscripts, const struct expr *expr, int n_loop,
                         struct stored_access ***last)
{
    if (!expr)
        return;
    if (expr->kind == EXPR_ACCESS)
        add_access(subscripts, expr, n_loop, last);
    for (int k = 0; k < expr->n_arg; k++)
        add_accesses(subscripts, expr->arg[k], n_loop, last);
}

const struct stored_access *subscripts_accesses(struct subscripts *subscripts, const struct statement *statement)
{
    const struct stored_access **known = &subscripts->access[statement->index];
    struct stored_access *first = NULL, **last = &first;

    if (*known)
        return *known;
    add_accesses(subscripts, statement->target, statement->n_loop, &last);
    add_accesses(subscripts, statement->value, statement->n_loop, &last);
    add_accesses(subscripts, statement->guard, statement->n_loop, &last);
    return *known = first;
}

/* One instance, and the node that runs it. */
struct looking {
    struct subscripts *subscripts;
    struct running *running;
    const struct statement *statement;
    const int64_t *coordinate;
    int64_t lane;
    const struct stored_access *last;  /* what was loaded last; NULL: nothing so far */
    const struct stored_access *found; /* what the last look was at; NULL: at nothing that is told */
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

/* The extents of the array, or its strides where it has them, at these parameters. */
static const struct extents *extents_of(struct subscripts *subscripts, const struct array *array)
{
    struct extents extents = {.array = array, .known = true};

    for (int k = 0; k < subscripts->extents.n; k++)
        if (subscripts->extents.at[k].array == array)
            return &subscripts->extents.at[k];
    extents.extent = ARENA_ARRAY(subscripts->arena, array->n_dim + 1, int64_t);
    for (int d = 0; d < array->n_dim && extents.known; d++)
        extents.known = replay_value(subscripts->program, subscripts->param, NULL, 0,
                                     array->stride ? array->stride[d] : array->shape[d], &extents.extent[d]);
    VEC_PUSH(subscripts->arena, &subscripts->extents, extents);
    return &subscripts->extents.at[subscripts->extents.n - 1];
}

/* The place in memory of the element with these subscripts; false: it has none here. */
static bool position_of(const struct looking *looking, const struct array *array, const int64_t *index,
                        int64_t *position)
{
    const struct extents *extents = extents_of(looking->subscripts, array);

    *position = 0;
    for (int k = 0; k < array->n_dim && extents->known; k++) {
        const int d = array->dim_order && !array->stride ? array->dim_order[k] : k;
        *position =
            array->stride ? *position + index[d] * extents->extent[d] : *position * extents->extent[d] + index[d];
    }
    return extents->known;
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

/* A subscript of the access at the instance. */
static bool subscript_value(const struct looking *looking, const struct stored_access *access, int dim, int64_t *value)
{
    const struct subscripts *subscripts = looking->subscripts;

    if (access->linear[dim])
        *value = linear_value(access->linear[dim], looking->coordinate, subscripts->param);
    return access->linear[dim] || replay_value(subscripts->program, subscripts->param, looking->coordinate,
                                               looking->statement->n_loop, access->subscript[dim], value);
}

/* The first subscript in which the element is not that of the access; -1: there is none. */
static int differing(const struct looking *looking, const struct element *element, const struct stored_access *access,
                     struct both *both)
{
    int first = -1;

    for (int d = 0; d < element->array->n_dim; d++) {
        if (!subscript_value(looking, access, d, &both->wanted[d]))
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

/* Is the distance in memory between lanes, or between their groups of neighbours, the one that the subscripts give? The
 * printers use that distance, the proofs the subscripts. */
static void look_at_step(const struct looking *looking, const struct look *look)
{
    const struct element *element = look->element;
    const int64_t is = element->lane_step * look->group;
    int64_t step;

    if (looking->lane == 1 && !looking->running->failed && element->lane_step != 0 && subscripts_tell(element) &&
        position_of(looking, element->array, element->lane_factor, &step) && step != is)
        note_wrong(looking, arena_printf(looking->subscripts->arena,
                                         "lanes of `%s` are %lld elements apart in the emitted code, and %lld by their "
                                         "subscripts",
                                         element->array->name, (long long)is, (long long)step));
}

/* Is the access one that the element may be? */
static bool may_be(const struct stored_access *access, const struct look *look)
{
    return access->array == look->element->array && access->told && (!look->own || access->expr == look->own);
}

/* Is the element the statement's target, or, where it is loaded, its own access, or any that the statement names?
 * Mostly that is the one behind what was loaded last. */
static void look_at(struct looking *looking, const struct look *look)
{
    const struct element *element = look->element;
    const bool stores = look->stores;
    const struct stored_access *target = subscripts_accesses(looking->subscripts, looking->statement);
    const struct stored_access *first = !stores && looking->last && looking->last->next ? looking->last->next : target;
    const struct stored_access *access = first;
    struct both both;
    bool placed = false;
    int dim = -1;

    looking->found = NULL;
    if (looking->running->failed || !subscripts_tell(element))
        return;
    do {
        if (may_be(access, look)) {
            if (!placed)
                find_place(looking, element, &both);
            placed = true;
            dim = differing(looking, element, access, &both);
            if (dim < 0) {
                looking->last = stores ? NULL : access;
                looking->found = access;
                return;
            }
        }
        access = access->next ? access->next : target;
    } while (!stores && access != first);
    if (dim >= 0)
        note_element(looking, element, stores, dim, &both);
}

/* Is that place in memory one of the statement's elements of the array? What nobody tells may be. */
static bool is_some_place(struct looking *looking, const struct array *array, int64_t position)
{
    const struct stored_access *access = subscripts_accesses(looking->subscripts, looking->statement);
    bool any = false;
    struct both both;
    int64_t wanted;

    for (; access; access = access->next) {
        if (access->array != array || !access->told)
            continue;
        any = true;
        for (int d = 0; d < array->n_dim; d++)
            if (!subscript_value(looking, access, d, &both.wanted[d]))
                return true;
        if (!position_of(looking, array, both.wanted, &wanted) || wanted == position)
            return true;
    }
    return !any;
}

/* Where the instance's element of a tile is in memory, and whether it is in the part that there is. */
static void look_at_tile_access(struct looking *looking, const struct tile_access *access)
{
    const struct element *element = access->element;
    const struct tile_place *place = access->place;
    const int64_t size = type_bits(element->array->type) / 8;
    struct both both;
    int64_t position;

    if (looking->running->failed || !subscripts_tell(element))
        return;
    find_place(looking, element, &both);
    if (!position_of(looking, element->array, both.is, &position))
        return;
    position += access->row * (running_value(looking->running, place->distance) / size) + access->offset;
    if (!is_some_place(looking, element->array, position))
        note_wrong(looking, arena_printf(looking->subscripts->arena,
                                         "row %lld of a tile of `%s` is another one than the statement's",
                                         (long long)access->row, element->array->name));
    else if (place->rows && (access->row >= running_value(looking->running, place->rows) ||
                             (access->offset + 1) * size > running_value(looking->running, place->bytes)))
        note_wrong(looking, arena_printf(looking->subscripts->arena,
                                         "the part that there is of a tile of `%s` lacks an element of the statement",
                                         element->array->name));
}

static void look_at_tile(struct looking *looking, const struct node *node)
{
    struct tile_access access[TILE_FACTORS];
    const int n = tile_accesses(node, &looking->running->value[looking->running->n - node->n_inner], access);

    for (int k = 0; k < n; k++)
        look_at_tile_access(looking, &access[k]);
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

/* Are all subscripts of the accesses that the look may be at sums of multiples of loops? */
static bool are_linear(const struct stored_access *access, const struct look *look)
{
    for (; access; access = look->stores ? NULL : access->next)
        for (int d = 0; d < access->array->n_dim && may_be(access, look); d++) {
            const struct linear *linear = access->linear[d];
            if (!linear || linear->digit || linear->divisor || linear->modulus)
                return false;
        }
    return true;
}

static void find_following(struct subscripts *subscripts, const struct statement *statement, struct node_looks *looks)
{
    const struct stored_access *target = subscripts_accesses(subscripts, statement);

    for (int k = 0; k < looks->looks.n && !looks->asked; k++)
        looks->looks.at[k].follows = looks->looks.at[k].follows && are_linear(target, &looks->looks.at[k]);
    looks->asked = true;
}

/* Begins to look at a node that runs another time. */
static void look_again(struct subscripts *subscripts, const struct running *running, struct node_looks *looks)
{
    const bool same = looks->size == subscripts->n_sizes && looks->run == running->place.run && running->place.loop;

    looks->n_whole = same ? looks->n_whole + (looks->n_lane >= (looks->has_lanes ? 2 : 1)) : 0;
    looks->others = same ? looks->others : !looks->follow;
    looks->size = subscripts->n_sizes;
    looks->run = running->place.run;
    looks->n_lane = 0;
}

/* Does what was looked at in this run of the loop around tell this lane? */
static bool is_told(const struct node_looks *looks)
{
    return !looks->others && (looks->n_lane >= 2 || looks->n_whole >= 2);
}

/* Notes which access the look was at. */
static void note_found(struct node_looks *looks, const struct looking *looking, int look)
{
    if (!looks->looks.at[look].follows)
        return;
    if (looks->n_lane == 0 && looks->n_whole == 0)
        looks->at[look] = looking->found;
    looks->others |= looks->at[look] != looking->found;
}

void subscripts_look(void *user, struct running *running, const struct node *node, const struct statement *statement,
                     const int64_t *coordinate, int64_t lane)
{
    struct looking looking = {user, running, statement, coordinate, lane, NULL, NULL};
    struct node_looks *looks;
    bool told;

    if (node->tile)
        look_at_tile(&looking, node);
    if (node->n_also || !is_first(running, node))
        return;
    looks = node_looks(&looking.subscripts->looks, running, node);
    if (looks->differs)
        note_wrong(&looking, "the emitted code has another number or operation than the statement");
    find_following(looking.subscripts, statement, looks);
    if (running->again)
        look_again(looking.subscripts, running, looks);
    running->again = false;
    told = is_told(looks);
    for (int k = 0; k < looks->looks.n && !running->failed; k++) {
        if (told && looks->looks.at[k].follows)
            continue;
        look_at(&looking, &looks->looks.at[k]);
        note_found(looks, &looking, k);
        look_at_step(&looking, &looks->looks.at[k]);
    }
    looks->n_lane++;
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
