/* Copies of several neighbours at once, and such that run beside other work. */
#include "target/device/file.h"

#include "target/clike/storage.h"

#include <inttypes.h>

/* Is it the first element of a small array, which is where its name points? */
static bool is_start(const struct element *element)
{
    int64_t first;

    return element->array->memory == MEMORY_LOCAL && element->array->n_dim == 1 &&
           affine_is_constant(element->index[0], &first) && first == 0;
}

const char *device_address_text(struct emitter *emitter, const struct element *element)
{
    enum precedence precedence;
    const char *text = element_text(emitter, element, &precedence);

    if (is_start(element))
        return element->array->name;
    return *text == '*' ? text + 1 : arena_printf(emitter->arena, "&%s", text);
}

/* "spread_16(&A_tile[4 * t][..], 132, &A[i * K + j]);": neighbours on one side only. */
static const char *apart_text(struct emitter *emitter, const struct node *node, int64_t bytes, const char *to,
                              const char *from)
{
    static const enum helper spread[] = {HELPER_SPREAD_16, HELPER_SPREAD_8, HELPER_SPREAD_4};
    static const enum helper gather[] = {HELPER_GATHER_16, HELPER_GATHER_8, HELPER_GATHER_4};
    const int width = bytes == 16 ? 0 : bytes == 8 ? 1 : 2;
    const enum type type = node->target.array->type;

    if (node->apart[0])
        return arena_printf(emitter->arena, "%s(%s, %" PRId64 ", %s);",
                            helper_use(&emitter->helpers, spread[width], type), to, node->apart[0], from);
    return arena_printf(emitter->arena, "%s(%s, %s, %" PRId64 ");", helper_use(&emitter->helpers, gather[width], type),
                        to, from, node->apart[1]);
}

const char *device_copy_text(struct emitter *emitter, const struct node *node)
{
    const int bits = type_bits(node->target.array->type);
    const int64_t bytes = (node->neighbours ? node->neighbours : 1) * (bits < 8 ? 1 : bits / 8);
    const enum helper helper = bytes == 16 ? HELPER_COPY_16 : bytes == 8 ? HELPER_COPY_8 : HELPER_COPY_4;
    const char *to = device_address_text(emitter, &node->target);
    const char *from = device_address_text(emitter, &node->value->element);
    const char *size = arena_printf(emitter->arena, "%" PRId64, bytes);

    if (node->apart[0] || node->apart[1])
        return apart_text(emitter, node, bytes, to, from);
    if (node->asynchronous)
        return arena_printf(emitter->arena, "%s;",
                            template_operation(emitter->arena, emitter->dialect->device->copy,
                                               (const char *[]){to, from, size}, 3));
    return arena_printf(emitter->arena, "%s(%s, %s);", helper_use(&emitter->helpers, helper, TYPE_I64), to, from);
}
