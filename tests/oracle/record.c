/* Writing records and calls for the harness. */
#include "record.h"

#include "tree/layout.h"

#include <stdlib.h>
#include <string.h>

static size_t bytes_of(const struct storage *storage)
{
    return (size_t)storage->n * (size_t)datum_size(storage->array->type);
}

static bool is_argument(const struct array *array)
{
    return array->role != ROLE_TEMP && array->role != ROLE_CONST;
}

struct snapshot snapshot_take(const struct run *run)
{
    const int n = run->program->n_array;
    struct snapshot snapshot = {calloc((size_t)n + 1, sizeof(*snapshot.byte))};

    for (int k = 0; k < n; k++) {
        snapshot.byte[k] = malloc(bytes_of(&run->storage[k]) + 1);
        memcpy(snapshot.byte[k], run->storage[k].byte, bytes_of(&run->storage[k]));
    }
    return snapshot;
}

void snapshot_free(const struct run *run, struct snapshot *snapshot)
{
    for (int k = 0; k < run->program->n_array; k++)
        free(snapshot->byte[k]);
    free(snapshot->byte);
}

static void write_scalar(FILE *out, struct datum value)
{
    unsigned char slot[8] = {0};

    datum_store(value, slot);
    fwrite(slot, sizeof(slot), 1, out);
}

static void write_array(FILE *out, const struct storage *storage, const unsigned char *before)
{
    struct harness_array head = {.type = storage->array->type, .element_size = datum_size(storage->array->type)};

    strncpy(head.name, storage->array->name, sizeof(head.name) - 1);
    head.size = (int64_t)bytes_of(storage);
    fwrite(&head, sizeof(head), 1, out);
    fwrite(before, 1, bytes_of(storage), out);
    fwrite(storage->byte, 1, bytes_of(storage), out);
}

void record_write(FILE *out, const struct run *run, const struct snapshot *before, int function)
{
    const struct program *program = run->program;
    struct harness_record head = {HARNESS_MAGIC, function, program->n_param, program->n_scalar, 0};

    for (int k = 0; k < program->n_array; k++)
        head.n_array += is_argument(&program->array[k]);
    fwrite(&head, sizeof(head), 1, out);
    fwrite(run->param, sizeof(*run->param), (size_t)program->n_param, out);
    for (int k = 0; k < program->n_scalar; k++)
        write_scalar(out, run->scalar[k]);
    for (int k = 0; k < program->n_array; k++)
        if (is_argument(&program->array[k]))
            write_array(out, &run->storage[k], before->byte[k]);
}

static const char *c_type(enum type type)
{
    switch (type) {
    case TYPE_BOOL:
        return "_Bool";
    case TYPE_I8:
        return "int8_t";
    case TYPE_I16:
        return "int16_t";
    case TYPE_I32:
        return "int32_t";
    case TYPE_I64:
        return "int64_t";
    case TYPE_U8:
        return "uint8_t";
    case TYPE_U16:
        return "uint16_t";
    case TYPE_U32:
        return "uint32_t";
    case TYPE_U64:
        return "uint64_t";
    case TYPE_F16:
        return "__half"; /* in C a float is passed */
    case TYPE_BF16:
        return "uint16_t";
    case TYPE_F32:
        return "float";
    default:
        return "double";
    }
}

static void write_value(FILE *out, const struct program *program, enum type type, const char *from, int number)
{
    const bool cuda = strcmp(program->target.language, "cuda") == 0;

    if (type == TYPE_F16 && !cuda)
        fprintf(out, "harness_f16(%s[%d])", from, number);
    else
        fprintf(out, "*(const %s *)%s[%d]", cuda && type == TYPE_BF16 ? "__nv_bfloat16" : c_type(type), from, number);
}

static void write_arguments(FILE *out, const struct program *program)
{
    const char *separator = "";
    int n = 0;

    for (int k = 0; k < program->n_param; k++, separator = ", ")
        fprintf(out, "%s(%s)param[%d]", separator, c_type(program->param[k].type), k);
    for (int k = 0; k < program->n_scalar; k++, separator = ", ") {
        fputs(separator, out);
        write_value(out, program, program->scalar[k].type, "scalar", k);
    }
    for (int k = 0; k < program->n_array; k++) {
        const struct array *array = &program->array[k];
        if (!is_argument(array))
            continue;
        fputs(separator, out);
        if (!array->n_dim && array->role == ROLE_IN)
            write_value(out, program, array->type, "array", n++);
        else
            fprintf(out, "array[%d]", n++);
        separator = ", ";
    }
}

/* An emitted function is void or gives an int, 0 for success. */
void record_head(FILE *out, const char *header)
{
    fprintf(out,
            "#include \"harness.h\"\n"
            "#include \"%s\"\n\n"
            "#define RESULT_OF(CALL) \\\n"
            "    __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(CALL), int), CALL, (CALL, 0))\n\n",
            header);
}

static bool has_arguments(const struct program *program)
{
    bool any = program->n_param > 0 || program->n_scalar > 0;

    for (int k = 0; k < program->n_array; k++)
        any = any || array_is_argument(&program->array[k]);
    return any;
}

/* A CUDA launcher for arrays in the device's memory has a stream as its last argument; 0 is the default one. Where
 * there is one for arrays in the host's memory, that is called: it calls the other. */
void record_call(FILE *out, const struct program *program, const char *name)
{
    fprintf(out, "static const char *const %s_param[] = {", name);
    for (int k = 0; k < program->n_param; k++)
        fprintf(out, "\"%s\", ", program->param[k].name);
    const bool device = strcmp(program->target.language, "c") != 0, host = program->target.host_launcher;
    fprintf(out, "0};\n\n#define CALL %s%s(", name, host ? "_host" : "");
    write_arguments(out, program);
    if (device && !host)
        fputs(has_arguments(program) ? ", 0" : "0", out);
    fprintf(out,
            ")\n"
            "static int call_%s(const int64_t *param, const void *const *scalar, void *const *array)\n"
            "{\n"
            "    (void)param, (void)scalar, (void)array;\n"
            "    return %s;\n"
            "}\n"
            "#undef CALL\n\n",
            name,
            device ? arena_printf(program->arena, "CALL ?: %sDeviceSynchronize()", program->target.language)
                   : "RESULT_OF(CALL)");
}

void record_table_line(FILE *out, const char *name)
{
    fprintf(out, "    {\"%s\", %s_param, call_%s},\n", name, name, name);
}

bool record_source(const char *path, const char *header, const struct program *program, const char *name)
{
    FILE *out = fopen(path, "w");

    if (!out) {
        perror(path);
        return false;
    }
    record_head(out, header);
    record_call(out, program, name);
    fprintf(out, "const struct harness_function harness_function[] = {\n");
    record_table_line(out, name);
    fprintf(out, "};\n");
    return fclose(out) == 0;
}
