/* Parts of the launcher that are functions of their own, such as the remainders of a loop over launches. They return
 * what the launcher does; calls of what reads the same share one. */
#include "target/device/file.h"

#include "target/clike/body.h"

#include <stddef.h>
#include <string.h>

/* The launches of the call's body, as if they were all that there is. */
static const char *body_text(struct device_file *file, const struct node *call)
{
    struct emitter *emitter = &file->c.emitter;
    const struct writer writer = emitter->writer;
    const struct node *root = file->root;
    const launch_tests tested = file->tested;
    struct text text = {0};
    const char *body;

    emitter->writer = (struct writer){&text, 1, false};
    file->tested = (launch_tests){0};
    device_print_launches(file, call->child[0]);
    emitter->writer = writer;
    file->root = root;
    file->tested = tested;
    body = arena_copy(emitter->arena, text_str(&text));
    text_free(&text);
    return body;
}

/* The name of the function with this text; a new one is added. */
static const char *shared_name(struct device_file *file, const struct routine *routine,
                               const struct device_kernel *function)
{
    struct writer writer = {&file->routines, 0, false};
    const char *name;

    for (int k = 0; k < file->routine.n; k++)
        if (strcmp(file->routine.at[k].parameters, function->parameters) == 0 &&
            strcmp(file->routine.at[k].body, function->body) == 0)
            return file->routine.at[k].name;
    name = names_unique(&file->c.emitter.names, routine->name);
    VEC_PUSH(file->c.emitter.arena, &file->routine,
             ((struct c_function){name, NULL, function->parameters, function->body, false}));
    if (routine->comment)
        write_linef(&writer, "/* %s */", comment_text(file->c.emitter.arena, routine->comment));
    write_linef(&writer, "static %s %s(%s%s%s %s)", file->words->error, name, function->parameters,
                *function->parameters ? ", " : "", file->words->stream, file->stream);
    write_body(&file->routines, function->body);
    text_char(&file->routines, '\n');
    return name;
}

void device_print_call(struct emitter *emitter, const struct node *call)
{
    struct device_file *file = (struct device_file *)((char *)emitter - offsetof(struct device_file, c.emitter));
    struct device_kernel function = {.node = call, .body = body_text(file, call)};
    const char *name;

    device_add_parameters(file, &function, "");
    name = shared_name(file, call->routine, &function);
    write_linef(&emitter->writer, "if ((%s = %s(%s%s%s)) != %s)", file->error, name, function.arguments,
                *function.arguments ? ", " : "", file->stream, file->words->success);
    emitter->writer.indent++;
    write_linef(&emitter->writer, "return %s;", file->error);
    emitter->writer.indent--;
}
