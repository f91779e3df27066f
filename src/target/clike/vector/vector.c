#include "target/clike/vector/vector.h"

#include "program/permit.h"
#include "target/clike/expr.h"
#include "target/clike/index.h"
#include "target/clike/storage.h"
#include "target/clike/types.h"
#include "target/clike/vector/each.h"
#include "tree/visit.h"

#include <inttypes.h>
#include <string.h>

/* What an update starts from. */
static const char *old_text(struct vec_lanes *lanes, const struct node *assign)
{
    const struct element *target = &assign->target;
    const struct tree_expr *const arg[] = {target->distance};
    const struct tree_expr old = {.kind = TREE_LOAD,
                                  .type = type_in_lanes(target->array->type),
                                  .element = *target,
                                  .arg = arg,
                                  .n_arg = target->distance ? 1 : 0};

    return assign->vector->sum ? vec_name(lanes->emitter, assign->vector->sum, assign->vector->place)
                               : vec_load(lanes, &old);
}

/* The operation of an update, which may be spelt out. */
static enum expr_op update_op(const struct node *assign)
{
    return assign->op == OP_NONE && assign->value->kind == TREE_BINARY ? assign->value->op : assign->op;
}

/* Must the update wrap around, though C's operators must not leave a signed type? Where its order changed, or where the
 * scalar code computes in a wider type. */
static bool wraps(const struct emitter *emitter, const struct node *assign, enum type type)
{
    return emitter->simd->operators && type_is_signed(type) && expr_wraps(update_op(assign), type) &&
           (assign->wrap || assign->vector->sum || type_bits(type) < 32);
}

/* value, an operand of op, in the type that wraps around. */
static const char *wrapped(struct vec_lanes *lanes, enum expr_op op, const struct tree_expr *value, enum type type)
{
    if (expr_continues(op, value))
        return vec_binary(lanes, value->op, type, wrapped(lanes, value->op, value->arg[0], type),
                          wrapped(lanes, value->op, value->arg[1], type));
    return vec_conversion(lanes, vec_value(lanes, value), value->type, type);
}

static const char *wrapped_update(struct vec_lanes *lanes, const struct node *assign)
{
    const enum type type = type_in_lanes(assign->target.array->type), within = type_unsigned(type);
    const char *value = wrapped(lanes, update_op(assign), assign->value, within);

    if (assign->op != OP_NONE)
        value =
            vec_binary(lanes, assign->op, within, vec_conversion(lanes, old_text(lanes, assign), type, within), value);
    return vec_conversion(lanes, value, within, type);
}

/* What the target's lanes get. */
static const char *assigned_value(struct vec_lanes *lanes, const struct node *assign)
{
    const enum type type = type_in_lanes(assign->target.array->type);

    if (wraps(lanes->emitter, assign, type))
        return wrapped_update(lanes, assign);
    if (assign->op == OP_NONE)
        return vec_value(lanes, assign->value);
    if (assign->value->kind == TREE_DOT)
        return vec_dot(lanes, assign->value, old_text(lanes, assign));
    if (assign->op == OP_ADD &&
        vec_may_contract(lanes, statement_permit(lanes->emitter->program, assign->statement), assign->value))
        return vec_product_sum(lanes, assign->value, old_text(lanes, assign));
    return vec_binary(lanes, assign->op, type, old_text(lanes, assign),
                      vec_value(lanes, vec_count(lanes, assign->op, type, assign->value)));
}

/* Stores to elements that are told by their distances. */
static const char *scatter_at(struct vec_lanes *lanes, const struct element *target, struct vec_operands operands)
{
    const enum type type = type_in_lanes(target->array->type);
    const bool is_long = target->distance->type == TYPE_I64;
    const enum vector_op op = is_long ? (operands.m ? VECTOR_SCATTER_LONG_MASK : VECTOR_SCATTER_LONG)
                                      : (operands.m ? VECTOR_SCATTER_MASK : VECTOR_SCATTER);
    const struct simd_type *simd = vec_register(lanes, type);
    struct vec_lanes all = {.emitter = lanes->emitter, .vector = lanes->vector};

    operands.b = vec_value(&all, target->distance);
    return simd && simd->row[op] ? vec_instruction(lanes, op, type, operands)
                                 : vec_apart_at(lanes, type, operands, target->distance->type);
}

