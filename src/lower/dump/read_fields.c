#include "lower/dump/reader.h"

#include "caps/simd.h"
#include "plan/loop_plan.h"
#include "program/program.h"

#include <limits.h>
#include <string.h>

static bool read_guard(struct reader *reader, struct guard *guard)
{
    struct lexer *lexer = &reader->lexer;
    VEC(struct condition) list = {0};
    struct condition condition;
    int64_t zero;

    if (!lexer_expect(lexer, "("))
        return false;
    while (!lexer_at(lexer, ")") && (list.n == 0 || lexer_expect(lexer, "and"))) {
        condition.affine = dump_read_affine(reader);
        condition.equal = lexer_at(lexer, "==");
        if (!condition.affine || (!lexer_skip(lexer, "==") && !lexer_expect(lexer, ">=")) ||
            !lexer_number(lexer, 0, 0, &zero))
            return false;
        VEC_PUSH(reader->scope->arena, &list, condition);
    }
    *guard = (struct guard){list.at, list.n};
    return lexer_expect(lexer, ")");
}

static bool read_operator(struct reader *reader, int *op)
{
    struct lexer *lexer = &reader->lexer;

    for (*op = 0; *op < OP_NONE; ++*op) {
        const char *symbol = op_symbol((enum expr_op) * op);
        if (lexer_skip(lexer, arena_printf(reader->scope->arena, "%s=", symbol)))
            return true;
        if (lexer->token.kind == TOKEN_NAME && lexer_skip(lexer, symbol))
            break;
    }
    return lexer_expect(lexer, "=");
}

/* The one that a loop of the plan asks for in these words. */
static const struct value *find_condition(const struct reader *reader, const char *words)
{
    for (int k = 0; words && k < reader->loops.n; k++) {
        const struct loop_plan *plan = ((const struct loop_info *)reader->loops.at[k].thing)->plan;
        if (plan && plan->only_if && strcmp(plan->only_if->string, words) == 0)
            return plan->only_if;
    }
    return NULL;
}

static const void *find_product(struct reader *reader)
{
    const struct simd *simd = simd_by_name(reader->scope->stored->target.simd);
    int64_t number;

    if (!simd || !simd->tiles)
        return lexer_fail(&reader->lexer, "the target has no products of tiles"), NULL;
    if (!lexer_number(&reader->lexer, 0, simd->tiles->n_product - 1, &number))
        return NULL;
    return &simd->tiles->product[number];
}

/* What there is by name. */
static const void *read_named(struct reader *reader, enum field_kind kind)
{
    const char *name = lexer_name(&reader->lexer, "a name");
    const void *found = NULL;

    if (kind == FIELD_TEXT || !name)
        return name;
    if (kind == FIELD_STATEMENT)
        found = program_statement(reader->scope->stored, name);
    else if (kind == FIELD_LOOP)
        found = handle_find(&reader->loops, name);
    else
        found = find_condition(reader, name);
    if (!found)
        lexer_fail(&reader->lexer, "the description has no %s `%s`",
                   kind == FIELD_STATEMENT ? "statement"
                   : kind == FIELD_LOOP    ? "loop"
                                           : "condition of threads",
                   name);
    return found;
}

static const void *read_reference(struct reader *reader, enum field_kind kind)
{
    switch (kind) {
    case FIELD_AFFINE:
        return dump_read_affine(reader);
    case FIELD_EXPR:
        return dump_read_expr(reader);
    case FIELD_VAR:
        return dump_read_var(reader);
    case FIELD_ARRAY:
        return dump_read_array(reader);
    case FIELD_PRODUCT:
        return find_product(reader);
    default:
        return read_named(reader, kind);
    }
}

static bool read_int(struct reader *reader, int *value)
{
    int64_t number;

    if (!lexer_number(&reader->lexer, 0, INT_MAX, &number))
        return false;
    *value = (int)number;
    return true;
}

