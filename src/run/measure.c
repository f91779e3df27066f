#include "run/measure.h"

#include "run/told.h"

#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Adds the number of each line "time N". */
static void take_times(struct arena *arena, const char *text, struct times *times)
{
    int n = 0;

    for (const char *at = told_after(text, "time"); at; at = told_after(at, "time"))
        n++;
    double *all = ARENA_ARRAY(arena, times->n + n + 1, double);
    if (times->n > 0)
        memcpy(all, times->at, (size_t)times->n * sizeof(*all));
    for (const char *at = told_after(text, "time"); at; at = told_after(at, "time"))
        all[times->n++] = strtod(at, NULL);
    qsort(all, (size_t)times->n, sizeof(*all), by_value);
    times->at = all;
}

bool measure(struct arena *arena, const struct scratch *scratch, const struct subject *subject, const struct job *job,
             const char *file, double terms, int repetitions, const struct run_options *options, struct times *times,
             struct outcome *outcome)
{
    subject_run(scratch, subject, job, "time", file, terms, repetitions, options, outcome);
    if (outcome->ending != ENDED_WITH_STATUS || outcome->value != 0)
        return false;
    take_times(arena, text_str(&outcome->text), times);
    return true;
}

double times_quantile(const struct times *times, double part)
{
    const int at = (int)(part * (double)(times->n - 1) + 0.5);

    return times->n > 0 ? times->at[at] : 0;
}

double times_median(const struct times *times)
{
    return times_quantile(times, 0.5);
}
