/* pragma: a line for the compiler in front of a loop. What promises that lanes are independent must be true
 * (plan/check/check.c); what would change the meaning is refused. */
#include "plan/loop_plan.h"
#include "sched/edit.h"

#include <string.h>

static bool begins_with(const char *text, const char *word)
{
    const size_t size = strlen(word);

    return strncmp(text, word, size) == 0 && (text[size] == ' ' || text[size] == '\0');
}

static bool is_one_line(const char *text)
{
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == '\\' || *c == 0x7f)
            return false;
    return *text && *text != ' ' && !strstr(text, "/*") && !strstr(text, "//");
}

static bool is_promise(const char *text)
{
    return strstr(text, "ivdep") || strstr(text, "assume_safety");
}

static enum status check_text(struct schedule *schedule, const struct step *step, const char *text)
{
    const struct place place = step_place(step, "text");

    if (!is_one_line(text))
        return edit_refuse(schedule, place, "pragma", "write what follows `#pragma`: \"GCC ivdep\"",
                           "the text of a pragma is one line without comments");
    if (begins_with(text, "omp") || begins_with(text, "acc"))
        return edit_refuse(schedule, place, "pragma", "use `parallelize`, or `vectorize` for \"simd\": \"omp\"",
                           "this pragma would change what the loop means, which no proof would know of");
    return STATUS_OK;
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    const char *text = step_string(step, "text", "");
    struct loop_hint *hint = ARENA_NEW(schedule->arena, struct loop_hint);
    struct loop_ref ref;
    struct loop_plan plan;

    if (!edit_loop_argument(schedule, step, "pragma", &ref) || !edit_is_single(schedule, &ref, "pragma") ||
        check_text(schedule, step, text) != STATUS_OK)
        return STATUS_REFUSED;
    plan = loop_plan_of(ref.info);
    *hint = (struct loop_hint){.pragma = text, .step = step, .before = plan.hints};
    plan.hints = hint;
    if (is_promise(text))
        plan.independent_step = step;
    return loop_plan_set(schedule, ref.info->id, &plan);
}

static const struct argument arguments[] = {
    {.key = "pragma", .kind = ARGUMENT_LOOP, .required = true, .doc = "a loop"},
    {.key = "text",
     .kind = ARGUMENT_TEXT,
     .required = true,
     .doc = "what follows `#pragma`, \"GCC ivdep\" for example"},
    {0},
};

const struct primitive primitive_pragma = {
    .name = "pragma",
    .summary = "put a line for the compiler in front of a loop",
    .rule = "A line `#pragma TEXT` is put in front of the loop.",
    .proved = "A pragma that promises independent iterations, `ivdep` or `assume_safety`, is proved "
              "like `vectorize`. One of OpenMP or OpenACC is refused: `parallelize` makes those.",
    .argument = arguments,
    .apply = apply,
};
