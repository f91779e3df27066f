/* Steps of the plan, and the target, for any nests. */
#include "wide.h"

#include <string.h>

static const char *some_loop(struct wide *wide, const struct wide_nest *nest)
{
    return nest->now[pick(wide, nest->n_now)];
}

static struct wide_nest *some_nest(struct wide *wide)
{
    struct wide_nest *nest = &wide->nest[pick(wide, wide->n_nest)];

    return nest->n_now ? nest : &wide->nest[0];
}

static bool has_vectors(const struct wide *wide)
{
    return strcmp(wide->simd, "none") != 0;
}

/* Does a step of the plan, for vectors, name the loop? */
static bool is_vectorized(const struct wide *wide, const char *loop)
{
    char word[40];

    snprintf(word, sizeof(word), "\"vectorize\": \"%s\"", loop);
    for (int k = 0; k < wide->n_step; k++)
        if (strstr(text_str(&wide->step[k].text), word))
            return true;
    return false;
}

static bool mentions(const struct term *term, const char *loop)
{
    bool found = term->form == FORM_LOOP && strcmp(term->loop->name, loop) == 0;

    for (int k = 0; k < term->n_arg; k++)
        found = found || mentions(term->arg[k], loop);
    return found;
}

/* Is the loop in an equality or a congruence of the condition? */
static bool is_tied(const struct term *condition, const char *loop)
{
    const bool ties = condition->form == FORM_BINARY && (condition->op[0] == '=' || condition->op[0] == '%');
    bool found = ties && mentions(condition, loop);

    for (int k = 0; k < condition->n_arg; k++)
        found = found || is_tied(condition->arg[k], loop);
    return found;
}

static bool is_tied_in(const struct wide_block *block, const char *loop)
{
    bool found = block->condition && is_tied(block->condition, loop);

    for (int k = 0; k < block->n_item; k++)
        found = found || (block->item[k].block && is_tied_in(block->item[k].block, loop));
    return found;
}

static void draw_vectorize(struct wide *wide, const struct wide_nest *nest)
{
    static const int lanes[] = {2, 4, 8, 16, 32, 3, 64};
    const char *loop = chance(wide, 75) ? nest->now[nest->n_now - 1] : some_loop(wide, nest);
    struct wide_step *step;

    if (!has_vectors(wide) || is_vectorized(wide, loop))
        return;
    step = step_add(wide, true, "{\"vectorize\": \"%s\"", loop);
    if (chance(wide, 35))
        text_addf(&step->text, ", \"lanes\": %d", lanes[pick(wide, 7)]);
    if (chance(wide, 20)) {
        const bool mask = chance(wide, 60);
        text_addf(&step->text, ", \"tail\": \"%s\"", mask ? "mask" : "peel");
        step->features.has[mask ? WIDE_TAIL_MASK : WIDE_TAIL_PEEL] = true;
    }
    text_char(&step->text, '}');
    step->features.has[WIDE_VECTORIZE] = true;
    step->features.has[WIDE_LANES] = is_tied_in(&nest->block, loop);
}

static void draw_unroll(struct wide *wide, const struct wide_nest *nest)
{
    const bool jam = chance(wide, 55);
    struct wide_step *step =
        step_add(wide, true, "{\"unroll\": \"%s\"", jam && chance(wide, 70) ? nest->now[0] : some_loop(wide, nest));

    if (chance(wide, jam ? 90 : 60))
        text_addf(&step->text, ", \"by\": %d", 2 + pick(wide, 4));
    if (jam)
        text_add(&step->text, ", \"jam\": true");
    else if (chance(wide, 20))
        text_add(&step->text, ", \"hint\": true");
    text_char(&step->text, '}');
    step->features.has[WIDE_UNROLL] = true;
    step->features.has[WIDE_JAM] = jam;
}

static void draw_parallelize(struct wide *wide, const struct wide_nest *nest)
{
    static const char *const more[] = {"", "", ", \"policy\": \"dynamic\", \"chunk\": 2", ", \"threads\": 2",
                                       ", \"alone\": true"};
    const int at = chance(wide, 70) ? 0 : pick(wide, nest->n_now);
    struct wide_step *step;

    if (!wide->openmp)
        return;
    step = step_add(wide, true, "{\"parallelize\": [\"%s\"", nest->now[at]);
    if (at + 1 < nest->n_now && chance(wide, 30))
        text_addf(&step->text, ", \"%s\"]%s", nest->now[at + 1], chance(wide, 50) ? ", \"doacross\": true" : "");
    else
        text_add(&step->text, "]");
    text_addf(&step->text, "%s}", more[pick(wide, 5)]);
    step->features.has[WIDE_PARALLELIZE] = true;
}

static void arrays_of_term(const struct term *term, const struct wide_array **found, int *n)
{
    if (term->form == FORM_ACCESS && term->array->n_dim && *n < 32)
        found[(*n)++] = term->array;
    for (int k = 0; k < term->n_arg; k++)
        arrays_of_term(term->arg[k], found, n);
}

static void arrays_of_block(const struct wide_block *block, const struct wide_array **found, int *n)
{
    for (int k = 0; k < block->n_item; k++)
        if (block->item[k].statement) {
            arrays_of_term(block->item[k].statement->target, found, n);
            arrays_of_term(block->item[k].statement->value, found, n);
        } else {
            arrays_of_block(block->item[k].block, found, n);
        }
}

/* One that the nest uses; NULL where it uses single elements only. */
static const struct wide_array *some_array(struct wide *wide, const struct wide_nest *nest)
{
    const struct wide_array *found[33];
    int n = 0;

    arrays_of_block(&nest->block, found, &n);
    return n ? found[pick(wide, n)] : NULL;
}

