#include "target/clike/vector.h"

#include "target/clike/expr.h"
#include "target/clike/index.h"
#include "target/clike/storage.h"
#include "target/clike/types.h"
#include "tree/visit.h"

#include <string.h>

/* The vector assignment that is being printed. */
struct lanes {
    struct emitter *emitter;
    const struct vector *vector;
    const char *condition; /* mask of the lanes whose value is needed, beside the active ones; NULL: all */
};

static const char *lack(struct lanes *lanes, const char *what, enum type type)
{
    struct emitter *emitter = lanes->emitter;

    if (!emitter->lacks)
        emitter->lacks = arena_printf(emitter->arena, "%s has no instruction for %s in %d lanes of %s",
                                      emitter->program->target.simd, what, lanes->vector->lanes, type_name(type));
    return "?";
}

static const struct simd_type *register_of(struct lanes *lanes, enum type type)
{
    return simd_type_of(lanes->emitter->simd, type, lanes->vector->lanes);
}

struct operands {
    const char *a, *b, *c, *p, *m;
};

/* A row with its places filled. */
static const char *filled(struct emitter *emitter, const char *row, const struct operands *operands)
{
    struct text out = {0};
    const char *result;

    for (const char *c = row; *c; c++) {
        if (c[0] == '{' && c[1] && c[2] == '}') {
            text_add(&out, c[1] == 'a'   ? operands->a
                           : c[1] == 'b' ? operands->b
                           : c[1] == 'c' ? operands->c
                           : c[1] == 'p' ? operands->p
                                         : operands->m);
            c += 2;
        } else {
            text_char(&out, *c);
        }
    }
    result = arena_copy(emitter->arena, text_str(&out));
    text_free(&out);
    return result;
}

static const char *instruction(struct lanes *lanes, enum vector_op op, enum type type, struct operands operands)
{
    static const char *const names[VECTOR_OP_COUNT] = {
        [VECTOR_LOAD] = "loads",  [VECTOR_LOAD_MASK] = "masked loads", [VECTOR_STORE] = "stores",
        [VECTOR_STORE_MASK] = "masked stores", [VECTOR_SPLAT] = "one value in all lanes", [VECTOR_ZERO] = "zeros",
        [VECTOR_ADD] = "+", [VECTOR_SUB] = "-", [VECTOR_MUL] = "*", [VECTOR_DIV] = "/", [VECTOR_FMA] = "a * b + c",
        [VECTOR_MIN] = "min", [VECTOR_MAX] = "max", [VECTOR_SQRT] = "sqrt", [VECTOR_ABS] = "abs",
        [VECTOR_NEG] = "a changed sign", [VECTOR_AND] = "&", [VECTOR_OR] = "|", [VECTOR_XOR] = "^",
        [VECTOR_GATHER] = "loads from elements apart", [VECTOR_GATHER_MASK] = "masked loads from elements apart",
        [VECTOR_SCATTER] = "stores to elements apart", [VECTOR_SCATTER_MASK] = "masked stores to elements apart",
        [VECTOR_LT] = "<", [VECTOR_LE] = "<=", [VECTOR_EQ] = "==", [VECTOR_NE] = "!=", [VECTOR_MASK_AND] = "&&",
        [VECTOR_MASK_OR] = "||", [VECTOR_MASK_NOT] = "!", [VECTOR_SELECT] = "? :"};
    const struct simd_type *simd = register_of(lanes, type);

    if (!simd || !simd->row[op])
        return lack(lanes, names[op], type);
    lanes->emitter->uses_vectors = true;
    return filled(lanes->emitter, simd->row[op], &operands);
}

/* `lanes_16(N - j)`, or its name */
static const char *active_text(struct lanes *lanes, enum type type)
{
    struct emitter *emitter = lanes->emitter;
    const struct simd_type *simd = register_of(lanes, type);

    if (lanes->vector->mask)
        return lanes->vector->mask->name;
    if (!simd || !simd->lanes_name)
        return lack(lanes, "a part of the lanes (split with \"tail\": \"peel\")", type);
    emitter->lanes_used[simd - emitter->simd->type] = true;
    return arena_printf(emitter->arena, "%s(%s)", simd->lanes_name, index_affine(emitter, lanes->vector->count).text);
}

