#include "auto/sizes.h"

#include <string.h>

enum {
    FEW_TERMS = 3,      /* below that, most of what moves is the result */
    TERMS_TOGETHER = 4, /* that are written out, and vectors of the result */
    STRIP = 8,          /* of so many such vectors */
    TILES_OF_BLOCK = 6, /* rows of tiles for which the same columns are used before the next ones */
    AHEAD = 16,         /* rows of the factor that are fetched before they are used */
    /* Measured: from so many rows on a panel is worth its copy, where that has several tiles of columns; from so many
     * terms on it does not matter that tiles of the result are in rows far apart. */
    PACKED_ROWS = 240,
    PACKED_TILES = 3,
    PACKED_TERMS = 96,
    WIDE_TERMS = 128,
};

/* Sizes of the product, as bits. */
enum { ROWS = 1, COLUMNS = 2, TERMS = 4, SIZES = 3 };

/* The product of some sizes is below the bound, or at least that. */
struct term {
    unsigned of;
    bool below;
    int64_t bound;
};

enum { MOST_CONDITIONS = 4 };

struct product {
    const struct site *site;
    struct tiling tiling; /* as it is without panels */
    const struct access *right;
    struct extent extent[SIZES]; /* in the order of the bits */
};

struct kind {
    const char *name;
    struct term term[MOST_CONDITIONS]; /* all of them; of == 0: there are no more */
    void (*add)(const struct product *product);
};

enum truth { NEVER, SOMETIMES, ALWAYS };

static int64_t times(int64_t a, int64_t b)
{
    int64_t value;

    return __builtin_mul_overflow(a, b, &value) ? INT64_MAX : value;
}

static enum truth truth_of(const struct product *product, const struct term *term)
{
    int64_t least = 1, most = 1;

    for (int k = 0; k < SIZES; k++)
        if (term->of & 1u << k) {
            least = times(least, product->extent[k].least);
            most = times(most, product->extent[k].most);
        }
    if (term->below)
        return most < term->bound ? ALWAYS : least >= term->bound ? NEVER : SOMETIMES;
    return least >= term->bound ? ALWAYS : most < term->bound ? NEVER : SOMETIMES;
}

/* A term that some sizes meet and others do not: "M * N", 300. What is constant is on the right. */
struct open_term {
    const char *left;
    bool below;
    int64_t bound;
};

typedef VEC(struct open_term) open_vec;

static struct open_term open_term(const struct product *product, const struct term *term)
{
    const struct extent *of[SIZES];
    struct open_term open = {.below = term->below, .bound = term->bound};
    struct text text = {0};
    int n = 0;

    for (int k = 0; k < SIZES; k++)
        if (term->of & 1u << k) {
            const struct extent *extent = &product->extent[k];

            if (extent->text)
                of[n++] = extent;
            else
                open.bound = (open.bound + extent->least - 1) / extent->least;
        }
    for (int k = 0; k < n; k++)
        text_addf(&text, n > 1 && strpbrk(of[k]->text, "+-") ? "%s(%s)" : "%s%s", k ? " * " : "", of[k]->text);
    open.left = arena_copy(product->site->scene->arena, text_str(&text));
    text_free(&text);
    return open;
}

/* Adds a term, or where there is one of the same sizes, makes that one as strict as both. */
static void add_open(struct arena *arena, open_vec *all, struct open_term open)
{
    for (int k = 0; k < all->n; k++) {
        struct open_term *other = &all->at[k];

        if (other->below != open.below || strcmp(other->left, open.left) != 0)
            continue;
        if (open.below ? open.bound < other->bound : open.bound > other->bound)
            other->bound = open.bound;
        return;
    }
    VEC_PUSH(arena, all, open);
}

/* What of the conditions is open, as text; NULL where nothing is. *never: one of them does not hold at any sizes. */
static const char *condition(const struct product *product, const struct kind *kind, bool *never)
{
    struct arena *arena = product->site->scene->arena;
    open_vec open = {0};
    struct text text = {0};
    const char *copy;

    *never = false;
    for (int k = 0; k < MOST_CONDITIONS && kind->term[k].of; k++) {
        const enum truth truth = truth_of(product, &kind->term[k]);

        *never = *never || truth == NEVER;
        if (truth == SOMETIMES)
            add_open(arena, &open, open_term(product, &kind->term[k]));
    }
    for (int k = 0; k < open.n; k++)
        text_addf(&text, "%s%s %s %lld", k ? " && " : "", open.at[k].left,
                  open.at[k].below ? "<" : ">=", (long long)open.at[k].bound);
    copy = text.size ? arena_copy(arena, text_str(&text)) : NULL;
    text_free(&text);
    return copy;
}

