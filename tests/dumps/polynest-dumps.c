/* Reads dumps back.
 *
 *     polynest-dumps back EVERY FIRST FILE.json [VARIANT]
 *         Dumps of the file, number FIRST and each EVERY-th one from there on: what is read is dumped as the same
 *         bytes, and gives the same code.
 *     polynest-dumps change FIRST NUMBER FILE.json ..
 *         NUMBER changed dumps of the files, from seed FIRST on: each is read or refused, with a place in it.
 */
#include "dumps.h"

#include <stdlib.h>
#include <string.h>

static const char name[] = "changed.dump";

static polynest *open_description(const char *path)
{
    char *text = read_whole(path);
    polynest *p = text ? polynest_new(path, text, strlen(text)) : NULL;

    free(text);
    if (!p)
        fprintf(stderr, "cannot read %s\n", path);
    return p;
}

static bool same_again(polynest *p, const struct dumped *dumped, const char *source)
{
    polynest_set_dump(p, dumped->pass, dumped->text, strlen(dumped->text));
    if (polynest_dump(p, dumped->pass) != POLYNEST_OK || strcmp(polynest_output(p), dumped->text) != 0) {
        printf("after %s: the dump is another one when it was read\n%s", dumped->pass, polynest_diagnostics(p));
        return false;
    }
    if (polynest_emit(p) != POLYNEST_OK || strcmp(polynest_source(p), source) != 0) {
        printf("after %s: the dump gives other code\n%s", dumped->pass, polynest_diagnostics(p));
        return false;
    }
    return true;
}

static int read_back(int every, int first, const char *path, const char *variant)
{
    polynest *p = open_description(path);
    struct dumps dumps = {NULL, 0};
    char *source = NULL;
    int failed;

    if (p)
        polynest_set_variant(p, variant);
    failed = !p || polynest_emit(p) != POLYNEST_OK;
    if (!failed) {
        source = strdup(polynest_source(p));
        dumps = dumps_of(p);
    }
    failed |= dumps.n == 0;
    for (int k = first % every; k < dumps.n; k += every)
        failed |= !same_again(p, &dumps.at[k], source);
    if (failed)
        printf("%s: failed\n", path);
    free(source);
    dumps_free(&dumps);
    polynest_free(p);
    return failed;
}

/* Of what was refused something was told, with its place where the dump itself is wrong. */
static bool is_told(polynest *p, polynest_status status)
{
    const char *told = polynest_diagnostics(p);

    if (status == POLYNEST_OK)
        return true;
    if (status == POLYNEST_ENVIRONMENT)
        return strstr(told, "internal error: ") != NULL;
    return strstr(told, "error: ") && (!strstr(told, "[dump]") || strstr(told, name));
}

static int change(uint64_t seed, polynest *p, const struct dumps *dumps)
{
    uint64_t random = (seed + 1) * 0x9e3779b97f4a7c15u;
    const struct dumped *dumped = &dumps->at[seed % (uint64_t)dumps->n];
    char *text = mutated(dumped->text, &random);
    polynest_status status;

    polynest_set_dump(p, name, text, strlen(text));
    status = polynest_emit(p);
    if (!is_told(p, status))
        printf("seed %llu, after %s: status %d\n%s%s\n", (unsigned long long)seed, dumped->pass, (int)status,
               polynest_diagnostics(p), text);
    free(text);
    return !is_told(p, status);
}

static int change_all(uint64_t first, int number, int n, char **path)
{
    polynest **p = calloc((size_t)n, sizeof(polynest *));
    struct dumps *dumps = calloc((size_t)n, sizeof(struct dumps));
    int failed = 0;

    for (int k = 0; k < n; k++) {
        p[k] = open_description(path[k]);
        if (p[k])
            dumps[k] = dumps_of(p[k]);
        failed |= dumps[k].n == 0;
    }
    for (int k = 0; k < number && !failed; k++) {
        const int file = (int)((first + (uint64_t)k) % (uint64_t)n);
        fprintf(stderr, "seed %llu: %s\n", (unsigned long long)first + (unsigned long long)k, path[file]);
        failed |= change(first + (uint64_t)k, p[file], &dumps[file]);
    }
    for (int k = 0; k < n; k++) {
        dumps_free(&dumps[k]);
        polynest_free(p[k]);
    }
    free(dumps);
    free(p);
    return failed;
}

int main(int argc, char **argv)
{
    if (argc >= 5 && strcmp(argv[1], "back") == 0)
        return read_back(atoi(argv[2]), atoi(argv[3]), argv[4], argv[5]);
    if (argc >= 5 && strcmp(argv[1], "change") == 0)
        return change_all(strtoull(argv[2], NULL, 10), atoi(argv[3]), argc - 4, argv + 4);
    fputs("polynest-dumps back EVERY FIRST FILE | change FIRST NUMBER FILE ..\n", stderr);
    return 2;
}
