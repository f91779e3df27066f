/* Products of matrices in instructions that sum up groups of products: in lanes, and in tiles of AMX. */
#include "wide.h"

#include <string.h>

struct dots {
    bool tiles, bf16;
    enum type left, right;
    int group, rows, columns, groups, across, down, strip;
    struct loop *i, *j, *k;
    struct wide_array *a, *b, *c;
};

/* Which factors an instruction of the set takes. */
static void draw_types(struct wide *wide, struct dots *dots)
{
    const bool avx512 = strcmp(wide->simd, "avx512") == 0, amx = strcmp(wide->simd, "amx") == 0,
               neon = strcmp(wide->simd, "neon") == 0;
    const int which = pick(wide, 100);

    dots->bf16 = (avx512 || amx || neon) && which < 25;
    dots->group = dots->bf16 ? 2 : 4;
    dots->left = dots->right = TYPE_BF16;
    if (dots->bf16)
        return;
    dots->left = amx || neon ? (chance(wide, 50) ? TYPE_U8 : TYPE_I8) : TYPE_U8;
    dots->right = amx ? (chance(wide, 50) ? TYPE_U8 : TYPE_I8) : neon ? dots->left : TYPE_I8;
    if (!amx && !neon && chance(wide, 40)) {
        dots->left = dots->right = TYPE_I16;
        dots->group = 2;
    }
}

static void draw_sizes(struct wide *wide, struct dots *dots)
{
    static const int some[] = {16, 16, 16, 8, 5, 4, 2}, groups[] = {16, 16, 8, 4, 3, 2};
    const int lanes = strcmp(wide->simd, "avx512") == 0 ? 16 : strcmp(wide->simd, "avx2") == 0 ? 8 : 4;

    dots->rows = dots->tiles ? some[pick(wide, 7)] : 1;
    dots->columns = dots->tiles ? some[pick(wide, 7)] : lanes * (chance(wide, 12) ? 2 : 1);
    dots->groups = dots->tiles ? groups[pick(wide, 6)] : 1;
    dots->down = 1 + pick(wide, 3);
    dots->across = 1 + pick(wide, dots->down == 3 ? 2 : 3);
    dots->strip = chance(wide, 30) ? 1 + pick(wide, 3) : 0;
}

static void draw_arrays(struct wide *wide, struct dots *dots)
{
    const struct affine rows = {1, 0, 0}, columns = {0, 1, 0},
                        sum = chance(wide, 25) ? (struct affine){0, dots->group, 0}
                                               : (struct affine){0, 0, dots->group * (1 + pick(wide, 40))};

    dots->i = loop_add(wide, "i", (struct affine){0}, rows);
    dots->j = loop_add(wide, "j", (struct affine){0}, columns);
    dots->k = loop_add(wide, "k", (struct affine){0}, sum);
    dots->a = array_shaped(wide, "A", "in", dots->left, rows, sum);
    dots->b = array_shaped(wide, "B", "in", dots->right, sum, columns);
    dots->c = array_shaped(wide, "C", "inout", dots->bf16 ? TYPE_F32 : TYPE_I32, rows, columns);
    dots->b->bounded = dots->right == TYPE_I8 && (strcmp(wide->simd, "avx2") == 0 || strcmp(wide->simd, "sse4.2") == 0);
    dots->b->turned = true;
    dots->b->n_block = 2;
    dots->b->block_dim[0] = 1;
    dots->b->block[0] = dots->columns * (chance(wide, 20) ? dots->across : 1);
    dots->b->block_dim[1] = 0;
    dots->b->block[1] = dots->group;
}

static void split(struct wide *wide, const char *loop, int by, const char *as, bool tail)
{
    static const char *const tails[] = {"guard", "peel", "cases", "mask", "round_up"};
    static const enum feature features[] = {WIDE_TAIL_GUARD, WIDE_TAIL_PEEL, WIDE_TAIL_CASES, WIDE_TAIL_MASK,
                                            WIDE_TAIL_ROUND};
    struct wide_step *step = step_add(wide, false, "{\"split\": \"%s\", \"by\": %d, \"as\": \"%s\"", loop, by, as);
    const int which = pick(wide, 5);

    if (tail && chance(wide, 20)) {
        text_addf(&step->text, ", \"tail\": \"%s\"", tails[which]);
        step->features.has[features[which]] = step->features.has[WIDE_REGISTER_TAIL] = true;
    }
    text_char(&step->text, '}');
    step->features.has[WIDE_SPLIT] = true;
}

