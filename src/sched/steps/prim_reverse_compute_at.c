/* reverse_compute_at: the statements that compute an array move under a loop of what they read. Each of their instances
 * runs in the iteration that computes the last of its operands,
 *     { R[r] -> [c] }   c = the latest iteration of the loop with an instance whose value R[r] reads,
 * and what reads nothing from there, such as the initialisation of a reduction, in the first iteration with another
 * write of the same element; after what is there already.
 */
#include "dep/legal.h"
#include "poly/coalesce.h"
#include "poly/graph.h"
#include "poly/keep.h"
#include "sched/graft.h"

#include <isl/space.h>

/* A statement R that moves. */
struct reader {
    const struct statement *statement;
    isl_set *reading; /* { R[r] : it reads what is computed in the loop } */
    isl_map *latest;  /* { R[r] -> [c] }; NULL: it reads nothing from there */
};

struct sinking {
    struct schedule *schedule;
    const struct step *step;
    struct reader *reader;
    int n;
    bool *member; /* the readers, by index */
    struct loop_ref ref;
    struct path path;
};

static enum status refuse(const struct sinking *sinking, const char *key, const char *text)
{
    return edit_refuse(sinking->schedule, step_place(sinking->step, key), "reverse_compute_at", NULL,
                       "`%s` cannot be computed at `%s`: %s", step_string(sinking->step, "reverse_compute_at", ""),
                       step_string(sinking->step, "loop", ""), text);
}

static enum status find_readers(struct sinking *sinking)
{
    const struct program *program = sinking->schedule->program;
    const char *name = step_string(sinking->step, "reverse_compute_at", "");
    const struct array *array = program_array(program, name);

    if (!array)
        return edit_no_array(sinking->schedule, step_place(sinking->step, "reverse_compute_at"), name);
    sinking->member = ARENA_ARRAY(sinking->schedule->arena, program->n_statement + 1, bool);
    sinking->reader = ARENA_ARRAY(sinking->schedule->arena, program->n_statement + 1, struct reader);
    for (int s = 0; s < program->n_statement; s++)
        if (program->statement[s]->target->array == array) {
            sinking->reader[sinking->n++].statement = program->statement[s];
            sinking->member[s] = true;
        }
    return sinking->n > 0 ? STATUS_OK : refuse(sinking, "reverse_compute_at", "no statement writes it");
}

static enum status find_loop(struct sinking *sinking)
{
    if (!edit_loop_argument(sinking->schedule, sinking->step, "loop", &sinking->ref))
        return STATUS_REFUSED;
    if (order_count(sinking->schedule->order, sinking->ref.info->id) != 1)
        return refuse(sinking, "loop", "there are several copies of this loop");
    if (!path_find_through(sinking->schedule->arena, sinking->schedule->order, sinking->ref.node, &sinking->path))
        return refuse(sinking, "loop", "blocks have runs of a collapsed loop's iterations");
    for (int k = 0; k < sinking->n; k++)
        if (order_has(sinking->ref.node, sinking->reader[k].statement))
            return refuse(sinking, "loop", "the array is already computed inside this loop");
    return STATUS_OK;
}

