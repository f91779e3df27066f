/* reverse_compute_at: the statement that computes an array moves under a loop of what it reads. Each of its
 * instances runs in the iteration that computes the last of its operands,
 *     { R[r] -> [c] }   c = the latest iteration of the loop with an instance whose value R[r] reads,
 * behind what is there already.
 */
#include "dep/legal.h"
#include "poly/coalesce.h"
#include "poly/graph.h"
#include "poly/keep.h"
#include "sched/graft.h"

#include <isl/space.h>

struct sinking {
    struct schedule *schedule;
    const struct step *step;
    const struct statement *reader;
    bool *member; /* the reader alone, by index */
    struct loop_ref ref;
    struct path path;
    isl_set *reading; /* { R[r] : it reads what is computed in the loop } */
    isl_map *latest;  /* { R[r] -> [c] } */
};

static enum status refuse(const struct sinking *sinking, const char *key, const char *text)
{
    return edit_refuse(sinking->schedule, step_place(sinking->step, key), "reverse_compute_at", NULL,
                       "`%s` cannot be computed at `%s`: %s", step_string(sinking->step, "reverse_compute_at", ""),
                       step_string(sinking->step, "loop", ""), text);
}

static enum status find_reader(struct sinking *sinking)
{
    const struct program *program = sinking->schedule->program;
    const char *name = step_string(sinking->step, "reverse_compute_at", "");
    const struct array *array = program_array(program, name);

    if (!array)
        return edit_no_array(sinking->schedule, step_place(sinking->step, "reverse_compute_at"), name);
    sinking->member = ARENA_ARRAY(sinking->schedule->arena, program->n_statement + 1, bool);
    for (int s = 0; s < program->n_statement; s++) {
        if (program->statement[s]->target->array != array)
            continue;
        if (sinking->reader)
            return refuse(sinking, "reverse_compute_at", "several statements write it");
        sinking->reader = program->statement[s];
        sinking->member[s] = true;
    }
    return sinking->reader ? STATUS_OK : refuse(sinking, "reverse_compute_at", "no statement writes it");
}

static enum status find_loop(struct sinking *sinking)
{
    if (!edit_loop_argument(sinking->schedule, sinking->step, "loop", &sinking->ref) ||
        !edit_is_single(sinking->schedule, &sinking->ref, "compute at"))
        return STATUS_REFUSED;
    if (order_count(sinking->schedule->order, sinking->ref.info->id) != 1)
        return refuse(sinking, "loop", "there are several copies of this loop");
    if (!path_find(sinking->schedule->arena, sinking->schedule->order, sinking->ref.node, &sinking->path))
        return refuse(sinking, "loop", "this loop is inside of a collapsed one");
    if (order_has(sinking->ref.node, sinking->reader))
        return refuse(sinking, "loop", "the array is already computed inside this loop");
    return STATUS_OK;
}

/* { R[r] -> S[s] }: the instances of statement S whose values are read; NULL: none. */
static __isl_give isl_map *sources(const struct sinking *sinking, const struct statement *statement)
{
    const struct dependences *dependences = schedule_dependences(sinking->schedule);
    isl_map *all = NULL;

    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        isl_map *map;
        if (dependence->to->statement != sinking->reader || !dependence->to->reads || !dependence->from->writes ||
            dependence->from->statement != statement)
            continue;
        map = isl_map_reverse(isl_map_copy(dependence->map));
        all = all ? isl_map_union(all, map) : map;
    }
    return all;
}

/* Does no instance run in an iteration before those of the instances in front of it? iteration: { S[s] -> [c] } */
static bool is_in_order(const struct statement *statement, __isl_keep isl_map *iteration)
{
    isl_map *swapped = isl_map_lex_gt_map(isl_map_copy(iteration), isl_map_copy(iteration));
    isl_map *earlier = isl_set_lex_lt_set(isl_set_copy(statement->domain), isl_set_copy(statement->domain));
    bool in_order;

    swapped = isl_map_intersect(swapped, earlier);
    in_order = isl_map_is_empty(swapped) == isl_bool_true;
    isl_map_free(swapped);
    return in_order;
}

/* { R[r] -> [c] }: the last iteration, where the last instance is in it, which isl finds without the loops' quotients;
 * else all iterations, and *single is false. */
static __isl_give isl_map *latest_of(const struct sinking *sinking, const struct statement *statement,
                                     __isl_take isl_map *sources, bool *single)
{
    isl_map *iteration = poly_graph(path_iteration(&sinking->path, statement));

    if (is_in_order(statement, iteration))
        sources = isl_map_lexmax(sources);
    else
        *single = false;
    return isl_map_apply_range(sources, iteration);
}

