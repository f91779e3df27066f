/* Programs in stages: each computes an array out of earlier ones, by points, windows or sums. What only later stages
 * read is a temporary. All sizes are those of the frame, D0 x D1, less what the windows before took away, so that each
 * read is of an element that was written. */
#include "generate.h"

#include <stdio.h>
#include <string.h>

/* The stage at work. */
struct stage {
    struct gen *gen;
    struct gen_nest *nest;
    struct text *out;
    int target;     /* its array */
    int less;       /* taken off both sizes of the frame */
    int scalar;     /* an array without dimensions that holds a value on its way; -1: none */
    bool written;   /* the scalar has its value */
    bool window;    /* its reads may be at k more, too */
    int shift;      /* its last read, for windows */
};

static const char *side(const struct gen *gen, int dim, int less, char buffer[48])
{
    const struct size size = gen->frame[dim];

    if (size.constant)
        snprintf(buffer, 48, "%d", size.constant - less);
    else
        snprintf(buffer, 48, less ? "%c - %d" : "%c", size.n ? 'N' : 'M', less);
    return buffer;
}

static struct size frame_size(struct gen *gen)
{
    switch (pick(gen, 4)) {
    case 0:
        return (struct size){1, 0, 0};
    case 1:
        return (struct size){0, 1, 0};
    default:
        return (struct size){0, 0, 5 + pick(gen, 4)};
    }
}

static int add_array(struct gen *gen, const char *stem, const char *role, int rank, int less)
{
    struct gen_array *array = &gen->array[gen->n_array];

    *array = (struct gen_array){.role = role, .type = gen->type, .rank = rank, .less = less};
    snprintf(array->name, sizeof(array->name), "%s%d", stem, gen->n_array);
    for (int k = 0; k < rank; k++)
        array->size[k] = gen->frame[k];
    return gen->n_array++;
}

/* Subscript `dim` of a read: an element of an array that has at least the stage's size. */
static void write_index(struct stage *stage, const struct gen_array *array, int dim)
{
    const char *loop = stage->nest->loop[dim].name;
    const int room = stage->less - array->less - (stage->window && dim == 0 ? 2 : 0);
    const int offset = room > 0 ? pick(stage->gen, room + 1) : 0;
    char size[48];

    if (room >= 0 && !(stage->window && dim == 0) && chance(stage->gen, 12)) {
        text_addf(stage->out, "%s - %s", side(stage->gen, dim, array->less + 1, size), loop);
        return;
    }
    text_add(stage->out, loop);
    if (stage->window && dim == 0)
        text_addf(stage->out, " + %s", stage->nest->loop[stage->nest->n_loop - 1].name);
    if (offset > 0)
        text_addf(stage->out, " + %d", offset);
}

static bool fits(const struct stage *stage, int k, int rank)
{
    const struct gen_array *array = &stage->gen->array[k];

    return k != stage->target && k != stage->scalar && array->rank <= rank && array->less >= 0 &&
           strcmp(array->role, "out") && array->less + (stage->window ? 2 : 0) <= stage->less;
}

/* An earlier array, mostly a late temporary. */
static int choose_source(const struct stage *stage, int rank)
{
    struct gen *gen = stage->gen;
    int k = gen->n_array - 1;

    for (int tries = 0; tries < 40; tries++) {
        k = chance(gen, 60) ? gen->n_array - 1 - pick(gen, gen->n_array) / 2 : pick(gen, gen->n_array);
        if (fits(stage, k, rank) && (rank == 0 || gen->array[k].rank > 0 || chance(gen, 30)))
            return k;
    }
    return rank == 1 ? 1 : 0;
}

static void write_read(struct stage *stage, int rank)
{
    const int k = stage->written && chance(stage->gen, 70) ? stage->scalar : choose_source(stage, rank);
    const struct gen_array *array = &stage->gen->array[k];

    stage->nest->reads |= 1u << k;
    text_add(stage->out, array->name);
    for (int d = 0; d < array->rank; d++) {
        text_add(stage->out, d ? ", " : "[");
        write_index(stage, array, d);
    }
    if (array->rank > 0)
        text_char(stage->out, ']');
}