static bool read_value(struct reader *reader, const struct field *field, void *value)
{
    struct lexer *lexer = &reader->lexer;

    switch (field->kind) {
    case FIELD_FLAG:
        *(bool *)value = true;
        return true;
    case FIELD_INT:
        return read_int(reader, value);
    case FIELD_WORD:
        return dump_read_word(reader, field->words, value);
    case FIELD_OPERATOR:
        return read_operator(reader, value);
    case FIELD_STEP:
        *(int64_t *)value = LANES_APART;
        return lexer_skip(lexer, "apart") || lexer_number(lexer, INT64_MIN, INT64_MAX - 1, value);
    case FIELD_NUMBER:
        return lexer_number(lexer, INT64_MIN, INT64_MAX, value);
    case FIELD_GUARD:
        return read_guard(reader, value);
    case FIELD_ELEMENT:
        return dump_read_element(reader, value);
    case FIELD_OBJECT:
        return lexer_expect(lexer, "{") && dump_read_fields(reader, field->object, 0, value) &&
               lexer_expect(lexer, "}");
    default:
        if (field->how == HOLD_ROW && lexer_skip(lexer, "none"))
            return true;
        *(const void **)value = read_reference(reader, field->kind);
        return *(const void **)value;
    }
}

/* Values in brackets, most of them at most, of which *n were read. */
static bool read_items(struct reader *reader, const struct field *field, int most, char **items, int *n)
{
    const size_t size = value_size(field);
    int capacity = 0;

    *n = 0;
    if (!lexer_expect(&reader->lexer, "["))
        return false;
    while (!lexer_at(&reader->lexer, "]") && (*n == 0 || lexer_expect(&reader->lexer, ","))) {
        if (*n == most)
            return lexer_fail(&reader->lexer, "`%s` has %d values", field->word, most);
        if (*n == capacity)
            *items = vec_grow(reader->scope->arena, *items, *n, &capacity, size);
        if (!read_value(reader, field, *items + (size_t)(*n)++ * size))
            return false;
    }
    return lexer_expect(&reader->lexer, "]");
}

static bool read_list(struct reader *reader, const struct field *field, void *object)
{
    const int known = field->length ? field->length(object) : INT_MAX;
    char *items = arena_alloc(reader->scope->arena, 1, value_size(field));
    int n;

    if (known < 0)
        return lexer_fail(&reader->lexer, "nothing in front of `%s` tells how many there are", field->word);
    if (!read_items(reader, field, known, &items, &n))
        return false;
    if (field->length && n != known)
        return lexer_fail(&reader->lexer, "`%s` has %d values", field->word, known);
    if (!field->length)
        *(int *)(void *)((char *)object + field->n_at) = n;
    *(void **)(void *)((char *)object + field->at) = items;
    return true;
}

static bool read_row(struct reader *reader, const struct field *field, void *object)
{
    char *items = NULL;
    int n;

    if (!read_items(reader, field, field->n, &items, &n))
        return false;
    if (n)
        memcpy((char *)object + field->at, items, (size_t)n * value_size(field));
    return true;
}

bool dump_read_field(struct reader *reader, const struct field *field, void *object)
{
    char *place = (char *)object + field->at;
    void *made;

    if (field->how == HOLD_LIST)
        return read_list(reader, field, object);
    if (field->how == HOLD_ROW)
        return read_row(reader, field, object);
    if (field->how == HOLD_ONE)
        return read_value(reader, field, place);
    made = arena_alloc(reader->scope->arena, 1, value_size(field));
    *(void **)(void *)place = made;
    return read_value(reader, field, made);
}

/* The field of the word at hand, from number *k on, which becomes the one behind it. */
static const struct field *find_field(struct reader *reader, const struct object *table, unsigned kinds, int *k)
{
    for (; *k < table->n; ++*k) {
        const struct field *field = &table->field[*k];
        if ((!kinds || (field->kinds & kinds)) && lexer_at(&reader->lexer, field->word)) {
            ++*k;
            return field;
        }
        if (field->needed)
            return lexer_fail(&reader->lexer, "`%s` is missing here", field->word), NULL;
    }
    return lexer_fail(&reader->lexer, "this does not stand here"), NULL;
}

bool dump_read_fields(struct reader *reader, const struct object *table, unsigned kinds, void *object)
{
    bool more = !lexer_at(&reader->lexer, "}");
    int k = 0;

    if (!reader_enter(reader))
        return false;
    while (more) {
        const struct field *field = find_field(reader, table, kinds, &k);
        if (!field)
            return false;
        lexer_next(&reader->lexer);
        if (!dump_read_field(reader, field, object))
            return false;
        more = lexer_skip(&reader->lexer, ",");
    }
    for (; k < table->n; k++)
        if (table->field[k].needed)
            return lexer_fail(&reader->lexer, "`%s` is missing here", table->field[k].word);
    reader_leave(reader);
    return true;
}