/* The target of lanes that are not side by side. */
static const char *scatter_text(struct vec_lanes *lanes, const struct element *target, struct vec_operands operands)
{
    const enum type type = type_in_lanes(target->array->type);
    const enum vector_op op = operands.m ? VECTOR_SCATTER_MASK : VECTOR_SCATTER;
    const struct simd_type *simd = vec_register(lanes, type);

    if (target->lane_step == -1 && !operands.m && simd && simd->row[VECTOR_REVERSE]) {
        const struct element last = vec_element_of_lane(lanes->emitter, target, lanes->vector->lanes - 1);
        operands.a = vec_instruction(lanes, VECTOR_REVERSE, type, operands);
        operands.p = vec_address(lanes, &last);
        return vec_instruction(lanes, VECTOR_STORE, type, operands);
    }
    if (target->distance)
        return scatter_at(lanes, target, operands);
    operands.b = simd && simd->row[op] ? vec_offsets(lanes, target->lane_step) : NULL;
    return operands.b ? vec_instruction(lanes, op, type, operands)
                      : vec_apart(lanes, type, operands, vec_step_text(lanes, target));
}

/* A variable keeps its lanes where mask is not true. */
static const char *kept_text(struct vec_lanes *lanes, enum type type, struct vec_truth mask, const char *value,
                             const char *old)
{
    return mask.text ? vec_choice(lanes, type, mask, value, old) : value;
}

/* text without the parentheses around all of it. */
static const char *bare(struct emitter *emitter, const char *text)
{
    int depth = 0;

    if (text[0] != '(')
        return text;
    for (const char *c = text; *c; c++) {
        depth += (*c == '(') - (*c == ')');
        if (depth == 0 && c[1])
            return text;
    }
    return arena_printf(emitter->arena, "%.*s", (int)strlen(text) - 2, text + 1);
}

/* The lanes that an assignment to variables changes: all, or in an array those that conditions do not turn off, where
 * the other ones may get anything. */
static struct vec_truth changed_lanes(struct vec_lanes *lanes, const struct node *assign)
{
    const enum type type = type_in_lanes(assign->target.array->type);
    const struct vector uncounted = {.lanes = lanes->vector->lanes, .active = lanes->vector->active};
    struct vec_lanes all = *lanes;

    if (assign->vector->loose && assign->vector->sum && !assign->guard_value)
        return (struct vec_truth){NULL, false};
    if (assign->vector->loose && !assign->vector->sum)
        all.vector = &uncounted;
    return vec_is_masked(&all) ? vec_active(&all, type) : (struct vec_truth){NULL, false};
}

/* Must, and may, a store under a condition on data write the other lanes' old values back? They are elements of the
 * array that only this statement's lanes may write meanwhile. */
static bool blends(const struct vec_lanes *lanes, enum type type)
{
    const struct simd_type *simd = vec_register(lanes, type);

    return lanes->condition && !lanes->vector->count && !lanes->vector->active && simd && !simd->row[VECTOR_STORE_MASK];
}

const char *vector_assignment_text(struct emitter *emitter, const struct node *assign)
{
    struct vec_lanes lanes = {.emitter = emitter, .vector = assign->vector};
    const struct element *target = &assign->target;
    const enum type type = type_in_lanes(target->array->type);

    if (target->parts)
        return arena_printf(emitter->arena, "%s;", vec_store_parts(&lanes, target, assign->value));
    struct vec_operands operands = {.a = assigned_value(&lanes, assign)};
    lanes.condition = assign->guard_value;
    if (assign->vector->sum || vector_array(emitter, target->array)) {
        const char *old = assign->vector->sum ? old_text(&lanes, assign) : vec_register_text(&lanes, target);
        const struct simd_type *simd = vec_register(&lanes, type);
        const char *value = kept_text(&lanes, type, changed_lanes(&lanes, assign), operands.a, old);
        value = bare(emitter, value);
        return arena_printf(emitter->arena, "%s = %s;", old,
                            simd ? convert_kept(emitter, old, value, simd->name) : value);
    }
    operands.m = vec_is_masked(&lanes) ? vec_mask(&lanes, type) : NULL;
    if (target->lane_step != 1) {
        operands.a = bare(emitter, operands.a);
        operands.p = vec_address(&lanes, target);
        return arena_printf(emitter->arena, "%s;", scatter_text(&lanes, target, operands));
    }
    operands.p = vec_address(&lanes, target);
    if (blends(&lanes, type)) {
        const char *old = vec_instruction(&lanes, VECTOR_LOAD, type, (struct vec_operands){.p = operands.p});
        operands.a = kept_text(&lanes, type, vec_active(&lanes, type), operands.a, old);
        operands.m = NULL;
    }
    operands.a = bare(emitter, operands.a);
    const enum vector_op op = operands.m ? VECTOR_STORE_MASK : assign->streams ? VECTOR_STREAM : VECTOR_STORE;
    return arena_printf(emitter->arena, "%s;", vec_instruction(&lanes, op, type, operands));
}

