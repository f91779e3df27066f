/* Random loops in blocks and threads, with caches in the memories of a device and barriers. */
#include "generate.h"

static const char *any_loop(struct gen *gen)
{
    const struct gen_nest *nest = &gen->nest[pick(gen, gen->n_nest)];

    return nest->loop[pick(gen, nest->n_loop)].name;
}

static void write_bind(struct gen *gen, struct text *out)
{
    static const char *const axes[] = {"thread.x", "block.x", "thread.x", "thread.y", "block.y", "thread.z"};

    const char *axis = axes[pick(gen, 6)];

    text_addf(out, "{\"bind\": {\"%s\": \"%s\"}", any_loop(gen), axis);
    if (*axis == 'b' && chance(gen, 30))
        text_addf(out, ", \"blocks\": %d", 1 + pick(gen, 3));
    text_add(out, "}");
}

static void write_device_cache(struct gen *gen, int number, struct text *out)
{
    static const char *const memories[] = {"shared", "shared", "shared", "local", "global"};
    const char *memory = memories[pick(gen, 5)];

    text_addf(out, "{\"cache\": \"%s\", \"as\": \"q%d\"", gen->array[pick(gen, gen->n_array)].name, number);
    if (chance(gen, 70))
        text_addf(out, ", \"at\": \"%s\"", any_loop(gen));
    else
        text_addf(out, ", \"level\": %d", 1 + pick(gen, 3));
    text_addf(out, ", \"memory\": \"%s\"", memory);
    if (*memory == 's' && chance(gen, 30))
        text_add(out, ", \"async\": true");
    if (*memory == 's' && chance(gen, 30))
        text_add(out, ", \"copy\": \"blocked\"");
    if (chance(gen, 30))
        text_addf(out, ", \"layout\": \"%s_major\"", chance(gen, 30) ? "row" : "col");
    if (chance(gen, 20))
        text_addf(out, ", \"pad\": %d", 1 + pick(gen, 3));
    if (chance(gen, 15))
        text_add(out, ", \"double_buffer\": true");
    else if (chance(gen, 20))
        text_addf(out, ", \"buffers\": %d", 2 + pick(gen, 4));
    text_add(out, "}");
}

/* A cache inside of a loop, for whose next iteration it is filled by way of registers. */
static void write_cache_ahead(struct gen *gen, int number, struct text *out)
{
    const struct gen_nest *nest = &gen->nest[pick(gen, gen->n_nest)];
    const int inner = nest->n_loop > 1 ? 1 + pick(gen, nest->n_loop - 1) : 0;

    text_addf(out, "{\"cache\": \"%s\", \"as\": \"q%d\", \"at\": \"%s\", \"memory\": \"shared\"",
              gen->array[pick(gen, gen->n_array)].name, number, nest->loop[inner].name);
    text_add(out, ", \"through\": \"register\"");
    if (chance(gen, 30))
        text_add(out, ", \"copy\": \"blocked\"");
    if (chance(gen, 50))
        text_add(out, ", \"double_buffer\": true");
    if (chance(gen, 40))
        text_addf(out, ", \"layout\": \"%s_major\"", chance(gen, 30) ? "row" : "col");
    if (chance(gen, 30))
        text_addf(out, ", \"pad\": %d", 1 + pick(gen, 3));
    text_add(out, "}");
}

static void write_step(struct gen *gen, int number, struct text *out)
{
    const int kind = number < 3 ? 0 : pick(gen, 100);

    if (kind < 40)
        write_bind(gen, out);
    else if (kind < 60)
        write_cache_ahead(gen, number, out);
    else if (kind < 80)
        write_device_cache(gen, number, out);
    else if (kind < 90)
        text_addf(out, "{\"sync\": {\"%s\": \"%s\"}}", chance(gen, 50) ? "before" : "after", any_loop(gen));
    else
        text_addf(out, "{\"set_memory\": \"%s\", \"to\": \"%s\"}", gen->array[pick(gen, gen->n_array)].name,
                  chance(gen, 60) ? "shared" : "local");
}

void generate_grid(struct gen *gen, unsigned chosen, struct text *out)
{
    bool any = false;

    text_add(out, ",\n\"target\": {\"language\": \"cuda\"},\n\"plan\": [");
    for (int k = 0; k < MAX_CACHES; k++) {
        struct text one = {0};
        write_step(gen, k, &one);
        if (chosen & (1u << k))
            text_addf(out, "%s\n  %s", any ? "," : "", text_str(&one));
        any = any || (chosen & (1u << k));
        text_free(&one);
    }
    text_add(out, "\n]");
}
