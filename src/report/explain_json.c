/* The explanation of a program as JSON. */
#include "report/explain.h"

#include "base/json.h"
#include "poly/context.h"
#include "report/explain_parts.h"
#include "report/loop_walk.h"

/* A comma, unless a list or an object has just begun. */
static void separate(struct text *out)
{
    const char last = out->size ? text_str(out)[out->size - 1] : '[';

    if (last != '[' && last != '{')
        text_char(out, ',');
}

static void add_key(struct text *out, const char *key)
{
    separate(out);
    text_addf(out, "\"%s\":", key);
}

static void add_string(struct text *out, const char *key, const char *value)
{
    add_key(out, key);
    json_string(out, value);
}

/* The text is freed. */
static void add_text(struct text *out, const char *key, struct text value)
{
    add_string(out, key, text_str(&value));
    text_free(&value);
}

static void add_bool(struct text *out, const char *key, bool value)
{
    add_key(out, key);
    text_add(out, value ? "true" : "false");
}

static void add_instance(struct text *out, const char *key, const struct statement *statement, const int64_t *instance)
{
    struct text text = {0};

    violation_print_instance(&text, statement, instance);
    add_text(out, key, text);
}

/* Both instances, why they depend on each other, and the sizes. */
static void add_pair(struct text *out, const char *key, const struct schedule *schedule,
                     const struct violation *violation)
{
    struct text reason = {0};

    add_key(out, key);
    text_char(out, '{');
    add_instance(out, "from", violation->dependence->from->statement, violation->earlier);
    add_instance(out, "to", violation->dependence->to->statement, violation->later);
    violation_print_reason(&reason, schedule->arena, schedule->program, violation);
    add_text(out, "reason", reason);
    text_char(out, '}');
}

static void add_legality(struct text *out, const struct schedule *schedule)
{
    struct violation violation;
    const bool illegal = explain_violation(schedule, &violation);
    const struct step *guilty = illegal ? schedule_guilty_step(schedule, &violation) : NULL;

    if (schedule->n_step < schedule->program->n_schedule) {
        add_key(out, "refused_step");
        text_addf(out, "%d", schedule->n_step + 1);
    }
    add_bool(out, "legal", !illegal);
    if (!illegal)
        return;
    add_pair(out, "violation", schedule, &violation);
    if (guilty) {
        add_key(out, "broken_by_step");
        text_addf(out, "%d", guilty->number);
    }
}

static void add_reference(struct text *out, const char *key, const struct reference *reference)
{
    struct text access = {0};

    add_key(out, key);
    text_char(out, '{');
    add_string(out, "statement", reference->statement->label);
    expr_print(&access, reference->access->expr, reference->statement->loop_name);
    add_text(out, "access", access);
    text_char(out, '}');
}

static void add_dependence(struct text *out, const struct schedule *schedule, const struct dependence *dependence)
{
    struct text distance = explain_distance(schedule, dependence, "\"", "\",\"", "\"");

    separate(out);
    text_add(out, "\n{");
    add_string(out, "kind", dependence_kind(dependence));
    add_reference(out, "from", dependence->from);
    add_reference(out, "to", dependence->to);
    add_key(out, "distance");
    text_addf(out, "[%s]", text_str(&distance));
    add_bool(out, "may", dependence->from->may || dependence->to->may);
    add_bool(out, "reduction", dependence->reduction);
    add_bool(out, "waived", !dependence->reduction && explain_is_waived(schedule, dependence));
    text_char(out, '}');
    text_free(&distance);
}

/* null: undecided */
static void add_parallel(struct loop_walk *walk, const struct loop *loop)
{
    const struct parallel parallel = loop_parallel(walk, loop);

    add_key(walk->out, "parallel");
    text_add(walk->out, parallel.answer == ANSWER_UNKNOWN ? "null" : parallel.answer == ANSWER_YES ? "true" : "false");
    if (parallel.answer == ANSWER_NO)
        add_pair(walk->out, "carries", walk->schedule, &parallel.carried);
}

static void start_loop(struct loop_walk *walk, const struct loop *loop)
{
    int64_t constant;
    struct text trips = loop_trips(walk, loop, &constant);

    separate(walk->out);
    text_addf(walk->out, "\n%*s{", 2 * loop->depth, "");
    add_string(walk->out, "loop", loop->info->name);
    if (trips.size)
        add_string(walk->out, "iterations", text_str(&trips));
    add_parallel(walk, loop);
    add_key(walk->out, "body");
    text_char(walk->out, '[');
    text_free(&trips);
}

static void end_loop(struct loop_walk *walk, const struct loop *loop)
{
    (void)loop;
    text_add(walk->out, "]}");
}

static void add_statement(struct loop_walk *walk, const struct statement *statement, int depth)
{
    separate(walk->out);
    text_addf(walk->out, "\n%*s{", 2 * depth, "");
    add_string(walk->out, "statement", statement->label);
    text_char(walk->out, '}');
}

static void add_arrays(struct text *out, const struct schedule *schedule)
{
    const struct table table = explain_arrays(schedule);

    for (int k = 0; k < table.row.n; k++) {
        separate(out);
        text_add(out, "\n{");
        add_string(out, "array", table.row.at[k].cell[0]);
        add_string(out, "use", table.row.at[k].cell[1]);
        add_string(out, "touched", table.row.at[k].cell[2]);
        text_char(out, '}');
    }
}

enum status report_explain_json(const struct schedule *schedule, struct text *out)
{
    const struct dependences *dependences = schedule_dependences(schedule);
    struct loop_walk walk = {
        .schedule = schedule, .out = out, .visit = start_loop, .statement = add_statement, .leave = end_loop};

    poly_begin(schedule->program->ctx);
    text_char(out, '{');
    add_string(out, "name", schedule->program->name);
    add_legality(out, schedule);
    text_add(out, ",\n\"dependences\":[");
    for (int k = 0; k < dependences->n; k++)
        add_dependence(out, schedule, &dependences->list[k]);
    text_add(out, "],\n\"loops\":[");
    walk_loops(&walk);
    text_add(out, "],\n\"arrays\":[");
    add_arrays(out, schedule);
    text_add(out, "]}\n");
    return poly_end(schedule->program->ctx, schedule->diags, "explaining the order");
}
