/* What CUDA's devices have. */
#include "caps/gpu.h"
#include "caps/language.h"

enum { KB = 1024 };

/* Source: "GPU Feature List" of the CUDA compiler driver's manual; an arch that it added later is one row more. The
 * bytes: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". */
static const struct gpu_arch archs[] = {
    {"sm_70", 70, 96 * KB, 32},    {"sm_72", 72, 96 * KB, 32},
    {"sm_75", 75, 64 * KB, 32},    {"sm_80", 80, 163 * KB, 32},
    {"sm_86", 86, 99 * KB, 32},    {"sm_87", 87, 163 * KB, 32},
    {"sm_89", 89, 99 * KB, 32},    {"sm_90", 90, 227 * KB, 32},
    {"sm_100", 100, 227 * KB, 32}, {"sm_103", 103, 227 * KB, 32},
    {"sm_110", 110, 227 * KB, 32}, {"sm_120", 120, 99 * KB, 32},
    {"sm_121", 121, 99 * KB, 32},  {0},
};

/* Source: CUDA C++ Programming Guide, "Warp Matrix Functions", "Element Types and Matrix Sizes". Factors of f32 are
 * rounded to tf32. */
static const struct gpu_matrix matrices[] = {
    {TYPE_F16, TYPE_F32, {16, 16, 16}, "sm_70"},  {TYPE_F16, TYPE_F32, {32, 8, 16}, "sm_70"},
    {TYPE_F16, TYPE_F32, {8, 32, 16}, "sm_70"},   {TYPE_F16, TYPE_F16, {16, 16, 16}, "sm_70"},
    {TYPE_F16, TYPE_F16, {32, 8, 16}, "sm_70"},   {TYPE_F16, TYPE_F16, {8, 32, 16}, "sm_70"},
    {TYPE_I8, TYPE_I32, {16, 16, 16}, "sm_72"},   {TYPE_I8, TYPE_I32, {32, 8, 16}, "sm_72"},
    {TYPE_I8, TYPE_I32, {8, 32, 16}, "sm_72"},    {TYPE_U8, TYPE_I32, {16, 16, 16}, "sm_72"},
    {TYPE_U8, TYPE_I32, {32, 8, 16}, "sm_72"},    {TYPE_U8, TYPE_I32, {8, 32, 16}, "sm_72"},
    {TYPE_BF16, TYPE_F32, {16, 16, 16}, "sm_80"}, {TYPE_BF16, TYPE_F32, {32, 8, 16}, "sm_80"},
    {TYPE_BF16, TYPE_F32, {8, 32, 16}, "sm_80"},  {TYPE_F32, TYPE_F32, {16, 16, 8}, "sm_80"},
    {TYPE_F64, TYPE_F64, {8, 8, 4}, "sm_80"},
};

/* Source: CUDA C++ Programming Guide, "Compute Capabilities". */
static const struct gpu gpu = {
    .threads = 1024,
    .limit = {[AXIS_BLOCK_X] = 2147483647,
              [AXIS_BLOCK_Y] = 65535,
              [AXIS_BLOCK_Z] = 65535,
              [AXIS_THREAD_X] = 1024,
              [AXIS_THREAD_Y] = 1024,
              [AXIS_THREAD_Z] = 64,
              [AXIS_THREAD] = 1024},
    .shared_bytes = 48 * KB,
    .atomics_of_integers = "+-&|^<>",
    .atomics_of_longs = "+-&|^<>",
    .atomics_of_floats = "+-",
    .exchanged_bits = 16,
    .resident = 2048,
    .registers = 255,
    .local_bytes = 4096,
    .archs = archs,
    .usual_arch = "sm_80",
    .matrix = matrices,
    .n_matrix = (int)(sizeof(matrices) / sizeof(matrices[0])),
};

const struct language language_cuda = {"cuda", "CUDA", &gpu};
