#include "target/clike/tile.h"

#include "target/clike/index.h"
#include "target/clike/storage.h"
#include "target/clike/vector/lanes.h"
#include "target/clike/wrap.h"
#include "tree/visit.h"

#include <inttypes.h>
#include <string.h>

/* A row of the table with its places filled. */
static const char *filled(struct emitter *emitter, const char *row, const struct vec_operands *operands)
{
    struct vec_lanes lanes = {.emitter = emitter};

    emitter->uses_vectors = true;
    return vec_filled(&lanes, row, operands, TYPE_NONE);
}

static const char *number_text(struct emitter *emitter, int number)
{
    return arena_printf(emitter->arena, "%d", number);
}

/* "4 * (N - j)" */
static const char *bytes_text(struct emitter *emitter, const struct affine *bytes)
{
    const int64_t unit = common_divisor(affine_gcd(bytes), bytes->constant);

    if (bytes->n_term + (bytes->constant != 0) < 2 || unit < 2)
        return index_affine(emitter, bytes).text;
    return arena_printf(emitter->arena, "%" PRId64 " * (%s)", unit,
                        index_affine(emitter, affine_floor(emitter->arena, bytes, unit)).text);
}

/* The register's own place in memory. */
static struct vec_operands operands_of(struct emitter *emitter, const struct tile_place *place,
                                       const struct element *element)
{
    enum precedence precedence;
    struct vec_operands operands = {.a = number_text(emitter, place->number)};

    operands.p = arena_printf(emitter->arena, "&%s", element_text(emitter, element, &precedence));
    operands.b = index_affine(emitter, place->distance).text;
    if (place->rows) {
        operands.c = index_affine(emitter, place->rows).text;
        operands.m = bytes_text(emitter, place->bytes);
    }
    return operands;
}

/* "acc[0][1]": a tile of an array of tiles. */
static const char *tile_name(struct emitter *emitter, const struct element *element)
{
    const char *text = element->array->name;

    for (int k = 0; k < element->array->n_dim - 2; k++)
        text = arena_printf(emitter->arena, "%s[%s]", text, index_affine(emitter, element->index[k]).text);
    return text;
}

/* A line, and what the register is called behind it, if there is room. */
static void print_line(struct emitter *emitter, const char *text, const struct element *sums)
{
    const char *name = arena_printf(emitter->arena, " /* %s */", tile_name(emitter, sums));
    const bool fits = 4 * (size_t)emitter->writer.indent + strlen(text) + strlen(name) <= WRAP_WIDTH;

    write_linef(&emitter->writer, "%s%s", text, fits ? name : "");
}

/* The row that loads a tile of the array. */
static const char *load_row(struct emitter *emitter, const struct tile_place *place, const struct array *array)
{
    const struct simd_tiles *tiles = emitter->simd->tiles;

    if (place->rows)
        return tiles->load_part;
    return emitter->array_stored[array - emitter->program->array] ? tiles->load_stored : tiles->load;
}

static void print_load(struct emitter *emitter, const struct tile_place *place, const struct element *element,
                       const struct element *sums)
{
    const struct vec_operands operands = operands_of(emitter, place, element);
    const char *text = filled(emitter, load_row(emitter, place, element->array), &operands);

    if (sums)
        print_line(emitter, text, sums);
    else
        write_line(&emitter->writer, text);
}

static void print_store(struct emitter *emitter, const struct node *node)
{
    const struct simd_tiles *tiles = emitter->simd->tiles;
    const struct tile_place *place = &node->tile->sums;
    const struct vec_operands operands = operands_of(emitter, place, &node->target);
    const char *const *parts = tiles->store_part;

    print_line(emitter, filled(emitter, place->rows ? parts[0] : tiles->store, &operands), tile_sums(node));
    if (place->rows)
        write_line(&emitter->writer, filled(emitter, parts[1], &operands));
}

static void print_product(struct emitter *emitter, const struct node *node)
{
    const struct matrix_tile *tile = node->tile;
    const struct vec_operands operands = {.a = number_text(emitter, tile->sums.number),
                                          .b = number_text(emitter, tile->factor[0].number),
                                          .c = number_text(emitter, tile->factor[1].number)};

    for (int k = 0; k < 2; k++)
        if (!tile->factor[k].stays)
            print_load(emitter, &tile->factor[k], tile_factor(node, k), NULL);
    print_line(emitter, filled(emitter, tile->product->row, &operands), tile_sums(node));
}

void tile_print(struct emitter *emitter, const struct node *node)
{
    const struct vec_operands operands = {.a = number_text(emitter, node->tile->sums.number)};

    switch (node->tile->kind) {
    case TILE_LOAD:
        print_load(emitter, &node->tile->sums, &tree_expr_same_bits(node->value)->element, tile_sums(node));
        return;
    case TILE_STORE:
        print_store(emitter, node);
        return;
    case TILE_ZERO:
        print_line(emitter, filled(emitter, emitter->simd->tiles->zero, &operands), tile_sums(node));
        return;
    case TILE_MULTIPLY:
        print_product(emitter, node);
        return;
    }
}

static const char *list_text(struct emitter *emitter, const int *number, int n)
{
    const char *text = "";

    for (int k = 0; k < n; k++)
        text = arena_printf(emitter->arena, "%s%s%d", text, k ? ", " : "", number[k]);
    return text;
}

void tile_print_begin(struct emitter *emitter, const struct node *node)
{
    const struct simd_tiles *tiles = emitter->simd->tiles;
    const struct tile_shape *shape = node->shape;
    const char *name = names_unique(&emitter->names, "shape");
    const struct vec_operands operands = {.a = name,
                                          .b = list_text(emitter, shape->bytes, shape->n),
                                          .c = list_text(emitter, shape->rows, shape->n)};

    vec_use_helpers(emitter, tiles->shape);
    write_linef(&emitter->writer, "static const %s %s = {", tiles->shape, name);
    emitter->writer.indent++;
    for (int k = 0; k < 2; k++)
        write_line(&emitter->writer, filled(emitter, tiles->values[k], &operands));
    emitter->writer.indent--;
    write_line(&emitter->writer, "};");
    if (shape->parts)
        write_line(&emitter->writer, tiles->buffer);
    write_line(&emitter->writer, filled(emitter, tiles->begin, &operands));
}

void tile_print_end(struct emitter *emitter)
{
    write_line(&emitter->writer, emitter->simd->tiles->end);
}

const char *tile_test(struct emitter *emitter)
{
    vec_use_helpers(emitter, emitter->simd->tiles->test);
    emitter->uses_vectors = true;
    return emitter->simd->tiles->test;
}
