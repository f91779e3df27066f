#include "lower/dump/fields.h"

#include "program/program.h"

#include <string.h>

#define OF(type, name, value) .word = #name, .kind = FIELD_##value, .at = offsetof(struct type, name)
#define LIST_OF(type, name, value) OF(type, name, value), .how = HOLD_LIST, .n_at = offsetof(struct type, n_##name)
#define OBJECT_OF(type, name, table) OF(type, name, OBJECT), .object = &(table)
#define WORD_OF(type, name, table) OF(type, name, WORD), .words = &(table)
#define TABLE(type, list)                                                                                              \
    {                                                                                                                  \
        list, (int)(sizeof(list) / sizeof((list)[0])), sizeof(struct type)                                             \
    }

static const char *word_in(const char *const *word, int n, int number)
{
    return number >= 0 && number < n ? word[number] : NULL;
}

#define WORDS(name, ...)                                                                                               \
    static const char *const name##_word[] = {__VA_ARGS__};                                                            \
    static const char *name##_of(int number)                                                                           \
    {                                                                                                                  \
        return word_in(name##_word, (int)(sizeof(name##_word) / sizeof(name##_word[0])), number);                      \
    }                                                                                                                  \
    static const struct words name = {name##_of, (int)(sizeof(name##_word) / sizeof(name##_word[0]))};

WORDS(var_kinds, "param", "loop", "value")
WORDS(declarations, "nothing", "variable", "constant")
WORDS(tensor_kinds, "multiply", "load", "store", "fill", "map")
WORDS(tile_kinds, "load", "store", "zero", "multiply")
WORDS(fragment_uses, "sums", "rows", "columns")
WORDS(axes, "none", "block.x", "block.y", "block.z", "thread.x", "thread.y", "thread.z", "thread", "block.x.1",
      "block.y.1", "block.z.1", "thread.x.1", "thread.y.1", "thread.z.1", "block.x.2", "block.y.2", "block.z.2",
      "thread.x.2", "thread.y.2", "thread.z.2", "block.x.3", "block.y.3", "block.z.3", "thread.x.3", "thread.y.3",
      "thread.z.3")

_Static_assert(sizeof(axes_word) / sizeof(axes_word[0]) == AXIS_COUNT, "each axis has a word");

static const char *type_of(int number)
{
    return type_name((enum type)number);
}

static const char *operator_of(int number)
{
    return number == OP_NONE ? "none" : op_symbol((enum expr_op)number);
}

const struct words dump_types = {type_of, TYPE_F64 + 1};
static const struct words operators = {operator_of, OP_NONE + 1};

static int element_dims(const void *object)
{
    const struct element *element = object;

    return element->array->n_dim;
}

static const struct field element_fields[] = {
    {OF(element, base, VAR)},
    {OF(element, lane_step, STEP)},
    {OF(element, lane_factor, NUMBER), .how = HOLD_LIST, .length = element_dims},
    {LIST_OF(element, lane_index, AFFINE)},
    {OF(element, distance, EXPR)},
    {OF(element, parts, INT)},
    {OF(element, part, INT)},
};

const struct object dump_element = TABLE(element, element_fields);

static const struct field var_fields[] = {
    {WORD_OF(var, kind, var_kinds), .needed = true},
    {WORD_OF(var, position, axes)},
    {OF(var, narrow, FLAG)},
    {OF(var, is_read, FLAG)},
    {OF(var, low, NUMBER)},
    {OF(var, high, NUMBER)},
};

const struct object dump_var = TABLE(var, var_fields);

static const struct field fragment_fields[] = {
    {WORD_OF(fragment, use, fragment_uses), .needed = true},
    {OF(fragment, m, INT)},
    {OF(fragment, n, INT)},
    {OF(fragment, k, INT)},
    {OF(fragment, turned, FLAG)},
    {OF(fragment, by_columns, FLAG)},
};

static const struct object fragment_object = TABLE(fragment, fragment_fields);

static const struct field array_fields[] = {
    {OF(array, align, NUMBER)},
    {OF(array, in_tiles, FLAG)},
    {OBJECT_OF(array, fragment, fragment_object), .how = HOLD_POINTER},
};

const struct object dump_array = TABLE(array, array_fields);

static int vector_registers(const void *object)
{
    const struct vector *vector = object;

    return vector->registers;
}

static const struct field vector_fields[] = {
    {OF(vector, lanes, INT), .needed = true},
    {OF(vector, count, AFFINE)},
    {OF(vector, mask, VAR)},
    {WORD_OF(vector, mask_type, dump_types)},
    {OF(vector, mask_place, AFFINE)},
    {OF(vector, active, EXPR)},
    {OF(vector, sum, VAR)},
    {OF(vector, loose, FLAG)},
    {OF(vector, place, AFFINE)},
    {OF(vector, registers, INT)},
    {OF(vector, each, AFFINE), .how = HOLD_LIST, .length = vector_registers},
    {WORD_OF(vector, truth, dump_types)},
};

static const struct object vector_object = TABLE(vector, vector_fields);

static const struct field total_fields[] = {
    {WORD_OF(lane_total, op, operators), .needed = true},
    {OF(lane_total, var, VAR)},
    {WORD_OF(lane_total, type, dump_types)},
    {OF(lane_total, array, ARRAY)},
};

static const struct object total_object = TABLE(lane_total, total_fields);

static const struct field threads_fields[] = {
    {OF(threads, collapse, INT)},
    {OF(threads, doacross, FLAG)},
    {OF(threads, policy, TEXT)},
    {OF(threads, chunk, NUMBER)},
    {OF(threads, number, NUMBER)},
    {OF(threads, places, TEXT)},
    {OF(threads, only_if, CONDITION)},
    {OF(threads, condition, EXPR)},
    {OF(threads, alone, FLAG)},
    {OF(threads, shared, FLAG)},
    {LIST_OF(threads, reduction, STATEMENT)},
};

static const struct object threads_object = TABLE(threads, threads_fields);

static const struct field part_fields[] = {
    {OF(part, var, VAR), .needed = true},
    {OF(part, first, AFFINE), .needed = true},
    {OF(part, extent, AFFINE), .needed = true},
};

static const struct object part_object = TABLE(part, part_fields);

static const struct field tensor_tile_fields[] = {
    {OF(tensor_tile, by_columns, FLAG)},
    {OF(tensor_tile, distance, AFFINE)},
};

static const struct object tensor_tile_object = TABLE(tensor_tile, tensor_tile_fields);

static const struct field tensor_fields[] = {
    {WORD_OF(tensor, kind, tensor_kinds), .needed = true},
    {OF(tensor, m, INT)},
    {OF(tensor, n, INT)},
    {OF(tensor, k, INT)},
    {OF(tensor, swapped, FLAG)},
    {OBJECT_OF(tensor, tile, tensor_tile_object), .how = HOLD_ROW, .n = 2},
};

static const struct object tensor_object = TABLE(tensor, tensor_fields);

static const struct field place_fields[] = {
    {OF(tile_place, number, INT)},  {OF(tile_place, stays, FLAG)},   {OF(tile_place, distance, AFFINE)},
    {OF(tile_place, rows, AFFINE)}, {OF(tile_place, bytes, AFFINE)},
};

static const struct object place_object = TABLE(tile_place, place_fields);

static const struct field tile_fields[] = {
    {WORD_OF(matrix_tile, kind, tile_kinds), .needed = true},
    {OF(matrix_tile, rows, INT)},
    {OF(matrix_tile, columns, INT)},
    {OF(matrix_tile, groups, INT)},
    {OF(matrix_tile, product, PRODUCT)},
    {OF(matrix_tile, swapped, FLAG)},
    {OBJECT_OF(matrix_tile, sums, place_object)},
    {OBJECT_OF(matrix_tile, factor, place_object), .how = HOLD_ROW, .n = 2},
};

static const struct object tile_object = TABLE(matrix_tile, tile_fields);

static const struct field shape_fields[] = {
    {OF(tile_shape, n, INT)},
    {OF(tile_shape, rows, INT), .how = HOLD_ROW, .n = TILE_REGISTERS},
    {OF(tile_shape, bytes, INT), .how = HOLD_ROW, .n = TILE_REGISTERS},
    {OF(tile_shape, parts, FLAG)},
};

static const struct object shape_object = TABLE(tile_shape, shape_fields);

static const struct field warp_fields[] = {
    {OF(warp_sum, threads, INT)},  {OF(warp_sum, warp, INT)},       {OF(warp_sum, total, TEXT)},
    {OF(warp_sum, by_warp, FLAG)}, {OF(warp_sum, scattered, FLAG)}, {OF(warp_sum, update, GUARD), .how = HOLD_POINTER},
};

static const struct object warp_object = TABLE(warp_sum, warp_fields);

static const struct field launch_fields[] = {
    {OF(launch, name, TEXT)},
    {OF(launch, extent, AFFINE), .how = HOLD_ROW, .n = AXIS_COUNT},
    {OF(launch, wanted_x, AFFINE)},
    {OF(launch, run, NUMBER), .how = HOLD_ROW, .n = WHOLE_AXES},
    {WORD_OF(launch, threads_axis, axes), .how = HOLD_ROW, .n = WHOLE_AXES},
    {OF(launch, blocks, NUMBER), .how = HOLD_ROW, .n = WHOLE_AXES},
    {OF(launch, resident, NUMBER)},
};

static const struct object launch_object = TABLE(launch, launch_fields);

static const struct field routine_fields[] = {
    {OF(routine, name, TEXT), .needed = true},
    {OF(routine, comment, TEXT)},
};

static const struct object routine_object = TABLE(routine, routine_fields);

static const struct field inner_fields[] = {
    {OF(inner_dim, var, VAR), .needed = true},
    {OF(inner_dim, extent, NUMBER), .needed = true},
    {OF(inner_dim, lane, FLAG)},
};

static const struct object inner_object = TABLE(inner_dim, inner_fields);

static int also_dims(const void *object)
{
    const struct instance_map *map = object;

    return map->statement->n_loop;
}

static const struct field also_fields[] = {
    {OF(instance_map, statement, STATEMENT), .needed = true},
    {OF(instance_map, argument, AFFINE), .how = HOLD_LIST, .length = also_dims, .needed = true},
};

static const struct object also_object = TABLE(instance_map, also_fields);

static int node_dims(const void *object)
{
    const struct node *node = object;

    return node->statement ? node->statement->n_loop : -1;
}

static int target_dims(const void *object)
{
    const struct node *node = object;

    return node->target.array->n_dim;
}

#define IN(kind) (1u << NODE_##kind)

enum {
    LOOPS = IN(LOOP) | IN(TUPLE),
    DECLARES = LOOPS | IN(BLOCK) | IN(CALL) | IN(REGION) | IN(VALUE) | IN(LET) | IN(IF) | IN(KERNEL) | IN(SINGLE),
    MADE = IN(ASSIGN) | IN(LET)
};

static const struct field node_fields[] = {
    {OF(node, statement, STATEMENT), .kinds = MADE | IN(BARRIER)},
    {OF(node, argument, AFFINE), .how = HOLD_LIST, .length = node_dims, .kinds = MADE},
    {LIST_OF(node, inner, OBJECT), .object = &inner_object, .kinds = MADE},
    {LIST_OF(node, also, OBJECT), .object = &also_object, .kinds = MADE},
    {OF(node, untold, FLAG), .kinds = MADE},
    {OF(node, counted, GUARD), .how = HOLD_POINTER, .kinds = MADE},
    {OF(node, limit, AFFINE), .kinds = IN(LET)},
    {OF(node, known, GUARD), .how = HOLD_POINTER, .kinds = IN(LET)},
    {OF(node, info, LOOP), .kinds = LOOPS | IN(VALUE)},
    {OF(node, lower, AFFINE), .kinds = IN(TUPLE) | IN(ASSIGN)},
    {OF(node, step, NUMBER), .kinds = IN(TUPLE) | IN(VALUE)},
    {LIST_OF(node, alternative, GUARD), .kinds = IN(IF) | IN(ASSIGN)},
    {OF(node, value, EXPR), .kinds = IN(IF) | IN(TEXT)},
    {OF(node, instruction, TEXT), .kinds = IN(TEXT)},
    {OF(node, piece, FLAG), .kinds = LOOPS},
    {OF(node, rest, FLAG), .kinds = LOOPS},
    {OF(node, over_values, FLAG), .kinds = LOOPS},
    {OF(node, continues, FLAG), .kinds = LOOPS},
    {OF(node, once, FLAG), .kinds = LOOPS},
    {WORD_OF(node, axis, axes), .kinds = LOOPS},
    {OBJECT_OF(node, threads, threads_object), .how = HOLD_POINTER, .kinds = LOOPS | IN(REGION)},
    {OF(node, joined, FLAG), .kinds = LOOPS},
    {OF(node, simd, FLAG), .kinds = LOOPS},
    {OF(node, lanes, NUMBER), .kinds = LOOPS},
    {LIST_OF(node, total, OBJECT), .object = &total_object, .kinds = LOOPS},
    {LIST_OF(node, pragma, TEXT), .kinds = LOOPS},
    {OF(node, unroll, NUMBER), .kinds = LOOPS},
    {LIST_OF(node, local, ARRAY), .kinds = DECLARES},
    {LIST_OF(node, own, ARRAY), .kinds = DECLARES},
    {OF(node, scope, FLAG), .kinds = IN(BLOCK)},
    {OF(node, further, NUMBER), .how = HOLD_LIST, .length = target_dims, .kinds = IN(PREFETCH)},
    {OF(node, will_write, FLAG), .kinds = IN(PREFETCH)},
    {OF(node, locality, INT), .kinds = IN(PREFETCH)},
    {OBJECT_OF(node, routine, routine_object), .how = HOLD_POINTER, .kinds = IN(CALL)},
    {LIST_OF(node, argument_var, VAR), .kinds = LOOPS | IN(CALL) | IN(REGION) | IN(KERNEL)},
    {OF(node, nowait, FLAG), .kinds = LOOPS | IN(SINGLE)},
    {OBJECT_OF(node, shape, shape_object), .how = HOLD_POINTER, .kinds = IN(TILES)},
    {OBJECT_OF(node, launch, launch_object), .how = HOLD_POINTER, .kinds = IN(KERNEL)},
    {OF(node, note, TEXT), .kinds = IN(BARRIER)},
    {OF(node, waits, FLAG), .kinds = IN(BARRIER) | IN(FENCE)},
    {OF(node, lone, FLAG), .kinds = IN(BARRIER)},
    {OF(node, prior, INT), .kinds = IN(BARRIER)},
    {OF(node, guard_value, EXPR), .kinds = IN(ASSIGN) | IN(LOOP)},
    {OBJECT_OF(node, vector, vector_object), .how = HOLD_POINTER, .kinds = MADE},
    {OBJECT_OF(node, into, total_object), .how = HOLD_POINTER, .kinds = IN(ASSIGN)},
    {WORD_OF(node, declares, declarations), .kinds = MADE},
    {OBJECT_OF(node, tensor, tensor_object), .how = HOLD_POINTER, .kinds = IN(ASSIGN)},
    {OBJECT_OF(node, tile, tile_object), .how = HOLD_POINTER, .kinds = IN(ASSIGN)},
    {OF(node, neighbours, NUMBER), .kinds = IN(ASSIGN)},
    {OF(node, apart, NUMBER), .how = HOLD_ROW, .n = 2, .kinds = IN(ASSIGN)},
    {OF(node, asynchronous, FLAG), .kinds = IN(ASSIGN)},
    {OF(node, streams, FLAG), .kinds = IN(ASSIGN)},
    {OF(node, atomic, FLAG), .kinds = IN(ASSIGN)},
    {OBJECT_OF(node, warp_sum, warp_object), .how = HOLD_POINTER, .kinds = IN(ASSIGN)},
    {OF(node, wrap, FLAG), .kinds = IN(ASSIGN)},
};

const struct object dump_node = TABLE(node, node_fields);

bool dump_has(enum node_kind kind, const struct field *field)
{
    return field->kinds & (1u << kind);
}

/* A member with another word in front of it. */
#define AS(name, text, value)                                                                                          \
    {                                                                                                                  \
        .word = (text), .kind = FIELD_##value, .at = offsetof(struct node, name), .needed = true                       \
    }

static const struct field loop_head[] = {
    AS(var, "", VAR),
    AS(lower, "=", AFFINE),
    AS(upper, "to", AFFINE),
    {.word = "step", .kind = FIELD_NUMBER, .at = offsetof(struct node, step), .usual = 1},
};
static const struct field value_head[] = {AS(var, "", VAR), AS(lower, "=", AFFINE)};
static const struct field let_head[] = {AS(var, "", VAR), AS(value, "=", EXPR)};
static const struct field tuple_head[] = {
    AS(var, "", VAR),
    {LIST_OF(node, part, OBJECT), .object = &part_object, .needed = true},
};
static const struct field statement_head[] = {
    AS(statement, "", STATEMENT),
    {OF(node, argument, AFFINE), .how = HOLD_LIST, .length = node_dims, .needed = true},
};
static const struct field assign_head[] = {AS(target, "", ELEMENT), AS(op, "", OPERATOR), AS(value, "", EXPR)};
static const struct field switch_head[] = {AS(lower, "", AFFINE)};
static const struct field pointer_head[] = {AS(var, "", VAR), AS(target, "to", ELEMENT)};
static const struct field prefetch_head[] = {AS(target, "", ELEMENT)};

#define HEAD(word, list, least, most)                                                                                  \
    {                                                                                                                  \
        word, list, (int)(sizeof(list) / sizeof((list)[0])), least, most                                               \
    }

static const struct head head[] = {
    [NODE_BLOCK] = {"block", NULL, 0, 0, -1},
    [NODE_LOOP] = HEAD("for", loop_head, 1, 1),
    [NODE_IF] = {"if", NULL, 0, 1, 2},
    [NODE_VALUE] = HEAD("value", value_head, 1, 1),
    [NODE_TUPLE] = HEAD("tuple", tuple_head, 1, 1),
    [NODE_STATEMENT] = HEAD("statement", statement_head, 0, 0),
    [NODE_ASSIGN] = HEAD("set", assign_head, 0, 0),
    [NODE_KERNEL] = {"kernel", NULL, 0, 1, 1},
    [NODE_BARRIER] = {"barrier", NULL, 0, 0, 0},
    [NODE_LET] = HEAD("let", let_head, 1, 1),
    [NODE_PREFETCH] = HEAD("prefetch", prefetch_head, 0, 0),
    [NODE_FENCE] = {"fence", NULL, 0, 0, 0},
    [NODE_SWITCH] = HEAD("switch", switch_head, 1, -1),
    [NODE_CALL] = {"call", NULL, 0, 1, 1},
    [NODE_REGION] = {"region", NULL, 0, 1, 1},
    [NODE_SINGLE] = {"single", NULL, 0, 1, 1},
    [NODE_POINTER] = HEAD("pointer", pointer_head, 1, 1),
    [NODE_TILES] = {"tiles", NULL, 0, 1, 1},
    [NODE_TEXT] = {"text", NULL, 0, 1, 1},
    [NODE_REFUSE] = {"refuse", NULL, 0, 0, 0},
};

const struct head *dump_head(enum node_kind kind)
{
    return &head[kind];
}

size_t value_size(const struct field *field)
{
    switch (field->kind) {
    case FIELD_FLAG:
        return sizeof(bool);
    case FIELD_INT:
    case FIELD_WORD:
    case FIELD_OPERATOR:
        return sizeof(int);
    case FIELD_NUMBER:
    case FIELD_STEP:
        return sizeof(int64_t);
    case FIELD_GUARD:
        return sizeof(struct guard);
    case FIELD_ELEMENT:
        return sizeof(struct element);
    case FIELD_OBJECT:
        return field->object->size;
    default:
        return sizeof(void *);
    }
}

static bool is_empty(const struct object *table, const void *object)
{
    for (int k = 0; k < table->n; k++)
        if (!field_is_omitted(&table->field[k], object))
            return false;
    return true;
}

static bool is_usual(const struct field *field, const void *value)
{
    switch (field->kind) {
    case FIELD_FLAG:
        return !*(const bool *)value;
    case FIELD_INT:
    case FIELD_WORD:
    case FIELD_OPERATOR:
        return *(const int *)value == field->usual;
    case FIELD_NUMBER:
    case FIELD_STEP:
        return *(const int64_t *)value == field->usual;
    case FIELD_GUARD:
        return false;
    case FIELD_ELEMENT:
        return !((const struct element *)value)->array;
    case FIELD_OBJECT:
        return is_empty(field->object, value);
    default:
        return !*(const void *const *)value;
    }
}

int field_length(const struct field *field, const void *object)
{
    const char *value = (const char *)object + field->at;
    int n = field->n;

    if (field->how == HOLD_LIST)
        return field->length ? field->length(object) : *(const int *)(const void *)((const char *)object + field->n_at);
    while (n > 0 && is_usual(field, value + (size_t)(n - 1) * value_size(field)))
        n--;
    return n;
}

bool field_is_omitted(const struct field *field, const void *object)
{
    const char *value = (const char *)object + field->at;

    if (field->needed)
        return false;
    if (field->how == HOLD_POINTER || (field->how == HOLD_LIST && field->length))
        return !*(const void *const *)(const void *)value;
    if (field->how == HOLD_LIST || field->how == HOLD_ROW)
        return field_length(field, object) == 0;
    return is_usual(field, value);
}
