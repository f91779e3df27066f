/* map: the whole order of some nests as one affine map in isl's notation. */
#include "dep/legal.h"
#include "program/isl_text.h"
#include "program/show.h"
#include "sched/edit.h"
#include "sched/from_map.h"
#include "sched/ties.h"

#include <isl/space.h>

struct map {
    struct schedule *schedule;
    const struct step *step;
    isl_union_map *map; /* { S[i,j] -> [t0,..]; .. } restricted to the domains */
    bool *mapped;       /* by statement index */
};

static enum status refuse(struct map *map, const char *hint, const char *text)
{
    return edit_refuse(map->schedule, step_place(map->step, "map"), "map", hint, "%s", text);
}

static isl_stat mark_statement(__isl_take isl_map *piece, void *user)
{
    struct map *map = user;
    const struct schedule *schedule = map->schedule;
    const char *label = isl_map_get_tuple_name(piece, isl_dim_in);
    const struct statement *statement = label ? program_statement(schedule->program, label) : NULL;
    isl_stat stat = isl_stat_error;

    if (!statement)
        edit_refuse(map->schedule, step_place(map->step, "map"), "unknown-name", NULL, "there is no statement `%s`",
                    label ? label : "");
    else if (isl_map_dim(piece, isl_dim_in) != statement->n_loop)
        edit_refuse(map->schedule, step_place(map->step, "map"), "map", NULL, "%s has %d dimensions here and %d loops",
                    label, (int)isl_map_dim(piece, isl_dim_in), statement->n_loop);
    else {
        map->mapped[statement->index] = true;
        stat = isl_stat_ok;
    }
    isl_map_free(piece);
    return stat;
}

static bool nest_is_mapped(const struct map *map, const struct nest *nest)
{
    for (int k = 0; k < nest->n_statement; k++)
        if (map->mapped[nest->first_statement + k])
            return true;
    return false;
}

/* Every statement of the nests it names must be in it. */
static enum status check_whole_nests(struct map *map)
{
    const struct program *program = map->schedule->program;

    for (int n = 0; n < program->n_nest; n++) {
        const struct nest *nest = &program->nest[n];
        for (int k = 0; k < nest->n_statement && nest_is_mapped(map, nest); k++) {
            const struct statement *statement = program->statement[nest->first_statement + k];
            if (!map->mapped[statement->index])
                return edit_refuse(map->schedule, step_place(map->step, "map"), "map", NULL,
                                   "the map says nothing of %s of the same nest `%s`", statement->label, nest->name);
        }
    }
    return STATUS_OK;
}

/* A map is absolute: it is the first step for its nests. */
static enum status check_first(struct map *map, const struct order *node)
{
    if (node->kind == ORDER_LOOP && node->info->step) {
        const struct order *leaf = node;
        while (leaf->kind != ORDER_LEAF)
            leaf = leaf->child[0];
        if (map->mapped[leaf->statement->index])
            return refuse(map, "put the map first and the other steps after it",
                          "a map gives the whole order, so it must be the first step for its nests");
    }
    for (int k = 0; k < node->n_child; k++)
        if (check_first(map, node->child[k]) != STATUS_OK)
            return STATUS_REFUSED;
    return STATUS_OK;
}

static __isl_give isl_union_set *mapped_domain(const struct map *map)
{
    const struct program *program = map->schedule->program;
    isl_union_set *domain = isl_union_set_empty(isl_set_get_space(program->context));

    for (int k = 0; k < program->n_statement; k++)
        if (map->mapped[k])
            domain = isl_union_set_union(domain, isl_union_set_from_set(isl_set_copy(program->statement[k]->domain)));
    return domain;
}

struct missing {
    struct map *map;
    bool reported;
};

static isl_stat report_missing(__isl_take isl_set *set, void *user)
{
    struct missing *missing = user;
    const struct schedule *schedule = missing->map->schedule;
    const struct statement *statement = program_statement(schedule->program, isl_set_get_tuple_name(set));
    struct text instance = {0};
    struct sample sample;

    set = isl_set_intersect_params(set, isl_set_copy(schedule->program->context));
    if (!missing->reported && poly_smallest(schedule->arena, isl_set_copy(set), &sample)) {
        violation_print_instance(&instance, statement, sample.dim);
        show_params(&instance, schedule->program, &sample, set);
        edit_refuse(missing->map->schedule, step_place(missing->map->step, "map"), "map", NULL,
                    "the map is not total: it gives no time to %s", text_str(&instance));
        missing->reported = true;
        text_free(&instance);
    }
    isl_set_free(set);
    return isl_stat_ok;
}

/* Of an ambiguous statement, the smallest instance with two times. */
static isl_stat report_ambiguous(__isl_take isl_map *piece, void *user)
{
    struct map *map = user;
    const struct schedule *schedule = map->schedule;
    const struct statement *statement = program_statement(schedule->program, isl_map_get_tuple_name(piece, isl_dim_in));
    isl_map *first = isl_map_lexmin(isl_map_copy(piece));
    isl_set *twice = isl_map_domain(isl_map_subtract(piece, first));
    struct text instance = {0};
    struct sample sample;
    bool found;

    twice = isl_set_align_params(twice, isl_set_get_space(schedule->program->context));
    twice = isl_set_intersect_params(twice, isl_set_copy(schedule->program->context));
    found = poly_smallest(schedule->arena, isl_set_copy(twice), &sample);
    if (found) {
        violation_print_instance(&instance, statement, sample.dim);
        show_params(&instance, schedule->program, &sample, twice);
    }
    isl_set_free(twice);
    if (!found)
        return isl_stat_ok;
    edit_refuse(map->schedule, step_place(map->step, "map"), "map", NULL, "the map gives %s more than one time",
                text_str(&instance));
    text_free(&instance);
    return isl_stat_error;
}

