/* The launcher: launches in order, their limits, temporaries in the device's memory. */
#include "target/device/extent.h"

#include "caps/gpu.h"
#include "target/clike/body.h"
#include "target/clike/index.h"
#include "target/clike/storage.h"
#include "target/clike/types.h"

#include <inttypes.h>
#include <string.h>

const char *device_launcher_head(struct device_file *file)
{
    const char *parameters = device_parameters(file);

    return arena_printf(file->c.emitter.arena, "%s %s(%s%s%s %s)", file->words->error, file->c.unit->name, parameters,
                        *parameters ? ", " : "", file->words->stream, file->stream);
}

static const struct device_kernel *find_kernel(const struct device_file *file, const struct node *node)
{
    for (int k = 0; k < file->kernel.n; k++)
        if (file->kernel.at[k].node == node)
            return &file->kernel.at[k];
    return NULL;
}

static void add_test(struct device_file *file, const char **tests, const char *test, const char *join)
{
    *tests = *tests ? arena_printf(file->c.emitter.arena, "%s %s %s", *tests, join, test) : test;
}

/* Is an axis with a smaller limit as long as axis k is? */
static bool is_tested_closer(const struct gpu *gpu, const struct extent *extent, int k)
{
    for (int other = 0; other < 6; other++)
        if (gpu->limit[AXIS_BLOCK_X + other] < gpu->limit[AXIS_BLOCK_X + k] && !extent[other].value &&
            strcmp(extent[other].text, extent[k].text) == 0)
            return true;
    return false;
}

/* That the launch asks for more shared memory than there is; NULL: never. */
static const char *beyond_shared(struct device_file *file, const struct device_shared *shared)
{
    struct arena *arena = file->c.emitter.arena;

    if (!shared->bytes || shared->known <= shared->most)
        return NULL;
    return arena_printf(arena, "%s%s > %" PRId64,
                        shared->known == INT64_MAX ? arena_printf(arena, "%s < 0 || ", file->shared) : "", file->shared,
                        shared->most);
}

/* Has the function ended before where the tests hold, for all sizes with which the condition does? */
static bool was_tested(const struct device_file *file, const char *condition, const char *tests)
{
    for (int k = 0; k < file->tested.n; k++) {
        const struct launch_test *before = &file->tested.at[k];
        if (strcmp(before->tests, tests) == 0 &&
            (!before->condition || (condition && strcmp(before->condition, condition) == 0)))
            return true;
    }
    return false;
}

/* Returns an error where a grid or block would be larger than the device has; at_top: before all launches behind. */
static void print_limits(struct device_file *file, const struct extent *extent, const struct device_shared *shared,
                         const char *condition, bool at_top)
{
    const struct gpu *gpu = gpu_by_language(file->c.unit->program->target.language);
    struct arena *arena = file->c.emitter.arena;
    const char *tests = NULL, *threads = NULL;
    int symbolic = 0, factors = 0;

    for (int k = 0; k < 6; k++)
        if (extent[k].first && !is_tested_closer(gpu, extent, k))
            add_test(file, &tests,
                     arena_printf(arena, "%s > %" PRId64 "%s", extent[k].first,
                                  gpu->limit[AXIS_BLOCK_X + k] * extent[k].run, extent[k].per),
                     "||");
    for (int k = 3; k < 6; k++) {
        symbolic += !extent[k].value;
        factors += extent[k].value != 1;
        if (extent[k].value != 1)
            add_test(file, &threads,
                     strchr(extent[k].text, ' ') ? arena_printf(arena, "(%s)", extent[k].text) : extent[k].text, "*");
    }
    if (symbolic && factors > 1)
        add_test(file, &tests, arena_printf(arena, "%s > %" PRId64, threads, gpu->threads), "||");
    if (beyond_shared(file, shared))
        add_test(file, &tests, beyond_shared(file, shared), "||");
    if (!tests || was_tested(file, condition, tests))
        return;
    if (at_top && !shared->bytes)
        VEC_PUSH(arena, &file->tested, ((struct launch_test){condition, tests}));
    write_linef(&file->c.emitter.writer, "if (%s)", tests);
    file->c.emitter.writer.indent++;
    write_linef(&file->c.emitter.writer, "return %s; /* more than a launch can have */", file->words->too_large);
    file->c.emitter.writer.indent--;
}

static bool is_never_positive(const struct affine *affine)
{
    int64_t value;

    return affine_is_constant(affine, &value) && value < 1;
}