static void draw_cache(struct wide *wide, const struct wide_nest *nest, int number)
{
    static const char *const memories[] = {"", "", ", \"memory\": \"heap\"", ", \"memory\": \"stack\"",
                                           ", \"memory\": \"static\""};
    const struct wide_array *array = some_array(wide, nest);
    const int which = pick(wide, 100);
    struct wide_step *step;

    if (!array)
        return;
    step = step_add(wide, true, "{\"cache\": \"%s\"", array->name);

    if (which < 50)
        text_addf(&step->text, ", \"at\": \"%s\"", some_loop(wide, nest));
    else if (which < 80)
        text_addf(&step->text, ", \"inside\": \"%s\"", some_loop(wide, nest));
    else if (which < 90)
        text_addf(&step->text, ", \"level\": %d", 1 + pick(wide, nest->n_now));
    else
        text_addf(&step->text, ", \"max_elements\": %d", 4 << pick(wide, 6));
    if (wide->names && chance(wide, 50))
        text_addf(&step->text, ", \"as\": \"acc\"");
    else if (chance(wide, 50))
        text_addf(&step->text, ", \"as\": \"buffer%d\"", number);
    if (chance(wide, 25)) {
        text_add(&step->text, ", \"memory\": \"register\"");
        step->features.has[WIDE_REGISTER_CACHE] = true;
    } else {
        text_add(&step->text, memories[pick(wide, 5)]);
        text_add(&step->text, chance(wide, 12)   ? ", \"pad\": 3"
                              : chance(wide, 10) ? ", \"thrifty\": true"
                              : chance(wide, 5)  ? ", \"double_buffer\": true"
                              : chance(wide, 5)  ? ", \"buffers\": 3"
                                                 : "");
    }
    if (chance(wide, array->role && strcmp(array->role, "in") == 0 ? 70 : 25)) {
        static const enum type wider[] = {[TYPE_I8] = TYPE_I32,   [TYPE_U8] = TYPE_I32,  [TYPE_I16] = TYPE_I32,
                                          [TYPE_U16] = TYPE_U32,  [TYPE_I32] = TYPE_I64, [TYPE_F16] = TYPE_F32,
                                          [TYPE_BF16] = TYPE_F32, [TYPE_F32] = TYPE_F64, [TYPE_F64] = TYPE_NONE};
        if (array->type < TYPE_F64 && wider[array->type]) {
            text_addf(&step->text, ", \"type\": \"%s\"", type_name(wider[array->type]));
            step->features.has[WIDE_CACHE_TYPE] = true;
        }
    }
    text_char(&step->text, '}');
    step->features.has[WIDE_CACHE] = true;
}

static void draw_kernelize(struct wide *wide, const struct wide_nest *nest)
{
    struct wide_step *step;

    if (nest->n_now < 2 || !has_vectors(wide) || is_vectorized(wide, nest->now[nest->n_now - 1]) ||
        !nest->literal[nest->n_now - 2])
        return;
    step = step_add(wide, true, "{\"kernelize\": {\"unroll\": [\"%s\"], \"vectorize\": \"%s\"}}",
                    nest->now[nest->n_now - 2], nest->now[nest->n_now - 1]);
    step->features.has[WIDE_KERNELIZE] = true;
}

static void draw_prefetch(struct wide *wide, const struct wide_nest *nest)
{
    const struct wide_array *array = some_array(wide, nest);
    struct wide_step *step;

    if (!array)
        return;
    step = step_add(wide, true, "{\"prefetch\": \"%s\", \"at\": \"%s\", \"ahead\": %d%s}", array->name,
                    some_loop(wide, nest), 1 + pick(wide, 5),
                    chance(wide, 20)   ? ", \"write\": true"
                    : chance(wide, 20) ? ", \"locality\": 1"
                                       : "");

    step->features.has[WIDE_PREFETCH] = true;
}

static void draw_plan_step(struct wide *wide, int number)
{
    const struct wide_nest *nest = some_nest(wide);
    const int which = pick(wide, 100);

    if (!nest->n_now)
        return;
    if (which < 34)
        draw_vectorize(wide, nest);
    else if (which < 48)
        draw_unroll(wide, nest);
    else if (which < 62)
        draw_parallelize(wide, nest);
    else if (which < 82)
        draw_cache(wide, nest, number);
    else if (which < 90)
        draw_kernelize(wide, nest);
    else if (which < 95)
        draw_prefetch(wide, nest);
    else
        step_add(wide, true, "{\"pragma\": \"%s\", \"text\": \"GCC unroll 2\"}", some_loop(wide, nest))
            ->features.has[WIDE_PRAGMA] = true;
}

void plan_draw(struct wide *wide)
{
    const int n = 1 + pick(wide, 4);

    for (int k = 0; k < wide->n_nest; k++)
        if (wide->nest[k].n_now && chance(wide, 55))
            draw_vectorize(wide, &wide->nest[k]);
    for (int k = 0; k < n; k++)
        draw_plan_step(wide, k);
}

void variant_draw(struct wide *wide, int share)
{
    const bool asked =
        strncmp(wide->simd, "sse", 3) == 0 || strncmp(wide->simd, "avx", 3) == 0 || strcmp(wide->simd, "amx") == 0;

    wide->variant = chance(wide, share);
    wide->asks = wide->variant && asked && !wide->cuda && chance(wide, 60);
}

void target_draw(struct wide *wide)
{
    static const char *const simds[] = {"none", "omp",  "vector", "vector", "sse4.2", "sse4.2", "avx2",
                                        "avx2", "avx2", "avx512", "avx512", "avx512", "neon"};

    wide->simd = simds[pick(wide, 13)];
    wide->openmp = chance(wide, 65);
}
