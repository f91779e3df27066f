#include "auto/tiling.h"

enum stride tiling_moves(const struct site *site, const struct access *access, int loop)
{
    return stride_of(access, site->outer + loop);
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
