/* Parameters, assumptions, scalars, permissions and the target. */
#include "caps/gpu.h"
#include "caps/language.h"
#include "program/expr/affine.h"
#include "program/isl_text.h"
#include "read/reader.h"

#include <string.h>

static bool read_param(struct reader *reader, const struct value *value, struct param *param)
{
    static const char *const keys[] = {"name", "type", NULL};
    const struct value *name = value, *type = NULL;

    param->type = TYPE_I64;
    if (value->kind == VALUE_OBJECT) {
        check_keys(reader, value, keys, "a parameter");
        name = member(reader, value, "name", VALUE_STRING, true);
        type = member(reader, value, "type", VALUE_STRING, false);
    } else if (!check_kind(reader, value, VALUE_STRING, "a parameter")) {
        return false;
    }
    if (!name || !check_new_name(reader, name->string, name->place, "a parameter"))
        return false;
    param->name = name->string;
    param->place = name->place;
    if (type && read_type(reader, type, &param->type) && param->type != TYPE_I32 && param->type != TYPE_I64)
        diag_error(reader->diags, "type", type->place, "a parameter is an i32 or i64");
    return true;
}

void read_params(struct reader *reader, const struct value *root)
{
    const struct value *list = member(reader, root, "params", VALUE_LIST, false);
    struct program *program = reader->program;

    program->param = ARENA_ARRAY(reader->arena, list ? list->n_item : 0, struct param);
    for (int k = 0; list && k < list->n_item; k++)
        if (read_param(reader, &list->item[k], &program->param[program->n_param]))
            program->n_param++;
        else
            reader->undeclared = true;
}

static __isl_give isl_set *read_constraint(struct reader *reader, const struct value *string)
{
    const struct scope scope = {.program = reader->program};
    const struct reading reading = {reader->arena, reader->diags, &scope};
    const struct expr *condition = parse_condition(&reading, string), *obstacle;
    const char *why;
    isl_space *space;
    isl_set *set;

    if (!condition)
        return NULL;
    obstacle = expr_condition_obstacle(condition, &why);
    if (obstacle) {
        diag_error(reader->diags, "not-affine", obstacle->place, "an assumption is an affine condition: %s", why);
        return NULL;
    }
    space = program_params_space(reader->program);
    set = expr_set(space, condition);
    isl_space_free(space);
    return set;
}

static bool is_isl_set(const char *text)
{
    while (*text == ' ')
        text++;
    return *text == '{' || *text == '[';
}

static void read_assumption(struct reader *reader, const struct value *value)
{
    struct program *program = reader->program;
    isl_set *set;

    if (!check_kind(reader, value, VALUE_STRING, "an assumption") || !check_comment(reader->diags, value))
        return;
    set = is_isl_set(value->string) ? isl_text_params(program, value, reader->diags) : read_constraint(reader, value);
    if (!set)
        return;
    reader->assumed = isl_set_intersect(reader->assumed, set);
    program->assume[program->n_assume++] = value->string;
}

void read_assumptions(struct reader *reader, const struct value *root)
{
    const struct value *list = member(reader, root, "assume", VALUE_LIST, false);

    reader->assumed = isl_set_universe(program_params_space(reader->program));
    reader->program->assume = ARENA_ARRAY(reader->arena, list ? list->n_item : 0, const char *);
    for (int k = 0; list && k < list->n_item; k++)
        read_assumption(reader, &list->item[k]);
}

static bool read_scalar(struct reader *reader, const struct value *value, struct scalar *scalar)
{
    static const char *const keys[] = {"name", "type", NULL};
    const struct value *name, *type;

    if (!check_kind(reader, value, VALUE_OBJECT, "a scalar"))
        return false;
    check_keys(reader, value, keys, "a scalar");
    name = member(reader, value, "name", VALUE_STRING, true);
    type = member(reader, value, "type", VALUE_STRING, true);
    if (!name || !check_new_name(reader, name->string, name->place, "a scalar"))
        return false;
    scalar->name = name->string;
    scalar->place = name->place;
    scalar->type = TYPE_F64;
    if (type)
        read_type(reader, type, &scalar->type);
    return true;
}

void read_scalars(struct reader *reader, const struct value *root)
{
    const struct value *list = member(reader, root, "scalars", VALUE_LIST, false);
    struct program *program = reader->program;

    program->scalar = ARENA_ARRAY(reader->arena, list ? list->n_item : 0, struct scalar);
    for (int k = 0; list && k < list->n_item; k++)
        if (read_scalar(reader, &list->item[k], &program->scalar[program->n_scalar]))
            program->n_scalar++;
        else
            reader->undeclared = true;
}

unsigned read_permit(struct reader *reader, const struct value *object)
{
    static const char *const words[] = {"reassociate", "contract", "approximate", NULL};
    const struct value *list = member(reader, object, "permit", VALUE_LIST, false);
    unsigned permit = 0;

    for (int k = 0; list && k < list->n_item; k++) {
        const struct value *word = &list->item[k];
        const int found =
            check_kind(reader, word, VALUE_STRING, "a permission") ? choose(reader, word, words, "permission") : -1;

        if (found >= 0)
            permit |= 1u << found;
    }
    return permit;
}

static const char *read_choice(struct reader *reader, const struct value *string, const char *const *words,
                               const char *what)
{
    const int found = string ? choose(reader, string, words, what) : 0;

    return words[found < 0 ? 0 : found];
}

void read_target(struct reader *reader, const struct value *root)
{
    static const char *const keys[] = {"language", "simd", "openmp", "arch", "launcher", NULL};
    static const char *const launchers[] = {"device", "host", NULL};
    static const char *const simds[] = {"none", "sse4.2", "avx2", "avx512", "amx", "omp", "vector", "neon", NULL};
    const struct value *object = member(reader, root, "target", VALUE_OBJECT, false);
    struct target_options *target = &reader->program->target;
    const struct value *language = NULL, *simd = NULL, *openmp = NULL, *launcher = NULL, *arch = NULL;

    if (object) {
        check_keys(reader, object, keys, "a target");
        language = member(reader, object, "language", VALUE_STRING, false);
        simd = member(reader, object, "simd", VALUE_STRING, false);
        openmp = member(reader, object, "openmp", VALUE_BOOL, false);
        launcher = member(reader, object, "launcher", VALUE_STRING, false);
        arch = member(reader, object, "arch", VALUE_STRING, false);
    }
    target->language = read_choice(reader, language, language_names(), "language");
    target->simd = read_choice(reader, simd, simds, "simd");
    target->openmp = openmp && openmp->integer;
    target->host_launcher = strcmp(read_choice(reader, launcher, launchers, "launcher"), "host") == 0;
    const struct gpu *gpu = gpu_by_language(target->language);
    if (launcher && !gpu)
        diag_error(reader->diags, "target", launcher->place,
                   "\"launcher\" is for GPUs: a C function is called as it is");
    if (arch && gpu)
        target->arch = read_choice(reader, arch, gpu_arch_names(reader->arena, gpu), "architecture");
    else if (arch)
        diag_error(reader->diags, "target", arch->place, "\"arch\" is for GPUs: C has \"simd\"");
    target->warp = gpu ? gpu_arch_by_name(gpu, target->arch)->warp : 1;
    if (gpu && (target->openmp || strcmp(target->simd, "none") != 0))
        diag_error(reader->diags, "target", target->openmp ? openmp->place : simd->place,
                   "\"simd\" and \"openmp\" are for C: a GPU has blocks and threads");
}
