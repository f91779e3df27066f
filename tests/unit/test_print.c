/* The C printer: loop trees written as text against the C they must give, and every combination of types through
 * the compilers that are there, warnings being errors.
 *
 * A golden test NAME is print/NAME.tree over print/PROGRAM.json and print/NAME.expected (source, `----`, header);
 * POLYNEST_UPDATE=1 rewrites the latter.
 */
#include "api/registry.h"
#include "lower/pipeline.h"
#include "lower/body/preconditions.h"
#include "poly/context.h"
#include "read/read.h"
#include "target/target.h"
#include "tree/verify.h"
#include "tree_text.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

/* One run of the reader and the printer. */
struct run {
    struct arena *arena;
    isl_ctx *ctx;
    struct diags *diags;
    struct program *program;
    struct vars *vars;
    struct text source, header;
};

static void start(struct run *run, const char *name, const char *json)
{
    struct source *source;

    *run = (struct run){.arena = arena_new(), .ctx = poly_context_new(0)};
    run->diags = diags_new(run->arena);
    source = ARENA_NEW(run->arena, struct source);
    *source = (struct source){name, json, strlen(json)};
    if (read_program(run->arena, run->ctx, source, schedule_primitives, plan_primitives, run->diags, &run->program) ==
        STATUS_OK) {
        run->vars = vars_of_program(run->arena, run->program);
        return;
    }
    struct text text = {0};
    diags_print(run->diags, &text);
    ck_abort_msg("%s: %s", name, text_str(&text));
}

static void finish(struct run *run)
{
    text_free(&run->source);
    text_free(&run->header);
    arena_free(run->arena);
    poly_context_free(run->ctx);
}

/* tree with assignments in the place of statements. */
static const struct node *with_bodies(struct run *run, const struct node *tree)
{
    struct pipeline pipeline = {.arena = run->arena,
                                .stored = run->program,
                                .laid_out = run->program,
                                .vars = run->vars,
                                .diags = run->diags,
                                .last = "scopes",
                                .tree = tree,
                                .facts = FACT_ROUTINES | FACT_ELSE | FACT_THREADS | FACT_KERNELS};

    ck_assert_msg(pipeline_run(&pipeline, SECTION_BODIES) == STATUS_OK, "%s",
                  run->vars->broken ? run->vars->broken : "refused");
    return pipeline.tree;
}

static void print(struct run *run, const char *tree_text, bool check_args)
{
    const struct node *tree = tree_from_text(run->arena, run->program, tree_text, run->vars);
    struct unit unit = {.program = run->program, .param_var = run->vars->param, .name = run->program->name};

    ck_assert_msg(tree != NULL, "the tree of %s has an error", unit.name);
    unit.tree = with_bodies(run, tree);
    unit.header_name = arena_printf(run->arena, "%s.h", unit.name);
    unit.input_name = arena_printf(run->arena, "%s.json", unit.name);
    unit.check_args = check_args;
    unit.param_least = lower_param_least(run->arena, run->program);
    unit.precondition = lower_preconditions(run->arena, run->program, run->vars->param, &unit.n_precondition);
    ck_assert_ptr_nonnull(unit.precondition);
    ck_assert_int_eq(target_print(run->arena, &unit, &run->source, &run->header, run->diags), STATUS_OK);
}

static const char *golden_path(const char *name, const char *end)
{
    static char path[4][512];
    static int n;
    const char *folder = getenv("srcdir");

    n = (n + 1) % 4;
    snprintf(path[n], sizeof(path[n]), "%s/tests/unit/print/%s%s", folder ? folder : ".", name, end);
    return path[n];
}

static void read_file(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "rb");

    ck_assert_msg(file != NULL, "cannot open %s", path);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");

    ck_assert_msg(file != NULL, "cannot write %s", path);
    fputs(text, file);
    fclose(file);
}

static bool can_compile(const char *compiler)
{
    char command[256];

    snprintf(command, sizeof(command), "echo '_Float16 x;' | %s -x c -fsyntax-only - 2> /dev/null", compiler);
    return system(command) == 0;
}

