/* Expressions: precedence, printing, types and the conversions that typing makes visible. */
#include "unit.h"

#include "reading.h"

#include <inttypes.h>

static const char head[] =
    "{'polynest': 1, 'name': 'f', 'params': ['N'], 'scalars': [{'name': 's', 'type': 'f32'}, {'name': 'n', 'type': "
    "'i32'}, {'name': 'u', 'type': 'u32'}], 'arrays': [{'name': 'F', 'role': 'inout', 'type': 'f32', 'shape': [8, 8]}, "
    "{'name': 'D', 'role': 'inout', 'type': 'f64', 'shape': [8]}, {'name': 'H', 'role': 'inout', 'type': 'f16', "
    "'shape': [8]}, {'name': 'X', 'role': 'inout', 'type': 'i32', 'shape': [8]}, {'name': 'L', 'role': 'inout', "
    "'type': "
    "'i64', 'shape': [8]}, {'name': 'B', 'role': 'inout', 'type': 'i8', 'shape': [8]}, {'name': 'U', 'role': 'inout', "
    "'type': 'u32', 'shape': [8]}, {'name': 'z', 'role': 'inout', 'type': 'f32', 'shape': []}], 'nests': [{'loops': "
    "['i < 8', 'j < 8'], 'body': ['";

static struct reading_result read_body(const char *statement)
{
    struct text text = {0};
    struct reading_result result;

    text_addf(&text, "%s%s']}]}", head, statement);
    result = read_text(text_str(&text));
    text_free(&text);
    return result;
}

static void render(struct text *out, const struct expr *expr);

static void render_args(struct text *out, const char *name, const struct expr *expr)
{
    text_addf(out, "%s(", name);
    for (int k = 0; k < expr->n_arg; k++) {
        text_add(out, k ? ", " : "");
        render(out, expr->arg[k]);
    }
    text_char(out, ')');
}

/* Every node with its type, implicit conversions as ~type. */
static void render(struct text *out, const struct expr *expr)
{
    static const char *const loops[] = {"i", "j"};

    switch (expr->kind) {
    case EXPR_UNARY:
    case EXPR_BINARY:
        render_args(out, op_symbol(expr->op), expr);
        break;
    case EXPR_SELECT:
        render_args(out, "?", expr);
        break;
    case EXPR_CALL:
        render_args(out, function_name(expr->function), expr);
        break;
    case EXPR_CAST:
        render_args(out, expr->implicit ? "~" : "cast", expr);
        break;
    case EXPR_REAL:
        text_addf(out, "%s", expr->spelling);
        break;
    case EXPR_ACCESS:
        text_add(out, expr->array->name);
        break;
    default:
        expr_print(out, expr, loops);
    }
    text_addf(out, ":%s", type_name(expr->type));
}

struct row {
    const char *statement, *expected;
};

static const struct row typed[] = {
    {"F[i, j] = s * 2", "*(s:f32, 2:f32):f32"},
    {"F[i, j] = 2 * 3 + s", "+(6:f32, s:f32):f32"},
    {"F[i, j] = 1 / 2", "0:f32"},
    {"F[i, j] = 1 / 2.0", "0.5:f32"},
    {"F[i, j] = 0.1", "0.1:f32"},
    {"F[i, j] = -0.5 * s", "*(-0.5:f32, s:f32):f32"},
    {"F[i, j] = i", "i:f32"},
    {"F[i, j] = i + j", "~(+(i:i64, j:i64):i64):f32"},
    {"F[i, j] = s * (i + N)", "*(s:f32, ~(+(i:i64, N:i64):i64):f32):f32"},
    {"F[i, j] = f32(D[i])", "cast(D:f64):f32"},
    {"F[i, j] = f32(i)", "i:f32"},
    {"F[i, j] = f32(i / 2)", "cast(/(i:i64, 2:i64):i64):f32"},
    {"D[i] = s", "~(s:f32):f64"},
    {"D[i] = D[i] * s", "*(D:f64, ~(s:f32):f64):f64"},
    {"D[i] += s", "~(s:f32):f64"},
    {"D[i] = X[i]", "~(X:i32):f64"},
    {"D[i] = s > 0 ? 1.0 : 0", "?(>(s:f32, 0:f32):i32, 1.0:f64, 0:f64):f64"},
    {"F[i, j] = (s > 0 ? 1.0 : 2) + s", "+(?(>(s:f32, 0:f32):i32, 1.0:f32, 2:f32):f32, s:f32):f32"},
    {"H[i] = H[i] * H[j]", "~(*(~(H:f16):f32, ~(H:f16):f32):f32):f16"},
    {"H[i] += H[j]", "~(H:f16):f32"},
    {"H[i] = H[i] * 0.5", "~(*(~(H:f16):f32, 0.5:f32):f32):f16"},
    {"B[i] = B[i] + B[j] * 3", "~(+(~(B:i8):i32, *(~(B:i8):i32, 3:i32):i32):i32):i8"},
    {"B[i] += 1", "1:i32"},
    {"B[i] = -B[i]", "~(-(~(B:i8):i32):i32):i8"},
    {"X[i] = X[i] + i", "+(X:i32, i:i32):i32"},
    {"X[i] = i + X[i] + j", "+(+(i:i32, X:i32):i32, j:i32):i32"},
    {"X[i] = X[i] + (i + j)", "+(X:i32, ~(+(i:i64, j:i64):i64):i32):i32"},
    {"X[i] = X[i] + U[i]", "~(+(~(X:i32):u32, U:u32):u32):i32"},
    {"X[i] += U[i]", "U:u32"},
    {"L[i] = X[i] * L[j]", "*(~(X:i32):i64, L:i64):i64"},
    {"L[i] = U[i] + L[i]", "+(~(U:u32):i64, L:i64):i64"},
    {"X[i] = X[i] << 2", "<<(X:i32, 2:i32):i32"},
    {"X[i] = 1 << X[i]", "<<(1:i32, X:i32):i32"},
    {"X[i] <<= L[i]", "L:i64"},
    {"X[i] = s > X[i]", ">(s:f32, ~(X:i32):f32):i32"},
    {"X[i] = i < j && s > 1", "&&(<(i:i64, j:i64):i32, >(s:f32, 1:f32):i32):i32"},
    {"X[i] = !s", "!(s:f32):i32"},
    {"X[i] = i32(f64(X[i]) * 0.5)", "cast(*(cast(X:i32):f64, 0.5:f64):f64):i32"},
    {"X[i] min= i", "i:i32"},
    {"F[i, j] = max(s, 0)", "max(s:f32, 0:f32):f32"},
    {"F[i, j] = relu(F[i, j] - s)", "relu(-(F:f32, s:f32):f32):f32"},
    {"D[i] = fma(s, 2, D[i])", "fma(~(s:f32):f64, 2:f64, D:f64):f64"},
    {"D[i] = sqrt(2.0) * D[i]", "*(sqrt(2.0:f64):f64, D:f64):f64"},
    {"D[i] = pow(D[i], 2)", "pow(D:f64, 2:f64):f64"},
    {"X[i] = abs(i - j)", "~(abs(-(i:i64, j:i64):i64):i64):i32"},
    {"z = z + 1", "+(z:f32, 1:f32):f32"},
};

