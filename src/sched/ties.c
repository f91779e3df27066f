#include "sched/ties.h"

#include "dep/legal.h"

static void report(struct arena *arena, const struct program *program, const struct violation *violation,
                   struct place place, struct diags *diags)
{
    struct text earlier = {0}, later = {0}, element = {0}, params = {0};
    struct diag *diag;

    violation_print_instance(&earlier, violation->dependence->from->statement, violation->earlier);
    violation_print_instance(&later, violation->dependence->to->statement, violation->later);
    violation_print_element(&element, arena, violation);
    violation_print_params(&params, program, violation);
    diag = diag_error(diags, "order", place, "%s and %s get one time, but both touch %s%s%s%s", text_str(&earlier),
                      text_str(&later), text_str(&element), params.size ? " (" : "", text_str(&params),
                      params.size ? ")" : "");
    diag_hint(diags, diag, "give one of them a later time in a further dimension");
    text_free(&earlier);
    text_free(&later);
    text_free(&element);
    text_free(&params);
}

enum status ties_check(struct arena *arena, const struct dependences *dependences, __isl_keep isl_union_map *map,
                       struct place place, struct diags *diags)
{
    isl_union_map *same_time =
        isl_union_map_apply_range(isl_union_map_copy(map), isl_union_map_reverse(isl_union_map_copy(map)));
    struct violation violation;

    if (!legal_find_pair(arena, dependences, same_time, &violation))
        return STATUS_OK;
    report(arena, dependences->program, &violation, place, diags);
    return STATUS_REFUSED;
}

enum status ties_check_nests(struct arena *arena, const struct dependences *dependences, struct diags *diags)
{
    const struct program *program = dependences->program;
    enum status status = STATUS_OK;

    for (int k = 0; k < program->n_nest; k++) {
        const struct nest *nest = &program->nest[k];
        if (nest->order && ties_check(arena, dependences, nest->order, nest->place, diags) != STATUS_OK)
            status = STATUS_REFUSED;
    }
    return status;
}
