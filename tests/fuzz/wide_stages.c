/* Nests that compute temporaries for each other, and steps that place, expand, copy and put them away. */
#include "wide.h"

#include <string.h>

/* Stages: each computes an array from those before. */
struct stages {
    struct wide_array *array[3]; /* the last one is the result */
    struct wide_statement *statement[3];
    int n;
    bool joined; /* all in one nest, around them one loop */
};

static struct term *fitting(struct wide *wide, const struct sight *sight, enum type type, int depth)
{
    struct term *value = value_draw(wide, sight, type, depth);

    return type_promote(value->type) != type_promote(type) || type_is_float(value->type) != type_is_float(type) ||
                   value->type != type
               ? wide_cast(wide, type, value)
               : value;
}

/* A read of what the stage before has computed, with a window now and then. */
static struct term *stage_value(struct wide *wide, const struct stages *stages, int number, const struct sight *sight)
{
    struct term *value = fitting(wide, sight, wide->type, 1 + pick(wide, 2));

    for (int k = 0; number > 0 && k < 1 + pick(wide, 2); k++)
        value = wide_binary(wide, type_is_float(wide->type) && chance(wide, 30) ? "*" : "+",
                            value_read(wide, sight, stages->array[number - 1]), value);
    return value->type != wide->type ? wide_cast(wide, wide->type, value) : value;
}

static struct wide_array *stage_array(struct wide *wide, bool last, struct affine shape0, struct affine shape1,
                                      int n_dim)
{
    struct wide_array *array =
        array_add(wide, last ? "y" : "t", last ? (chance(wide, 60) ? "out" : "inout") : "temp", wide->type, n_dim);

    array->shape[0] = shape0;
    array->shape[1] = shape1;
    if (!last && n_dim && chance(wide, 20))
        array->pad = 1 + pick(wide, 4);
    if (!last && n_dim == 2 && chance(wide, 12))
        array->turned = true;
    array->zero = !last && chance(wide, 20);
    return array;
}

/* A nest over all elements of an array, or inside of the loop `around` over those of a row. */
static void draw_stage(struct wide *wide, struct stages *stages, int number, struct wide_block *block,
                       const struct loop *around)
{
    static const char *const stems[3][2] = {{"i", "j"}, {"u", "v"}, {"p", "q"}};
    struct wide_array *array = stages->array[number];
    struct sight sight = {.n = 0};
    struct term *at[MAX_DIM] = {NULL};
    struct wide_statement *statement;

    if (around)
        sight.loop[sight.n++] = around;
    for (int k = 0; k < array->n_dim; k++) {
        const bool outer = around && k == 0 && array->n_dim == 2;
        if (!outer) {
            block->loop[block->n_loop] = loop_add(wide, stems[number][k], (struct affine){0}, array->shape[k]);
            sight.loop[sight.n++] = block->loop[block->n_loop++];
        }
        at[k] = wide_loop(wide, outer ? around : sight.loop[sight.n - 1], TYPE_NONE);
    }
    statement = statement_add(wide, block, wide_access(wide, array, at),
                              array->zero && array->type != TYPE_BOOL && chance(wide, 50) ? "+=" : "=",
                              stage_value(wide, stages, number, &sight));
    stages->statement[number] = statement;
    array->written = true;
}

static void draw_apart(struct wide *wide, struct stages *stages)
{
    static const char *const names[] = {"first", "second", "third"};

    for (int k = 0; k < stages->n; k++) {
        struct wide_nest *nest = nest_add(wide, names[k]);
        draw_stage(wide, stages, k, &nest->block, NULL);
        nest_finish(nest);
    }
}

static void draw_joined(struct wide *wide, struct stages *stages, struct affine rows)
{
    struct wide_nest *nest = nest_add(wide, "rows");
    struct loop *row = loop_add(wide, "r", (struct affine){0}, rows);

    nest->block.loop[nest->block.n_loop++] = row;
    for (int k = 0; k < stages->n; k++)
        draw_stage(wide, stages, k, stages->array[k]->n_dim ? block_add(wide, &nest->block) : &nest->block, row);
    nest_finish(nest);
}

static const char *loop_of(struct wide *wide, const struct wide_nest *nest)
{
    return nest->now[pick(wide, nest->n_now)];
}

static void compute_at(struct wide *wide, const char *name, const struct wide_nest *to)
{
    const int which = pick(wide, 100);
    const char *store = which < 60 ? NULL : which < 85 ? "root" : to->now[0];

    struct wide_step *step =
        step_add(wide, false, "{\"compute_at\": \"%s\", \"loop\": \"%s\"%s%s%s}", name, loop_of(wide, to),
                 store ? ", \"store_at\": \"" : "", store ? store : "", store ? "\"" : "");

    step->features.has[WIDE_COMPUTE_AT] = true;
    step->features.has[WIDE_STORE_AT] = store != NULL;
}

