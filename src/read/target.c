/* The target. */
#include "caps/gpu.h"
#include "caps/language.h"
#include "caps/simd.h"
#include "read/reader.h"

#include <string.h>

static const char *const *languages(struct arena *arena)
{
    (void)arena;
    return language_names();
}

static const struct argument keys[] = {
    {.key = "language", .kind = ARGUMENT_CHOICE, .words = languages, .fallback = "c", .doc = "what is emitted"},
    {.key = "simd",
     .kind = ARGUMENT_CHOICE,
     .words = simd_names,
     .fallback = "none",
     .doc =
         "of C: the instructions of vectorized loops; `omp` leaves them to the compiler, `vector` has the compiler's "
         "own vectors for any processor"},
    {.key = "openmp",
     .kind = ARGUMENT_BOOL,
     .fallback = "false",
     .doc = "of C: threads of OpenMP where the plan has parallel loops"},
    {.key = "arch",
     .kind = ARGUMENT_TEXT,
     .fallback = "the usual one",
     .doc = "of a GPU: its architecture, such as `sm_80`"},
    {.key = "launcher",
     .kind = ARGUMENT_CHOICE,
     .choices = "device host",
     .fallback = "device",
     .doc = "of a GPU: with `host` there is a function for arrays in the host's memory, too"},
    {0},
};
const struct object_type object_target = {.name = "target",
                                          .title = "a target",
                                          .rule = "What the function is emitted for.",
                                          .key = keys};

void target_defaults(struct target_options *target)
{
    *target = (struct target_options){.language = language_names()[0], .simd = "none", .warp = 1};
}

static const char *string_of(const struct value *object, const char *key, const char *fallback)
{
    const struct value *string = value_of_kind(object, key, VALUE_STRING);

    return string ? string->string : fallback;
}

static void read_arch(struct reader *reader, const struct value *arch, const struct gpu *gpu,
                      struct target_options *target)
{
    const char *const *names = gpu ? gpu_arch_names(reader->arena, gpu) : NULL;

    if (!gpu)
        diag_error(reader->diags, "target", arch->place, "\"arch\" is for GPUs: C has \"simd\"");
    else if (choose(reader, arch, names, "architecture") >= 0)
        target->arch = arch->string;
    else
        target->arch = names[0];
}

void read_target(struct reader *reader, const struct value *object, void *into)
{
    struct target_options *target = into;
    const struct value *openmp = value_of_kind(object, "openmp", VALUE_BOOL),
                       *launcher = value_of_kind(object, "launcher", VALUE_STRING),
                       *arch = value_of_kind(object, "arch", VALUE_STRING);
    const struct gpu *gpu;

    target_defaults(target);
    if (!read_object(reader, &object_target, object, target))
        return;
    target->language = string_of(object, "language", target->language);
    target->simd = string_of(object, "simd", target->simd);
    target->openmp = openmp && openmp->integer;
    target->host_launcher = launcher && strcmp(launcher->string, "host") == 0;
    gpu = gpu_by_language(target->language);
    if (launcher && !gpu)
        diag_error(reader->diags, "target", launcher->place,
                   "\"launcher\" is for GPUs: a C function is called as it is");
    if (arch)
        read_arch(reader, arch, gpu, target);
    target->warp = gpu ? gpu_arch_by_name(gpu, target->arch)->warp : 1;
    if (gpu && (target->openmp || strcmp(target->simd, "none") != 0))
        diag_error(reader->diags, "target", target->openmp ? openmp->place : value_member(object, "simd")->place,
                   "\"simd\" and \"openmp\" are for C: a GPU has blocks and threads");
}