static bool is_masked(const struct lanes *lanes)
{
    return lanes->vector->count || lanes->condition;
}

/* The mask of lanes that may touch memory. */
static const char *mask_text(struct lanes *lanes, enum type type)
{
    if (!lanes->vector->count)
        return lanes->condition;
    if (!lanes->condition)
        return active_text(lanes, type);
    return instruction(lanes, VECTOR_MASK_AND, type,
                       (struct operands){.a = active_text(lanes, type), .b = lanes->condition});
}

/* `_mm512_setr_epi32(0, 2, 4, ..)`: where the lanes' elements are, from the first one's. */
static const char *offsets_text(struct lanes *lanes, int64_t step, enum type type)
{
    const int n = lanes->vector->lanes;
    const char *text = n == 16 ? "_mm512_setr_epi32(" : n == 8 ? "_mm256_setr_epi32(" : "_mm_setr_epi32(";

    if (step > INT32_MAX / 16 || step < -INT32_MAX / 16 || (n != 16 && n != 8 && n != 4))
        return lack(lanes, "offsets this large", type);
    for (int k = 0; k < n; k++)
        text = arena_printf(lanes->emitter->arena, "%s%s%d", text, k ? ", " : "", (int)(k * step));
    return arena_printf(lanes->emitter->arena, "%s)", text);
}

/* An element of an array of vectors: all subscripts but the lanes'. */
static const char *register_text(struct lanes *lanes, const struct element *element)
{
    struct emitter *emitter = lanes->emitter;
    const char *text = element->array->name;

    for (int k = 0; k + 1 < element->array->n_dim; k++)
        text = arena_printf(emitter->arena, "%s[%s]", text, index_affine(emitter, element->index[k]).text);
    return text;
}

static const char *address_text(struct lanes *lanes, const struct element *element)
{
    enum precedence precedence;
    const char *text = element_text(lanes->emitter, element, &precedence);
    const size_t size = strlen(text);

    if (size > 4 && text[size - 4] == ']' && strcmp(text + size - 3, "[0]") == 0)
        return arena_printf(lanes->emitter->arena, "%.*s", (int)size - 3, text);
    return arena_printf(lanes->emitter->arena, "&%s", text);
}

static const char *splat(struct lanes *lanes, const struct tree_expr *expr)
{
    const bool zero = (expr->kind == TREE_INT && expr->integer == 0) ||
                      (expr->kind == TREE_REAL && expr->real == 0 && expr->spelling[0] != '-');

    if (zero)
        return instruction(lanes, VECTOR_ZERO, expr->type, (struct operands){0});
    return instruction(lanes, VECTOR_SPLAT, expr->type,
                       (struct operands){.a = expr_assigned(lanes->emitter, expr, expr->type)});
}

static const char *load(struct lanes *lanes, const struct tree_expr *expr)
{
    const struct element *element = &expr->element;
    struct operands operands = {0};

    if (element->lane_step == 0)
        return splat(lanes, expr);
    if (vector_array(lanes->emitter, element->array))
        return register_text(lanes, element);
    operands.p = address_text(lanes, element);
    operands.m = is_masked(lanes) ? mask_text(lanes, expr->type) : NULL;
    if (element->lane_step == 1)
        return instruction(lanes, is_masked(lanes) ? VECTOR_LOAD_MASK : VECTOR_LOAD, expr->type, operands);
    operands.b = offsets_text(lanes, element->lane_step, expr->type);
    return instruction(lanes, is_masked(lanes) ? VECTOR_GATHER_MASK : VECTOR_GATHER, expr->type, operands);
}

static const char *value_text(struct lanes *lanes, const struct tree_expr *expr);

static bool may_contract(const struct lanes *lanes, enum type type)
{
    const struct simd_type *simd = register_of((struct lanes *)(uintptr_t)lanes, type);

    return lanes->emitter->program->permit & PERMIT_CONTRACT && simd && simd->row[VECTOR_FMA];
}

static const char *product_sum(struct lanes *lanes, const struct tree_expr *product, const char *sum)
{
    return instruction(lanes, VECTOR_FMA, product->type,
                       (struct operands){.a = value_text(lanes, product->arg[0]),
                                         .b = value_text(lanes, product->arg[1]), .c = sum});
}

