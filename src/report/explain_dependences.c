/* The list of dependences: kind, references, distance. */
#include "report/explain_parts.h"

#include "poly/number.h"

#include <isl/ilp.h>
#include <isl/space.h>
#include <isl/val.h>

/* The only child of a sequence in which both statements are, or NULL. */
static const struct order *common_child(const struct order *sequence, const struct statement *a,
                                        const struct statement *b)
{
    const struct order *found = NULL;

    for (int k = 0; k < sequence->n_child; k++) {
        const bool has_a = order_has(sequence->child[k], a), has_b = order_has(sequence->child[k], b);
        if (has_a && has_b && !found)
            found = sequence->child[k];
        else if (has_a || has_b)
            return NULL;
    }
    return found;
}

/* { S[i,j] -> [t0,t1,..] }: the counts of the loops of the description around both statements; NULL without any. */
static __isl_give isl_union_map *common_times(const struct order *order, const struct statement *a,
                                              const struct statement *b, int *n)
{
    isl_union_map *times = NULL;

    *n = 0;
    while (order && order->kind != ORDER_LEAF) {
        if (order->kind == ORDER_SEQUENCE) {
            order = common_child(order, a, b);
            continue;
        }
        isl_union_map *own = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(order->time));
        times = times ? isl_union_map_flat_range_product(times, own) : own;
        ++*n;
        order = order->child[0];
    }
    return times;
}

/* "1", "<" (forward), "<=", ">" (back), ">=", "*" for the values of one dimension of distances. */
static void print_direction(struct text *out, __isl_keep isl_set *distances, unsigned k)
{
    isl_set *one = isl_set_project_out(isl_set_copy(distances), isl_dim_set, k + 1,
                                       (unsigned)isl_set_dim(distances, isl_dim_set) - k - 1);
    isl_val *low, *high;
    int64_t distance;

    one = isl_set_project_out(one, isl_dim_set, 0, k);
    one = isl_set_project_out(one, isl_dim_param, 0, (unsigned)isl_set_dim(one, isl_dim_param));
    low = isl_set_dim_min_val(isl_set_copy(one), 0);
    high = isl_set_dim_max_val(one, 0);
    if (isl_val_eq(low, high) == isl_bool_true && poly_number(isl_val_copy(low), &distance))
        text_addf(out, "%lld", (long long)distance);
    else if (isl_val_is_pos(low) == isl_bool_true || isl_val_is_neg(high) == isl_bool_true)
        text_add(out, isl_val_is_pos(low) == isl_bool_true ? "<" : ">");
    else if (isl_val_is_zero(low) == isl_bool_true || isl_val_is_zero(high) == isl_bool_true)
        text_add(out, isl_val_is_zero(low) == isl_bool_true ? "<=" : ">=");
    else
        text_char(out, '*');
    isl_val_free(low);
    isl_val_free(high);
}

struct text explain_distance(const struct schedule *schedule, const struct dependence *dependence, const char *start,
                             const char *between, const char *end)
{
    isl_union_map *pairs = isl_union_map_from_map(isl_map_copy(dependence->map));
    struct text out = {0};
    isl_set *distances;
    int n;
    isl_union_map *times = common_times(schedule->original, dependence->from->statement, dependence->to->statement, &n);

    if (times) {
        pairs = isl_union_map_apply_domain(pairs, isl_union_map_copy(times));
        pairs = isl_union_map_apply_range(pairs, times);
        distances = isl_map_deltas(isl_map_from_union_map(pairs));
        for (int k = 0; k < n; k++) {
            text_add(&out, k ? between : start);
            print_direction(&out, distances, (unsigned)k);
        }
        text_add(&out, n ? end : "");
        isl_set_free(distances);
    } else {
        isl_union_map_free(pairs);
    }
    return out;
}

static struct text reference_text(const struct reference *reference)
{
    struct text out = {0};

    text_addf(&out, "%s: ", reference->statement->label);
    expr_print(&out, reference->access->expr, reference->statement->loop_name);
    return out;
}