/* Steps about a temporary and the nest that reads it. */
static void draw_placing(struct wide *wide, const struct stages *stages)
{
    static const char *const memories[] = {"heap", "heap", "stack", "static"};
    const int number = pick(wide, stages->n - 1), which = pick(wide, 100);
    const struct wide_array *array = stages->array[number];
    const struct wide_nest *from = &wide->nest[number], *to = &wide->nest[number + 1];
    const char *name = array->name;

    if (which < 18)
        step_add(wide, false, "{\"inline\": \"%s\"}", name)->features.has[WIDE_INLINE] = true;
    else if (which < 47)
        compute_at(wide, name, to);
    else if (which < 60)
        step_add(wide, false, "{\"reverse_compute_at\": \"%s\", \"loop\": \"%s\"}", stages->array[number + 1]->name,
                 loop_of(wide, from))
            ->features.has[WIDE_REVERSE_AT] = true;
    else if (which < 66)
        step_add(wide, false, "{\"fuse\": [\"%s\", \"%s\"]%s}", from->name, to->name,
                 chance(wide, 30) ? ", \"partial\": 1" : "")
            ->features.has[WIDE_FUSE] = true;
    else if (which < 77)
        step_add(wide, false, "{\"cache_read\": \"%s\", \"for\": \"%s\"%s}", name, stages->statement[number + 1]->label,
                 chance(wide, 50) ? ", \"as\": \"copy\"" : "")
            ->features.has[WIDE_CACHE_READ] = true;
    else if (which < 87)
        step_add(wide, false, "{\"cache_write\": \"%s\", \"for\": \"%s\"}", stages->array[stages->n - 1]->name,
                 stages->statement[stages->n - 1]->label)
            ->features.has[WIDE_CACHE_WRITE] = true;
    else
        step_add(wide, true, "{\"set_memory\": \"%s\", \"to\": \"%s\"}", name, memories[pick(wide, 4)])
            ->features.has[WIDE_SET_MEMORY] = true;
}

/* Steps for temporaries that each iteration of a row has for itself. */
static void draw_own(struct wide *wide, const struct stages *stages)
{
    const struct wide_array *array = stages->array[pick(wide, stages->n - 1)];
    const char *row = wide->nest[0].now[0];
    bool itself = false; /* without a step */

    if (chance(wide, 50))
        step_add(wide, false, "{\"expand\": \"%s\", \"over\": [\"%s\"]}", array->name, row)->features.has[WIDE_EXPAND] =
            true;
    else if (wide->openmp && chance(wide, 50))
        itself = true;
    else
        step_add(wide, true, "{\"privatize\": \"%s\", \"at\": \"%s\"}", array->name, row)
            ->features.has[WIDE_PRIVATIZE] = true;
    if (chance(wide, 25))
        step_add(wide, true, "{\"set_memory\": \"%s\", \"to\": \"heap\"}", array->name)->features.has[WIDE_SET_MEMORY] =
            true;
    if (wide->openmp && (itself || chance(wide, 70))) {
        struct wide_step *step = step_add(wide, true, "{\"parallelize\": [\"%s\"]}", row);

        step->features.has[WIDE_PARALLELIZE] = true;
        step->features.has[WIDE_PRIVATE] = itself;
    }
}

static void draw_vectors(struct wide *wide, const struct stages *stages)
{
    for (int k = 0; k < stages->n; k++) {
        const struct wide_nest *nest = stages->joined ? NULL : &wide->nest[k];
        const int last = stages->array[k]->n_dim - 1;
        if (strcmp(wide->simd, "none") == 0 || last < 0 || chance(wide, 35))
            continue;
        const char *loop = nest ? nest->now[nest->n_now - 1] : NULL;
        for (int b = 0; !nest && b < wide->nest[0].block.n_item; b++)
            if (wide->nest[0].block.item[b].block &&
                wide->nest[0].block.item[b].block->item[0].statement == stages->statement[k])
                loop = wide->nest[0].block.item[b].block->loop[0]->name;
        if (loop)
            step_add(wide, true, "{\"vectorize\": \"%s\"}", loop)->features.has[WIDE_VECTORIZE] = true;
    }
    if (!stages->joined && wide->openmp && chance(wide, 50))
        step_add(wide, true, "{\"parallelize\": [\"%s\"]}", wide->nest[stages->n - 1].now[0])
            ->features.has[WIDE_PARALLELIZE] = true;
}

void wide_stages(struct wide *wide)
{
    struct stages stages = {.n = 2 + chance(wide, 35)};
    const struct affine rows = {1, 0, pick(wide, 3)}, columns = {0, 1, pick(wide, 3)};
    const int n_dim = 1 + pick(wide, 2);

    target_draw(wide);
    wide->cuda = chance(wide, 8) || wide->devices;
    wide->type = type_draw(wide);
    wide->check_args = chance(wide, 8);
    wide->reassociate = chance(wide, 15);
    wide->contract = chance(wide, 15);
    wide->whole = wide->plain_data = wide->reassociate || wide->contract;
    wide->names = chance(wide, 20);
    if (wide->names)
        has(wide, WIDE_NAMES);
    stages.joined = chance(wide, 35);
    frame_draw(wide);
    for (int k = 0; k < wide->n_array; k++)
        if (wide->array[k].role[0] != 'c' && !wide->array[k].of && wide->array[k].role[2] == 'o')
            wide->array[k].role = "in"; /* results are the stages' */
    for (int k = 0; k < stages.n; k++) {
        const bool last = k + 1 == stages.n;
        if (stages.joined && !last)
            stages.array[k] = stage_array(wide, false, columns, columns, chance(wide, 75) ? 1 : 0);
        else
            stages.array[k] = stage_array(wide, last, rows, columns, stages.joined ? 2 : n_dim);
    }
    wide->depth = stages.joined ? 2 : n_dim;
    if (stages.joined)
        draw_joined(wide, &stages, rows);
    else
        draw_apart(wide, &stages);
    if (stages.joined) {
        draw_own(wide, &stages);
    } else {
        if (chance(wide, 60))
            schedule_draw(wide);
        for (int k = 1 + pick(wide, 4); k > 0; k--)
            draw_placing(wide, &stages);
    }
    if (wide->cuda)
        bind_draw(wide);
    else
        draw_vectors(wide, &stages);
    variant_draw(wide, 8);
}