/* `{zero, zero, ..}` */
static const char *start_text(struct emitter *emitter, const struct vector *vector, const char *value)
{
    const char *text = "{";

    if (vector->registers == 0)
        return bare(emitter, value);
    for (int k = 0; k < vector->registers; k++)
        text = arena_printf(emitter->arena, "%s%s%s", text, k ? ", " : "", value);
    return arena_printf(emitter->arena, "%s}", text);
}

/* `{lanes_16(n), lanes_16(n - 16)}` */
static const char *masks_text(struct vec_lanes *lanes, const struct vector *vector, enum type type)
{
    struct vector one = *vector;
    const char *text = "{";

    lanes->vector = &one;
    for (int k = 0; k < vector->registers; k++) {
        one.count = vector->each[k];
        text = arena_printf(lanes->emitter->arena, "%s%s%s", text, k ? ", " : "", vec_mask(lanes, type));
    }
    lanes->vector = vector;
    return arena_printf(lanes->emitter->arena, "%s}", text);
}

/* A condition that gets a name. */
static const char *truth_text(struct vec_lanes *lanes, const struct node *let, enum type type)
{
    const struct vec_truth truth = vec_truth(lanes, let->value, type);

    if (truth.inverted)
        vec_note_inverted(lanes->emitter, let->var);
    return truth.text;
}

/* What the name of a LET stands for. */
static const char *let_value(struct vec_lanes *lanes, const struct node *let, enum type type, bool is_mask)
{
    if (let->vector->each)
        return masks_text(lanes, let->vector, type);
    return start_text(lanes->emitter, let->vector,
                      let->vector->truth != TYPE_NONE ? truth_text(lanes, let, type)
                      : is_mask                       ? vec_mask(lanes, type)
                                                      : vec_value(lanes, let->value));
}

const char *vector_let_text(struct emitter *emitter, const struct node *let)
{
    struct vec_lanes lanes = {.emitter = emitter, .vector = let->vector};
    const bool is_truth = let->vector->truth != TYPE_NONE;
    const bool is_mask = is_truth || (let->value->kind == TREE_MASK && !let->value->affine);
    const enum type type = is_truth ? let->vector->truth : let->value->type;
    const struct simd_type *simd = vec_register(&lanes, type);
    const char *value = let_value(&lanes, let, type, is_mask);
    const char *name = !simd ? NULL : is_mask ? simd->mask_name : simd->name;

    if (!name)
        name = vec_lack(&lanes, "masks", type);
    else
        vec_use_helpers(emitter, name);
    return arena_printf(emitter->arena, "%s%s %s%s = %s;", let->declares ? "" : "const ", name, let->var->name,
                        let->vector->registers ? arena_printf(emitter->arena, "[%d]", let->vector->registers) : "",
                        value);
}

const char *vector_total_text(struct emitter *emitter, const struct tree_expr *total)
{
    static const struct {
        enum expr_op op;
        enum vector_op vector;
    } rows[] = {{OP_ADD, VECTOR_SUM},     {OP_MUL, VECTOR_PRODUCT}, {OP_MIN, VECTOR_LEAST},  {OP_MAX, VECTOR_GREATEST},
                {OP_AND, VECTOR_ALL_AND}, {OP_OR, VECTOR_ALL_OR},   {OP_XOR, VECTOR_ALL_XOR}};
    const struct vector vector = {.lanes = (int)total->integer};
    struct vec_lanes lanes = {.emitter = emitter, .vector = &vector};

    for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++)
        if (rows[k].op == total->op)
            return vec_instruction(&lanes, rows[k].vector, total->type,
                                   (struct vec_operands){.a = vec_name(emitter, total->var, total->affine)});
    return vec_lack(&lanes, op_symbol(total->op), total->type);
}

