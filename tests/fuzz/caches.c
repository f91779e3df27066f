/* Random caches of random arrays at random loops, and what else a plan does to loops. */
#include "generate.h"

static const char *any_loop(struct gen *gen)
{
    const struct gen_nest *nest = &gen->nest[pick(gen, gen->n_nest)];

    return nest->loop[pick(gen, nest->n_loop)].name;
}

/* An array of the program, sometimes the buffer of an earlier cache. */
static void write_array(struct gen *gen, int number, struct text *out)
{
    const struct gen_array *array = &gen->array[pick(gen, gen->n_array)];

    if (number > 0 && chance(gen, 20))
        text_addf(out, "\"q%d\"", pick(gen, number));
    else
        text_addf(out, "\"%s%s\"", array->has_view && chance(gen, 60) ? "v_" : "", array->name);
}

static void write_place(struct gen *gen, struct text *out)
{
    const int which = pick(gen, 100);

    if (which < 10)
        text_addf(out, ", \"inside\": \"%s\"", any_loop(gen));
    else if (which < 75)
        text_addf(out, ", \"at\": \"%s\"", any_loop(gen));
    else if (which < 87)
        text_addf(out, ", \"level\": %d", 1 + pick(gen, 3));
    else
        text_addf(out, ", \"max_elements\": %d", 1 + pick(gen, 40));
}

/* Some of the loops of a nest, in any order. */
static void write_loops(struct gen *gen, struct text *out)
{
    const struct gen_nest *nest = &gen->nest[pick(gen, gen->n_nest)];
    const int first = pick(gen, nest->n_loop);
    bool any = false;

    text_add(out, ", \"layout\": [");
    for (int k = 0; k < nest->n_loop; k++) {
        if (k && chance(gen, 30))
            continue;
        text_addf(out, "%s\"%s\"", any ? ", " : "", nest->loop[(first + k) % nest->n_loop].name);
        any = true;
    }
    text_add(out, "]");
}

static void write_options(struct gen *gen, struct text *out)
{
    static const char *const memories[] = {"heap", "static", "stack"};
    static const char *const types[] = {"f64", "i64", "u64", "i32"};

    if (chance(gen, 20))
        text_addf(out, ", \"trigger\": \"%s\"", any_loop(gen));
    if (chance(gen, 30))
        text_addf(out, ", \"layout\": \"%s_major\"", chance(gen, 30) ? "row" : "col");
    else if (chance(gen, 30))
        write_loops(gen, out);
    if (chance(gen, 20))
        text_addf(out, ", \"memory\": \"%s\"", memories[pick(gen, 3)]);
    if (chance(gen, 15))
        text_addf(out, ", \"type\": \"%s\"", types[pick(gen, 4)]);
    if (chance(gen, 15))
        text_addf(out, ", \"pad\": %d", 1 + pick(gen, 3));
    if (chance(gen, 10))
        text_addf(out, ", \"align\": %d", 1 << pick(gen, 7));
    if (chance(gen, 10))
        text_add(out, ", \"thrifty\": true");
    if (chance(gen, 15))
        text_add(out, ", \"double_buffer\": true");
    else if (chance(gen, 15))
        text_addf(out, ", \"buffers\": %d", 2 + pick(gen, 4));
}

/* Threads, or iterations written out. */
static void write_loop_step(struct gen *gen, struct text *out)
{
    if (chance(gen, 60))
        text_addf(out, "{\"parallelize\": [\"%s\"]}", any_loop(gen));
    else
        text_addf(out, "{\"unroll\": \"%s\", \"by\": %d, \"jam\": %s}", any_loop(gen), 2 + pick(gen, 3),
                  chance(gen, 50) ? "true" : "false");
}

void generate_cache(struct gen *gen, int number, struct text *out)
{
    text_add(out, "{\"cache\": ");
    write_array(gen, number, out);
    text_addf(out, ", \"as\": \"q%d\"", number);
    write_place(gen, out);
    write_options(gen, out);
    text_add(out, "}");
}

void generate_caches(struct gen *gen, unsigned chosen, struct text *out)
{
    bool any = false;

    text_add(out, ",\n\"plan\": [");
    for (int k = 0; k < MAX_CACHES; k++) {
        struct text one = {0};
        if (k < MAX_CACHES - MAX_LOOP_STEPS)
            generate_cache(gen, k, &one);
        else
            write_loop_step(gen, &one);
        if (chosen & (1u << k))
            text_addf(out, "%s\n  %s", any ? "," : "", text_str(&one));
        any = any || (chosen & (1u << k));
        text_free(&one);
    }
    text_add(out, "\n]");
}

void generate_nest_cache(struct gen *gen, struct text *out)
{
    const struct gen_nest *nest = &gen->nest[pick(gen, gen->n_nest)];
    const struct gen_statement *statement = &nest->statement[pick(gen, nest->n_statement)];

    text_addf(out, "{\"cache_%s\": \"%s\", \"for\": \"%s\", \"as\": \"q_%d\"}", chance(gen, 50) ? "read" : "write",
              gen->array[pick(gen, gen->n_array)].name, statement->label, gen->n_names++);
}