static enum status check_single_valued(struct map *map)
{
    if (isl_union_map_is_single_valued(map->map) != isl_bool_false)
        return STATUS_OK;
    isl_union_map_foreach_map(map->map, report_ambiguous, map);
    return STATUS_REFUSED;
}

static enum status check_total(struct map *map)
{
    isl_union_set *domain = mapped_domain(map);
    isl_union_set *timed = isl_union_map_domain(isl_union_map_copy(map->map));
    isl_union_set *without = isl_union_set_subtract(domain, timed);
    struct missing missing = {map, false};

    isl_union_set_foreach_set(without, report_missing, &missing);
    isl_union_set_free(without);
    if (missing.reported)
        return STATUS_REFUSED;
    return check_single_valued(map);
}

static enum status read_map(struct map *map)
{
    map->map = isl_text_union_map(map->schedule->program, step_value(map->step, "map"), map->schedule->diags);
    if (!map->map)
        return STATUS_REFUSED;
    if (isl_union_map_foreach_map(map->map, mark_statement, map) < 0)
        return STATUS_REFUSED;
    map->map = isl_union_map_intersect_domain(map->map, mapped_domain(map));
    return STATUS_OK;
}

/* Puts order where the first mapped nest stood and takes the others out. */
static const struct order *put_in_place(struct map *map, const struct order *order)
{
    struct arena *arena = map->schedule->arena;
    const struct order *root = map->schedule->order;
    const bool sequence = root->kind == ORDER_SEQUENCE && map->schedule->program->n_nest > 1;
    const int n = sequence ? root->n_child : 1;
    const struct order **child = ARENA_ARRAY(arena, n, const struct order *);
    int n_child = 0;
    bool placed = false;

    for (int k = 0; k < n; k++) {
        const struct order *leaf = sequence ? root->child[k] : root;
        while (leaf->kind != ORDER_LEAF)
            leaf = leaf->child[0];
        if (!map->mapped[leaf->statement->index])
            child[n_child++] = root->child[k];
        else if (!placed)
            child[n_child++] = order;
        placed = placed || map->mapped[leaf->statement->index];
    }
    return order_sequence(arena, child, n_child);
}

static enum status check(struct map *map)
{
    enum status status = check_whole_nests(map);

    if (status == STATUS_OK)
        status = check_first(map, map->schedule->order);
    if (status == STATUS_OK)
        status = check_total(map);
    if (status != STATUS_OK || map->step->unsafe)
        return status;
    return ties_check(map->schedule->arena, schedule_dependences(map->schedule), map->map, step_place(map->step, "map"),
                      map->schedule->diags);
}

static enum status install(struct map *map)
{
    struct schedule *schedule = map->schedule;
    const struct value *as = step_value(map->step, "as");
    struct map_naming naming = {NULL, as ? as->n_item : 0, &schedule->loop_ids, map->step};
    const char **name = ARENA_ARRAY(schedule->arena, naming.n + 1, const char *);
    const struct order *order;

    if (!edit_list_free(schedule, as))
        return STATUS_REFUSED;
    for (int k = 0; k < naming.n; k++)
        name[k] = as->item[k].string;
    naming.name = name;
    order = order_from_map(schedule->arena, schedule->program, isl_union_map_copy(map->map), &naming);
    return edit_commit(schedule, order ? put_in_place(map, order) : NULL);
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct map map = {schedule, step, NULL, ARENA_ARRAY(schedule->arena, schedule->program->n_statement + 1, bool)};
    enum status status = read_map(&map);

    if (status == STATUS_OK)
        status = check(&map);
    if (status == STATUS_OK)
        status = install(&map);
    isl_union_map_free(map.map);
    return status;
}

static const struct argument arguments[] = {
    {.key = "map", .kind = ARGUMENT_MAP, .required = true, .doc = "times of all instances, in isl's notation"},
    {.key = "as", .kind = ARGUMENT_NAMES, .fallback = "t0, t1, ...", .doc = "names of the loops"},
    {0},
};

const struct primitive primitive_map = {
    .name = "map",
    .summary = "give the order as one affine map",
    .rule = "An affine map gives every instance its time, a list of integers; instances run in "
            "lexicographic order of them. The statements are named by their labels, with their "
            "loops outermost first, and a nest of which one is named needs them all. Short lists "
            "end in zeros. Parts of a statement that have different constants have loops of their own. "
            "It is the first step for its nests; the steps after it work on the loops of the map.",
    .proved = "Every instance has exactly one time. Instances that share one do not depend on each "
              "other, unless as updates whose order is free; they run in any order. Each pair of "
              "dependent instances keeps its order.",
    .argument = arguments,
    .apply = apply,
};
