/* inline: the statement that computes an array disappears into its readers (CINN's ComputeInline).
 *
 *     P: B[i, j] = A[i, j] + 1;   S: C[i, j] = 2 * B[j, i]     becomes     S: C[i, j] = 2 * (A[j, i] + 1)
 *
 * For each read the composition { S[..] -> B[..] } . { B[..] -> P[..] } says which instance of P it replaces. It is
 * legal when what P read then still has the same value when S reads it.
 */
#include "dep/compare.h"
#include "dep/legal.h"
#include "program/index_expr.h"
#include "program/rewrite.h"
#include "sched/edit.h"
#include "sched/program_step.h"

#include <isl/space.h>

struct inlining {
    struct schedule *schedule;
    const struct step *step;
    const struct array *array;
    const struct statement *producer;
    struct program *program; /* the copy under change, the producer still in it */
};

static enum status refuse(const struct inlining *inlining, const char *hint, const char *text)
{
    return edit_refuse(inlining->schedule, step_place(inlining->step, "inline"), "inline", hint, "%s", text);
}

static bool reads_array(const struct statement *statement, const struct array *array)
{
    for (int k = 0; k < statement->n_access; k++)
        if (statement->access[k].array == array && !statement->access[k].write)
            return true;
    return false;
}

/* Does expr use a loop as a value, outside of subscripts? */
static bool uses_loop_value(const struct expr *expr)
{
    if (expr->kind == EXPR_ACCESS)
        return false;
    if (expr->kind == EXPR_LOOP)
        return true;
    for (int k = 0; k < expr->n_arg; k++)
        if (uses_loop_value(expr->arg[k]))
            return true;
    return false;
}

/* The only writer of the array, when that can be inlined at all. */
static enum status find_producer(struct inlining *inlining)
{
    const struct program *program = inlining->schedule->program;
    const struct statement *producer = NULL;

    for (int s = 0; s < program->n_statement; s++) {
        if (program->statement[s]->target->array != inlining->array)
            continue;
        if (producer)
            return refuse(inlining, NULL, "several statements write it");
        producer = program->statement[s];
    }
    if (!producer)
        return refuse(inlining, NULL, "no statement writes it");
    if (producer->op != OP_NONE || reads_array(producer, inlining->array))
        return refuse(inlining, NULL, "it is a reduction: its value takes more than one statement instance");
    if (producer->guard || producer->access[0].may)
        return refuse(inlining, NULL, "whether or where it is written depends on data");
    if (isl_map_is_injective(producer->access[0].map) != isl_bool_true)
        return refuse(inlining, NULL, "several instances write the same element");
    inlining->producer = producer;
    return STATUS_OK;
}

static enum status find_array(struct inlining *inlining)
{
    const char *name = step_string(inlining->step, "inline", "");

    inlining->array = program_array(inlining->schedule->program, name);
    if (!inlining->array)
        return edit_refuse(inlining->schedule, step_place(inlining->step, "inline"), "unknown-name", NULL,
                           "there is no array `%s` here", name);
    if (inlining->array->role != ROLE_TEMP)
        return refuse(inlining, NULL, "it is an argument of the function, so its elements must be there");
    return find_producer(inlining);
}

/* { S[..] -> P[..] }: the instance whose value the access reads. */
static __isl_give isl_map *source_of(const struct inlining *inlining, const struct access *access)
{
    isl_map *store = isl_map_reverse(isl_map_copy(inlining->producer->access[0].map));

    return isl_map_apply_range(isl_map_copy(access->map), store);
}

/* Reports when something writes what P read between an instance of P and the read that takes its place. */
static enum status check_unchanged(struct inlining *inlining, const struct statement *reader,
                                   __isl_keep isl_map *source, __isl_keep isl_schedule *original)
{
    const struct dependences *dependences = inlining->schedule->dependences;

    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        isl_map *pairs;
        isl_union_map *between;
        bool changed;
        if (dependence->from->statement != inlining->producer || !dependence->from->reads || !dependence->to->writes ||
            dependence->from->array == inlining->array)
            continue;
        pairs = isl_map_reverse(isl_map_apply_range(isl_map_copy(source), isl_map_copy(dependence->map)));
        between = pairs_before(original, isl_union_map_from_map(pairs));
        changed = isl_union_map_is_empty(between) != isl_bool_true;
        isl_union_map_free(between);
        if (changed)
            return edit_refuse(inlining->schedule, step_place(inlining->step, "inline"), "inline", NULL,
                               "%s writes `%s` between %s and %s, which would then read the new value",
                               dependence->to->statement->label, dependence->from->array->name,
                               inlining->producer->label, reader->label);
    }
    return STATUS_OK;
}

