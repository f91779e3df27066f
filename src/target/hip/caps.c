/* What the devices have that HIP runs on: AMD's. */
#include "caps/gpu.h"
#include "caps/language.h"

enum { KB = 1024 };

/* Source: "User Guide for AMDGPU Backend" of LLVM, "Processors": wavefronts of 64 threads up to gfx9, of 32 behind. */
static const struct gpu_arch archs[] = {
    {"gfx900", 0, 64 * KB, 64},  {"gfx906", 0, 64 * KB, 64},  {"gfx908", 0, 64 * KB, 64},  {"gfx90a", 0, 64 * KB, 64},
    {"gfx942", 0, 64 * KB, 64},  {"gfx1030", 0, 64 * KB, 32}, {"gfx1100", 0, 64 * KB, 32}, {"gfx1101", 0, 64 * KB, 32},
    {"gfx1102", 0, 64 * KB, 32}, {"gfx1200", 0, 64 * KB, 32}, {"gfx1201", 0, 64 * KB, 32}, {0},
};

/* Source: HIP documentation, "Hardware features". */
static const struct gpu gpu = {
    .threads = 1024,
    .limit = {[AXIS_BLOCK_X] = 2147483647,
              [AXIS_BLOCK_Y] = 65535,
              [AXIS_BLOCK_Z] = 65535,
              [AXIS_THREAD_X] = 1024,
              [AXIS_THREAD_Y] = 1024,
              [AXIS_THREAD_Z] = 1024,
              [AXIS_THREAD] = 1024},
    .shared_bytes = 64 * KB,
    .atomics_of_integers = "+-&|^<>",
    .atomics_of_longs = "+-&|^",
    .atomics_of_floats = "+-",
    .exchanged_bits = 32,
    .registers = 256,
    .local_bytes = 4096,
    .archs = archs,
    .usual_arch = "gfx90a",
    .warps_differ = true,
    .lacks_async = true,
};

const struct language language_hip = {"hip", "HIP", &gpu};
