#include "sched/edit.h"

#include "base/names.h"

struct loop_info *edit_copy_info(struct schedule *schedule, const struct loop_info *info)
{
    struct loop_info *copy = ARENA_NEW(schedule->arena, struct loop_info);

    *copy = *info;
    return copy;
}

struct loop_info *edit_new_info(struct schedule *schedule, const struct loop_info *like, const char *name,
                                const struct step *step)
{
    struct loop_info *info = edit_copy_info(schedule, like);

    info->id = ++schedule->loop_ids;
    info->name = name;
    info->step = step;
    return info;
}

static bool is_called(const struct order *node, const char *name)
{
    return node->kind == ORDER_LOOP && node->info->tuple >= 0 && strcmp(node->info->name, name) == 0;
}

static bool has_name(const struct order *node, const char *name)
{
    if (is_called(node, name))
        return true;
    for (int k = 0; k < node->n_child; k++)
        if (has_name(node->child[k], name))
            return true;
    return false;
}

/* Is name that of a copy of the loop id below node, or of a loop around (taken: outside node, even) or inside one? */
static bool near_loop(const struct order *node, int id, const char *name, bool taken)
{
    if (node->kind == ORDER_LOOP && node->info->id == id)
        return taken || has_name(node, name);
    taken = taken || is_called(node, name);
    for (int k = 0; k < node->n_child; k++)
        if (near_loop(node->child[k], id, name, taken))
            return true;
    return false;
}

/* Is name used by a loop that a new one at ref's loop would be nested with (sibling loops may share a name), or by an
 * array, as steps make them too? Without ref: by any loop. */
static bool name_in_use(const struct schedule *schedule, const struct loop_ref *ref, const char *name)
{
    const bool nested = ref && order_find(schedule->order, ref->node->info->id);

    if (program_array(schedule->program, name))
        return true;
    return nested ? near_loop(schedule->order, ref->node->info->id, name, false) : has_name(schedule->order, name);
}

/* The same of a name that nobody gave, which stays away from all that have a meaning. */
static bool is_taken(const struct schedule *schedule, const struct loop_ref *ref, const char *name)
{
    return name_is_reserved(name) || program_has_name(schedule->program, name) || name_in_use(schedule, ref, name);
}

bool edit_list_free(struct schedule *schedule, const struct value *list)
{
    for (int k = 0; list && k < list->n_item; k++) {
        const char *name = list->item[k].string;
        bool used = program_array(schedule->program, name) != NULL;
        for (int j = 0; j < k; j++)
            used = used || strcmp(list->item[j].string, name) == 0;
        if (used) {
            diag_error(schedule->diags, "name", list->item[k].place, "the name `%s` is already in use", name);
            return false;
        }
    }
    return true;
}

bool edit_name_free(struct schedule *schedule, const struct loop_ref *ref, const char *name, struct place place)
{
    if (name_in_use(schedule, ref, name)) {
        diag_error(schedule->diags, "name", place, "the name `%s` is already in use", name);
        return false;
    }
    return true;
}

const char *edit_plain_name(const char *name)
{
    const char *dot = strchr(name, '.');

    return dot ? dot + 1 : name;
}

static bool one_letter(const char *name)
{
    for (const char *c = name; *c; c++)
        if (*c != name[0])
            return false;
    return true;
}

const char *edit_inner_name(struct schedule *schedule, const struct loop_ref *ref)
{
    const char *base = edit_plain_name(ref->info->name);
    const char *name = base;

    if (!one_letter(base) || base[0] == '_')
        return edit_piece_name(schedule, ref, 1);
    do
        name = arena_printf(schedule->arena, "%s%c", name, base[0]);
    while (is_taken(schedule, ref, name));
    return name;
}

const char *edit_name_like(struct schedule *schedule, const struct loop_ref *ref, const char *name)
{
    const char *start = names_start(schedule->arena, name), *like = start;

    for (int k = 1; is_taken(schedule, ref, like); k++)
        like = arena_printf(schedule->arena, "%s_%d", start, k);
    return like;
}

const char *edit_piece_name(struct schedule *schedule, const struct loop_ref *ref, int number)
{
    const char *start = names_start(schedule->arena, edit_plain_name(ref->info->name)), *name;

    do
        name = arena_printf(schedule->arena, "%s_%d", start, number++);
    while (is_taken(schedule, ref, name));
    return name;
}

const char *edit_numbered_name(struct schedule *schedule, const struct loop_ref *ref, int number)
{
    return edit_name_like(schedule, ref,
                          arena_printf(schedule->arena, "%s_%d", edit_plain_name(ref->info->name), number));
}

const char *edit_new_label(const struct schedule *schedule, const struct statement *of, const char *ending)
{
    const struct program *program = schedule->program;
    const char *label = arena_printf(schedule->arena, "%s_%s", of->label, ending);

    for (int k = 2; program_statement(program, label) || program_array(program, label); k++)
        label = arena_printf(schedule->arena, "%s_%s_%d", of->label, ending, k);
    return label;
}

__isl_give isl_aff *edit_origin(struct schedule *schedule, const struct loop_ref *ref)
{
    isl_aff *origin = time_least(schedule->program, ref->time, ref->domain);

    if (!origin)
        origin = params_constant(schedule->program, 0);
    return isl_aff_add_constant_si(origin, (int)(-ref->info->pad * ref->info->unit));
}

