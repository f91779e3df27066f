#include "auto/tiling.h"

enum stride tiling_moves(const struct site *site, const struct access *access, int loop)
{
    return stride_of(access, site->outer + loop);
}

const char *tiling_inner(const struct site *site, int loop, int times)
{
    const char *name = site->loop[loop]->loop;

    while (times-- > 0)
        name = site_inner(site, name);
    return name;
}

void tiling_split(const struct site *site, struct option *option, const char *loop, int64_t by, const char *as,
                  const char *more)
{
    line_add(site->scene->arena, &option->schedule, "{\"split\": \"%s\", \"by\": %lld, \"as\": \"%s\"%s}",
             site_name(site, loop), (long long)by, as, more);
}

const char *tiling_listed(const struct site *site, const char *const *name, int n, bool qualified)
{
    struct text text = {0};
    const char *copy;

    for (int k = 0; k < n; k++)
        text_addf(&text, "%s\"%s\"", k ? ", " : "", qualified ? site_name(site, name[k]) : name[k]);
    copy = arena_copy(site->scene->arena, text_str(&text));
    text_free(&text);
    return copy;
}

void tiling_kernel(const struct site *site, struct option *option, const char *row, const char *column,
                   const char *lane)
{
    line_add(site->scene->arena, &option->plan,
             "{\"kernelize\": {\"unroll\": [\"%s\", \"%s\"], \"vectorize\": \"%s\"}}", site_name(site, row),
             site_name(site, column), site_name(site, lane));
}

void tiling_keep(const struct site *site, const struct tiling *tiling, struct option *option, const char *loop)
{
    line_add(site->scene->arena, &option->plan,
             "{\"cache\": \"%s\", \"at\": \"%s\", \"as\": \"%s\", \"memory\": \"register\"}",
             tiling->statement->target->array->name, site_name(site, loop), site_buffer(site, "sum"));
}

void tiling_fetch(const struct site *site, const struct tiling *tiling, struct option *option, const char *loop)
{
    line_add(site->scene->arena, &option->plan, "{\"prefetch\": \"%s\", \"at\": \"%s\", \"locality\": 2}",
             tiling->statement->target->array->name, site_name(site, loop));
}