/* "M > 0" for (M + 15) / 16 > 0; of a maximum one is enough. */
static const char *positive(struct device_file *file, const struct affine *affine)
{
    struct arena *arena = file->c.emitter.arena;
    const struct affine *rest = affine_add_constant(arena, affine, -1);
    const struct atom *atom = affine->n_term == 1 && affine->term->factor == 1 ? affine->term->atom : NULL;
    const char *any = NULL;

    for (int k = 0; atom && atom->kind == ATOM_MAX && affine->constant == 0 && k < atom->n_arg; k++)
        if (!is_never_positive(atom->arg[k]))
            add_test(file, &any, positive(file, atom->arg[k]), "||");
    if (any)
        return any;
    if (affine->n_term == 1 && affine->term->factor == 1 && affine->term->atom->kind == ATOM_FLOOR)
        rest = affine_add_constant(arena, affine->term->atom->arg[0],
                                   affine->term->atom->divisor * (affine->constant - 1));
    file->c.emitter.failed |= !rest;
    return index_condition(&file->c.emitter, &(struct condition){rest ? rest : affine, false});
}

/* The conditions of a launch, each once. */
typedef VEC(const char *) conditions;

static void add_condition(struct device_file *file, conditions *list, const char *condition)
{
    for (int k = 0; k < list->n; k++)
        if (strcmp(list->at[k], condition) == 0)
            return;
    VEC_PUSH(file->c.emitter.arena, list, condition);
}

/* The extent of an axis without what fills it up. */
static const struct affine *wanted(const struct launch *launch, enum axis axis)
{
    return axis == AXIS_THREAD_X && launch->wanted_x ? launch->wanted_x : launch->extent[axis];
}

/* That the extent is positive, if it is one and that is not known. */
static void add_positive(struct device_file *file, const struct affine *extent, conditions *list)
{
    if (extent && affine_least(extent, file->c.unit->param_least) < 1)
        add_condition(file, list, positive(file, extent));
}

/* "M > 0 && N > 0": what the one launch of all is under, and that it has something to do; NULL: always. */
static const char *launch_condition(struct device_file *file, const struct launch *launch, const struct extent *extent,
                                    bool lone)
{
    struct arena *arena = file->c.emitter.arena;
    const char *tests = NULL;
    conditions list = {0};

    for (const struct node *node = file->root; lone && node->kind == NODE_IF; node = node->child[0])
        for (int c = 0; c < node->alternative->n; c++)
            add_condition(file, &list, index_condition(&file->c.emitter, &node->alternative->condition[c]));
    for (int k = 0; k < LAUNCH_AXES; k++)
        for (int digit = AXIS_DIGITS - 1; digit >= 0 && !extent[k].value; digit--)
            add_positive(file, wanted(launch, axis_digit((enum axis)(AXIS_BLOCK_X + k), digit)), &list);
    for (int k = 0; k < list.n; k++)
        add_test(file, &tests,
                 list.n > 1 && strstr(list.at[k], "||") ? arena_printf(arena, "(%s)", list.at[k]) : list.at[k], "&&");
    return tests;
}

/* The last launch of all can return what it returns; after others an error ends the function. */
static void print_check(struct device_file *file, bool lone)
{
    struct writer *writer = &file->c.emitter.writer;

    if (lone) {
        write_linef(writer, "return %s;", file->words->last_error);
        return;
    }
    write_linef(writer, "if ((%s = %s) != %s)", file->error, file->words->last_error, file->words->success);
    writer->indent++;
    write_linef(writer, "return %s;", file->error);
    writer->indent--;
}

/* More shared memory than a kernel may declare is there when it was asked for before: as much as there is, since other
 * threads may launch the kernel with other sizes. */
static void print_permission(struct device_file *file, const struct device_kernel *kernel, bool lone)
{
    const struct gpu *gpu = gpu_by_language(file->c.unit->program->target.language);
    const struct device_shared *shared = &kernel->shared;
    struct writer *writer = &file->c.emitter.writer;
    struct arena *arena = file->c.emitter.arena;
    const char *bytes = arena_printf(arena, "%" PRId64, shared->bytes ? shared->most : shared->constant);
    const char *success = file->words->success, *call;
    const char *when =
        shared->bytes ? arena_printf(arena, "%s > %" PRId64, file->shared, gpu->shared_bytes - shared->declared) : NULL;

    if (!device_shared_needs_permission(file, shared))
        return;
    call =
        template_operation(arena, file->words->permit_shared, (const char *[]){kernel->node->launch->name, bytes}, 2);
    if (when)
        write_linef(writer, "if (%s) {", when);
    writer->indent += when != NULL;
    if (lone || when)
        write_linef(writer, "%s%s = %s;", lone ? arena_printf(arena, "const %s ", file->words->error) : "", file->error,
                    call);
    if (lone || when)
        write_linef(writer, "if (%s != %s)", file->error, success);
    else
        write_linef(writer, "if ((%s = %s) != %s)", file->error, call, success);
    writer->indent++;
    write_linef(writer, "return %s;", file->error);
    writer->indent--;
    writer->indent -= when != NULL;
    if (when)
        write_line(writer, "}");
}

