/* Verdicts: order-invariant, safe or order-dependent.
 *
 * A fusion is safe when each of its schedules is order-invariant (or a safe fusion itself) and every dependence
 * between two of them joins instances with equal values of the fused loops, from a schedule listed earlier to one
 * listed later. By the theorem of Accera's safety analysis the earlier one then runs first in every order that keeps
 * the fusing loops outside the unfused ones, whatever else is done to the loops.
 */
#include "report/explain_parts.h"

#include "poly/keep.h"

/* The loops that one fuse step made, outermost first. */
struct fusion {
    const struct step *step;
    VEC(const struct order *) fused;
    const struct order *fusing;
    VEC(const struct order *) unfused;
    isl_union_set *domain; /* kept by the arena */
};

struct judge {
    const struct schedule *schedule;
    const struct dependences *dependences; /* of the program that is judged */
    isl_union_map *settled;                /* required pairs of that program inside safe fusions; owned */
    isl_union_map *within;                 /* pairs of that program inside of calls, which are always in order; owned */
    struct text *out;
};

static const struct order *find_made(const struct order *order, const struct step *step)
{
    const struct order *found = NULL;

    if (order->kind == ORDER_LOOP && order->info->step == step)
        return order;
    for (int k = 0; k < order->n_child && !found; k++)
        found = find_made(order->child[k], step);
    return found;
}

static bool is_fuse(const struct step *step)
{
    return strcmp(step->primitive->name, "fuse") == 0;
}

/* As it is after step `at`, the fuse itself or a later one. False when the step is no fuse, was not applied or has no
 * loops any more. */
static bool find_fusion(const struct schedule *schedule, const struct step *step, int at, struct fusion *fusion)
{
    struct arena *arena = schedule->arena;
    const struct order *node;

    *fusion = (struct fusion){.step = step};
    if (!is_fuse(step) || at > schedule->n_step)
        return false;
    node = find_made(schedule->history[at], step);
    if (!node)
        return false;
    fusion->domain = poly_keep_union_set(arena, order_domain(node));
    for (; node->kind == ORDER_LOOP && node->info->step == step; node = node->child[0]) {
        if (node->info->role == ROLE_FUSED)
            VEC_PUSH(arena, &fusion->fused, node);
        else if (node->info->role == ROLE_UNFUSED)
            VEC_PUSH(arena, &fusion->unfused, node);
        else
            fusion->fusing = node;
    }
    return fusion->fusing != NULL;
}

static __isl_give isl_multi_union_pw_aff *time_at(const struct order *loop)
{
    return isl_multi_union_pw_aff_from_union_pw_aff(isl_union_pw_aff_copy(loop->time));
}

static __isl_give isl_union_map *among(__isl_take isl_union_map *pairs, __isl_keep isl_union_set *domain)
{
    pairs = isl_union_map_intersect_domain(pairs, isl_union_set_copy(domain));
    return isl_union_map_intersect_range(pairs, isl_union_set_copy(domain));
}

static __isl_give isl_union_map *required_among(const struct judge *judge, __isl_keep isl_union_set *domain)
{
    isl_union_map *required = isl_union_map_copy(judge->dependences->required);

    return among(isl_union_map_subtract(required, isl_union_map_copy(judge->within)), domain);
}

static __isl_give isl_union_map *at_equal_fused(const struct fusion *fusion, __isl_take isl_union_map *pairs)
{
    for (int k = 0; k < fusion->fused.n; k++)
        pairs = isl_union_map_eq_at_multi_union_pw_aff(pairs, time_at(fusion->fused.at[k]));
    return pairs;
}

/* The pairs that the theorem does not cover. */
static __isl_give isl_union_map *uncovered(const struct judge *judge, const struct fusion *fusion)
{
    isl_union_map *pairs = required_among(judge, fusion->domain), *covered;

    pairs = isl_union_map_subtract(pairs, isl_union_map_copy(judge->settled));
    covered = isl_union_map_lex_lt_at_multi_union_pw_aff(isl_union_map_copy(pairs), time_at(fusion->fusing));
    return isl_union_map_subtract(pairs, at_equal_fused(fusion, covered));
}

static void print_names(struct text *out, const struct order *const *loop, int n)
{
    for (int k = 0; k < n; k++)
        text_addf(out, "%s%s", k ? ", " : "", loop[k]->info->name);
}