static struct option *new_option(const struct product *product, const char *why)
{
    return proposal_option(product->site->scene->proposal, product->site->choice, why);
}

static const char *row_of(const struct product *product)
{
    return product->site->loop[product->tiling.row]->loop;
}

static const char *column_of(const struct product *product)
{
    return product->site->loop[product->tiling.column]->loop;
}

static const char *sum_of(const struct product *product)
{
    return product->site->loop[product->tiling.sum[0]]->loop;
}

static void reorder(const struct product *product, struct option *option, const char *const *loop, int n)
{
    line_add(product->site->scene->arena, &option->schedule, "{\"reorder\": [%s]}",
             site_listed(product->site, loop, n, true));
}

/* Few terms: rows of the one factor are added to rows of the result. */
static void add_thin(const struct product *product)
{
    const struct site *site = product->site;
    struct arena *arena = site->scene->arena;
    struct option *option =
        new_option(product, "few terms, which are added to rows of the result while these are loaded");
    const char *i = row_of(product), *j = column_of(product), *k = sum_of(product),
               *jj = site_part(site, product->tiling.column, 1), *kk = site_part(site, product->tiling.sum[0], 1);
    const int lanes = TERMS_TOGETHER * site->lanes;

    site_split(site, option, j, STRIP * lanes, jj, "");
    site_split(site, option, k, TERMS_TOGETHER, kk, ", \"tail\": \"cases\"");
    reorder(product, option, (const char *const[]){i, j, k, jj, kk}, 5);
    tiling_keep(site, &product->tiling, option, kk);
    line_add(arena, &option->plan, "{\"unroll\": \"%s\"}", site_name(site, kk));
    line_add(arena, &option->plan, "{\"vectorize\": \"%s\", \"lanes\": %d}", site_name(site, jj), lanes);
    site_parallelize(site, option, site_name(site, i), "");
}

/* Few rows, and a factor that no cache keeps: each part of that is loaded once for all rows. */
static void add_wide(const struct product *product)
{
    const struct site *site = product->site;
    const struct tiling *tiling = &product->tiling;
    struct arena *arena = site->scene->arena;
    const char *array = product->right->array->name;
    struct option *option =
        new_option(product,
                   arena_printf(arena,
                                "%d x %d sums in %d of %d registers; %lld rows of %s stay in a cache for all of them",
                                tiling->rows, tiling->vectors * site->lanes, tiling->rows * tiling->vectors,
                                site->scene->machine->registers, (long long)tiling->depth, array));
    const char *i = row_of(product), *j = column_of(product), *k = sum_of(product),
               *ii = site_part(site, tiling->row, 1), *jj = site_part(site, tiling->column, 1),
               *kk = site_part(site, tiling->sum[0], 1), *v = site_lane(site);

    site_split(site, option, j, site->lanes, v, "");
    site_split(site, option, j, tiling->vectors, jj, ", \"tail\": \"cases\"");
    site_split(site, option, k, tiling->depth, kk, "");
    site_split(site, option, i, tiling->rows, ii, ", \"tail\": \"cases\"");
    reorder(product, option, (const char *const[]){j, k, i, kk, ii, jj, v}, 7);
    tiling_keep(site, tiling, option, kk);
    tiling_fetch(site, tiling, option, i);
    line_add(arena, &option->plan, "{\"prefetch\": \"%s\", \"at\": \"%s\", \"ahead\": %d}", array, site_name(site, kk),
             AHEAD);
    tiling_kernel(site, option, ii, jj, v);
    site_parallelize(site, option, site_name(site, j), "");
}

