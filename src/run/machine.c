#include "run/machine.h"

#include "base/template.h"

#include <stdlib.h>
#include <string.h>

enum { SECONDS = 60 };

bool machine_measure(struct run_report *report, const struct scratch *scratch, const char *real,
                     const struct run_options *options, struct machine *machine)
{
    const struct template_value values[] = {{"REAL", real}, {NULL, NULL}};
    const struct template_value *const lists[] = {values};
    struct text why = {0}, command = {0};
    struct outcome outcome = {0};
    char *end = NULL;
    bool ok = scratch_write(scratch, "machine.c", template_filled(report->arena, "run/machine", lists, 1), &why);

    text_addf(&command, "%s -O3 -march=native -ffp-contract=fast -fopenmp machine.c -o machine && ",
              run_compiler(options));
    if (options->threads > 0)
        text_addf(&command, "OMP_NUM_THREADS=%d ", (int)options->threads);
    text_add(&command, "./machine");
    if (ok)
        process_run(scratch->folder, text_str(&command), options, SECONDS, &outcome);
    ok = ok && outcome.ending == ENDED_WITH_STATUS && outcome.value == 0;
    *machine = (struct machine){0};
    if (ok) {
        machine->bandwidth = strtod(text_str(&outcome.text), &end);
        machine->peak = strtod(end, NULL);
    }
    text_free(&why);
    text_free(&command);
    text_free(&outcome.text);
    return ok && machine->bandwidth > 0 && machine->peak > 0;
}
