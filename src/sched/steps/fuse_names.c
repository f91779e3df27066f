/* The names of a fused nest's loops: as in the first schedule that has the loop, f (f2, ..), the schedules' own names
 * for unfused loops, `nest.loop` on collision.
 */
#include "sched/steps/fuse.h"

static const struct value *list_of(const struct fuse *fuse, const char *key)
{
    return value_member(step_value(fuse->step, "as"), key);
}

/* A name that the step gives; NULL after reporting that a loop around, beside or inside has it. */
static const char *given(struct fuse *fuse, struct fuse_names *names, const struct value *value)
{
    if (names_has(&names->used, value->string)) {
        edit_refuse(fuse->schedule, value->place, "name", NULL, "the name `%s` is already in use", value->string);
        return NULL;
    }
    names_add(&names->used, value->string);
    return value->string;
}

/* The operand's own name; of a loop `label.loop`, the label. */
static const char *owner_name(const struct fuse *fuse, const struct operand *operand)
{
    return arena_copy_n(fuse->schedule->arena, operand->name, strcspn(operand->name, "."));
}

/* The loop's own name, `nest.name` when another loop has it. */
static const char *fresh(struct fuse *fuse, struct fuse_names *names, const struct operand *operand, int depth)
{
    const char *name = operand->loop[depth].info->name;

    if (names_has(&names->used, name))
        name = arena_printf(fuse->schedule->arena, "%s.%s", owner_name(fuse, operand), name);
    if (names_has(&names->used, name))
        return names_unique(&names->used, name);
    names_add(&names->used, name);
    return name;
}

static const char *default_fusing_name(struct fuse *fuse, struct fuse_names *names)
{
    const struct program *program = fuse->schedule->program;
    const char *name = "f";

    for (int k = 2; names_has(&names->used, name) || program_has_name(program, name); k++)
        name = arena_printf(fuse->schedule->arena, "f%d", k);
    names_add(&names->used, name);
    return name;
}

static int count_unfused(const struct fuse *fuse)
{
    int n = 0;

    for (int k = 0; k < fuse->n; k++)
        n += fuse->operand[k].rank > fuse->partial ? fuse->operand[k].rank - fuse->partial : 0;
    return n;
}

static enum status check_counts(struct fuse *fuse)
{
    const struct value *fused = list_of(fuse, "fused"), *unfused = list_of(fuse, "unfused");

    if (fused && fused->n_item != fuse->partial)
        return edit_refuse(fuse->schedule, fused->place, "fuse", NULL, "%d names for %d fused loops", fused->n_item,
                           fuse->partial);
    if (unfused && unfused->n_item != count_unfused(fuse))
        return edit_refuse(fuse->schedule, unfused->place, "fuse", NULL, "%d names for %d unfused loops",
                           unfused->n_item, count_unfused(fuse));
    return STATUS_OK;
}

static void collect_inside(struct fuse_names *names, const struct order *node)
{
    if (node->kind == ORDER_LOOP && !names_has(&names->used, node->info->name))
        names_add(&names->used, node->info->name);
    for (int k = 0; k < node->n_child; k++)
        collect_inside(names, node->child[k]);
}

/* The names of the loops that the fused nest stands in. */
static bool collect_around(struct fuse_names *names, const struct order *node, const struct order *wanted)
{
    if (node == wanted)
        return true;
    for (int k = 0; k < node->n_child; k++)
        if (collect_around(names, node->child[k], wanted)) {
            if (node->kind == ORDER_LOOP)
                names_add(&names->used, node->info->name);
            return true;
        }
    return false;
}

static bool name_fused(struct fuse *fuse, struct fuse_names *names)
{
    const struct value *list = list_of(fuse, "fused"), *fusing = list_of(fuse, "fusing");

    for (int d = 0; d < fuse->partial; d++) {
        names->fused[d] = list ? given(fuse, names, &list->item[d]) : fresh(fuse, names, fuse_owner(fuse, d), d);
        if (!names->fused[d])
            return false;
    }
    names->fusing = fusing ? given(fuse, names, fusing) : default_fusing_name(fuse, names);
    return names->fusing != NULL;
}

static bool name_unfused(struct fuse *fuse, struct fuse_names *names)
{
    const struct value *list = list_of(fuse, "unfused");
    int n = 0;

    for (int k = 0; k < fuse->n; k++)
        for (int d = fuse->partial; d < fuse->operand[k].rank; d++, n++) {
            names->unfused[n] = list ? given(fuse, names, &list->item[n]) : fresh(fuse, names, &fuse->operand[k], d);
            if (!names->unfused[n])
                return false;
        }
    return true;
}

static bool choose(struct fuse *fuse, struct fuse_names *names)
{
    struct arena *arena = fuse->schedule->arena;

    names->used.arena = arena;
    names->fused = ARENA_ARRAY(arena, fuse->partial + 1, const char *);
    names->unfused = ARENA_ARRAY(arena, count_unfused(fuse) + 1, const char *);
    collect_around(names, fuse->schedule->order, fuse->parent);
    for (int k = 0; k < fuse->n; k++)
        collect_inside(names, fuse->operand[k].body);
    return name_fused(fuse, names) && name_unfused(fuse, names);
}

static bool is_operand_name(const struct fuse *fuse, const char *name)
{
    for (int k = 0; k < fuse->n; k++)
        if (strcmp(fuse->operand[k].name, name) == 0)
            return true;
    return false;
}

static bool in_operands(const struct fuse *fuse, const struct statement *statement)
{
    for (int k = 0; k < fuse->n; k++)
        if (order_has(fuse->operand[k].node, statement))
            return true;
    return false;
}

/* Does name mean anything besides what is fused? */
static bool means_more(const struct fuse *fuse, const char *name)
{
    const struct program *program = fuse->schedule->program;
    const bool *group = schedule_group(fuse->schedule, name);

    for (int k = 0; group && k < program->n_statement; k++)
        if (group[k] && !in_operands(fuse, program->statement[k]))
            return true;
    return program_statement(program, name) != NULL;
}

static enum status check_nest_name(struct fuse *fuse)
{
    const struct value *nest = list_of(fuse, "nest");

    if (nest && !is_operand_name(fuse, nest->string) && means_more(fuse, nest->string))
        return edit_refuse(fuse->schedule, nest->place, "name", NULL, "the name `%s` is already in use", nest->string);
    return STATUS_OK;
}

enum status fuse_choose_names(struct fuse *fuse, struct fuse_names *names)
{
    const struct value *nest = list_of(fuse, "nest");

    names->nest = nest ? nest->string : fuse->operand[0].name;
    if (check_counts(fuse) != STATUS_OK || check_nest_name(fuse) != STATUS_OK || !choose(fuse, names))
        return STATUS_REFUSED;
    return STATUS_OK;
}
