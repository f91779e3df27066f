/* A program that emitted code is linked with: PROGRAM RECORDS. */
#include "harness.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: PROGRAM RECORDS\n");
        return 3;
    }
    return harness_run(harness_function, argv[1]);
}