static void write_value(struct stage *stage, int rank)
{
    static const char *const floats[] = {"%", "% - %", "% * 0.25 + %", "min(%, %)", "% + 0.5 * % - %"};
    static const char *const unsigned_[] = {"%", "% ^ %", "% * 5 + %", "max(%, %)", "% + % - %"};
    static const char *const signed_[] = {"%", "% ^ %", "min(%, 900) / 2", "max(%, %)", "(% ^ % ^ %) & 4095"};
    const char *form = (stage->gen->type[0] == 'f'   ? floats
                        : stage->gen->type[0] == 'u' ? unsigned_
                                                     : signed_)[pick(stage->gen, 5)];

    for (; *form; form++)
        if (*form == '%')
            write_read(stage, rank);
        else
            text_char(stage->out, *form);
}

/* What the stage writes; a store may be mirrored, which reads undo by themselves as every element is written. */
static void write_target(struct stage *stage, int array, bool mirrored)
{
    const struct gen_array *target = &stage->gen->array[array];
    char size[48];

    text_add(stage->out, target->name);
    for (int d = 0; d < target->rank; d++) {
        text_add(stage->out, d ? ", " : "[");
        if (mirrored && d == 0)
            text_addf(stage->out, "%s - ", side(stage->gen, 0, stage->less + 1, size));
        text_add(stage->out, stage->nest->loop[d].name);
    }
    if (target->rank > 0)
        text_char(stage->out, ']');
}

static const char *start_statement(struct stage *stage)
{
    struct gen_nest *nest = stage->nest;
    struct gen_statement *statement = &nest->statement[nest->n_statement++];

    snprintf(statement->label, sizeof(statement->label), "%c%d", 'S' + (int)(nest - stage->gen->nest),
             nest->n_statement);
    statement->n_loop = nest->n_loop;
    text_addf(stage->out, "\"%s: ", statement->label);
    return statement->label;
}

static void add_loop(struct stage *stage, const char *size)
{
    struct gen_nest *nest = stage->nest;
    struct gen_loop *loop = &nest->loop[nest->n_loop];

    snprintf(loop->name, sizeof(loop->name), "%c%d", "hjk"[nest->n_loop % 3], stage->gen->n_names++);
    text_addf(stage->out, "\"%s < %s\"", loop->name, size);
    nest->n_loop++;
}

static void open_nest(struct stage *stage, int n)
{
    struct gen *gen = stage->gen;
    char size[48];

    stage->nest = &gen->nest[gen->n_nest];
    *stage->nest = (struct gen_nest){.target = stage->target, .less = stage->less};
    snprintf(stage->nest->name, sizeof(stage->nest->name), "n%d", gen->n_nest);
    text_addf(stage->out, "%s  {\"name\": \"%s\", \"loops\": [", gen->n_nest ? ",\n" : "", stage->nest->name);
    gen->n_nest++;
    for (int d = 0; d < n; d++) {
        text_add(stage->out, d ? ", " : "");
        add_loop(stage, side(gen, d, stage->less, size));
    }
    text_add(stage->out, "], \"body\": [");
}

static void close_nest(struct stage *stage)
{
    text_add(stage->out, "]}");
    stage->nest->n_written = stage->nest->n_loop;
    stage->nest->n_chain = stage->nest->statement[0].n_loop;
    stage->nest->perfect = stage->nest->n_chain == stage->nest->n_loop;
}

/* By points, sometimes by way of a scalar. */
static void write_map(struct stage *stage, int rank)
{
    open_nest(stage, rank);
    if (chance(stage->gen, 25)) {
        stage->scalar = add_array(stage->gen, "v", "temp", 0, -1);
        stage->nest->scalar = stage->scalar;
        start_statement(stage);
        write_target(stage, stage->scalar, false);
        text_add(stage->out, " = ");
        write_value(stage, rank);
        text_add(stage->out, "\", ");
        stage->written = true;
    }
    start_statement(stage);
    write_target(stage, stage->target, rank > 0 && chance(stage->gen, 12));
    text_add(stage->out, " = ");
    write_value(stage, rank);
    text_char(stage->out, '"');
    close_nest(stage);
}

