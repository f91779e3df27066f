/* The verbs that print one text about polynest itself. */
#include "cli/command.h"

#include <stdio.h>

static polynest_status run_primitives(const struct options *options)
{
    (void)options;
    return print_and_free(polynest_primitives());
}

static polynest_status run_schema(const struct options *options)
{
    (void)options;
    return print_and_free(polynest_schema());
}

static polynest_status run_targets(const struct options *options)
{
    (void)options;
    return print_and_free(polynest_targets());
}

static polynest_status run_version(const struct options *options)
{
    (void)options;
    printf("polynest %s\n", polynest_version());
    return POLYNEST_OK;
}

const struct command command_primitives = {"primitives", "", "the steps of schedules and plans", VERB_PLAIN,
                                           run_primitives};
const struct command command_schema = {"schema", "", "the JSON Schema of a description", VERB_PLAIN, run_schema};
const struct command command_targets = {"targets", "", "what can be emitted", VERB_PLAIN, run_targets};
const struct command command_version = {"version", "", "the version", VERB_PLAIN, run_version};