START_TEST(conversions_are_explicit)
{
    for (size_t k = 0; k < sizeof(typed) / sizeof(typed[0]); k++) {
        struct reading_result result = read_body(typed[k].statement);
        struct text text = {0};

        ck_assert_msg(result.status == STATUS_OK, "%s: %s", typed[k].statement, first_error(&result));
        render(&text, result.program->statement[0]->value);
        ck_assert_msg(strcmp(text_str(&text), typed[k].expected) == 0, "%s: %s, not %s", typed[k].statement,
                      text_str(&text), typed[k].expected);
        text_free(&text);
        reading_free(&result);
    }
}
END_TEST

static const struct row printed[] = {
    {"D[i]=1+2*s-s", "D[i] = 1 + 2 * s - s"},
    {"D[i] = (s - n) - (s - n)", "D[i] = s - n - (s - n)"},
    {"D[i] = s / (s * n) * -(s + 1)", "D[i] = s / (s * n) * -(s + 1)"},
    {"X[i] = ~X[i] & 3 | X[j] ^ 7 << 1", "X[i] = ~X[i] & 3 | X[j] ^ 14"},
    {"X[i] = (X[i] | 1) & n == 2", "X[i] = (X[i] | 1) & n == 2"},
    {"X[i] = not (n > 1 and s < 2) or n", "X[i] = !(n > 1 && s < 2) || n"},
    {"F[i][j + 1 - 1] = s > 0 ? s : n > 0 ? 1.5 : 2", "F[i, j + 1 - 1] = s > 0 ? s : n > 0 ? 1.5 : 2"},
    {"D[i] = (s > 0 ? s : 1) * 2", "D[i] = (s > 0 ? s : 1) * 2"},
    {"D[(i + j) % 8] max= pow(s, 2)", "D[(i + j) % 8] max= pow(s, 2)"},
    {"D[7 - i] = - -s", "D[7 - i] = -(-s)"},
    {"D[i] = s - -2", "D[i] = s - -2"},
    {"z += F[i, j] * f32(D[i])", "z += F[i, j] * f32(D[i])"},
    {"X[i] = X[X[j] & 7]", "X[i] = X[X[j] & 7]"},
};

START_TEST(printing_keeps_the_meaning)
{
    for (size_t k = 0; k < sizeof(printed) / sizeof(printed[0]); k++) {
        struct reading_result result = read_body(printed[k].statement);
        struct text text = {0};

        ck_assert_msg(result.status == STATUS_OK, "%s: %s", printed[k].statement, first_error(&result));
        statement_print(&text, result.program->statement[0]);
        ck_assert_msg(strcmp(text_str(&text), printed[k].expected) == 0, "%s: %s", printed[k].expected,
                      text_str(&text));
        text_free(&text);
        reading_free(&result);
    }
}
END_TEST

START_TEST(literals_are_rounded_once)
{
    struct reading_result result = read_body("F[i, j] = 0.1");

    ck_assert(result.program->statement[0]->value->real == (double)0.1f);
    reading_free(&result);
}
END_TEST

static void check_limit(const char *piece, int n, const char *rule)
{
    struct text text = {0};
    struct reading_result result;

    text_add(&text, "D[i] = ");
    for (int k = 0; k < n; k++)
        text_add(&text, piece);
    text_add(&text, "s");
    result = read_body(text_str(&text));
    ck_assert_msg(strncmp(first_error(&result), rule, strlen(rule)) == 0, "%s * %d: %s", piece, n,
                  first_error(&result));
    text_free(&text);
    reading_free(&result);
}

START_TEST(depth_and_size_have_limits)
{
    check_limit("(", 100000, "depth");
    check_limit("-", 100000, "depth");
    check_limit("sqrt(", 100000, "depth");
    check_limit("s ? s : ", 100000, "depth");
    check_limit("D[", 100000, "depth");
    check_limit("s + ", 100000, "too-large");
    check_limit("s + ", 900, "accepted");
    check_limit("k + ", 100000, "unknown-name");
    check_limit("s < ", 100000, "syntax");
}
END_TEST

UNIT_MAIN("expr", conversions_are_explicit, printing_keeps_the_meaning, literals_are_rounded_once,
          depth_and_size_have_limits)