static bool is_product(const struct tree_expr *expr)
{
    return expr->kind == TREE_BINARY && expr->op == OP_MUL && type_is_float(expr->type) && !tree_expr_uniform(expr);
}

static const char *binary_text(struct lanes *lanes, enum expr_op op, enum type type, const char *a, const char *b)
{
    static const struct {
        enum expr_op op;
        enum vector_op vector;
    } rows[] = {{OP_ADD, VECTOR_ADD}, {OP_SUB, VECTOR_SUB}, {OP_MUL, VECTOR_MUL}, {OP_DIV, VECTOR_DIV},
                {OP_AND, VECTOR_AND}, {OP_OR, VECTOR_OR},   {OP_XOR, VECTOR_XOR}};

    for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++)
        if (rows[k].op == op)
            return instruction(lanes, rows[k].vector, type, (struct operands){.a = a, .b = b});
    return lack(lanes, op_symbol(op), type);
}

static const char *call_text(struct lanes *lanes, const struct tree_expr *expr)
{
    const char *a = value_text(lanes, expr->arg[0]), *b = expr->n_arg > 1 ? value_text(lanes, expr->arg[1]) : NULL;
    const struct operands operands = {.a = a, .b = b, .c = expr->n_arg > 2 ? value_text(lanes, expr->arg[2]) : NULL};

    switch (expr->function) {
    case FUNCTION_MIN:
        return instruction(lanes, VECTOR_MIN, expr->type, operands);
    case FUNCTION_MAX:
        return instruction(lanes, VECTOR_MAX, expr->type, operands);
    case FUNCTION_SQRT:
        return instruction(lanes, VECTOR_SQRT, expr->type, operands);
    case FUNCTION_ABS:
        return instruction(lanes, VECTOR_ABS, expr->type, operands);
    case FUNCTION_FMA:
        return instruction(lanes, VECTOR_FMA, expr->type, operands);
    case FUNCTION_RELU:
        return instruction(lanes, VECTOR_MAX, expr->type,
                           (struct operands){.a = a, .b = instruction(lanes, VECTOR_ZERO, expr->type, operands)});
    default:
        return lack(lanes, function_name(expr->function), expr->type);
    }
}

/* A comparison as a mask; a > b is b < a. */
static const char *comparison_text(struct lanes *lanes, const struct tree_expr *expr)
{
    static const enum vector_op rows[] = {VECTOR_LT, VECTOR_LE, VECTOR_LT, VECTOR_LE, VECTOR_EQ, VECTOR_NE};
    const bool turned = expr->op == OP_GT || expr->op == OP_GE;
    const char *a = value_text(lanes, expr->arg[0]), *b = value_text(lanes, expr->arg[1]);

    return instruction(lanes, rows[expr->op - OP_LT], expr->arg[0]->type,
                       (struct operands){.a = turned ? b : a, .b = turned ? a : b});
}

/* The type of the vectors that a condition compares. */
static enum type compared_type(const struct tree_expr *expr)
{
    const bool compares = expr->kind == TREE_BINARY && expr->op >= OP_LT && expr->op <= OP_NE;

    return compares || expr->n_arg == 0 ? (compares ? expr->arg[0]->type : expr->type) : compared_type(expr->arg[0]);
}

/* Where expr is true, as a mask. */
static const char *truth_text(struct lanes *lanes, const struct tree_expr *expr)
{
    const enum type type = compared_type(expr);
    struct operands operands = {0};

    if (expr->kind == TREE_BINARY && expr->op >= OP_LT && expr->op <= OP_NE)
        return comparison_text(lanes, expr);
    if (expr->kind == TREE_UNARY && expr->op == OP_LNOT)
        return instruction(lanes, VECTOR_MASK_NOT, type, (struct operands){.a = truth_text(lanes, expr->arg[0])});
    if (expr->kind != TREE_BINARY || (expr->op != OP_LAND && expr->op != OP_LOR) ||
        compared_type(expr->arg[1]) != type)
        return lack(lanes, "this condition", type);
    operands.a = truth_text(lanes, expr->arg[0]);
    operands.b = truth_text(lanes, expr->arg[1]);
    return instruction(lanes, expr->op == OP_LAND ? VECTOR_MASK_AND : VECTOR_MASK_OR, type, operands);
}