/* The type whose lanes a mask is made for. */
static enum type type_of_mask(const struct tree_expr *mask)
{
    enum type type = TYPE_NONE;

    if (mask->kind == TREE_NAMED)
        return mask->type;
    if (mask->kind == TREE_BINARY && mask->op >= OP_LT && mask->op <= OP_NE)
        return mask->arg[0]->type;
    for (int k = 0; k < mask->n_arg && type == TYPE_NONE; k++)
        type = type_of_mask(mask->arg[k]);
    return type;
}

/* Bits of a mask of vectors in a number: one for each byte of a lane. */
static const char *any_of_bytes(struct vec_lanes *lanes, struct vec_truth truth, enum type type)
{
    struct arena *arena = lanes->emitter->arena;
    const int bits = lanes->vector->lanes * type_bits(type) / 8;
    const char *text = vec_instruction(lanes, VECTOR_MASK_BYTES, type, (struct vec_operands){.a = truth.text});
    const char *all = bits == 32 ? "-1" : arena_printf(arena, "0x%x", (1u << bits) - 1);

    if (bits < 16)
        text = arena_printf(arena, "(%s & %s)", text, all);
    return arena_printf(arena, "%s != %s", text, truth.inverted ? all : "0");
}

const char *vector_any_text(struct emitter *emitter, const struct tree_expr *any)
{
    const struct vector vector = {.lanes = (int)any->integer};
    struct vec_lanes lanes = {.emitter = emitter, .vector = &vector};
    const enum type type = type_of_mask(any->arg[0]);
    const struct vec_truth truth = vec_truth(&lanes, any->arg[0], type);
    const struct simd_type *simd = vec_register(&lanes, type);

    if (simd && simd->row[VECTOR_MASK_BYTES])
        return any_of_bytes(&lanes, truth, type);
    return vec_instruction(&lanes, VECTOR_MASK_ANY, type,
                           (struct vec_operands){.a = vec_plain_mask(&lanes, truth, type)});
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
    emitter->vector_helper = ARENA_ARRAY(emitter->arena, emitter->simd ? emitter->simd->n_helper + 1 : 1, const char *);
    node_for_each(node, note_node, emitter);
}

const char *vector_array_row(struct emitter *emitter, const struct array *array)
{
    const int64_t n = vec_in_row(emitter, array);

    return n == 1 ? "" : arena_printf(emitter->arena, "[%" PRId64 "]", n);
}

const char *vector_array_type(struct emitter *emitter, const struct array *array)
{
    const int lanes = emitter->array_lanes[array - emitter->program->array];
    const struct simd_type *simd = simd_type_of(emitter->simd, array->type, lanes);

    if (simd)
        vec_use_helpers(emitter, simd->name);
    return simd ? simd->name : c_type_name(array->type);
}

/* What was printed last: functions have a line between them and others. */
struct printing {
    struct emitter *emitter;
    struct text *out;
    bool any, tall;
};

static void print_definition(struct printing *printing, const char *code)
{
    const bool function = strstr(code, "\n{") != NULL;

    text_add(printing->out, printing->any && (printing->tall || function) ? "\n" : "");
    write_broken(printing->out, code);
    printing->any = true;
    printing->tall = function;
}

/* Does helper k call functions of single lanes, or those in front of it that do? */
static bool uses_each(const struct emitter *emitter, int k)
{
    const struct simd_helper *helper = emitter->simd->helper;
    bool uses = strstr(emitter->vector_helper[k], "_each_") != NULL;

    for (int j = 0; j < k && !uses; j++)
        uses =
            emitter->vector_helper[j] && c_mentions(emitter->vector_helper[k], helper[j].name) && uses_each(emitter, j);
    return uses;
}

/* What the table defines without, or with, functions of single lanes. */
static void print_table(struct printing *printing, bool with_each)
{
    const struct emitter *emitter = printing->emitter;

    for (int k = 0; emitter->simd && k < emitter->simd->n_helper; k++)
        if (emitter->vector_helper[k] && uses_each(emitter, k) == with_each)
            print_definition(printing, emitter->vector_helper[k]);
}

void vector_print_helpers(struct emitter *emitter, struct text *out)
{
    struct printing printing = {.emitter = emitter, .out = out};

    print_table(&printing, false);
    for (int k = 0; k < emitter->each.n; k++)
        print_definition(&printing, emitter->each.at[k].code);
    print_table(&printing, true);
}