static void find_latest_sources(struct sinking *sinking)
{
    const struct program *program = sinking->schedule->program;
    bool single = true;

    for (int s = 0; s < program->n_statement; s++) {
        isl_map *own =
            order_has(sinking->ref.node, program->statement[s]) ? sources(sinking, program->statement[s]) : NULL;
        isl_set *reading;
        if (!own)
            continue;
        reading = isl_map_domain(isl_map_copy(own));
        own = latest_of(sinking, program->statement[s], own, &single);
        single = single && !sinking->latest;
        sinking->reading = sinking->reading ? isl_set_union(sinking->reading, reading) : reading;
        sinking->latest = sinking->latest ? isl_map_union(sinking->latest, own) : own;
    }
    if (!single)
        sinking->latest = isl_map_lexmax(sinking->latest);
}

/* Reports the smallest instance without a source. */
static enum status check_total(const struct sinking *sinking)
{
    const struct program *program = sinking->schedule->program;
    isl_set *without = isl_set_subtract(isl_set_copy(sinking->reader->domain), isl_set_copy(sinking->reading));
    struct text instance = {0}, params = {0};
    struct sample sample;
    enum status status;

    without = isl_set_intersect_params(without, isl_set_copy(program->context));
    if (!poly_smallest(sinking->schedule->arena, without, &sample))
        return STATUS_OK;
    violation_print_instance(&instance, sinking->reader, sample.dim);
    for (int k = 0; k < program->n_param; k++)
        text_addf(&params, "%s%s = %lld", k ? ", " : " with ", program->param[k].name, (long long)sample.param[k]);
    status = edit_refuse(sinking->schedule, step_place(sinking->step, "loop"), "reverse_compute_at",
                         "`assume` what rules that out, or use `fuse`",
                         "%s reads nothing that is computed in this loop%s", text_str(&instance), text_str(&params));
    text_free(&instance);
    text_free(&params);
    return status;
}

static enum status find_latest(struct sinking *sinking)
{
    find_latest_sources(sinking);
    if (!sinking->latest)
        return refuse(sinking, "loop", "it reads nothing that is computed in this loop");
    return check_total(sinking);
}

static isl_union_pw_aff **times(const struct sinking *sinking)
{
    isl_union_pw_aff **time = ARENA_ARRAY(sinking->schedule->arena, sinking->path.depth, isl_union_pw_aff *);
    isl_pw_multi_aff *latest = isl_pw_multi_aff_from_map(isl_map_copy(sinking->latest));

    for (int k = 0; k < sinking->path.depth; k++) {
        isl_pw_aff *own = poly_pw_aff_coalesce(isl_pw_multi_aff_get_pw_aff(latest, k));
        own = isl_pw_aff_gist(own, isl_set_copy(sinking->reader->domain));
        time[k] = poly_keep_union_pw_aff(sinking->schedule->arena, isl_union_pw_aff_from_pw_aff(own));
    }
    isl_pw_multi_aff_free(latest);
    return time;
}

static enum status move(struct sinking *sinking)
{
    struct schedule *schedule = sinking->schedule;
    const struct order *part = graft_find(schedule->order, sinking->member);
    const struct order *rest = graft_remove(schedule->arena, schedule->order, sinking->member);
    struct graft graft = {&sinking->path, NULL, NULL, true, NULL};

    if (!part)
        return refuse(sinking, "reverse_compute_at", "its parts stand in different places");
    schedule_move_members(schedule, sinking->member, sinking->ref.node);
    graft.time = times(sinking);
    graft.part = graft_rename(schedule, &sinking->ref, part);
    return edit_commit(schedule, graft_insert(schedule->arena, rest, &graft));
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct sinking sinking = {.schedule = schedule, .step = step};
    enum status status = find_reader(&sinking);

    if (status == STATUS_OK)
        status = find_loop(&sinking);
    if (status == STATUS_OK)
        status = find_latest(&sinking);
    if (status == STATUS_OK)
        status = move(&sinking);
    isl_set_free(sinking.reading);
    isl_map_free(sinking.latest);
    return status;
}

static const struct argument arguments[] = {
    {.key = "reverse_compute_at", .kind = ARGUMENT_TEXT, .required = true, .doc = "an array with one writer"},
    {.key = "loop", .kind = ARGUMENT_LOOP, .required = true, .doc = "the loop of what it reads that it moves under"},
    {0},
};

const struct primitive primitive_reverse_compute_at = {
    .name = "reverse_compute_at",
    .summary = "compute an array where the last of its operands is",
    .rule = "The statement that computes an array moves to the end of a loop's body. Each of its "
            "instances runs in the iteration that computes the last of the operands that it has "
            "from this loop. Nothing is computed twice.",
    .proved = "One statement writes the array, and each of its instances reads something that the "
              "loop computes. Each pair of dependent instances keeps its order, those with operands "
              "from elsewhere included.",
    .argument = arguments,
    .apply = apply,
};
