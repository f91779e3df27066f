#include "report/listing/loop_marks.h"

#include "caps/gpu.h"
#include "plan/loop_plan.h"

#include <inttypes.h>

struct marks {
    struct text *out;
    int n;
};

static void add(struct marks *marks, const char *mark)
{
    text_addf(marks->out, "%s%s", marks->n++ ? ", " : "", mark);
}

static void add_word(struct marks *marks, const char *mark, const char *word)
{
    add(marks, mark);
    text_add(marks->out, word);
}

static void add_number(struct marks *marks, const char *mark, int64_t number)
{
    add(marks, mark);
    if (number > 0)
        text_addf(marks->out, " %" PRId64, number);
}

static void add_threads(struct marks *marks, const struct loop_plan *plan)
{
    static const char *const policies[] = {"", "static", "dynamic", "guided"};

    add(marks, plan->doacross ? plan->parallel > 0 ? "doacross" : "waits" : "parallel");
    if (plan->policy != OMP_DEFAULT)
        add_number(marks, policies[plan->policy], plan->chunk);
}

static void add_unrolled(struct marks *marks, const struct loop_plan *plan)
{
    if (plan->unroll == UNROLL_HINT)
        add_number(marks, "unrolled by the compiler", plan->hint);
    else if (plan->unroll != UNROLL_NONE && !plan->tensor)
        add(marks, "unrolled");
}

/* What iterations tell the processor or the compiler: the first one asked for first. */
static void add_hints(struct marks *marks, const struct loop_hint *hint)
{
    if (!hint)
        return;
    add_hints(marks, hint->before);
    if (hint->pragma)
        add_word(marks, "#pragma ", hint->pragma);
    else
        add_word(marks, "prefetch ", hint->array);
}

static void add_streams(struct marks *marks, const struct loop_stream *stream)
{
    if (!stream)
        return;
    add_streams(marks, stream->before);
    add_word(marks, "streams ", stream->array);
}

static void add_tail(struct marks *marks, enum tail tail)
{
    static const char *const words[] = {
        [TAIL_PEEL] = "tail peeled", [TAIL_GUARD] = "tail guarded",  [TAIL_EXACT] = "no tail",
        [TAIL_MASK] = "tail masked", [TAIL_CASES] = "tail in cases", [TAIL_ROUND_UP] = "tail rounded up"};

    if (words[tail])
        add(marks, words[tail]);
}

int loop_marks(const struct loop_info *info, struct text *out)
{
    const struct loop_plan plan = loop_plan_of(info);
    struct marks marks = {out, 0};

    if (info->skewed)
        add(&marks, "skewed");
    if (info->tuple > 1)
        add_word(&marks, "collapsed as ", info->name);
    if (info->tuple < 0)
        add(&marks, "collapsed");
    if (plan.parallel != 0)
        add_threads(&marks, &plan);
    if (plan.axis != AXIS_NONE)
        add(&marks, axis_name(plan.axis));
    if (plan.vector)
        add_number(&marks, "vector", plan.lanes ? plan.lanes : info->tile);
    add_unrolled(&marks, &plan);
    if (plan.tensor)
        add(&marks, "matrix instruction");
    if (plan.dot_step)
        add(&marks, "dot product");
    if (plan.text_place == 1)
        add(&marks, step_string(plan.text_step, "with", ""));
    add_tail(&marks, plan.vector && plan.tail != TAIL_AUTO ? plan.tail : info->tail);
    add_hints(&marks, plan.hints);
    add_streams(&marks, plan.streams);
    return marks.n;
}