/* The first of the compilers that knows all types. */
static void compile_with(const char *const *compiler, const char *name)
{
    char command[512];

    while (*compiler && !can_compile(*compiler))
        compiler++;
    if (!*compiler) {
        fprintf(stderr, "skipped: no compiler of this kind with _Float16\n");
        return;
    }
    snprintf(command, sizeof(command),
             "%s -std=c11 -O1 -Wall -Wextra -Wconversion -Wno-tautological-compare -Werror -c %s.c -o /dev/null",
             *compiler, name);
    ck_assert_msg(system(command) == 0, "%s", command);
}

static void compile(struct run *run)
{
    static const char *const gcc[] = {"gcc", NULL}, *const clang[] = {"clang", "clang -mavx512fp16", NULL};
    const char *name = run->program->name;
    char path[256];

    snprintf(path, sizeof(path), "%s.h", name);
    write_file(path, text_str(&run->header));
    snprintf(path, sizeof(path), "%s.c", name);
    write_file(path, text_str(&run->source));
    compile_with(gcc, name);
    compile_with(clang, name);
    remove(path);
    snprintf(path, sizeof(path), "%s.h", name);
    remove(path);
}

static void golden(const char *name, const char *program, bool check_args)
{
    static char json[1 << 16], tree[1 << 16], expected[1 << 16];
    struct run run;

    read_file(golden_path(program, ".json"), json, sizeof(json));
    read_file(golden_path(name, ".tree"), tree, sizeof(tree));
    start(&run, program, json);
    print(&run, tree, check_args);
    compile(&run);
    text_add(&run.source, "----\n");
    text_add(&run.source, text_str(&run.header));
    if (getenv("POLYNEST_UPDATE"))
        write_file(golden_path(name, ".expected"), text_str(&run.source));
    read_file(golden_path(name, ".expected"), expected, sizeof(expected));
    ck_assert_str_eq(text_str(&run.source), expected);
    finish(&run);
}

START_TEST(untiled_product)
{
    golden("untiled", "mm", false);
}
END_TEST

START_TEST(tiled_product_with_tails)
{
    golden("tiled", "mm", false);
}
END_TEST

START_TEST(loops_conditions_and_indices)
{
    golden("shapes", "shapes", true);
}
END_TEST

START_TEST(temporaries)
{
    golden("memory", "memory", true);
}
END_TEST

START_TEST(values)
{
    golden("values", "values", false);
}
END_TEST

START_TEST(layouts_and_indirect_subscripts)
{
    golden("layouts", "layouts", false);
}
END_TEST

START_TEST(long_lines)
{
    golden("long", "long", false);
}
END_TEST

static const char *const types[] = {"bool", "i8",  "i16", "i32",  "i64", "u8", "u16",
                                    "u32",  "u64", "f16", "bf16", "f32", "f64"};
enum { N_TYPE = (int)(sizeof(types) / sizeof(types[0])), FIRST_REAL = 9 };

/* The statements so far, as JSON strings. */
struct statements {
    struct text text;
    int n;
};

/* @T, @U: the two types; @A, @B: elements of them. */
static void add(struct statements *statements, const char *pattern, const char *t, const char *u)
{
    text_add(&statements->text, statements->n++ ? ", \"" : "\"");
    for (const char *c = pattern; *c; c++) {
        if (*c != '@') {
            text_char(&statements->text, *c);
            continue;
        }
        c++;
        if (*c == 'A' || *c == 'B')
            text_addf(&statements->text, "%c_%s[i]", *c, *c == 'A' ? t : u);
        else
            text_add(&statements->text, *c == 'T' ? t : u);
    }
    text_char(&statements->text, '"');
}

static void add_all(struct statements *statements, const char *const *pattern, const char *t, const char *u)
{
    for (; *pattern; pattern++)
        add(statements, *pattern, t, u);
}

