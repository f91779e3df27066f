/* Products of matrices in the matrix instructions of a GPU. */
#include "wide.h"

#include <string.h>

struct cores {
    enum type factor, sum;
    int m, n, k;            /* of one instruction */
    int down, across, deep; /* instructions of a block */
    struct loop *i, *j, *l;
    struct wide_array *a, *b, *c;
};

static struct cores draw_shape(struct wide *wide)
{
    static const struct cores shapes[] = {{TYPE_F16, TYPE_F32, 16, 16, 16, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
                                          {TYPE_F16, TYPE_F32, 32, 8, 16, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
                                          {TYPE_F16, TYPE_F32, 8, 32, 16, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
                                          {TYPE_BF16, TYPE_F32, 16, 16, 16, 0, 0, 0, NULL, NULL, NULL, NULL, NULL,
                                           NULL},
                                          {TYPE_I8, TYPE_I32, 16, 16, 16, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
                                          {TYPE_U8, TYPE_I32, 16, 16, 16, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
                                          {TYPE_F32, TYPE_F32, 16, 16, 8, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL},
                                          {TYPE_F64, TYPE_F64, 8, 8, 4, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL}};
    struct cores cores = shapes[pick(wide, 8)];

    cores.down = 1 + pick(wide, 2);
    cores.across = 1 + pick(wide, 2);
    cores.deep = 1 + pick(wide, 3);
    return cores;
}

static struct term *factor(struct wide *wide, const struct cores *cores, const struct wide_array *array,
                           const struct loop *row, const struct loop *column)
{
    struct term *at[] = {wide_loop(wide, row, TYPE_NONE), wide_loop(wide, column, TYPE_NONE)};
    struct term *term = wide_access(wide, array, at);

    return array->type != cores->sum ? wide_cast(wide, cores->sum, term) : term;
}

static void draw_steps(struct wide *wide, const struct cores *cores)
{
    const bool shared = chance(wide, 50);

    step_add(wide, false, "{\"tile\": {\"i\": %d, \"j\": %d, \"l\": %d}}", cores->m * cores->down,
             cores->n * cores->across, cores->k * cores->deep)
        ->features.has[WIDE_TILE] = true;
    step_add(wide, false, "{\"split\": \"ii\", \"by\": %d, \"as\": \"iii\"}", cores->m)->features.has[WIDE_SPLIT] =
        true;
    step_add(wide, false, "{\"split\": \"jj\", \"by\": %d, \"as\": \"jjj\"}", cores->n)->features.has[WIDE_SPLIT] =
        true;
    step_add(wide, false, "{\"split\": \"ll\", \"by\": %d, \"as\": \"lll\"}", cores->k)->features.has[WIDE_SPLIT] =
        true;
    step_add(wide, false, "{\"reorder\": [\"i\", \"j\", \"l\", \"ii\", \"ll\", \"jj\", \"iii\", \"jjj\", \"lll\"]}")
        ->features.has[WIDE_REORDER] = true;
    step_add(wide, true, "{\"bind\": {\"i\": \"block.y\", \"j\": \"block.x\", \"ii\": \"thread.y\"}}")
        ->features.has[WIDE_BIND] = true;
    step_add(wide, true, "{\"cache\": \"%s\", \"at\": \"l\", \"as\": \"acc\", \"memory\": \"register\"}",
             cores->c->name)
        ->features.has[WIDE_REGISTER_CACHE] = true;
    for (int k = 0; k < 2 && shared; k++)
        step_add(wide, true,
                 "{\"cache\": \"%s\", \"at\": \"ii\", \"as\": \"%s_tile\", \"memory\": \"shared\", \"pad\": %d%s%s}",
                 k ? cores->b->name : cores->a->name, k ? "B" : "A", 32 / (type_bits(cores->factor) / 8),
                 chance(wide, 20)   ? ", \"double_buffer\": true"
                 : chance(wide, 20) ? ", \"buffers\": 3"
                                    : "",
                 chance(wide, 30) ? ", \"async\": true" : "")
            ->features.has[WIDE_CACHE] = true;
    step_add(wide, true, "{\"kernelize\": {\"unroll\": [\"jj\"]}}")->features.has[WIDE_KERNELIZE] = true;
    step_add(wide, true, "{\"tensorize\": [\"iii\", \"jjj\", \"lll\"]}")->features.has[WIDE_TENSOR_CORES] = true;
}

void wide_cores(struct wide *wide)
{
    struct cores cores = draw_shape(wide);
    struct wide_nest *nest;

    wide->cuda = true;
    wide->whole = true;
    wide->reassociate = wide->approximate = wide->contract = type_is_float(cores.sum);
    snprintf(wide->param[0], sizeof(wide->param[0]), "N");
    snprintf(wide->param[1], sizeof(wide->param[1]), "M");
    wide->multiple[0] = cores.m * cores.down;
    wide->multiple[1] = cores.n * cores.across;
    while (wide->multiple[0] * (type_bits(cores.sum) / 8) % 32 ||
           wide->multiple[0] * (type_bits(cores.factor) / 8) % 32)
        wide->multiple[0] *= 2;
    while (wide->multiple[1] * (type_bits(cores.sum) / 8) % 32 ||
           wide->multiple[1] * (type_bits(cores.factor) / 8) % 32)
        wide->multiple[1] *= 2;
    int64_t sum = cores.k * cores.deep * (1 + pick(wide, 2));
    while (sum * (type_bits(cores.factor) / 8) % 32)
        sum *= 2;
    has(wide, WIDE_ASSUME);
    cores.i = loop_add(wide, "i", (struct affine){0}, (struct affine){1, 0, 0});
    cores.j = loop_add(wide, "j", (struct affine){0}, (struct affine){0, 1, 0});
    cores.l = loop_add(wide, "l", (struct affine){0}, (struct affine){0, 0, sum});
    cores.a = array_shaped(wide, "A", "in", cores.factor, cores.i->high, cores.l->high);
    cores.b = array_shaped(wide, "B", "in", cores.factor, cores.l->high, cores.j->high);
    cores.c = array_shaped(wide, "C", "inout", cores.sum, cores.i->high, cores.j->high);
    for (int k = 0; k < 3; k++)
        wide->array[k].align = 32;
    nest = nest_add(wide, "mm");
    nest->block.loop[nest->block.n_loop++] = cores.i;
    nest->block.loop[nest->block.n_loop++] = cores.j;
    nest->block.loop[nest->block.n_loop++] = cores.l;
    statement_add(wide, &nest->block, element(wide, cores.c, cores.i, cores.j), "+=",
                  wide_binary(wide, "*", factor(wide, &cores, cores.a, cores.i, cores.l),
                              factor(wide, &cores, cores.b, cores.l, cores.j)));
    nest_finish(nest);
    draw_steps(wide, &cores);
    wide->n_sizes = 2;
    for (int k = 0; k < 2; k++) {
        wide->sizes[k][0] = wide->multiple[0] * (k ? 1 : 2);
        wide->sizes[k][1] = wide->multiple[1];
    }
}
