/* auto: steps that polynest proposes, in the place of this one. */
#include "sched/edit.h"

/* The steps that it stands for are in its place by then (api/auto.h): this is another one. */
static enum status apply(struct schedule *schedule, const struct step *step)
{
    return edit_refuse(schedule, step->place, "auto", "keep one of them", "a schedule has one step `auto`");
}

static const struct argument wishes[] = {
    {.key = "tile",
     .kind = ARGUMENT_INT,
     .minimum = 2,
     .fallback = "by the sizes of caches",
     .doc = "iterations of a loop of a tile that stays in a cache"},
    {.key = "threads",
     .kind = ARGUMENT_INT,
     .minimum = 1,
     .fallback = "the run-time's",
     .doc = "how many threads; with 1 none are proposed; for devices, of a block"},
    {.key = "fusion",
     .kind = ARGUMENT_CHOICE,
     .choices = "smart none",
     .fallback = "smart",
     .doc = "whether loops of different nests may be joined: `smart`, where that gains, or `none`"},
    {.key = "variants",
     .kind = ARGUMENT_CHOICE,
     .choices = "none sizes",
     .fallback = "none",
     .doc = "`sizes`: where a program has one product of matrices, variants for few terms, few rows, large matrices "
            "and others, between which a call chooses"},
    {0},
};
static const struct object_type object_wishes = {.title = "an object with what is wanted, `{}` for nothing special",
                                                 .key = wishes};

static const struct argument arguments[] = {
    {.key = "auto", .kind = ARGUMENT_OBJECT, .object = &object_wishes, .required = true, .doc = "what is wanted"},
    {0},
};

const struct primitive primitive_auto = {
    .name = "auto",
    .summary = "steps that polynest proposes",
    .rule =
        "A schedule and a plan are proposed for the description and its target, as by `polynest auto`. The proposed "
        "schedule replaces this step, and the proposed plan comes before the description's own. Loops and arrays "
        "that earlier steps name are left alone. Later steps, and those of the plan, apply to the result.",
    .proved =
        "Each proposed step is proved as if it had been written. A proposal that is refused is replaced by a simpler "
        "one. A second `auto` is refused.",
    .argument = arguments,
    .apply = apply,
};
