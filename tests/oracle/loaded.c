/* A program that loads emitted code: PROGRAM CODE.so RECORDS. It is linked once, with the sanitizers' libraries. */
#include "harness.h"

#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *code = argc == 3 ? dlopen(argv[1], RTLD_NOW) : NULL;
    const struct harness_function *functions = code ? dlsym(code, "harness_function") : NULL;

    if (!functions) {
        fprintf(stderr, "harness: %s\n", argc == 3 ? dlerror() : "usage: PROGRAM CODE.so RECORDS");
        return 3;
    }
    return harness_run(functions, argv[2]);
}
