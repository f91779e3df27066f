/* The program that calls an emitted function on drawn data: driver JOB record|compare|time FILE TERMS REPETITIONS.
 *
 * JOB has a word for the seed, one that tells whether arrays end (1) or start (0) where their memory does, the number
 * of arguments, and for each of these in order `param VALUE`, `scalar TYPE` or
 * `array TYPE ROLE ERROR ELEMENTS ALIGN ROW INJECTIVE N LOW HIGH ..`: ERROR is the rounding error of 1; in square
 * arrays of rows of ROW elements those of the diagonal are large; elements of an index array are in N intervals.
 *
 * record writes the results to FILE. compare tells where they differ from those, by more than TERMS rounding errors of
 * the largest one, and by how many at most where some are allowed. time does that unless FILE is -, and tells how many
 * nanoseconds each of REPETITIONS further calls takes, or, where these are 0, that one.
 * Status 0, 1 (results differ), 2 (the function returned an error), 3 (no memory, no file), 4 (it used memory that is
 * not its own). Lines on standard output: differs ARGUMENT ELEMENT EXPECTED GOT NUMBER; apart ERRORS; returned VALUE;
 * outside ARGUMENT BYTE; written ARGUMENT; time NANOSECONDS.
 *
 * flags: -D_DEFAULT_SOURCE
 * HEADER = stdint.h
 * CALL = return (int)integer(0) + (memory(0) != 0) + (int)real(0);
 */
#define _DEFAULT_SOURCE 1

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "@HEADER@"

enum { N_ARGUMENT = 64, CANARY = 0x11 };

struct argument {
    char kind[8], type[8], role[8];
    int64_t integer, n, align, row, n_range, *low, *high;
    int drawn, bytes, is_real, is_signed;
    double real, error; /* error: of rounding 1 */
    unsigned char *mapped, *memory, *start; /* start: what is in memory before a call */
    size_t size, span;
};

/* How elements are chosen. */
enum { DRAWN_ANYHOW, DRAWN_DISTINCT, DRAWN_SORTED };

static struct argument argument[N_ARGUMENT];
static int n_argument, at_end;
static uint64_t seed, state;

static inline int64_t integer(int k) { return argument[k].integer; }
static inline double real(int k) { return argument[k].real; }
static inline void *memory(int k) { return argument[k].memory; }

static int call(void)
{
    (void)integer, (void)real, (void)memory;
    @CALL@
}

static uint64_t next_random(void)
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int64_t below(int64_t n) { return n > 0 ? (int64_t)(next_random() % (uint64_t)n) : 0; }

static void type_of(struct argument *a)
{
    const char *digit = a->type + strcspn(a->type, "0123456789");

    a->bytes = *digit ? atoi(digit) / 8 : 1;
    a->is_real = a->type[0] == 'f' || a->type[1] == 'f';
    a->is_signed = a->type[0] == 'i';
}

/* Bits of a half that has the value exactly. */
static uint16_t f16_bits(double value)
{
    int exponent;
    const double fraction = frexp(fabs(value), &exponent);

    if (value == 0)
        return 0;
    return (uint16_t)((value < 0) << 15 | (exponent + 14) << 10 | ((int)(fraction * 2048) & 1023));
}

static double f16_value(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double size = exponent == 31 ? (fraction ? NAN : INFINITY)
                        : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                       : ldexp(fraction, -24);

    return bits >> 15 ? -size : size;
}

static void store_real(const struct argument *a, unsigned char *to, double value)
{
    const float narrow = (float)value;
    uint32_t bits;
    uint16_t half;

    memcpy(&bits, &narrow, sizeof bits);
    half = a->type[0] == 'b' ? (uint16_t)(bits >> 16) : f16_bits(value);
    memcpy(to, a->bytes == 8 ? (const void *)&value : a->bytes == 4 ? (const void *)&narrow : (const void *)&half,
           (size_t)a->bytes);
}

static double load_real(const struct argument *a, const unsigned char *from)
{
    double wide;
    float narrow;
    uint16_t half;

    if (a->bytes == 8)
        return memcpy(&wide, from, 8), wide;
    if (a->bytes == 4)
        return memcpy(&narrow, from, 4), narrow;
    memcpy(&half, from, 2);
    if (a->type[0] != 'b')
        return f16_value(half);
    const uint32_t bits = (uint32_t)half << 16;
    return memcpy(&narrow, &bits, 4), narrow;
}