/* Does expr read an element that is the same for all lanes? One side of a choice may be the only one that has it. */
static bool reads_single(const struct tree_expr *expr)
{
    bool reads = expr->kind == TREE_LOAD && expr->element.lane_step == 0;

    for (int k = 0; k < expr->n_arg; k++)
        reads = reads || reads_single(expr->arg[k]);
    return reads;
}

/* Each side reads memory for its own lanes only. */
static const char *select_text(struct lanes *lanes, const struct tree_expr *expr)
{
    const enum type type = expr->type;
    const char *truth = truth_text(lanes, expr->arg[0]);
    struct lanes yes = *lanes, no = *lanes;

    if (c_type_bytes(compared_type(expr->arg[0])) != c_type_bytes(type))
        return lack(lanes, "a condition on another type", type);
    if (reads_single(expr->arg[1]) || reads_single(expr->arg[2]))
        return lack(lanes, "a choice of a single element", type);
    yes.condition = lanes->condition ? instruction(lanes, VECTOR_MASK_AND, type,
                                                   (struct operands){.a = lanes->condition, .b = truth}) : truth;
    no.condition = instruction(lanes, VECTOR_MASK_NOT, type, (struct operands){.a = truth});
    if (lanes->condition)
        no.condition = instruction(lanes, VECTOR_MASK_AND, type,
                                   (struct operands){.a = lanes->condition, .b = no.condition});
    return instruction(lanes, VECTOR_SELECT, type,
                       (struct operands){.m = truth, .a = value_text(&yes, expr->arg[1]),
                                         .b = value_text(&no, expr->arg[2])});
}

static const char *value_text(struct lanes *lanes, const struct tree_expr *expr)
{
    if (tree_expr_uniform(expr))
        return splat(lanes, expr);
    switch (expr->kind) {
    case TREE_LOAD:
        return load(lanes, expr);
    case TREE_NAMED:
        return expr->var->name;
    case TREE_BINARY:
        if (expr->op == OP_ADD && may_contract(lanes, expr->type) && is_product(expr->arg[0]))
            return product_sum(lanes, expr->arg[0], value_text(lanes, expr->arg[1]));
        if (expr->op == OP_ADD && may_contract(lanes, expr->type) && is_product(expr->arg[1]))
            return product_sum(lanes, expr->arg[1], value_text(lanes, expr->arg[0]));
        return binary_text(lanes, expr->op, expr->type, value_text(lanes, expr->arg[0]),
                           value_text(lanes, expr->arg[1]));
    case TREE_UNARY:
        if (expr->op == OP_NEG)
            return instruction(lanes, VECTOR_NEG, expr->type,
                               (struct operands){.a = value_text(lanes, expr->arg[0])});
        return lack(lanes, op_symbol(expr->op), expr->type);
    case TREE_CALL:
        return call_text(lanes, expr);
    case TREE_SELECT:
        return select_text(lanes, expr);
    case TREE_CAST:
        return lack(lanes, "conversions", expr->type);
    default:
        return lack(lanes, "this expression", expr->type);
    }
}

/* What the target's lanes get. */
static const char *assigned_value(struct lanes *lanes, const struct node *assign)
{
    const enum type type = assign->target.array->type;
    const struct tree_expr old = {.kind = TREE_LOAD, .type = type, .element = assign->target};

    if (assign->op == OP_NONE)
        return value_text(lanes, assign->value);
    if (assign->op == OP_ADD && may_contract(lanes, type) && is_product(assign->value))
        return product_sum(lanes, assign->value, load(lanes, &old));
    return binary_text(lanes, assign->op, type, load(lanes, &old), value_text(lanes, assign->value));
}

/* The target of lanes that are not side by side. */
static const char *scatter_text(struct lanes *lanes, const struct element *target, struct operands operands)
{
    const enum type type = target->array->type;

    operands.b = offsets_text(lanes, target->lane_step, type);
    return instruction(lanes, operands.m ? VECTOR_SCATTER_MASK : VECTOR_SCATTER, type, operands);
}