__isl_give isl_aff *edit_extent(struct schedule *schedule, const struct loop_ref *ref)
{
    isl_aff *first = time_least(schedule->program, ref->time, ref->domain);
    isl_aff *last = first ? time_greatest(schedule->program, ref->time, ref->domain) : NULL;

    isl_aff_free(first);
    if (!last)
        return NULL;
    return isl_aff_add_constant_si(isl_aff_sub(last, edit_origin(schedule, ref)), 1);
}

struct edit {
    struct schedule *schedule;
    int id;
    const struct loop_info *info;
    edit_time *make_time;
    void *data;
};

static const struct order *replace(void *data, const struct order *node)
{
    struct edit *edit = data;
    isl_union_pw_aff *time;

    if (node->kind != ORDER_LOOP || node->info->id != edit->id)
        return node;
    time = isl_union_pw_aff_copy(node->time);
    if (edit->make_time)
        time = edit->make_time(edit->data, time);
    return order_loop(edit->schedule->arena, edit->info, time, node->child[0]);
}

static const struct order *insert(void *data, const struct order *node)
{
    struct edit *edit = data;
    isl_union_pw_aff *time;
    const struct order **child;

    if (node->kind != ORDER_LOOP || node->info->id != edit->id)
        return node;
    child = ARENA_ARRAY(edit->schedule->arena, 1, const struct order *);
    time = edit->make_time(edit->data, isl_union_pw_aff_copy(node->time));
    child[0] = order_loop(edit->schedule->arena, edit->info, time, node->child[0]);
    return order_with_children(edit->schedule->arena, node, child);
}

enum status edit_commit(struct schedule *schedule, const struct order *order)
{
    if (order)
        schedule->order = order;
    return STATUS_OK;
}

enum status edit_replace(struct schedule *schedule, const struct loop_ref *ref, const struct loop_info *info,
                         edit_time *make_time, void *data)
{
    struct edit edit = {schedule, ref->info->id, info, make_time, data};

    return edit_commit(schedule, order_rewrite(schedule->arena, schedule->order, replace, &edit));
}

enum status edit_insert_inside(struct schedule *schedule, const struct loop_ref *ref, const struct loop_info *info,
                               edit_time *make_time, void *data)
{
    struct edit edit = {schedule, ref->info->id, info, make_time, data};

    return edit_commit(schedule, order_rewrite(schedule->arena, schedule->order, insert, &edit));
}

enum status edit_refuse(struct schedule *schedule, struct place place, const char *rule, const char *hint,
                        const char *format, ...)
{
    struct diag *diag;
    va_list args;
    va_start(args, format);
    diag = diag_error(schedule->diags, rule, place, "%s", arena_vprintf(schedule->arena, format, args));
    va_end(args);
    if (hint)
        diag_hint(schedule->diags, diag, "%s", hint);
    return STATUS_REFUSED;
}

enum status edit_no_statement(struct schedule *schedule, struct place place, const char *label)
{
    const struct program *program = schedule->program;
    const bool *nest = schedule_group(schedule, label);
    const char *hint = NULL;

    for (int s = program->n_statement - 1; nest && s >= 0; s--)
        if (nest[s])
            hint = arena_printf(schedule->arena, "`%s` is a nest: name a statement in it, such as `%s`", label,
                                program->statement[s]->label);
    return edit_refuse(schedule, place, "unknown-name", hint, "there is no statement `%s`", label);
}

/* What the nest or statement of this name writes last; NULL: there is none. */
static const char *written_by(const struct schedule *schedule, const char *name)
{
    const struct program *program = schedule->program;
    const bool *nest = schedule_group(schedule, name);
    const struct statement *statement = program_statement(program, name);

    for (int s = 0; s < program->n_statement && nest; s++)
        if (nest[s])
            statement = program->statement[s];
    return statement ? statement->target->array->name : NULL;
}

enum status edit_no_array(struct schedule *schedule, struct place place, const char *name)
{
    const struct program *program = schedule->program;
    const char *written = written_by(schedule, name), *hint = NULL, *nearest;
    VEC(const char *) names = {0};

    for (int k = 0; k < program->n_array; k++)
        VEC_PUSH(schedule->arena, &names, program->array[k].name);
    nearest = name_nearest(name, names.at, names.n);
    if (written)
        hint = arena_printf(schedule->arena, "name the array that it writes, `%s`", written);
    else if (nearest)
        hint = arena_printf(schedule->arena, "did you mean `%s`?", nearest);
    else if (names.n > 0)
        hint = arena_printf(schedule->arena, "there are %s", names_listed(schedule->arena, names.at, names.n));
    return edit_refuse(schedule, place, "unknown-name", hint, "there is no array `%s` here", name);
}

bool edit_is_not_fusing(struct schedule *schedule, const struct loop_ref *ref, const char *what)
{
    if (ref->info->role != ROLE_FUSING)
        return true;
    edit_refuse(schedule, ref->place, "fusing", NULL,
                "cannot %s `%s`: it is a fusing loop, which only says which schedule comes first", what, ref->text);
    return false;
}

bool edit_is_single(struct schedule *schedule, const struct loop_ref *ref, const char *what)
{
    if (ref->info->tuple <= 1 && ref->info->run == 0)
        return true;
    edit_refuse(schedule, ref->place, "collapsed", "collapse after the other steps, or give the sizes as constants",
                "cannot %s `%s`: it is %sa collapsed loop whose inner extent is not a constant", what, ref->text,
                ref->info->tuple > 1 ? "" : "part of ");
    return false;
}
