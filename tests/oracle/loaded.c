/* A program that loads emitted code: PROGRAM CODE.so RECORDS. It is linked once, with the sanitizers' libraries. The
 * exit status is harness_run's, or 4 where the code cannot be loaded. */
#include "harness.h"

#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const struct harness_function *functions;
    void *code;

    if (argc != 3) {
        fprintf(stderr, "usage: PROGRAM CODE.so RECORDS\n");
        return 3;
    }
    code = dlopen(argv[1], RTLD_NOW);
    functions = code ? dlsym(code, "harness_function") : NULL;
    if (!functions) {
        fprintf(stderr, "harness: cannot load: %s\n", dlerror());
        return 4;
    }
    return harness_run(functions, argv[2]);
}