static bool is_none(__isl_keep isl_union_map *pairs)
{
    return isl_union_map_is_empty(pairs) == isl_bool_true;
}

/* Are there reductions of free order among the statements of domain? */
static bool has_reduction(const struct dependences *dependences, __isl_keep isl_union_set *domain)
{
    bool has = false;

    for (int k = 0; k < dependences->n && !has; k++) {
        isl_union_map *pairs;
        if (!dependences->list[k].reduction)
            continue;
        pairs = among(isl_union_map_from_map(isl_map_copy(dependences->list[k].map)), domain);
        has = !is_none(pairs);
        isl_union_map_free(pairs);
    }
    return has;
}

static void print_invariant(const struct judge *judge, __isl_keep isl_union_set *domain)
{
    text_addf(judge->out, "order-invariant: no dependences%s\n",
              has_reduction(judge->dependences, domain) ? " but reductions whose order is free" : "");
}

/* Prints the smallest of the pairs, and frees them. */
static bool print_dependent(const struct judge *judge, __isl_take isl_union_map *pairs, struct violation *violation)
{
    const struct schedule *schedule = judge->schedule;
    const bool found = legal_find_pair(schedule->arena, judge->dependences, pairs, violation);

    text_add(judge->out, found ? "order-dependent: " : "undecided");
    if (found)
        explain_pair(schedule, violation, judge->out);
    text_char(judge->out, '\n');
    if (found && dependence_within_reduction(violation->dependence))
        text_addf(judge->out, "    %s\n", violation_advice(schedule->arena, violation));
    return found;
}

/* Does the fusion rest on earlier ones? */
static bool is_nested(const struct judge *judge, const struct fusion *fusion)
{
    isl_union_map *inner = among(isl_union_map_copy(judge->settled), fusion->domain);
    const bool nested = !is_none(inner);

    isl_union_map_free(inner);
    return nested;
}

static void print_safe(const struct judge *judge, const struct fusion *fusion)
{
    const bool nested = is_nested(judge, fusion);
    struct text *out = judge->out;

    text_addf(out, "safe\n    each schedule is order-invariant%s; dependences between them ", nested ? " or safe" : "");
    if (fusion->fused.n) {
        text_add(out, "join equal values of ");
        print_names(out, fusion->fused.at, fusion->fused.n);
        text_add(out, ", ");
    } else {
        text_add(out, "go ");
    }
    text_add(out, "in listed order;\n    by the theorem of Accera's safety analysis every order of the loops");
    if (fusion->unfused.n) {
        text_addf(out, " that keeps %s outside ", fusion->fusing->info->name);
        print_names(out, fusion->unfused.at, fusion->unfused.n);
    }
    text_addf(out, "%s is legal\n", nested ? ", and earlier fusing loops outside what they left unfused," : "");
}

/* Why the theorem does not cover a pair. */
static void print_obstacle(const struct judge *judge, const struct fusion *fusion, const struct violation *violation)
{
    isl_union_map *pair = isl_union_map_from_map(violation_pair(violation));
    isl_union_map *same = isl_union_map_copy(pair), *back;
    const char *why = "joins different values of the fused loops";

    same = isl_union_map_eq_at_multi_union_pw_aff(same, time_at(fusion->fusing));
    back = isl_union_map_lex_gt_at_multi_union_pw_aff(pair, time_at(fusion->fusing));
    if (!is_none(same))
        why = "is inside one of the schedules";
    else if (!is_none(back))
        why = "goes against the listed order";
    text_addf(judge->out, "    the theorem of Accera's safety analysis does not cover it: it %s\n", why);
    isl_union_map_free(same);
    isl_union_map_free(back);
}

static void settle(struct judge *judge, __isl_keep isl_union_set *domain)
{
    judge->settled = isl_union_map_union(judge->settled, required_among(judge, domain));
}

/* The judge has seen all earlier fusions. */
static void judge_fusion(struct judge *judge, const struct fusion *fusion)
{
    isl_union_map *all = required_among(judge, fusion->domain), *rest = uncovered(judge, fusion);
    struct violation violation;

    if (is_none(all)) {
        print_invariant(judge, fusion->domain);
    } else if (is_none(rest)) {
        print_safe(judge, fusion);
        settle(judge, fusion->domain);
    } else if (print_dependent(judge, isl_union_map_copy(rest), &violation)) {
        print_obstacle(judge, fusion, &violation);
    }
    isl_union_map_free(all);
    isl_union_map_free(rest);
}

