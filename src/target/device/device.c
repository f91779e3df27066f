/* Kernels, and a launcher with C linkage that takes device pointers and a stream. */
#include "target/device/file.h"

#include "base/template.h"
#include "caps/gpu.h"
#include "program/permit.h"
#include "target/clike/body.h"
#include "target/clike/declare.h"
#include "target/clike/index.h"
#include "target/clike/storage.h"
#include "target/clike/nodes/texts.h"
#include "target/clike/types.h"
#include "tree/layout.h"
#include "tree/visit.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* What the headers declare, or every kernel has. */
static const char *const reserved[] = {"min",      "max",     "abs",      "threadIdx", "blockIdx",
                                       "blockDim", "gridDim", "warpSize", "dim3"};

const char *const device_positions[AXIS_COUNT] = {
    [AXIS_BLOCK_X] = "blockIdx.x",   [AXIS_BLOCK_Y] = "blockIdx.y",   [AXIS_BLOCK_Z] = "blockIdx.z",
    [AXIS_THREAD_X] = "threadIdx.x", [AXIS_THREAD_Y] = "threadIdx.y", [AXIS_THREAD_Z] = "threadIdx.z",
};

bool device_hands_on(const struct device_file *file, int number)
{
    const struct array *array = &file->c.unit->program->array[number];

    return file->c.array_used[number] && array->role == ROLE_TEMP && array->memory == MEMORY_GLOBAL;
}

static const char *joined(struct arena *arena, const char *list, const char *item)
{
    return *list ? arena_printf(arena, "%s, %s", list, item) : item;
}

static const char *pointer(struct device_file *file, const struct array *array, bool is_read_only,
                           const char *restrict_word)
{
    const char *type = emitter_type(&file->c.emitter, array->type), *constant = is_read_only ? "const " : "";

    if (storage_of(&file->c.emitter, array) == STORAGE_VALUE)
        return arena_printf(file->c.emitter.arena, "%s %s", type, array->name);
    return arena_printf(file->c.emitter.arena, "%s%s *%s%s", constant, type, restrict_word, array->name);
}

const char *device_parameters(struct device_file *file)
{
    const struct program *program = file->c.unit->program;
    struct arena *arena = file->c.emitter.arena;
    const char *text = "";

    for (int k = 0; k < program->n_param; k++)
        text = joined(arena, text,
                      arena_printf(arena, "%s %s", c_type_name(program->param[k].type), program->param[k].name));
    for (int k = 0; k < program->n_scalar; k++)
        text = joined(arena, text,
                      arena_printf(arena, "%s %s", emitter_type(&file->c.emitter, program->scalar[k].type),
                                   program->scalar[k].name));
    for (int k = 0; k < program->n_array; k++)
        if (array_is_argument(&program->array[k]))
            text = joined(arena, text, pointer(file, &program->array[k], program->array[k].role == ROLE_IN, ""));
    return text;
}

/* Does a kernel write to the array? A function that it calls may, and so may a text with its address. */
struct writing {
    const struct program *program;
    const struct array *array;
    bool found;
};

static void look_for_write(const struct node *node, void *user)
{
    struct writing *writing = user;

    writing->found |= node->kind == NODE_CALL ||
                      (node->kind == NODE_ASSIGN && strcmp(node->target.array->name, writing->array->name) == 0);
    writing->found |= node->kind == NODE_TEXT && text_writes(writing->program, node, writing->array);
}

bool device_is_read_only(const struct device_file *file, const struct device_kernel *kernel, const struct array *array)
{
    struct writing writing = {file->c.unit->program, array, false};

    if (array->role != ROLE_IN)
        node_for_each(kernel->node, look_for_write, &writing);
    return !writing.found;
}

static void add_parameter(struct device_file *file, struct device_kernel *kernel, const char *name,
                          const char *declaration)
{
    if (!c_mentions(kernel->body, name))
        return;
    kernel->parameters = joined(file->c.emitter.arena, kernel->parameters, declaration);
    kernel->arguments = joined(file->c.emitter.arena, kernel->arguments, name);
}