/* Little-endian, as all targets are. */
static void store_integer(const struct argument *a, unsigned char *to, int64_t value)
{
    memcpy(to, &value, (size_t)a->bytes);
}

static int64_t load_integer(const struct argument *a, const unsigned char *from)
{
    const int shift = 64 - 8 * a->bytes;
    uint64_t bits = 0;

    memcpy(&bits, from, (size_t)a->bytes);
    return a->is_signed ? (int64_t)(bits << shift) >> shift : (int64_t)bits;
}

/* Between 1/4 and 2; with an even seed of either sign. */
static double draw_real(const struct argument *a)
{
    const double full = 0.25 + 1.75 * (double)(next_random() >> 11) / 9007199254740992.0;
    const double size = a->bytes == 2 ? (double)(16 + below(112)) / 64 : full;

    return seed % 2 == 0 && next_random() % 2 ? -size : size;
}

static int64_t draw_integer(const struct argument *a)
{
    const int64_t value = 1 + below(a->bytes == 1 ? 9 : 99);

    if (strcmp(a->type, "bool") == 0)
        return value % 2;
    return a->is_signed && next_random() % 2 ? -value : value;
}

static int64_t range_size(const struct argument *a)
{
    int64_t n = 0;

    for (int64_t k = 0; k < a->n_range; k++)
        n += a->high[k] - a->low[k] + 1;
    return n;
}

/* Value number n of those that an index array may have. */
static int64_t range_value(const struct argument *a, int64_t n)
{
    int64_t k = 0;

    while (k < a->n_range && n > a->high[k] - a->low[k])
        n -= a->high[k] - a->low[k] + 1, k++;
    return k < a->n_range ? a->low[k] + n : 0;
}

/* All elements differ: the first of the allowed values in a random order. */
static void fill_distinct(struct argument *a)
{
    const int64_t n = range_size(a), used = a->n < n ? a->n : n;
    int64_t *order = malloc(sizeof *order * (size_t)(n + 1));

    if (!order)
        exit(3);
    for (int64_t k = 0; k < n; k++)
        order[k] = range_value(a, k);
    for (int64_t k = 0; k < used; k++) {
        const int64_t other = k + below(n - k), value = order[other];

        order[other] = order[k];
        store_integer(a, a->start + k * a->bytes, value);
    }
    free(order);
}

static int compare_integers(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* No element is smaller than the one before it. */
static void fill_sorted(struct argument *a)
{
    const int64_t n_value = range_size(a);
    int64_t *drawn = malloc(sizeof *drawn * (size_t)(a->n + 1));

    if (!drawn)
        exit(3);
    for (int64_t k = 0; k < a->n; k++)
        drawn[k] = n_value ? range_value(a, below(n_value)) : draw_integer(a);
    qsort(drawn, (size_t)a->n, sizeof *drawn, compare_integers);
    for (int64_t k = 0; k < a->n; k++)
        store_integer(a, a->start + k * a->bytes, drawn[k]);
    free(drawn);
}

static void fill(struct argument *a)
{
    if (strcmp(a->role, "out") == 0) {
        memset(a->start, 0xa5, a->size);
        return;
    }
    if (a->n_range > 0 && a->drawn == DRAWN_DISTINCT) {
        fill_distinct(a);
        return;
    }
    if (a->drawn == DRAWN_SORTED) {
        fill_sorted(a);
        return;
    }
    const int64_t n_value = range_size(a);
    for (int64_t k = 0; k < a->n; k++) {
        const int large = a->row > 0 && k % a->row == k / a->row;

        if (a->is_real)
            store_real(a, a->start + k * a->bytes, draw_real(a) + (large && a->bytes > 2 ? 4.0 * (double)a->row : 0));
        else
            store_integer(a, a->start + k * a->bytes, n_value ? range_value(a, below(n_value)) : draw_integer(a));
    }
}

/* Pages for an array, with forbidden ones on both sides. */
static void map(struct argument *a)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), align = a->align > 0 ? (size_t)a->align : (size_t)a->bytes;
    size_t offset;

    a->size = (size_t)a->n * (size_t)a->bytes;
    a->span = (a->size + page - 1) / page * page;
    a->mapped = mmap(NULL, a->span + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    a->start = malloc(a->size + 1);
    if (a->mapped == MAP_FAILED || !a->start)
        exit(3);
    a->mapped += page;
    if (a->span > 0 && mprotect(a->mapped, a->span, PROT_READ | PROT_WRITE) != 0)
        exit(3);
    offset = at_end ? (a->span - a->size) / align * align : 0;
    a->memory = a->mapped + offset;
    fill(a);
}

