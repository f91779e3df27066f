/* Names for the types and functions that vectors need. */
#include "caps/simd_names.h"
#include "target/clike/vector/each.h"
#include "target/clike/vector/vector.h"

#include <string.h>

static const char tile_buffer[] = "tile"; /* of parts of tiles: the only variable among these names */

static const char *find(const struct emitter *emitter, const char *usual)
{
    for (int k = 0; k < emitter->own.n; k++)
        if (strcmp(emitter->own.at[k].from, usual) == 0)
            return emitter->own.at[k].to;
    return NULL;
}

const char *vec_name_so_far(const struct emitter *emitter, const char *usual)
{
    const char *name = find(emitter, usual);

    return name ? name : usual;
}

const char *vec_own_name(struct emitter *emitter, const char *usual)
{
    const bool ends = emitter->own_end && strcmp(usual, tile_buffer) != 0;
    const char *name = find(emitter, usual);

    if (name)
        return name;
    name = ends ? arena_printf(emitter->arena, "%s%s", usual, emitter->own_end) : usual;
    name = names_unique(&emitter->names, name);
    VEC_PUSH(emitter->arena, &emitter->own, ((struct word){usual, name}));
    return name;
}

void vector_name_helpers(struct emitter *emitter)
{
    const struct simd *simd = emitter->simd;

    if (!simd)
        return;
    for (int k = 0; k < simd->n_helper; k++)
        vec_own_name(emitter, simd->helper[k].name);
    if (simd->tiles)
        vec_own_name(emitter, tile_buffer);
    vec_name_each(emitter);
    for (int k = 0; k < emitter->own.n; k++)
        if (strcmp(emitter->own.at[k].from, emitter->own.at[k].to) != 0)
            VEC_PUSH(emitter->arena, &emitter->renamed, emitter->own.at[k]);
    emitter->simd = simd_renamed(emitter->arena, simd, emitter->renamed.at, emitter->renamed.n);
}