/* A pointer to an array as the kernel has it. */
static const char *kernel_pointer(struct device_file *file, const struct device_kernel *kernel,
                                  const struct array *array, const char *restrict_word)
{
    const bool read_only = device_is_read_only(file, kernel, array);
    const bool merged = *restrict_word && file->words->merges_loads && device_is_merged(file, kernel, array);

    return pointer(file, array, read_only, merged ? "" : restrict_word);
}

void device_add_parameters(struct device_file *file, struct device_kernel *kernel, const char *restrict_word)
{
    const struct program *program = file->c.unit->program;
    struct arena *arena = file->c.emitter.arena;

    kernel->parameters = kernel->arguments = "";
    for (int k = 0; k < program->n_param; k++)
        add_parameter(file, kernel, program->param[k].name,
                      arena_printf(arena, "%s %s", c_type_name(program->param[k].type), program->param[k].name));
    for (int k = 0; k < kernel->node->n_argument_var; k++) {
        const struct var *var = kernel->node->argument_var[k];
        const char *type = index_is_narrow(&file->c.emitter, var) ? "int" : "int64_t";
        add_parameter(file, kernel, var->name, arena_printf(arena, "%s %s", type, var->name));
    }
    for (int k = 0; k < program->n_scalar; k++)
        add_parameter(file, kernel, program->scalar[k].name,
                      arena_printf(arena, "%s %s", emitter_type(&file->c.emitter, program->scalar[k].type),
                                   program->scalar[k].name));
    for (int k = 0; k < program->n_array; k++)
        if (array_is_argument(&program->array[k]) || device_hands_on(file, k))
            add_parameter(file, kernel, program->array[k].name,
                          kernel_pointer(file, kernel, &program->array[k], restrict_word));
}

/* Is the array declared inside of the node? */
static bool declares(const struct node *node, const struct array *array)
{
    if (node->declares && node->target.array == array)
        return true;
    for (int k = 0; k < node->n_local; k++)
        if (node->local[k] == array)
            return true;
    for (int k = 0; k < node->n_child; k++)
        if (declares(node->child[k], array))
            return true;
    return false;
}

/* Is the array a temporary that is declared with the kernel? */
static bool is_of_kernel(const struct node *kernel, const struct array *array, const char *body)
{
    return array->role == ROLE_TEMP && array->memory != MEMORY_GLOBAL && !declares(kernel, array) &&
           c_mentions(body, array->name);
}

/* Arrays of the block, then those of each thread, as far as the body mentions them and no loop declares them. */
static void declare_arrays(struct device_file *file, const struct node *kernel, const char *body, struct text *out)
{
    const struct program *program = file->c.unit->program;
    struct writer writer = {out, 1, false};
    const size_t before = out->size;

    device_declare_shared(file, body, &writer);
    for (int k = 0; k < program->n_array; k++)
        if (program->array[k].memory == MEMORY_LOCAL && is_of_kernel(kernel, &program->array[k], body))
            write_linef(&writer, "%s;", declare_text(&file->c.emitter, NULL, &program->array[k]));
    for (int k = 0; k < program->n_array; k++)
        if (is_of_kernel(kernel, &program->array[k], body) && !node_reads(kernel, &program->array[k]))
            write_linef(&writer, "%s%s;", file->c.emitter.dialect->unread_word, program->array[k].name);
    if (out->size > before)
        text_char(out, '\n');
}

static void add_kernel(struct device_file *file, const struct node *node)
{
    struct device_kernel kernel = {.node = node};
    struct text body = {0}, whole = {0};

    file->c.emitter.writer = (struct writer){&body, 1, false};
    file->c.emitter.hides_signs = file->words->drops_signs && device_chooses_least(node);
    body_print(&file->c.emitter, node->child[0]);
    declare_arrays(file, node, text_str(&body), &whole);
    text_add(&whole, text_str(&body));
    kernel.body = arena_copy(file->c.emitter.arena, text_str(&whole));
    kernel.shared = device_shared_of(file, text_str(&body));
    text_free(&body);
    text_free(&whole);
    device_add_parameters(file, &kernel, "__restrict__ ");
    VEC_PUSH(file->c.emitter.arena, &file->kernel, kernel);
}