static void read_array(FILE *job, struct argument *a)
{
    if (fscanf(job, "%7s %7s %lf %" SCNd64 " %" SCNd64 " %" SCNd64 " %d %" SCNd64, a->type, a->role, &a->error, &a->n,
               &a->align, &a->row, &a->drawn, &a->n_range) != 8)
        exit(3);
    a->low = calloc((size_t)a->n_range + 1, sizeof *a->low);
    a->high = calloc((size_t)a->n_range + 1, sizeof *a->high);
    for (int64_t k = 0; k < a->n_range; k++)
        if (!a->low || !a->high || fscanf(job, "%" SCNd64 " %" SCNd64, &a->low[k], &a->high[k]) != 2)
            exit(3);
    type_of(a);
    map(a);
}

static void read_argument(FILE *job, struct argument *a)
{
    if (fscanf(job, "%7s", a->kind) != 1)
        exit(3);
    if (strcmp(a->kind, "array") == 0) {
        read_array(job, a);
    } else if (strcmp(a->kind, "param") == 0) {
        if (fscanf(job, "%" SCNd64, &a->integer) != 1)
            exit(3);
    } else {
        if (fscanf(job, "%7s", a->type) != 1)
            exit(3);
        type_of(a);
        a->real = draw_real(a);
        a->integer = draw_integer(a);
    }
}

static void read_job(const char *path)
{
    FILE *job = fopen(path, "r");

    if (!job || fscanf(job, "%" SCNu64 " %d %d", &seed, &at_end, &n_argument) != 3 || n_argument > N_ARGUMENT)
        exit(3);
    for (int k = 0; k < n_argument; k++) {
        state = seed * 1000003 + (uint64_t)k * 7919;
        read_argument(job, &argument[k]);
    }
    fclose(job);
}

static int is_array(const struct argument *a) { return strcmp(a->kind, "array") == 0; }
static int is_result(const struct argument *a) { return is_array(a) && strcmp(a->role, "in") != 0; }

/* Arrays are as they were drawn; what is beside them has a pattern. */
static void start_again(int first)
{
    for (int k = 0; k < n_argument; k++) {
        struct argument *a = &argument[k];

        if (!is_array(a) || (!first && !is_result(a)))
            continue;
        if (first)
            memset(a->mapped, CANARY, a->span);
        memcpy(a->memory, a->start, a->size);
        if (first && !is_result(a) && a->span > 0)
            mprotect(a->mapped, a->span, PROT_READ);
    }
}

static void end_now(int status)
{
    fflush(stdout);
    _exit(status);
}