/* The fusions before step `at`, which made the program that is judged: those that are safe for it, too. */
static void settle_again(struct judge *judge, int at)
{
    const struct program *program = judge->schedule->program;
    struct fusion fusion;

    for (int k = 0; k + 1 < at; k++) {
        isl_union_map *rest;
        if (!find_fusion(judge->schedule, &program->schedule[k], at, &fusion))
            continue;
        rest = uncovered(judge, &fusion);
        if (is_none(rest))
            settle(judge, fusion.domain);
        isl_union_map_free(rest);
    }
}

/* What is settled is settled for one program. */
static void turn_to(struct judge *judge, int step)
{
    const struct schedule then = schedule_as_after(judge->schedule, step);
    const bool same = judge->dependences->program == then.program;
    int at = 0;

    judge->dependences = schedule_dependences(&then);
    if (same)
        return;
    judge->settled = isl_union_map_subtract(judge->settled, isl_union_map_copy(judge->settled));
    isl_union_map_free(judge->within);
    judge->within = explain_within_calls(then.program);
    while (judge->schedule->applied[at].program != then.program)
        at++;
    settle_again(judge, at);
}

/* Judges the fusions before step `until`, each for the program of that time. */
static void judge_fusions(struct judge *judge, int until)
{
    const struct program *program = judge->schedule->program;
    struct fusion fusion;

    for (int k = 0; k < program->n_schedule && k < until; k++)
        if (find_fusion(judge->schedule, &program->schedule[k], k + 1, &fusion)) {
            text_addf(judge->out, "  step %d (", k + 1);
            step_print(judge->out, &program->schedule[k]);
            text_add(judge->out, "): ");
            turn_to(judge, k + 1);
            judge_fusion(judge, &fusion);
        }
}

static __isl_give isl_union_set *domain_of(const struct program *program, int first, int n)
{
    isl_union_set *domain = isl_union_set_empty(isl_set_get_space(program->context));

    for (int s = first; s < first + n; s++)
        domain = isl_union_set_union(domain, isl_union_set_from_set(isl_set_copy(program->statement[s]->domain)));
    return domain;
}

static void judge_domain(const struct judge *judge, __isl_take isl_union_set *domain)
{
    isl_union_map *all = required_among(judge, domain), *rest;
    struct violation violation;

    rest = isl_union_map_subtract(isl_union_map_copy(all), isl_union_map_copy(judge->settled));
    if (is_none(all))
        print_invariant(judge, domain);
    else if (is_none(rest))
        text_add(judge->out, "safe: every dependence is inside a safe fusion\n");
    else
        print_dependent(judge, isl_union_map_copy(rest), &violation);
    isl_union_map_free(all);
    isl_union_map_free(rest);
    isl_union_set_free(domain);
}

static struct judge new_judge(const struct schedule *schedule, struct text *out)
{
    isl_union_map *none = isl_union_map_empty(isl_set_get_space(schedule->program->context));

    return (struct judge){schedule, schedule_dependences(schedule), none, explain_within_calls(schedule->program), out};
}

void explain_verdicts(const struct schedule *schedule, struct text *out)
{
    const struct program *program = schedule->program;
    struct judge judge = new_judge(schedule, out);

    text_add(out, "verdicts\n");
    for (int k = 0; k < program->n_nest; k++) {
        if (program->nest[k].n_statement == 0)
            continue;
        text_addf(out, "  nest %s: ", program->nest[k].name);
        judge_domain(&judge, domain_of(program, program->nest[k].first_statement, program->nest[k].n_statement));
    }
    judge_fusions(&judge, program->n_schedule);
    text_add(out, "  program: ");
    turn_to(&judge, schedule->n_step);
    judge_domain(&judge, domain_of(program, 0, program->n_statement));
    isl_union_map_free(judge.settled);
    isl_union_map_free(judge.within);
}

void explain_fusion(const struct schedule *schedule, const struct step *step, struct text *out)
{
    struct text earlier = {0};
    struct judge judge = new_judge(schedule, &earlier);
    struct fusion fusion;

    if (find_fusion(schedule, step, step->number, &fusion)) {
        judge_fusions(&judge, step->number - 1);
        judge.out = out;
        text_add(out, "  ");
        turn_to(&judge, step->number);
        judge_fusion(&judge, &fusion);
    }
    text_free(&earlier);
    isl_union_map_free(judge.settled);
    isl_union_map_free(judge.within);
}