static void add_kernels(struct device_file *file, const struct node *node)
{
    if (node->kind == NODE_KERNEL) {
        add_kernel(file, node);
        return;
    }
    for (int k = 0; k < node->n_child; k++)
        add_kernels(file, node->child[k]);
}

/* The most threads of a block along axis: of a tuple's loops all together. */
static int64_t most_along(const struct device_file *file, const struct launch *launch, enum axis axis, int64_t limit)
{
    int64_t most = 1;

    for (int k = 0; k < AXIS_DIGITS; k++) {
        const struct affine *extent = launch->extent[axis_digit(axis, k)];
        const int64_t digit = extent ? affine_most(extent, file->c.unit->param_most) : 1;
        if (digit > 0)
            most = digit > limit / most ? limit : most * digit;
    }
    return most;
}

/* The most threads of a block: the launcher refuses sizes with which there would be more than a device has. */
static int64_t most_threads(const struct device_file *file, const struct launch *launch)
{
    const struct gpu *gpu = gpu_by_language(file->c.unit->program->target.language);
    int64_t most = 1;

    for (int k = AXIS_THREAD_X; k <= AXIS_THREAD_Z; k++) {
        const int64_t along = most_along(file, launch, (enum axis)k, gpu->limit[k]);
        most = along > gpu->threads / most ? gpu->threads : most * along;
    }
    return most;
}

/* " __launch_bounds__(256, 2)": without it the compiler may give threads more registers than so many can have. */
static void print_bounds(const struct device_file *file, const struct launch *launch, struct text *out)
{
    text_addf(out, " __launch_bounds__(%" PRId64, most_threads(file, launch));
    if (launch->resident)
        text_addf(out, ", %" PRId64, launch->resident);
    text_char(out, ')');
}

static void print_kernel(struct device_file *file, const struct device_kernel *kernel, struct text *out)
{
    struct writer writer = {out, 0, false};

    text_add(out, "static __global__ void");
    print_bounds(file, kernel->node->launch, out);
    text_char(out, '\n');
    write_linef(&writer, "%s(%s)", kernel->node->launch->name, kernel->parameters);
    write_body(out, kernel->body);
    text_char(out, '\n');
}

static bool uses_fragments(const struct program *program)
{
    for (int k = 0; k < program->n_array; k++)
        if (program->array[k].fragment)
            return true;
    return false;
}

/* Do threads join numbers of bf16, or warps whose size the architecture tells? */
struct joining {
    const struct gpu *gpu;
    bool found;
};

static void note_joined(const struct node *node, void *user)
{
    struct joining *joining = user;

    if (node->kind == NODE_ASSIGN && (node->atomic || node->warp_sum))
        joining->found |= node->target.array->type == TYPE_BF16 || (node->warp_sum && joining->gpu->warps_differ);
}

/* Is there something that not every device has? */
static bool needs_arch(const struct device_file *file)
{
    struct joining joining = {gpu_by_language(file->c.unit->program->target.language), false};
    bool needs = uses_fragments(file->c.unit->program);

    for (int k = 0; k < file->kernel.n; k++) {
        needs = needs || device_shared_needs_permission(file, &file->kernel.at[k].shared);
        node_for_each(file->kernel.at[k].node, note_joined, &joining);
    }
    return needs || joining.found;
}

static void note_asynchronous(const struct node *node, void *user)
{
    *(bool *)user |= node->kind == NODE_ASSIGN && node->asynchronous;
}