/* The producer's loops as expressions of the reader's; false when one has no single expression. */
static bool loop_values(struct inlining *inlining, __isl_take isl_map *source, struct expr **value)
{
    isl_pw_multi_aff *instance = isl_pw_multi_aff_from_map(source);
    bool all = true;

    for (int k = 0; k < inlining->producer->n_loop; k++) {
        isl_pw_aff *index = isl_pw_aff_coalesce(isl_pw_multi_aff_get_pw_aff(instance, k));
        isl_set *domain = isl_pw_aff_domain(isl_pw_aff_copy(index));
        value[k] = index_expr_of(inlining->schedule->arena, inlining->schedule->program, isl_pw_aff_gist(index, domain));
        all = all && value[k];
    }
    isl_pw_multi_aff_free(instance);
    return all;
}

/* The accesses that a copy of the producer's value brings into a reader. */
struct copying {
    struct inlining *inlining;
    struct expr *const *loop; /* what stands for the producer's loops */
    isl_map *source;          /* { S[..] -> P[..] } */
    bool may;                 /* of the access that is replaced */
    VEC(struct access) added;
};

static void add_access(struct copying *copying, const struct expr *old, const struct expr *copy)
{
    const struct statement *producer = copying->inlining->producer;
    struct arena *arena = copying->inlining->schedule->arena;

    for (int k = 1; k < producer->n_access; k++) {
        struct access access = producer->access[k];
        if (access.expr != old)
            continue;
        access.expr = copy;
        access.may = access.may || copying->may;
        access.map = program_step_keep_map(arena, isl_map_apply_range(isl_map_copy(copying->source),
                                                                      isl_map_copy(producer->access[k].map)));
        VEC_PUSH(arena, &copying->added, access);
    }
}

static struct expr *copy_value(struct copying *copying, const struct expr *expr)
{
    struct arena *arena = copying->inlining->schedule->arena;
    struct expr *copy;

    if (expr->kind == EXPR_LOOP)
        return copying->loop[expr->loop];
    copy = ARENA_NEW(arena, struct expr);
    *copy = *expr;
    copy->arg = ARENA_ARRAY(arena, expr->n_arg + 1, struct expr *);
    for (int k = 0; k < expr->n_arg; k++)
        copy->arg[k] = copy_value(copying, expr->arg[k]);
    if (expr->kind == EXPR_ACCESS)
        add_access(copying, expr, copy);
    return copy;
}

/* The value as it would be after a store to the array and a load from it. */
static struct expr *stored_value(struct copying *copying)
{
    struct arena *arena = copying->inlining->schedule->arena;
    const struct expr *value = copying->inlining->producer->value;
    struct expr *copy = copy_value(copying, value), *cast;

    if (value->type == copying->inlining->array->type)
        return copy;
    cast = ARENA_NEW(arena, struct expr);
    *cast = (struct expr){.kind = EXPR_CAST, .type = copying->inlining->array->type, .place = value->place,
                          .implicit = true, .arg = ARENA_ARRAY(arena, 1, struct expr *), .n_arg = 1};
    cast->arg[0] = copy;
    return cast;
}

static bool is_subscript(const struct expr *expr, const struct expr *wanted, bool inside)
{
    if (expr == wanted)
        return inside;
    for (int k = 0; k < expr->n_arg; k++)
        if (is_subscript(expr->arg[k], wanted, inside || expr->kind == EXPR_ACCESS))
            return true;
    return false;
}

static enum status check_read(struct inlining *inlining, const struct statement *reader, const struct access *access,
                              __isl_keep isl_map *source)
{
    isl_set *reads = isl_map_domain(isl_map_copy(access->map));
    isl_set *found = isl_map_domain(isl_map_copy(source));
    const bool total = isl_set_is_subset(reads, found) == isl_bool_true;

    isl_set_free(reads);
    isl_set_free(found);
    if (isl_map_is_single_valued(access->map) != isl_bool_true ||
        is_subscript(reader->value, access->expr, false) || is_subscript(reader->target, access->expr, false) ||
        (reader->guard && is_subscript(reader->guard, access->expr, false)))
        return refuse(inlining, NULL, "an element that depends on data is read");
    if (!total)
        return refuse(inlining, NULL, "elements are read that only have their initial value");
    return STATUS_OK;
}