/* { R[r] -> S[s] }: the instances of statement S whose values are read; NULL: none. */
static __isl_give isl_map *sources(const struct sinking *sinking, const struct reader *reader,
                                   const struct statement *statement)
{
    const struct dependences *dependences = schedule_dependences(sinking->schedule);
    isl_map *all = NULL;

    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        isl_map *map;
        if (dependence->to->statement != reader->statement || !dependence->to->reads || !dependence->from->writes ||
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

static void find_latest_sources(struct sinking *sinking, struct reader *reader)
{
    const struct program *program = sinking->schedule->program;
    bool single = true;

    for (int s = 0; s < program->n_statement; s++) {
        isl_map *own = order_has(sinking->ref.node, program->statement[s])
                           ? sources(sinking, reader, program->statement[s])
                           : NULL;
        isl_set *reading;
        if (!own)
            continue;
        reading = isl_map_domain(isl_map_copy(own));
        own = latest_of(sinking, program->statement[s], own, &single);
        single = single && !reader->latest;
        reader->reading = reader->reading ? isl_set_union(reader->reading, reading) : reading;
        reader->latest = reader->latest ? isl_map_union(reader->latest, own) : own;
    }
    if (!single)
        reader->latest = isl_map_lexmax(reader->latest);
}

/* { Z[z] -> [c] }: the first iteration with an instance of another reader that writes the same element. */
static void follow_others(struct sinking *sinking, struct reader *start)
{
    isl_map *first = NULL;

    for (int k = 0; k < sinking->n; k++) {
        const struct reader *other = &sinking->reader[k];
        isl_map *own;
        if (other == start || !other->reading)
            continue;
        own = isl_map_apply_range(isl_map_copy(start->statement->access[0].map),
                                  isl_map_reverse(isl_map_copy(other->statement->access[0].map)));
        own = isl_map_apply_range(own, isl_map_copy(other->latest));
        first = first ? isl_map_union(first, own) : own;
    }
    start->latest = first ? isl_map_lexmin(first) : NULL;
}

/* Reports the smallest instance without a source. */
static enum status check_total(const struct sinking *sinking, const struct reader *reader)
{
    const struct program *program = sinking->schedule->program;
    isl_set *without =
        isl_set_subtract(isl_set_copy(reader->statement->domain), isl_map_domain(isl_map_copy(reader->latest)));
    struct text instance = {0}, params = {0};
    struct sample sample;
    enum status status;

    without = isl_set_intersect_params(without, isl_set_copy(program->context));
    if (!poly_smallest(sinking->schedule->arena, without, &sample))
        return STATUS_OK;
    violation_print_instance(&instance, reader->statement, sample.dim);
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
    enum status status = STATUS_OK;

    for (int k = 0; k < sinking->n; k++)
        find_latest_sources(sinking, &sinking->reader[k]);
    for (int k = 0; k < sinking->n && status == STATUS_OK; k++) {
        struct reader *reader = &sinking->reader[k];
        if (!reader->latest)
            follow_others(sinking, reader);
        status = reader->latest ? check_total(sinking, reader)
                                : refuse(sinking, "loop", "it reads nothing that is computed in this loop");
    }
    return status;
}

/* { R[r] -> c_dim } of those in member. */
static __isl_give isl_union_pw_aff *time_of_loop(const struct sinking *sinking, const bool *member, int dim)
{
    isl_union_pw_aff *all = NULL;

    for (int k = 0; k < sinking->n; k++) {
        const struct reader *reader = &sinking->reader[k];
        isl_pw_multi_aff *latest;
        isl_pw_aff *own;
        if (!member[reader->statement->index])
            continue;
        latest = isl_pw_multi_aff_from_map(isl_map_copy(reader->latest));
        own = poly_pw_aff_coalesce(isl_pw_multi_aff_get_pw_aff(latest, dim));
        own = isl_pw_aff_gist(own, isl_set_copy(reader->statement->domain));
        all = all ? isl_union_pw_aff_union_add(all, isl_union_pw_aff_from_pw_aff(own))
                  : isl_union_pw_aff_from_pw_aff(own);
        isl_pw_multi_aff_free(latest);
    }
    return all;
}

static isl_union_pw_aff **times(const struct sinking *sinking, const bool *member)
{
    isl_union_pw_aff **time = ARENA_ARRAY(sinking->schedule->arena, sinking->path.depth, isl_union_pw_aff *);

    for (int k = 0; k < sinking->path.depth; k++)
        time[k] = poly_keep_union_pw_aff(sinking->schedule->arena, time_of_loop(sinking, member, k));
    return time;
}

/* order with the statements in member, which stand together, in the loop; NULL: they do not. */
static const struct order *grafted(const struct sinking *sinking, const struct order *order, const bool *member)
{
    struct schedule *schedule = sinking->schedule;
    const struct order *part = graft_find(order, member);
    struct graft graft = {&sinking->path, NULL, NULL, true, NULL};

    if (!part)
        return NULL;
    graft.time = times(sinking, member);
    graft.part = graft_rename(schedule, &sinking->ref, part);
    return graft_insert(schedule->arena, graft_remove(schedule->arena, order, member), &graft);
}

/* The same with each of them by itself, in textual order. */
static const struct order *grafted_each(const struct sinking *sinking, const struct order *order)
{
    for (int k = 0; k < sinking->n && order; k++) {
        bool *alone = ARENA_ARRAY(sinking->schedule->arena, sinking->schedule->program->n_statement + 1, bool);

        alone[sinking->reader[k].statement->index] = true;
        order = grafted(sinking, order, alone);
    }
    return order;
}

static enum status move(struct sinking *sinking)
{
    struct schedule *schedule = sinking->schedule;
    const struct order *order = grafted(sinking, schedule->order, sinking->member);

    if (!order)
        order = grafted_each(sinking, schedule->order);
    if (!order)
        return refuse(sinking, "reverse_compute_at", "its parts stand in different places");
    schedule_move_members(schedule, sinking->member, sinking->ref.node);
    return edit_commit(schedule, order);
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct sinking sinking = {.schedule = schedule, .step = step};
    enum status status = find_readers(&sinking);

    if (status == STATUS_OK)
        status = find_loop(&sinking);
    if (status == STATUS_OK)
        status = find_latest(&sinking);
    if (status == STATUS_OK)
        status = move(&sinking);
    for (int k = 0; k < sinking.n; k++) {
        isl_set_free(sinking.reader[k].reading);
        isl_map_free(sinking.reader[k].latest);
    }
    return status;
}

static const struct argument arguments[] = {
    {.key = "reverse_compute_at", .kind = ARGUMENT_TEXT, .required = true, .doc = "an array"},
    {.key = "loop", .kind = ARGUMENT_LOOP, .required = true, .doc = "the loop of what it reads that it moves under"},
    {0},
};

const struct primitive primitive_reverse_compute_at = {
    .name = "reverse_compute_at",
    .summary = "compute an array where the last of its operands is",
    .rule = "The statements that compute an array move to the end of a loop's body. Each of their "
            "instances runs in the iteration that computes the last of the operands that it has "
            "from this loop; the initialisation of a reduction runs in the iteration of its first "
            "update. Nothing is computed twice.",
    .proved = "Each instance reads something that the loop computes, or initialises an element that "
              "such instances update. Each pair of dependent instances keeps its order, those with operands "
              "from elsewhere included.",
    .argument = arguments,
    .apply = apply,
};