bool explain_is_waived(const struct schedule *schedule, const struct dependence *dependence)
{
    isl_union_map *waived = isl_union_map_from_map(isl_map_copy(dependence->map));
    bool any;

    waived = isl_union_map_subtract(waived, isl_union_map_copy(schedule_dependences(schedule)->required));
    any = isl_union_map_is_empty(waived) == isl_bool_false;
    isl_union_map_free(waived);
    return any;
}

/* What is special about a dependence. */
static struct text remark(const struct schedule *schedule, const struct dependence *dependence)
{
    struct text out = {0};

    if (dependence->from->may || dependence->to->may)
        text_add(&out, "may");
    if (dependence->reduction)
        text_addf(&out, "%sreduction, order free", out.size ? ", " : "");
    else if (explain_is_waived(schedule, dependence))
        text_addf(&out, "%sin part waived as unsafe", out.size ? ", " : "");
    return out;
}

static void add_dependence(const struct schedule *schedule, struct table *table, const struct dependence *dependence)
{
    struct text kind = {0}, to = {0}, from = reference_text(dependence->from), target = reference_text(dependence->to);
    struct text vector = explain_distance(schedule, dependence, "(", ", ", ")");
    struct text special = remark(schedule, dependence);

    text_add(&kind, dependence_kind(dependence));
    text_addf(&to, "-> %s", text_str(&target));
    text_free(&target);
    table_row(table);
    table_cell(table, &kind);
    table_cell(table, &from);
    table_cell(table, &to);
    table_cell(table, &vector);
    table_cell(table, &special);
}

static bool is_among(const struct dependence *dependence, __isl_keep isl_union_map *pairs)
{
    isl_union_map *mine = isl_union_map_from_map(isl_map_copy(dependence->map));
    bool among;

    mine = isl_union_map_intersect(mine, isl_union_map_copy(pairs));
    among = isl_union_map_is_empty(mine) == isl_bool_false;
    isl_union_map_free(mine);
    return among;
}

/* How many loops are around the call: those of its first part. */
static int around_call(const struct program *program, const struct call *call)
{
    int n = 0;

    for (int k = 0; k < program->n_statement; k++)
        if (program->statement[k]->call == call && program->statement[k]->part == 0)
            n = program->statement[k]->n_loop;
    return n;
}

__isl_give isl_union_map *explain_within_calls(const struct program *program)
{
    isl_union_map *within = isl_union_map_empty(isl_set_get_space(program->context));

    for (int a = 0; a < program->n_statement; a++)
        for (int b = 0; b < program->n_statement; b++) {
            const struct statement *from = program->statement[a], *to = program->statement[b];
            isl_map *pairs;

            if (!from->call || from->call != to->call)
                continue;
            pairs = isl_map_from_domain_and_range(isl_set_copy(from->domain), isl_set_copy(to->domain));
            for (int k = 0; k < from->n_loop && k < to->n_loop && k < around_call(program, from->call); k++)
                pairs = isl_map_equate(pairs, isl_dim_in, k, isl_dim_out, k);
            within = isl_union_map_add_map(within, pairs);
        }
    return within;
}

/* Is it inside of a call? */
static bool is_within(const struct dependence *dependence, __isl_keep isl_union_map *within)
{
    isl_union_map *pairs = isl_union_map_from_map(isl_map_copy(dependence->map));
    const bool inside = isl_union_map_is_subset(pairs, within) == isl_bool_true;

    isl_union_map_free(pairs);
    return inside;
}

void explain_dependences(const struct schedule *schedule, __isl_keep isl_union_map *pairs, struct text *out)
{
    const struct dependences *dependences = schedule_dependences(schedule);
    isl_union_map *within = explain_within_calls(schedule->program);
    struct table table = {.arena = schedule->arena};

    for (int k = 0; k < dependences->n; k++)
        if ((!pairs || is_among(&dependences->list[k], pairs)) && !is_within(&dependences->list[k], within))
            add_dependence(schedule, &table, &dependences->list[k]);
    isl_union_map_free(within);
    text_add(out, pairs ? "dependences that it carries" : "dependences");
    text_add(out, table.row.n ? " (distance in the loops of the description: a number, < forward, > back, * any)\n"
                              : ": none\n");
    table_print(&table, 2, out);
}