/* Replaces one read in the reader's copy. */
static enum status inline_read(struct inlining *inlining, struct rewriting *rewriting, struct copying *copying,
                               const struct statement *reader, const struct access *access,
                               __isl_keep isl_schedule *original)
{
    struct expr **loop =
        ARENA_ARRAY(inlining->schedule->arena, inlining->producer->n_loop + 1, struct expr *);
    enum status status;

    copying->source = source_of(inlining, access);
    copying->may = access->may;
    copying->loop = loop;
    status = check_read(inlining, reader, access, copying->source);
    if (status == STATUS_OK)
        status = check_unchanged(inlining, reader, copying->source, original);
    if (status == STATUS_OK && !loop_values(inlining, isl_map_copy(copying->source), loop))
        status = refuse(inlining, NULL, "its subscripts have no single inverse");
    if (status == STATUS_OK)
        rewriting_add(rewriting, access->expr, stored_value(copying));
    isl_map_free(copying->source);
    return status;
}

/* The accesses that stay, then those that came in. */
static void set_accesses(struct inlining *inlining, struct statement *reader, const struct copying *copying)
{
    struct arena *arena = inlining->schedule->arena;
    struct access *access = ARENA_ARRAY(arena, reader->n_access + copying->added.n, struct access);
    int n = 0;

    for (int k = 0; k < reader->n_access; k++)
        if (reader->access[k].array != inlining->array)
            access[n++] = reader->access[k];
    for (int k = 0; k < copying->added.n; k++)
        access[n++] = copying->added.at[k];
    reader->access = access;
    reader->n_access = n;
}

static enum status inline_into(struct inlining *inlining, struct statement *reader, struct rewriting *rewriting,
                               __isl_keep isl_schedule *original)
{
    struct copying copying = {.inlining = inlining};

    for (int k = 0; k < reader->n_access; k++) {
        if (reader->access[k].array != inlining->array)
            continue;
        if (inline_read(inlining, rewriting, &copying, reader, &reader->access[k], original) != STATUS_OK)
            return STATUS_REFUSED;
    }
    set_accesses(inlining, reader, &copying);
    return STATUS_OK;
}

static enum status inline_everywhere(struct inlining *inlining, __isl_keep isl_schedule *original)
{
    struct program *program = inlining->program;
    const struct program *before = inlining->schedule->program;
    struct rewriting rewriting = {.arena = inlining->schedule->arena, .from = before->array, .to = before->array};
    bool any = false;

    for (int s = 0; s < program->n_statement; s++) {
        struct statement *reader = program->statement[s];
        if (!reads_array(reader, inlining->array))
            continue;
        any = true;
        if (inline_into(inlining, reader, &rewriting, original) != STATUS_OK)
            return STATUS_REFUSED;
        reader->value = rewriting_apply(&rewriting, reader->value);
        reader->guard = rewriting_apply(&rewriting, reader->guard);
    }
    return any ? STATUS_OK : refuse(inlining, NULL, "nothing reads it");
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct inlining inlining = {.schedule = schedule, .step = step};
    isl_schedule *original;
    enum status status = find_array(&inlining);

    if (status != STATUS_OK)
        return status;
    if (uses_loop_value(inlining.producer->value))
        return refuse(&inlining, NULL, "its value is computed from a loop, which readers number differently");
    inlining.program = program_copy(schedule->arena, schedule->program);
    original = order_to_schedule(schedule->original);
    status = inline_everywhere(&inlining, original);
    isl_schedule_free(original);
    if (status != STATUS_OK)
        return status;
    return program_step_without(schedule, inlining.program, inlining.producer, inlining.array);
}

static const struct argument arguments[] = {
    {.key = "inline", .kind = ARGUMENT_TEXT, .required = true, .doc = "a temporary array with one writer"},
    {0},
};

const struct primitive primitive_inline = {"inline", "compute an array where it is read", arguments, apply};