/* What each pair of types must be able to do. */
static void add_pair(struct statements *statements, int t, int u)
{
    static const char *const any[] = {"R_@T[i] = @T(@A + @B)",
                                      "R_@T[i] = @T(@A - @B * 3)",
                                      "R_@T[i] = @T(@A * @B)",
                                      "R_@T[i] = @T(@A / @B)",
                                      "R_@U[i] = @U(@A * (@A - s_@U))",
                                      "R_@U[i] = @U(@T(@A * @A) * @B)",
                                      "R_@U[i] = @U(@A)",
                                      "R_@T[i] = @T(@A < @B)",
                                      "R_bool[i] = @A <= @B",
                                      "R_bool[i] = @A == @B && @B || !@A",
                                      "R_@T[i] = @T(!@B)",
                                      "R_@T[i] = @T(@A > @B ? @A : @B)",
                                      "R_@U[i] = @U(min(@A, @B))",
                                      "R_@U[i] = @U(max(@A, @B) + min(@B, 2))",
                                      "R_@T[i] += @T(@B)",
                                      "R_@T[i] *= @T(@B)",
                                      "R_@T[i] min= @T(@B)",
                                      "R_@T[i] max= @T(@B)",
                                      NULL};
    static const char *const integers[] = {"R_@T[i] = @T(@A % @B)",
                                           "R_@T[i] = @T(@A & @B + 3)",
                                           "R_@T[i] = @T((@A | 1) ^ (@B | 2))",
                                           "R_@T[i] = @T(@A << @B)",
                                           "R_@T[i] = @T(@A >> @B + 1)",
                                           "R_@T[i] &= @T(@B)",
                                           "R_@T[i] <<= @B",
                                           NULL};

    add_all(statements, any, types[t], types[u]);
    if (t < FIRST_REAL && u < FIRST_REAL)
        add_all(statements, integers, types[t], types[u]);
}

static void add_single(struct statements *statements, int t)
{
    static const char *const any[] = {"R_@T[i] = 1",
                                      "R_@T[i] = @T(i)",
                                      "R_@T[i] = @T(N - i)",
                                      "R_@T[i] = @T(@A + i)",
                                      "R_@T[i] = @T(@A ? 1 : 0)",
                                      "R_@T[i] = @T(s_@T + @A)",
                                      NULL};
    static const char *const numbers[] = {"R_@T[i] = -@A",
                                          "R_@T[i] = -(-@A)",
                                          "R_@T[i] = relu(@A)",
                                          "R_@T[i] = abs(@A)",
                                          "R_@T[i] += @A",
                                          "R_@T[i] -= 1",
                                          NULL};
    static const char *const reals[] = {"R_@T[i] = sqrt(@A)",          "R_@T[i] = exp(@A) + tanh(@A)",
                                        "R_@T[i] = pow(@A, 2)",        "R_@T[i] = fma(@A, @A, 1)",
                                        "R_@T[i] = 0.5 * @A",          "R_@T[i] = 1e10",
                                        "R_@T[i] = floor(@A) * i + N", NULL};

    add_all(statements, any, types[t], types[t]);
    if (t)
        add_all(statements, numbers, types[t], types[t]);
    if (t && t < FIRST_REAL)
        add(statements, "R_@T[i] = ~@A", types[t], types[t]);
    if (t >= FIRST_REAL)
        add_all(statements, reals, types[t], types[t]);
}

static void add_arrays(struct text *json, char prefix, const char *role)
{
    for (int t = 0; t < N_TYPE; t++)
        text_addf(json, "%s{\"name\": \"%c_%s\", \"role\": \"%s\", \"type\": \"%s\", \"shape\": [\"N\"]}",
                  prefix == 'R' && !t ? "" : ",\n", prefix, types[t], role, types[t]);
}

