/* The launcher for arrays in the host's memory: memory of the device for each, copies there and back, and release
 * whatever happened. */
#include "target/device/file.h"

#include "program/check/transfer.h"
#include "target/clike/index.h"
#include "target/clike/storage.h"

/* An argument that is a pointer, with the names that the function has for it. */
struct moved {
    const struct array *array;
    const char *device, *bytes; /* "A_device", "A_bytes" */
    int transfers;
};

struct host {
    struct device_file *file;
    struct arena *arena;
    struct writer *writer;
    VEC(struct moved) list;
    bool any; /* has `error` a value? */
};

const char *device_host_head(struct device_file *file)
{
    const char *parameters = device_parameters(file);

    return arena_printf(file->c.emitter.arena, "%s %s_host(%s)", file->words->error, file->c.unit->name,
                        *parameters ? parameters : "void");
}

static const char *own_name(const struct host *host, const struct array *array, const char *suffix)
{
    return names_unique(&host->file->c.emitter.names, arena_printf(host->arena, "%s_%s", array->name, suffix));
}

static void collect(struct host *host)
{
    const struct program *program = host->file->c.unit->program;

    for (int k = 0; k < program->n_array; k++) {
        const struct array *array = &program->array[k];
        if (array_is_argument(array) && storage_of(&host->file->c.emitter, array) != STORAGE_VALUE)
            VEC_PUSH(host->arena, &host->list,
                     ((struct moved){array, own_name(host, array, "device"), own_name(host, array, "bytes"),
                                     host->file->c.unit->transfers[k]}));
    }
}

/* "M > 0 && N > 0": the array has elements; NULL: always. */
static const char *nonempty(struct host *host, const struct array *array)
{
    struct emitter *emitter = &host->file->c.emitter;
    const char *text = NULL;

    for (int k = 0; k < array->n_dim; k++) {
        const struct affine *last = affine_add_constant(host->arena, param_affine(emitter, array->shape[k]), -1);
        if (!last || affine_least(last, emitter->param_least) >= 0)
            continue;
        const char *test = index_condition(emitter, &(struct condition){last, false});
        text = text ? arena_printf(host->arena, "%s && %s", text, test) : test;
    }
    return text;
}

/* The bytes that the array has: with strides of its own it may be empty, too. */
static const char *bytes_text(struct host *host, const struct array *array)
{
    const char *condition = array->stride ? nonempty(host, array) : NULL;
    const char *text;

    if (array->n_dim == 0)
        return arena_printf(host->arena, "sizeof *%s", array->name);
    text = array_bytes_text(&host->file->c.emitter, array);
    return condition ? arena_printf(host->arena, "%s ? %s : 0", condition, text) : text;
}

static void print_declarations(struct host *host)
{
    struct emitter *emitter = &host->file->c.emitter;

    for (int k = 0; k < host->list.n; k++)
        write_linef(host->writer, "const int64_t %s = %s;", host->list.at[k].bytes,
                    bytes_text(host, host->list.at[k].array));
    for (int k = 0; k < host->list.n; k++)
        write_linef(host->writer, "%s *%s = NULL;", emitter_type(emitter, host->list.at[k].array->type),
                    host->list.at[k].device);
    write_linef(host->writer, "%s %s, %s;", host->file->words->error, host->file->error, host->file->freed);
    text_char(host->writer->out, '\n');
}

/* A call, unless one before it failed. */
static void print_step(struct host *host, const char *call)
{
    if (host->any) {
        write_linef(host->writer, "if (%s == %s)", host->file->error, host->file->words->success);
        host->writer->indent++;
    }
    write_linef(host->writer, "%s = %s;", host->file->error, call);
    host->writer->indent -= host->any;
    host->any = true;
}

static void print_copies(struct host *host, int direction)
{
    const struct device_words *words = host->file->words;

    for (int k = 0; k < host->list.n; k++) {
        const struct moved *moved = &host->list.at[k];
        const char *name = moved->array->name;
        if (!(moved->transfers & direction))
            continue;
        if (direction == TRANSFER_IN)
            print_step(host, arena_printf(host->arena, "%s(%s, %s, (size_t)%s, %s)", words->copy_memory, moved->device,
                                          name, moved->bytes, words->to_device));
        else
            print_step(host, arena_printf(host->arena, "%s(%s, %s, (size_t)%s, %s)", words->copy_memory, name,
                                          moved->device, moved->bytes, words->to_host));
    }
}

static const char *device_name(const struct host *host, const struct array *array)
{
    for (int k = 0; k < host->list.n; k++)
        if (host->list.at[k].array == array)
            return host->list.at[k].device;
    return array->name;
}

/* "product(M, N, A_device, C_device, 0)" */
static const char *call_text(const struct host *host)
{
    const struct program *program = host->file->c.unit->program;
    const char *text = "";

    for (int k = 0; k < program->n_param; k++)
        text = arena_printf(host->arena, "%s%s, ", text, program->param[k].name);
    for (int k = 0; k < program->n_scalar; k++)
        text = arena_printf(host->arena, "%s%s, ", text, program->scalar[k].name);
    for (int k = 0; k < program->n_array; k++)
        if (array_is_argument(&program->array[k]))
            text = arena_printf(host->arena, "%s%s, ", text, device_name(host, &program->array[k]));
    return arena_printf(host->arena, "%s(%s0)", host->file->c.unit->name, text);
}

static void print_body(struct host *host)
{
    const struct device_words *words = host->file->words;
    const char *size = helper_use(&host->file->c.emitter.helpers, HELPER_DEVICE_SIZE, TYPE_I64);

    print_declarations(host);
    for (int k = 0; k < host->list.n; k++)
        print_step(host, arena_printf(host->arena, "%s((void **)&%s, %s(%s))", words->allocate, host->list.at[k].device,
                                      size, host->list.at[k].bytes));
    print_copies(host, TRANSFER_IN);
    print_step(host, call_text(host));
    print_copies(host, TRANSFER_OUT);
    for (int k = 0; k < host->list.n; k++) {
        write_linef(host->writer, "%s = %s(%s);", host->file->freed, words->release, host->list.at[k].device);
        write_linef(host->writer, "%s = %s == %s ? %s : %s;", host->file->error, host->file->error, words->success,
                    host->file->freed, host->file->error);
    }
    write_linef(host->writer, "return %s;", host->file->error);
}

void device_print_host(struct device_file *file, struct text *out)
{
    struct text body = {0};
    struct host host = {.file = file, .arena = file->c.emitter.arena, .writer = &file->c.emitter.writer};

    file->c.emitter.writer = (struct writer){&body, 1, false};
    collect(&host);
    if (host.list.n)
        print_body(&host);
    else
        write_linef(host.writer, "return %s;", call_text(&host));
    text_add(out, "\n/* The same for arrays in the host's memory, with copies to the device's and back. */\n");
    device_print_function(file, out, device_host_head(file), text_str(&body));
    text_free(&body);
}
