/* One emitted file with kernels under construction, shared by the parts of the printer. */
#ifndef TARGET_DEVICE_FILE_H
#define TARGET_DEVICE_FILE_H

#include "target/c/file.h"

/* The shared memory of a block. */
struct device_shared {
    int64_t declared;  /* bytes of the arrays that the kernel declares */
    int64_t constant;  /* bytes that the launch asks for, for arrays of known size */
    const char *bytes; /* what the launch asks for, where only parameters tell it; NULL: that many */
    int64_t most;      /* where bytes is not NULL: what there is for them, */
    int64_t known;     /* and a bound of them, INT64_MAX where there is none */
};

/* A kernel with the text of its body and what that uses. */
struct device_kernel {
    const struct node *node;
    const char *parameters; /* as declared: "int64_t N, const float *__restrict__ A" */
    const char *arguments;  /* as passed: "N, A" */
    const char *body;
    struct device_shared shared;
};

/* A test that ends the launcher where a launch would be too large, if the condition of that holds (NULL: always). */
struct launch_test {
    const char *condition, *tests;
};
typedef VEC(struct launch_test) launch_tests;

struct device_file {
    struct c_file c; /* the first member: an emitter's file is found from it */
    const struct device_words *words;
    VEC(struct device_kernel) kernel;
    launch_tests tested;     /* before all that comes behind */
    bool allocates;          /* temporaries in the device's memory */
    const char *shared;      /* the name of the memory that launches ask for, and of the variable that has its bytes */
    const struct node *root; /* what the function at hand launches */
    struct text routines;    /* the host's functions with launches that the launcher calls */
    VEC(struct c_function) routine;
    const char *grid, *block, *stream, *error; /* the names of a launcher's variables */
    const char *freed;                         /* that of a launcher's variable: what the release of memory returns */
};

/* device.c: is the array a temporary that kernels hand on in the device's memory? */
bool device_hands_on(const struct device_file *file, int number);
/* device.c: does nothing in the kernel write to the array? */
bool device_is_read_only(const struct device_file *file, const struct device_kernel *kernel, const struct array *array);
/* merged.c: would a load from the array and one from another become one that is taken for neither? */
bool device_is_merged(const struct device_file *file, const struct device_kernel *kernel, const struct array *array);
/* signs.c: is there a minimum or a maximum of numbers of 32 bits in the kernel, or what may be one to a compiler? */
bool device_chooses_least(const struct node *kernel);
/* "int64_t N, const float *A, "; restricted: as a kernel has them. Ends in a comma unless empty. */
const char *device_parameters(struct device_file *file);

/* shared.c: of the arrays of a block that a kernel's body mentions; symbolic: of unknown size. */
struct device_shared device_shared_of(struct device_file *file, const char *body);
/* Does the launch ask for shared memory, and must it be permitted to, perhaps? */
bool device_shared_is_dynamic(const struct device_shared *shared);
bool device_shared_needs_permission(const struct device_file *file, const struct device_shared *shared);
/* The arrays of a block that the body mentions. */
void device_declare_shared(struct device_file *file, const char *body, struct writer *writer);

/* atomic.c: what an update has for its element; halves are none that other types become by themselves. */
struct expr_text device_update_value(struct emitter *emitter, const struct node *node);
/* "atomicAdd(&x[i], 1);" */
const char *device_atomic_text(struct emitter *emitter, const struct node *node);

/* copy.c: "copy_16(&A_tile[i][j], &A[i * K + j]);", or an asynchronous copy. */
const char *device_copy_text(struct emitter *emitter, const struct node *node);
/* "&A[i]" */
const char *device_address_text(struct emitter *emitter, const struct element *element);
/* warp_sum.c: what all threads of a warp add to one element, and its one update. */
void device_print_warp_sum(struct emitter *emitter, const struct node *node);

/* device.c: what the kernel's body mentions of the program and of the variables around it. */
void device_add_parameters(struct device_file *file, struct device_kernel *kernel, const char *restrict_word);

/* routine.c: `if ((error = f_2(N, i, stream)) != cudaSuccess) return error;`, a call of a function with launches. */
void device_print_call(struct emitter *emitter, const struct node *call);

/* naming.c: why the file cannot have the name that the user chose at *place; NULL: it can have all. */
const char *device_unusable_name(const struct device_file *file, struct place *place);
/* words.c: do the headers define a macro, or declare anything else, of that name that is not reserved everywhere? */
bool device_is_macro(const char *name);
bool device_is_global(const char *name);

/* launch.c: the launches of a tree, as the body of a function. */
void device_print_launches(struct device_file *file, const struct node *tree);
/* The launcher, its body printed through the file's emitter. */
void device_print_launcher(struct device_file *file, struct text *out);
/* The declaration of the launcher. */
const char *device_launcher_head(struct device_file *file);
void device_print_function(struct device_file *file, struct text *out, const char *head, const char *body);

/* host.c: the launcher for arrays in the host's memory. */
void device_print_host(struct device_file *file, struct text *out);
const char *device_host_head(struct device_file *file);

/* threadIdx.x and the like, by axis. */
extern const char *const device_positions[AXIS_COUNT];

/* Prints a file of any language with kernels. */
unit_printer device_print;

#endif