/* A program with every statement for type t beside each other type; *n is their number. */
static void describe(struct text *json, int t, int *n)
{
    struct statements statements = {{0}, 0};

    for (int u = 0; u < N_TYPE; u++)
        add_pair(&statements, t, u);
    add_single(&statements, t);
    text_addf(json, "{\"polynest\": 1, \"name\": \"all_%s\", \"params\": [\"N\"], \"scalars\": [", types[t]);
    for (int u = 0; u < N_TYPE; u++)
        text_addf(json, "%s{\"name\": \"s_%s\", \"type\": \"%s\"}", u ? ", " : "", types[u], types[u]);
    text_add(json, "],\n\"arrays\": [");
    add_arrays(json, 'R', "inout");
    add_arrays(json, 'A', "in");
    add_arrays(json, 'B', "in");
    text_addf(json, "],\n\"nests\": [{\"name\": \"nest\", \"loops\": [\"i < N\"], \"body\": [%s]}]}",
              text_str(&statements.text));
    text_free(&statements.text);
    *n = statements.n;
}

START_TEST(all_types_compile_in_silence)
{
    struct text json = {0}, tree = {0};
    struct run run;
    int n;

    describe(&json, _i, &n);
    for (int k = 0; k < n; k++)
        text_addf(&tree, "for i = 0 to N - 1\n    S%d[i]\n", k);
    start(&run, types[_i], text_str(&json));
    print(&run, text_str(&tree), false);
    compile(&run);
    finish(&run);
    text_free(&json);
    text_free(&tree);
}
END_TEST

static const char *const sum_json =
    "{\"polynest\": 1, \"name\": \"sum\", \"params\": [\"N\"], \"arrays\": ["
    "{\"name\": \"x\", \"role\": \"in\", \"type\": \"@\", \"shape\": [\"N\"]},"
    "{\"name\": \"s\", \"role\": \"inout\", \"type\": \"@\", \"shape\": []}],"
    "\"nests\": [{\"name\": \"n\", \"loops\": [\"i < N\"], \"body\": [\"s += x[i]\"]}]}";

static void expect_wrapped(const char *type, const char *line)
{
    struct text json = {0};
    struct run run;
    struct node wrapped;

    for (const char *c = sum_json; *c; c++)
        text_add_n(&json, *c == '@' ? type : c, *c == '@' ? strlen(type) : 1);
    start(&run, "sum", text_str(&json));
    const struct node *tree = tree_from_text(run.arena, run.program, "S0[3]\n", run.vars);
    wrapped = *with_bodies(&run, tree);
    wrapped.wrap = true;
    const struct unit unit = {.program = run.program,
                              .tree = &wrapped,
                              .param_var = run.vars->param,
                              .name = "sum",
                              .header_name = "sum.h",
                              .input_name = "sum.json"};
    ck_assert_int_eq(target_print(run.arena, &unit, &run.source, &run.header, run.diags), STATUS_OK);
    ck_assert_msg(strstr(text_str(&run.source), line) != NULL, "%s", text_str(&run.source));
    finish(&run);
    text_free(&json);
}

START_TEST(reordered_integer_sums_wrap)
{
    expect_wrapped("i32", "    *s = (int32_t)((uint32_t)*s + (uint32_t)x[3]);\n");
    expect_wrapped("i64", "    *s = (int64_t)((uint64_t)*s + (uint64_t)x[3]);\n");
    expect_wrapped("i16", "    *s = (int16_t)((uint32_t)(*s + 0) + (uint32_t)(x[3] + 0));\n");
    expect_wrapped("u32", "    *s += x[3];\n");
    expect_wrapped("f32", "    *s += x[3];\n");
}
END_TEST

int main(void)
{
    const TTest *const test[] = {untiled_product,
                                 tiled_product_with_tails,
                                 loops_conditions_and_indices,
                                 temporaries,
                                 values,
                                 layouts_and_indirect_subscripts,
                                 long_lines,
                                 reordered_integer_sums_wrap};
    Suite *suite = suite_create("print");
    TCase *cases = tcase_create("print");
    SRunner *runner = srunner_create(suite);

    suite_add_tcase(suite, cases);
    tcase_set_timeout(cases, 120);
    for (size_t k = 0; k < sizeof(test) / sizeof(test[0]); k++)
        tcase_add_test(cases, test[k]);
    tcase_add_loop_test(cases, all_types_compile_in_silence, 0, N_TYPE);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
