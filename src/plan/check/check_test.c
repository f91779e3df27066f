#include "plan/check/check_test.h"

#include <isl/id.h>

bool test_note_broken(struct test *test, __isl_keep isl_union_map *pairs)
{
    if (test->broken)
        *test->broken = isl_union_map_union(*test->broken, isl_union_map_copy(pairs));
    return test->broken != NULL;
}

__isl_give isl_union_map *test_unless_waived(const struct test *test, __isl_take isl_union_map *pairs)
{
    isl_union_map *waived = test->schedule->waived;

    return waived ? isl_union_map_subtract(pairs, isl_union_map_copy(waived)) : pairs;
}

/* What the statement is, if it is one that the user knows nothing of. */
static void note_sum(const struct test *test, struct diag *diag, const struct statement *statement)
{
    if (statement->total && !statement->by_warp)
        diag_note(test->schedule->diags, diag, statement->place,
                  "%s is the update of `%s` by what the threads of a block have of %s", statement->label,
                  statement->target->array->name, statement->from);
}

void test_report(struct test *test, const struct violation *violation, const char *what, const char *hint)
{
    const struct schedule *schedule = test->schedule;
    const char *index = violation_index_advice(schedule->arena, violation);
    struct text earlier = {0}, later = {0}, reason = {0};
    struct diag *diag;

    violation_print_instance(&earlier, violation->dependence->from->statement, violation->earlier);
    violation_print_instance(&later, violation->dependence->to->statement, violation->later);
    violation_print_reason(&reason, schedule->arena, schedule->program, violation);
    diag = diag_error(schedule->diags, test->step->primitive->name, test->step->place, "`%s` %s: %s must run before %s",
                      test->info->name, what, text_str(&earlier), text_str(&later));
    diag_note(schedule->diags, diag, violation->dependence->to->statement->place, "%s", text_str(&reason));
    note_sum(test, diag, violation->dependence->from->statement);
    if (hint || index)
        diag_hint(schedule->diags, diag, "%s%s%s", hint ? hint : "", hint && index ? "; " : "", index ? index : "");
    text_free(&earlier);
    text_free(&later);
    text_free(&reason);
    test->status = STATUS_REFUSED;
}

void test_undecided(struct test *test)
{
    if (test->status == STATUS_OK)
        test->status = STATUS_UNDECIDED;
}

struct search {
    struct test *test;
    visit_band *visit;
};

/* Calls visit on the bands below marks of the loop. */
static isl_bool search_band(__isl_keep isl_schedule_node *node, void *user)
{
    struct search *search = user;
    isl_schedule_node *band;
    isl_id *id;

    if (isl_schedule_node_get_type(node) != isl_schedule_node_mark)
        return isl_bool_true;
    id = isl_schedule_node_mark_get_id(node);
    if (isl_id_get_user(id) == (const void *)search->test->info && search->test->status == STATUS_OK) {
        band = isl_schedule_node_child(isl_schedule_node_copy(node), 0);
        search->visit(search->test, band);
        isl_schedule_node_free(band);
    }
    isl_id_free(id);
    return isl_bool_true;
}

void test_visit(struct test *test, __isl_keep isl_schedule *isl, visit_band *visit)
{
    struct search search = {test, visit};

    isl_schedule_foreach_schedule_node_top_down(isl, search_band, &search);
}

void test_visit_final(struct test *test, visit_band *visit)
{
    isl_schedule *isl = order_to_schedule(test->schedule->order);

    test_visit(test, isl, visit);
    isl_schedule_free(isl);
}

void test_note_missing(struct test *test, const struct parallel *parallel)
{
    if (test->missing && parallel->n_own > 0)
        VEC_PUSH(test->schedule->arena, test->missing,
                 ((struct missing){parallel->own, parallel->n_own, test->innermost, test->step}));
}