static void print_includes(const struct device_file *file, struct text *out)
{
    const char *no_contraction = file->c.emitter.dialect->no_contraction;
    bool asynchronous = false;

    node_for_each(file->c.unit->tree, note_asynchronous, &asynchronous);
    text_addf(out, "#include \"%s\"\n\n", file->c.unit->header_name);
    if (asynchronous)
        text_addf(out, "#include <%s>\n\n", file->words->copy_header);
    if (file->c.emitter.uses_math)
        text_add(out, "#include <math.h>\n\n");
    if (uses_fragments(file->c.unit->program))
        text_add(out, template_named(file->words->tensor_head));
    if (file->c.multiplies && no_contraction && !(program_permit_everywhere(file->c.unit->program) & PERMIT_CONTRACT))
        text_add(out, template_named(no_contraction));
    texts_add_includes(&file->c.emitter, out);
    texts_add_declarations(&file->c.emitter, out);
}

static bool kernels_mention(const struct device_file *file, const char *name)
{
    for (int k = 0; k < file->kernel.n; k++)
        if (c_mentions(file->kernel.at[k].body, name))
            return true;
    for (int k = 0; k < file->c.function.n; k++)
        if (c_mentions(file->c.function.at[k].body, name))
            return true;
    return false;
}

struct code {
    const struct device_file *file;
    const struct text *launcher, *host;
};

/* Where the helper is called; one that only others call may be called anywhere. */
static const char *helper_qualifier(const char *name, void *user)
{
    const struct code *code = user;
    const bool device = kernels_mention(code->file, name);
    const bool host = c_mentions(text_str(code->launcher), name) || c_mentions(text_str(code->host), name) ||
                      c_mentions(text_str(&code->file->routines), name);

    return device && !host ? "__device__ " : host && !device ? "" : "__host__ __device__ ";
}

static void print_source(struct device_file *file, struct text *out)
{
    struct text launcher = {0}, host = {0};
    struct code code = {file, &launcher, &host};

    device_print_launcher(file, &launcher);
    if (file->c.unit->program->target.host_launcher)
        device_print_host(file, &host);
    c_comment(&file->c, out, false);
    print_includes(file, out);
    const size_t before = out->size;
    file->c.emitter.helpers.qualifier = helper_qualifier;
    file->c.emitter.helpers.user = &code;
    helpers_print(&file->c.emitter.helpers, out);
    text_add(out, out->size > before ? "\n" : "");
    c_print_tables(&file->c, &file->c.tables);
    if (file->c.tables.size)
        text_addf(out, "%s\n", text_str(&file->c.tables));
    text_free(&file->c.tables);
    c_print_functions(&file->c, out);
    for (int k = 0; k < file->kernel.n; k++)
        print_kernel(file, &file->kernel.at[k], out);
    text_add(out, text_str(&file->routines));
    text_free(&file->routines);
    text_add(out, text_str(&launcher));
    text_free(&launcher);
    text_add(out, text_str(&host));
    text_free(&host);
}

static bool uses_half(const struct device_file *file, enum type type)
{
    const struct program *program = file->c.unit->program;

    for (int k = 0; k < program->n_scalar; k++)
        if (program->scalar[k].type == type)
            return true;
    for (int k = 0; k < program->n_array; k++)
        if (program->array[k].type == type)
            return true;
    return file->c.emitter.uses_half[type == TYPE_BF16];
}

static const char *half_header(const struct device_file *file, enum type type)
{
    const struct half_words *half = file->c.emitter.dialect->half;

    return half && uses_half(file, type)
               ? arena_printf(file->c.emitter.arena, "#include <%s>\n", half[type == TYPE_BF16].header)
               : "";
}

/* The declarations in the header. */
static void print_heads(struct device_file *file, struct text *out)
{
    struct writer writer = {out, 0, false};

    write_linef(&writer, "%s;", device_launcher_head(file));
    if (file->c.unit->program->target.host_launcher)
        write_linef(&writer, "%s;", device_host_head(file));
}