/* The factors as they are, which caches keep. */
static void add_tiles(const struct product *product, const char *more, bool threads)
{
    const struct site *site = product->site;
    const struct tiling *tiling = &product->tiling;
    struct option *option =
        new_option(product, arena_printf(site->scene->arena, "%d x %d sums in %d of %d registers, %s", tiling->rows,
                                         tiling->vectors * site->lanes, tiling->rows * tiling->vectors,
                                         site->scene->machine->registers, more));
    const char *i = row_of(product), *j = column_of(product), *k = sum_of(product),
               *ii = site_part(site, tiling->row, 1), *iii = site_part(site, tiling->row, 2),
               *jj = site_part(site, tiling->column, 1), *v = site_lane(site);

    site_split(site, option, j, site->lanes, v, "");
    site_split(site, option, j, tiling->vectors, jj, ", \"tail\": \"cases\"");
    site_split(site, option, i, (int64_t)TILES_OF_BLOCK * tiling->rows, ii, "");
    site_split(site, option, ii, tiling->rows, iii, ", \"tail\": \"cases\"");
    reorder(product, option, (const char *const[]){i, j, ii, k, iii, jj, v}, 7);
    tiling_keep(site, tiling, option, k);
    tiling_fetch(site, tiling, option, ii);
    tiling_kernel(site, option, iii, jj, v);
    if (threads)
        site_parallelize(site, option, site_name(site, i), "");
}

static void add_rows(const struct product *product)
{
    add_tiles(product, "the factors as they are", true);
}

/* A region that asks whether it is worth its threads takes longer than a product of a few rows. */
static void add_small(const struct product *product)
{
    add_tiles(product, "no threads", false);
}

/* Tiles of factors that are not copied, and how many of the terms stay in a quarter of the second cache. */
static struct tiling without_panels(const struct site *site, struct tiling tiling)
{
    const struct machine *machine = site->scene->machine;

    tiling.vectors = machine->registers >= 32 ? 4 : 2;
    tiling.rows = (machine->registers - tiling.vectors - 1) / tiling.vectors;
    tiling.depth = machine->cache[1] / 4 / (tiling.vectors * site->lanes * tiling.size);
    if (site->scene->wishes.tile)
        tiling.depth = site->scene->wishes.tile;
    return tiling;
}

static bool measure(const struct site *site, const struct tiling *tiling, struct product *product)
{
    return site_extent(site, tiling->row, &product->extent[0]) &&
           site_extent(site, tiling->column, &product->extent[1]) &&
           site_extent(site, tiling->sum[0], &product->extent[2]);
}

/* Adds the kinds whose conditions may hold, up to one whose conditions do, and the option of the one that is wanted. */
static void choose(const struct product *product, const struct kind *kind, int n)
{
    const struct scene *scene = product->site->scene;
    struct proposal *proposal = scene->proposal;
    bool never;

    for (int k = 0; k < n; k++) {
        const char *when = condition(product, &kind[k], &never);

        if (never)
            continue;
        VEC_PUSH(scene->arena, &proposal->size, ((struct size_case){kind[k].name, when}));
        if (proposal->size.n == scene->size + 1 && kind[k].add)
            kind[k].add(product);
        if (!when)
            break;
    }
}

void sizes_propose(const struct site *site, const struct tiling *tiling, const struct access *right)
{
    const struct scene *scene = site->scene;
    const int64_t kept =
        scene->machine->cache[1] / 2 / tiling->size; /* elements that the second cache keeps beside others */
    const int64_t columns = (int64_t)PACKED_TILES * tiling->vectors * site->lanes;
    struct product product = {.site = site, .tiling = without_panels(site, *tiling), .right = right};
    const int64_t team_pays = site->threads && scene->threads ? scene->machine->team_pays : 0;
    const struct kind kinds[] = {{"small", {{ROWS | COLUMNS | TERMS, true, team_pays}}, add_small},
                                 {"thin", {{TERMS, true, FEW_TERMS}}, add_thin},
                                 {"packed",
                                  {{COLUMNS | TERMS, false, kept},
                                   {ROWS, false, PACKED_ROWS},
                                   {COLUMNS, false, columns},
                                   {TERMS, false, PACKED_TERMS}},
                                  NULL},
                                 {"wide", {{COLUMNS | TERMS, false, kept}, {TERMS, false, WIDE_TERMS}}, add_wide},
                                 {"rows", {{0}}, add_rows}};

    if (scene->size < 0 || site->outer > 0 || tiling_moves(site, right, tiling->column) != STRIDE_NEXT ||
        tiling_moves(site, &tiling->statement->access[0], tiling->column) != STRIDE_NEXT ||
        !measure(site, tiling, &product))
        return;
    if (scene->proposal->n_sized++ == 0)
        choose(&product, kinds, sizeof(kinds) / sizeof(kinds[0]));
}