static void write_initial(struct stage *stage)
{
    start_statement(stage);
    write_target(stage, stage->target, false);
    text_addf(stage->out, " = %d%s\"", pick(stage->gen, 4), stage->gen->type[0] == 'f' ? ".0" : "");
}

static void write_update(struct stage *stage, int rank)
{
    static const char *const floats[] = {"+=", "-=", "min=", "max="};
    static const char *const unsigned_[] = {"+=", "*=", "max=", "-="};
    static const char *const signed_[] = {"^=", "|=", "min=", "max="};
    const char type = stage->gen->type[0];
    const int operator = stage->gen->extremes ? 2 + pick(stage->gen, 2) : pick(stage->gen, 4);
    const char *label = start_statement(stage);

    snprintf(stage->nest->update, sizeof(stage->nest->update), "%s", label);
    write_target(stage, stage->target, false);
    text_addf(stage->out, " %s ", (type == 'f' ? floats : type == 'u' ? unsigned_ : signed_)[operator]);
    write_value(stage, rank);
    text_char(stage->out, '"');
}

/* Over k: a window of three in dimension 0 of the target, or all of the dimension after the target's last. */
static void write_sum(struct stage *stage, int rank, bool own_nest)
{
    struct gen *gen = stage->gen;
    const bool zero = !strcmp(gen->array[stage->target].role, "temp") && chance(gen, 25);
    char size[48];

    gen->array[stage->target].zero = zero;
    if (!zero) {
        open_nest(stage, rank);
        write_initial(stage);
        if (own_nest)
            close_nest(stage);
    }
    if (zero || own_nest)
        open_nest(stage, rank);
    stage->nest->initialises = rank > 0 && !zero && !own_nest;
    text_addf(stage->out, "%s{\"loops\": [", zero || own_nest ? "" : ",\n    ");
    add_loop(stage, stage->window ? "3" : side(gen, rank, stage->less, size));
    text_add(stage->out, "], \"body\": [");
    write_update(stage, stage->window ? rank : rank + 1);
    text_add(stage->out, "]}");
    close_nest(stage);
    if (zero || own_nest)
        stage->nest->n_chain = stage->nest->n_loop;
}

static void write_stage(struct gen *gen, bool last, struct text *out)
{
    static const char *const roles[] = {"inout", "out"};
    struct stage stage = {.gen = gen, .out = out, .scalar = -1};
    const int rank = pick(gen, 8) / 3;
    const bool sum = rank == 0 || chance(gen, 35);

    stage.less = gen->less;
    if (gen->less < 3 && chance(gen, 45))
        stage.less = gen->less += 1 + pick(gen, 2);
    stage.window = sum && rank > 0 && (rank == 2 || chance(gen, 50)) && stage.less >= 2;
    stage.target = add_array(gen, last ? "c" : "t", last ? roles[pick(gen, 2)] : "temp", rank, stage.less);
    if (sum && (stage.window || rank < 2))
        write_sum(&stage, rank, rank > 0 && gen->n_nest < MAX_NESTS - 2 && chance(gen, 25));
    else
        write_map(&stage, rank);
}

void generate_pipeline(struct gen *gen, struct text *out)
{
    const int n = 2 + pick(gen, 3);

    gen->extremes = gen->type[0] == 'f' && chance(gen, 50);
    gen->frame[0] = frame_size(gen);
    gen->frame[1] = chance(gen, 40) ? gen->frame[0] : frame_size(gen);
    add_array(gen, "a", "in", 2, 0);
    add_array(gen, "a", "in", 1, 0);
    text_add(out, "\"nests\": [\n");
    for (int k = 0; k < n; k++)
        write_stage(gen, k + 1 == n || (gen->n_nest > 0 && chance(gen, 15)), out);
    text_add(out, "\n]");
}