/* The one launch that there is, perhaps under conditions; NULL: there are several, or loops. */
static const struct node *lone_kernel(const struct device_file *file)
{
    const struct node *node = file->root;

    while (node->kind == NODE_IF && node->n_child == 1 && node->n_alternative == 1 && !node->comment)
        node = node->child[0];
    return node->kind == NODE_KERNEL ? node : NULL;
}

/* Is the kernel all that a loop or condition of the host has, whose braces are around it then? */
static bool is_governed(const struct node *node, const struct node *kernel)
{
    if (node->n_child > 0 && node->child[0] == kernel && node->kind != NODE_BLOCK)
        return node->n_child == 1;
    for (int k = 0; k < node->n_child; k++)
        if (is_governed(node->child[k], kernel))
            return true;
    return false;
}

/* A launch is one line, whatever its length: a build for the host rewrites it. */
static void print_launch(struct emitter *emitter, const struct node *node)
{
    struct device_file *file = (struct device_file *)((char *)emitter - offsetof(struct device_file, c.emitter));
    const struct device_kernel *kernel = find_kernel(file, node);
    const bool lone = lone_kernel(file) == node, governed = !lone && is_governed(file->root, node);
    bool braces;
    struct writer *writer = &emitter->writer;
    struct extent extent[6];
    const char *condition;

    for (int k = 0; k < 6; k++)
        extent[k] = extent_of(file, node->launch, AXIS_BLOCK_X + k);
    condition = launch_condition(file, node->launch, extent, lone);
    braces = condition || (!lone && !governed);
    if (condition)
        write_linef(writer, "if (%s) {", condition);
    else if (braces)
        write_line(writer, "{");
    writer->indent += braces;
    if (kernel->shared.bytes)
        write_linef(writer, "const int64_t %s = %s;", file->shared, kernel->shared.bytes);
    print_limits(file, extent, &kernel->shared, condition, writer->indent == 1 + braces);
    write_linef(writer, "const dim3 %s(%s), %s(%s);", file->grid, extents_text(file, extent), file->block,
                extents_text(file, extent + 3));
    print_permission(file, kernel, lone);
    text_addf(writer->out, "%*s%s;\n", 4 * writer->indent, "",
              template_operation(emitter->arena, file->words->launch,
                                 (const char *[]){node->launch->name, file->grid, file->block,
                                                  kernel->shared.bytes ? file->shared
                                                                       : arena_printf(emitter->arena, "%" PRId64,
                                                                                      kernel->shared.constant),
                                                  file->stream, kernel->arguments},
                                 6));
    print_check(file, lone);
    writer->indent -= braces;
    if (braces)
        write_line(writer, "}");
    if (lone && condition)
        write_linef(writer, "return %s;", file->words->success);
}

void device_print_launches(struct device_file *file, const struct node *tree)
{
    struct writer *writer = &file->c.emitter.writer;
    const struct node *lone;

    file->root = tree;
    lone = lone_kernel(file);
    if (!lone) {
        write_linef(writer, "%s %s;", file->words->error, file->error);
        text_char(writer->out, '\n');
    }
    file->c.emitter.kernel = print_launch;
    file->c.emitter.call_launching = device_print_call;
    body_print(&file->c.emitter, lone ? lone : tree);
    if (!lone)
        write_linef(writer, "return %s;", file->words->success);
}

static const struct array *device_array(struct device_file *file, int *k)
{
    for (; *k < file->c.unit->program->n_array; ++*k)
        if (device_hands_on(file, *k))
            return &file->c.unit->program->array[(*k)++];
    return NULL;
}

/* "float *tmp" of every temporary that kernels hand on, each after ", ". */
static const char *temporaries(struct device_file *file, bool declared)
{
    const char *text = "";
    int k = 0;

    for (const struct array *array = device_array(file, &k); array; array = device_array(file, &k))
        text = declared ? arena_printf(file->c.emitter.arena, "%s%s *%s, ", text,
                                       emitter_type(&file->c.emitter, array->type), array->name)
                        : arena_printf(file->c.emitter.arena, "%s%s, ", text, array->name);
    return text;
}