static void print_header(struct device_file *file, struct text *out)
{
    struct arena *arena = file->c.emitter.arena;
    char *upper = arena_copy(arena, file->c.unit->name);
    const char *bf16 = half_header(file, TYPE_BF16), *f16 = half_header(file, TYPE_F16);
    const bool has_bool = program_shows_type(file->c.unit->program, TYPE_BOOL);
    struct text functions = {0};

    for (char *c = upper; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    print_heads(file, &functions);
    const struct template_value values[] = {{"NAME", upper},
                                            {"HALVES", arena_printf(arena, "%s%s", bf16, f16)},
                                            {"HEADER", file->words->header},
                                            {"BOOL", has_bool ? "#include <stdbool.h>\n" : ""},
                                            {"FUNCTIONS", text_str(&functions)},
                                            {NULL, NULL}};
    c_comment(&file->c, out, true);
    text_add(out, template_filled(arena, "device/header", (const struct template_value *const[]){values}, 1));
    text_free(&functions);
}

static const char *returns_text(const struct device_file *file)
{
    const char *text =
        arena_printf(file->c.emitter.arena, "%s, or the error of a %s call; arrays are in the device's memory",
                     file->words->success, file->words->title);

    if (!file->c.unit->program->target.host_launcher)
        return text;
    return arena_printf(file->c.emitter.arena, "%s, those of %s_host in the host's", text, file->c.unit->name);
}

static const struct gpu_arch *arch_of(const struct program *program)
{
    return gpu_arch_by_name(gpu_by_language(program->target.language), program->target.arch);
}

enum status device_print(const struct dialect *dialect, struct arena *arena, const struct unit *unit,
                         struct text *source, struct text *header, struct diags *diags)
{
    struct device_file file = {.words = dialect->device};
    struct place place;
    const char *lacks;

    if (!unit->tree) {
        diag_error(diags, "index", PLACE_NONE, "an index does not fit 64 bits");
        return STATUS_REFUSED;
    }
    c_prepare(&file.c, dialect, arena, unit);
    for (size_t k = 0; k < sizeof(reserved) / sizeof(reserved[0]); k++)
        if (!names_has(&file.c.emitter.names, reserved[k]))
            names_add(&file.c.emitter.names, reserved[k]);
    file.c.emitter.warp_sum = device_print_warp_sum;
    file.c.emitter.atomic = device_atomic_text;
    file.c.emitter.copy = device_copy_text;
    for (int k = 0; k < 2 && dialect->half; k++)
        file.c.emitter.helpers.half[k] = dialect->half[k].type;
    file.c.emitter.helpers.exchange = dialect->device->exchange;
    file.c.emitter.helpers.warp = unit->program->target.warp;
    file.c.returns = returns_text(&file);
    lacks = device_unusable_name(&file, &place);
    if (lacks) {
        diag_error(diags, "target", place, "%s", lacks);
        return STATUS_REFUSED;
    }
    file.grid = names_unique(&file.c.emitter.names, "grid");
    file.block = names_unique(&file.c.emitter.names, "block");
    file.stream = names_unique(&file.c.emitter.names, "stream");
    file.error = names_unique(&file.c.emitter.names, "error");
    file.shared = names_unique(&file.c.emitter.names, "shared");
    file.freed = names_unique(&file.c.emitter.names, "freed");
    add_kernels(&file, unit->tree);
    if (unit->program->target.arch || needs_arch(&file))
        file.c.device_flags = arena_printf(arena, "%s%s", dialect->device->arch_flag, arch_of(unit->program)->name);
    print_source(&file, source);
    print_header(&file, header);
    if (!dialect->half && (uses_half(&file, TYPE_F16) || uses_half(&file, TYPE_BF16))) {
        diag_error(diags, "target", PLACE_NONE, "numbers of f16 and bf16 are not there for %s", dialect->device->title);
        return STATUS_REFUSED;
    }
    if (c_check_lacks(&file.c, diags) != STATUS_OK)
        return STATUS_REFUSED;
    if (!file.c.emitter.failed)
        return STATUS_OK;
    diag_error(diags, "index", PLACE_NONE, "an index does not fit 64 bits");
    return STATUS_REFUSED;
}