static void draw_schedule(struct wide *wide, const struct dots *dots)
{
    const char *i = dots->i->name, *j = dots->j->name, *k = dots->k->name;
    const bool by_columns = chance(wide, 50);

    if (dots->tiles)
        split(wide, i, dots->rows * dots->down, "ii", true);
    split(wide, dots->tiles ? "ii" : i, dots->tiles ? dots->rows : dots->down, "m", !dots->tiles);
    split(wide, j, dots->columns * dots->across, "jj", true);
    split(wide, "jj", dots->columns, "n", false);
    if (dots->strip)
        split(wide, k, dots->strip * dots->groups * dots->group, "ks", false);
    if (dots->tiles)
        split(wide, dots->strip ? "ks" : k, dots->groups * dots->group, "kk", true);
    split(wide, dots->tiles ? "kk" : dots->strip ? "ks" : k, dots->group, "q", false);
    step_add(wide, false, "{\"reorder\": [\"%s\", \"%s\", \"%s\", %s%s%s]}", by_columns ? j : i, by_columns ? i : j, k,
             dots->strip ? "\"ks\", " : "", dots->tiles ? "\"ii\", \"jj\", \"m\", \"n\"" : "\"m\", \"jj\", \"n\"",
             dots->tiles ? ", \"kk\", \"q\"" : ", \"q\"")
        ->features.has[WIDE_REORDER] = true;
}

static void draw_plan(struct wide *wide, const struct dots *dots)
{
    struct wide_step *step;

    if (chance(wide, 25)) {
        step = step_add(wide, true,
                        "{\"cache\": \"%s\", \"at\": \"%s\", \"as\": \"Bp\", \"layout\": [\"jj\", %s%s\"n\", \"q\"]}",
                        dots->b->name, chance(wide, 50) ? dots->i->name : dots->k->name, dots->strip ? "\"ks\", " : "",
                        dots->tiles ? "\"kk\", " : "");
        step->features.has[WIDE_CACHE] = true;
    }
    if (chance(wide, 20))
        step_add(wide, true, "{\"cache\": \"%s\", \"at\": \"%s\", \"as\": \"Ap\"}", dots->a->name,
                 chance(wide, 50) ? dots->j->name : dots->k->name)
            ->features.has[WIDE_CACHE] = true;
    step = step_add(wide, true, "{\"cache\": \"%s\", \"at\": \"%s\", \"as\": \"acc\", \"memory\": \"register\"}",
                    dots->c->name, dots->strip ? "ks" : dots->k->name);
    step->features.has[WIDE_CACHE] = step->features.has[WIDE_REGISTER_CACHE] = true;
    step_add(wide, true, "{\"unroll\": \"%s\"}", dots->tiles ? "ii" : "m")->features.has[WIDE_UNROLL] = true;
    step_add(wide, true, "{\"unroll\": \"jj\"}")->features.has[WIDE_UNROLL] = true;
    if (dots->tiles) {
        step_add(wide, true, "{\"tensorize\": [\"m\", \"n\", \"kk\", \"q\"]}")->features.has[WIDE_TENSOR_TILES] = true;
    } else {
        step_add(wide, true, "{\"vectorize\": \"n\"}")->features.has[WIDE_VECTORIZE] = true;
        step_add(wide, true, "{\"tensorize\": [\"n\", \"q\"]}")->features.has[WIDE_TENSOR_LANES] = true;
    }
    if (wide->openmp && chance(wide, 50))
        step_add(wide, true, "{\"parallelize\": [\"%s\"]}", chance(wide, 50) ? dots->i->name : dots->j->name)
            ->features.has[WIDE_PARALLELIZE] = true;
}

void wide_dots(struct wide *wide)
{
    static const char *const sets[] = {"amx", "amx", "amx", "avx512", "avx512", "avx2", "sse4.2", "neon"};
    struct dots dots = {0};
    struct wide_nest *nest;
    struct term *value;

    wide->simd = sets[pick(wide, 8)];
    wide->openmp = chance(wide, 60);
    dots.tiles = strcmp(wide->simd, "amx") == 0;
    draw_types(wide, &dots);
    wide->reassociate = wide->contract = wide->approximate = dots.bf16;
    wide->whole = true;
    snprintf(wide->param[0], sizeof(wide->param[0]), "N");
    snprintf(wide->param[1], sizeof(wide->param[1]), "M");
    draw_sizes(wide, &dots);
    draw_arrays(wide, &dots);
    nest = nest_add(wide, "mm");
    nest->block.loop[nest->block.n_loop++] = dots.i;
    nest->block.loop[nest->block.n_loop++] = dots.j;
    nest->block.loop[nest->block.n_loop++] = dots.k;
    value = chance(wide, 75)
                ? wide_binary(wide, "*", element(wide, dots.a, dots.i, dots.k), element(wide, dots.b, dots.k, dots.j))
                : wide_binary(wide, "*", element(wide, dots.b, dots.k, dots.j), element(wide, dots.a, dots.i, dots.k));
    statement_add(wide, &nest->block, element(wide, dots.c, dots.i, dots.j), "+=", value);
    nest_finish(nest);
    draw_schedule(wide, &dots);
    draw_plan(wide, &dots);
    wide->depth = 3;
    wide->n_sizes = 6;
    for (int k = 0; k < 6; k++) {
        wide->sizes[k][0] = k == 0 ? 0 : 1 + pick(wide, 3 * dots.rows + 2);
        wide->sizes[k][1] =
            k == 1 ? 1 : 1 + pick(wide, 2 * dots.columns * dots.across > 40 ? 40 : 2 * dots.columns * dots.across);
    }
}