static const char *argument_names(struct device_file *file)
{
    const struct program *program = file->c.unit->program;
    struct arena *arena = file->c.emitter.arena;
    const char *text = "";

    for (int k = 0; k < program->n_param; k++)
        text = arena_printf(arena, "%s%s, ", text, program->param[k].name);
    for (int k = 0; k < program->n_scalar; k++)
        text = arena_printf(arena, "%s%s, ", text, program->scalar[k].name);
    for (int k = 0; k < program->n_array; k++)
        if (array_is_argument(&program->array[k]))
            text = arena_printf(arena, "%s%s, ", text, program->array[k].name);
    return text;
}

/* The bytes of an array, at least one. */
static const char *bytes_text(struct device_file *file, const struct array *array)
{
    if (array->n_dim == 0)
        return arena_printf(file->c.emitter.arena, "sizeof *%s", array->name);
    return arena_printf(file->c.emitter.arena, "%s(%s)",
                        helper_use(&file->c.emitter.helpers, HELPER_DEVICE_SIZE, TYPE_I64),
                        array_bytes_text(&file->c.emitter, array));
}

static void print_step(struct device_file *file, bool first, const char *call)
{
    struct writer *writer = &file->c.emitter.writer;

    if (!first) {
        write_linef(writer, "if (%s == %s)", file->error, file->words->success);
        writer->indent++;
    }
    write_linef(writer, "%s = %s;", file->error, call);
    writer->indent -= !first;
}

/* Allocation, the launches in a function of their own, and release whatever happened. */
static void print_allocations(struct device_file *file, const char *launches)
{
    const struct device_words *words = file->words;
    struct arena *arena = file->c.emitter.arena;
    struct writer *writer = &file->c.emitter.writer;
    const char *name = file->freed;
    bool first = true;
    int k = 0;

    for (const struct array *array = device_array(file, &k); array; array = device_array(file, &k))
        write_linef(writer, "%s *%s = NULL;", emitter_type(&file->c.emitter, array->type), array->name);
    write_linef(writer, "%s %s, %s;", words->error, file->error, name);
    text_char(writer->out, '\n');
    k = 0;
    for (const struct array *array = device_array(file, &k); array; array = device_array(file, &k), first = false) {
        const char *bytes = bytes_text(file, array);
        print_step(file, first,
                   arena_printf(arena, "%s((void **)&%s, %s, %s)", words->allocate_async, array->name, bytes,
                                file->stream));
        if (array->init_zero)
            print_step(file, false,
                       arena_printf(arena, "%s(%s, 0, %s, %s)", words->clear_async, array->name, bytes, file->stream));
    }
    print_step(file, false,
               arena_printf(arena, "%s(%s%s%s)", launches, argument_names(file), temporaries(file, false),
                            file->stream));
    k = 0;
    for (const struct array *array = device_array(file, &k); array; array = device_array(file, &k)) {
        write_linef(writer, "%s = %s ? %s(%s, %s) : %s;", name, array->name, words->release_async, array->name,
                    file->stream, words->success);
        write_linef(writer, "%s = %s == %s ? %s : %s;", file->error, file->error, words->success, name, file->error);
    }
    write_linef(writer, "return %s;", file->error);
}

static bool has_device_arrays(struct device_file *file)
{
    int k = 0;

    return device_array(file, &k) != NULL;
}

void device_print_function(struct device_file *file, struct text *out, const char *head, const char *body)
{
    struct writer writer = {out, 0, false};

    write_line(&writer, head);
    text_add(out, "{\n");
    c_print_unused(file->c.unit->program, body, out);
    text_addf(out, "%s}\n", body);
}

void device_print_launcher(struct device_file *file, struct text *out)
{
    struct arena *arena = file->c.emitter.arena;
    struct text body = {0};
    const char *parameters = device_parameters(file), *launches;

    file->c.emitter.writer = (struct writer){&body, 1, false};
    if (file->c.unit->check_args)
        c_print_checks(&file->c);
    device_print_launches(file, file->c.unit->tree);
    if (has_device_arrays(file)) {
        launches = names_unique(&file->c.emitter.names, arena_printf(arena, "%s_launch", file->c.unit->name));
        device_print_function(file, out,
                              arena_printf(arena, "static %s %s(%s%s%s%s %s)", file->words->error, launches, parameters,
                                           *parameters ? ", " : "", temporaries(file, true), file->words->stream,
                                           file->stream),
                              text_str(&body));
        text_char(out, '\n');
        text_truncate(&body, 0);
        print_allocations(file, launches);
    }
    text_add(out, "/* Arrays are in the device's memory; runs on the given stream. */\n");
    device_print_function(file, out, device_launcher_head(file), text_str(&body));
    text_free(&body);
}