static void check_canaries(void)
{
    for (int k = 0; k < n_argument; k++) {
        const struct argument *a = &argument[k];

        for (size_t at = 0; is_array(a) && at < a->span; at++) {
            const size_t first = (size_t)(a->memory - a->mapped);

            if ((at < first || at >= first + a->size) && a->mapped[at] != CANARY) {
                printf("outside %d %lld\n", k, (long long)at - (long long)first);
                end_now(4);
            }
        }
    }
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    const unsigned char *at = info->si_addr;
    const long page = sysconf(_SC_PAGESIZE);

    (void)context;
    for (int k = 0; k < n_argument; k++) {
        const struct argument *a = &argument[k];

        if (!is_array(a) || at < a->mapped - page || at >= a->mapped + a->span + page)
            continue;
        if (at >= a->memory && at < a->memory + a->size)
            printf("written %d\n", k);
        else
            printf("outside %d %lld\n", k, (long long)(at - a->memory));
        end_now(4);
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void watch(void)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};

    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

static double run(void)
{
    struct timespec before, after;
    int status;

    clock_gettime(CLOCK_MONOTONIC, &before);
    status = call();
    clock_gettime(CLOCK_MONOTONIC, &after);
    if (status != 0) {
        printf("returned %d\n", status);
        end_now(2);
    }
    return 1e9 * (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec);
}

static void record(const char *path)
{
    FILE *out = fopen(path, "wb");

    for (int k = 0; out && k < n_argument; k++)
        if (is_result(&argument[k]))
            fwrite(argument[k].memory, 1, argument[k].size, out);
    if (!out || ferror(out) || fclose(out) != 0)
        end_now(3);
}

static double largest(const struct argument *a, const unsigned char *expected)
{
    double most = 0;

    for (int64_t k = 0; k < a->n; k++) {
        const double size = fabs(load_real(a, expected + k * a->bytes));

        most = isfinite(size) && size > most ? size : most;
    }
    return most;
}

static int is_same(const struct argument *a, const unsigned char *expected, const unsigned char *got, double bound)
{
    double x, y;

    if (memcmp(expected, got, (size_t)a->bytes) == 0)
        return 1;
    if (!a->is_real)
        return 0;
    x = load_real(a, expected);
    y = load_real(a, got);
    return (isnan(x) && isnan(y)) || fabs(x - y) <= bound;
}

static void print_value(const struct argument *a, const unsigned char *value)
{
    if (a->is_real)
        printf(" %.*g", a->bytes == 8 ? 17 : 9, load_real(a, value));
    else
        printf(" %" PRId64, load_integer(a, value));
}

/* The largest difference in rounding errors of the largest element. */
static double errors(const struct argument *a, const unsigned char *expected)
{
    const double unit = a->error * largest(a, expected);
    double most = 0;

    for (int64_t k = 0; unit > 0 && k < a->n; k++) {
        const double x = load_real(a, expected + k * a->bytes), y = load_real(a, a->memory + k * a->bytes);
        const double error = fabs(x - y) / unit;

        most = isfinite(error) && error > most ? error : most;
    }
    return most;
}

/* Returns how far they are apart, in such errors. */
static double compare_array(int number, const unsigned char *expected, double terms)
{
    const struct argument *a = &argument[number];
    const double bound = a->is_real && terms > 0 ? terms * a->error * largest(a, expected) : 0;
    int64_t n = 0, first = 0;

    for (int64_t k = 0; k < a->n; k++)
        if (!is_same(a, expected + k * a->bytes, a->memory + k * a->bytes, bound) && n++ == 0)
            first = k;
    if (n == 0)
        return bound > 0 ? errors(a, expected) : 0;
    printf("differs %d %" PRId64, number, first);
    print_value(a, expected + first * a->bytes);
    print_value(a, a->memory + first * a->bytes);
    printf(" %" PRId64 "\n", n);
    end_now(1);
    return 0;
}

static double compare(const char *path, double terms)
{
    FILE *in = fopen(path, "rb");
    double apart = 0;

    for (int k = 0; in && k < n_argument; k++) {
        unsigned char *expected = malloc(argument[k].size + 1);

        if (is_result(&argument[k])) {
            if (!expected || fread(expected, 1, argument[k].size, in) != argument[k].size)
                end_now(3);
            apart = fmax(apart, compare_array(k, expected, terms));
        }
        free(expected);
    }
    if (!in)
        end_now(3);
    fclose(in);
    return apart;
}

int main(int argc, char **argv)
{
    double first, apart = 0;

    if (argc != 6)
        return 3;
    read_job(argv[1]);
    watch();
    start_again(1);
    first = run();
    check_canaries();
    if (strcmp(argv[2], "record") == 0)
        record(argv[3]);
    else if (strcmp(argv[3], "-") != 0)
        apart = compare(argv[3], atof(argv[4]));
    if (strcmp(argv[2], "compare") == 0 && atof(argv[4]) > 0)
        printf("apart %.3g\n", apart);
    if (strcmp(argv[2], "time") == 0 && atoi(argv[5]) == 0)
        printf("time %.0f\n", first);
    for (int k = 0; strcmp(argv[2], "time") == 0 && k < atoi(argv[5]); k++) {
        start_again(0);
        printf("time %.0f\n", run());
    }
    fflush(stdout);
    return 0;
}