/* Under a condition on data, a register keeps the lanes where that does not hold. */
static const char *kept_text(struct lanes *lanes, const struct element *target, const char *value)
{
    if (!lanes->condition)
        return value;
    return instruction(lanes, VECTOR_SELECT, target->array->type,
                       (struct operands){.m = lanes->condition, .a = value, .b = register_text(lanes, target)});
}

const char *vector_assignment_text(struct emitter *emitter, const struct node *assign)
{
    struct lanes lanes = {.emitter = emitter, .vector = assign->vector};
    const struct element *target = &assign->target;
    const enum type type = target->array->type;
    struct operands operands = {0};

    if (assign->guard_value && c_type_bytes(compared_type(assign->guard_value)) != c_type_bytes(type))
        return lack(&lanes, "a condition on another type", type);
    operands.a = assigned_value(&lanes, assign);
    lanes.condition = assign->guard_value ? truth_text(&lanes, assign->guard_value) : NULL;
    if (vector_array(emitter, target->array))
        return arena_printf(emitter->arena, "%s = %s;", register_text(&lanes, target),
                            kept_text(&lanes, target, operands.a));
    operands.p = address_text(&lanes, target);
    operands.m = is_masked(&lanes) ? mask_text(&lanes, type) : NULL;
    if (target->lane_step != 1)
        return arena_printf(emitter->arena, "%s;", scatter_text(&lanes, target, operands));
    return arena_printf(emitter->arena, "%s;",
                        instruction(&lanes, operands.m ? VECTOR_STORE_MASK : VECTOR_STORE, type, operands));
}

const char *vector_let_text(struct emitter *emitter, const struct node *let)
{
    struct lanes lanes = {.emitter = emitter, .vector = let->vector};
    const enum type type = let->value->type;
    const struct simd_type *simd = register_of(&lanes, type);
    const bool is_mask = let->value->kind == TREE_MASK;

    return arena_printf(emitter->arena, "const %s %s = %s;", !simd ? "?" : is_mask ? simd->mask_name : simd->name,
                        let->var->name, is_mask ? mask_text(&lanes, type) : value_text(&lanes, let->value));
}

bool vector_array(const struct emitter *emitter, const struct array *array)
{
    const struct program *program = emitter->program;

    return array->in_registers && emitter->array_lanes && emitter->array_lanes[array - program->array] > 0;
}

static void note(struct emitter *emitter, const struct element *element, int lanes)
{
    if (element->array && element->array->in_registers && element->lane_step == 1)
        emitter->array_lanes[element->array - emitter->program->array] = lanes;
}

struct noting {
    struct emitter *emitter;
    int lanes;
};

static void note_load(const struct tree_expr *expr, void *user)
{
    const struct noting *noting = user;

    if (expr->kind == TREE_LOAD)
        note(noting->emitter, &expr->element, noting->lanes);
}

static void note_node(const struct node *node, void *user)
{
    struct noting noting = {user, node->vector ? node->vector->lanes : 0};

    if (!node->vector)
        return;
    note(user, &node->target, noting.lanes);
    tree_expr_for_each(node->value, note_load, &noting);
}

void vector_note(struct emitter *emitter, const struct node *node)
{
    emitter->array_lanes = ARENA_ARRAY(emitter->arena, emitter->program->n_array + 1, int);
    emitter->lanes_used = ARENA_ARRAY(emitter->arena, emitter->simd ? emitter->simd->n_type : 1, bool);
    node_for_each(node, note_node, emitter);
}

const char *vector_array_type(struct emitter *emitter, const struct array *array)
{
    const int lanes = emitter->array_lanes[array - emitter->program->array];
    const struct simd_type *simd = simd_type_of(emitter->simd, array->type, lanes);

    return simd ? simd->name : c_type_name(array->type);
}

void vector_print_helpers(const struct emitter *emitter, struct text *out)
{
    const size_t start = out->size;

    for (int k = 0; emitter->simd && k < emitter->simd->n_type; k++) {
        bool printed = !emitter->lanes_used[k];
        for (int before = 0; before < k; before++)
            printed = printed || (emitter->lanes_used[before] && strcmp(emitter->simd->type[before].lanes_name,
                                                                        emitter->simd->type[k].lanes_name) == 0);
        if (!printed)
            text_addf(out, "%s%s", out->size > start ? "\n" : "", emitter->simd->type[k].lanes_code);
    }
}
