/* Blocks one after the other, the threads of a block as fibers that take turns from barrier to barrier.
 *
 * SHIM_ORDER chooses in which order blocks and threads get their turn: 0 ascending, 1 descending, others shuffled.
 * What is wrong ends the program with a message: a race on an element of a shared array (two threads, one writing, no
 * barrier between), a read of shared memory that the block never wrote, threads of a block that wait at different
 * barriers or that end while others wait, threads of a warp that exchange values while others of it do not, a copy of
 * several elements from or to an address that it cannot have, a launch that is larger than a device has and that its
 * launcher does not refuse, or the other way round, arrays beyond the shared memory that the launch asked for, or on
 * top of each other. An asynchronous copy takes place when its thread waits for it, and who uses the elements before
 * that ends the program, too.
 *
 * Here is what depends on the types that are used; the rest is compiled once, shim.cpp.
 */
#ifndef POLYNEST_SHIM_H
#define POLYNEST_SHIM_H

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <type_traits>
#include <ucontext.h>
#include <vector>

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_)
    {
    }
};

struct __attribute__((may_alias)) int4 {
    int x, y, z, w;
};
struct __attribute__((may_alias)) int2 {
    int x, y;
};

namespace shim
{

enum : size_t { stack_size = 65536 };

/* An asynchronous copy that has not taken place. */
struct pending {
    unsigned long batch; /* number of commits before it */
    std::function<void()> copy;
};

struct fiber {
    ucontext_t context;
    std::unique_ptr<char[]> stack{new char[stack_size]};
    int barrier = 0;             /* the line it waits at */
    int exchange = 0;            /* likewise, with its warp only */
    unsigned long exchanges = 0; /* so far */
    unsigned char given[2][16];  /* in the last two of them */
    bool done = false;
    unsigned long commits = 0;
    std::vector<pending> copies;
};

struct state {
    dim3 thread, block, block_size, grid_size;
    std::vector<std::unique_ptr<fiber>> fibers;
    std::function<void()> kernel;
    ucontext_t scheduler;
    unsigned current = 0;                     /* thread */
    unsigned long epoch = 1, block_start = 1; /* barriers passed by all blocks so far */
    unsigned long random = 1;
    cudaError_t error = cudaSuccess;
    bool refused = false, too_large = false; /* the next launch, by its launcher; an earlier one */
    unsigned long launches = 0;              /* so far */
    size_t dynamic = 0;                      /* bytes of shared memory that the launch asked for, */
    std::map<size_t, size_t> parts;          /* its arrays: where they start and end, */
    std::map<size_t, bool> starts;           /* where those start that end where the next one starts, */
    std::map<const void *, size_t> most;     /* and what kernels may ask for */
    std::map<int, size_t> declared;          /* by line: bytes of what the kernel declares itself */
};

extern state now;

[[noreturn]] void fail(const char *what, unsigned a, unsigned b);

enum : size_t { spacing = 64 }; /* bytes from one element of a shared array to the next */

enum : size_t { most_declared = 49152, most_shared = 232448 }; /* bytes, without and with permission */

/* Where in the memory that the launch asked for. */
struct spot {
    size_t offset = 0;
    spot operator+(size_t bytes) const
    {
        return {offset + bytes};
    }
};

void *reserve(size_t bytes);
/* An array starts there; it ends where the next one does, or all that the launch asked for. */
void add_start(size_t offset);
size_t end_behind(size_t offset);

/* Arrays of elements of one type in the memory that the launch asked for: a slot for each, far larger than that memory,
 * so that elements outside of it are found out. The first one stays empty. */
template <typename T> struct slots {
    enum : size_t { n = 9, size = (most_shared + 4096) * spacing };
    inline static char *const memory = static_cast<char *>(reserve(n * size));
    inline static size_t first[n], used = 1;
    inline static unsigned long launch = 0;

    static size_t number(const void *element)
    {
        return size_t(static_cast<const char *>(element) - memory) / size;
    }
    static size_t offset(const void *element)
    {
        const size_t k = number(element), place = size_t(static_cast<const char *>(element) - memory) % size;
        return first[k] + place / spacing * sizeof(T);
    }
    static void check(const void *element)
    {
        const size_t k = number(element);
        if (element < memory || k >= n)
            return;
        if (launch != now.launches || k == 0 || k >= used || offset(element) + sizeof(T) > end_behind(first[k]))
            fail("an element is not inside of its array in the shared memory that the launch asked for", now.current,
                 now.current);
    }
    static void *at(size_t offset)
    {
        if (launch != now.launches)
            used = 1;
        launch = now.launches;
        add_start(offset);
        for (size_t k = 1; k < used; k++)
            if (first[k] == offset)
                return memory + k * size;
        if (used == n)
            fail("more arrays than the shim has room for", now.current, now.current);
        first[used] = offset;
        return memory + used++ * size;
    }
};

/* An element of a shared array that knows who used it since the last barrier. */
template <typename T> class alignas(spacing) shared
{
    T value;
    mutable unsigned writer = 0, reader = 0;
    mutable unsigned long written = 0, read = 0; /* epochs */
    mutable bool many = false;
    bool atomic = false;      /* written by updates that nothing interrupts */
    unsigned long copied = 0; /* the epoch in which an asynchronous copy to it started that goes on */

    void check_copied(const char *what) const
    {
        if (copied >= now.block_start)
            fail(what, writer, now.current);
    }

    void note_read() const
    {
        slots<T>::check(this);
        check_copied("shared memory is read before the asynchronous copy to it was waited for");
        if (written < now.block_start)
            fail("shared memory is read that this block did not write", now.current, now.current);
        if (written == now.epoch && (writer != now.current || atomic))
            fail("race: written and read without a barrier between", writer, now.current);
        many = read == now.epoch && (many || reader != now.current);
        reader = now.current;
        read = now.epoch;
    }

    void note_write(bool updates = false)
    {
        slots<T>::check(this);
        check_copied("shared memory is written while an asynchronous copy to it goes on");
        if (written == now.epoch && (writer != now.current || atomic) && !(updates && atomic))
            fail("race: written twice without a barrier between", writer, now.current);
        if (read == now.epoch && (many || reader != now.current))
            fail("race: read and written without a barrier between", reader, now.current);
        writer = now.current;
        written = now.epoch;
        atomic = updates;
    }

  public:
    operator T() const
    {
        note_read();
        return value;
    }
    shared &operator=(T v)
    {
        note_write();
        value = v;
        return *this;
    }
    template <typename Function> T update(Function function)
    {
        slots<T>::check(this);
        const T old = value;
        if (written < now.block_start)
            fail("shared memory is updated that this block did not write", now.current, now.current);
        note_write(true);
        value = static_cast<T>(function(old));
        return old;
    }
    /* An asynchronous copy: the element is written at some time between the two. */
    void start_copy()
    {
        note_write();
        std::memset(static_cast<void *>(&value), 0xA5, sizeof(value));
        copied = now.epoch;
    }
    void end_copy(T v)
    {
        copied = 0;
        *this = v;
    }
    shared &operator=(const shared &other)
    {
        return *this = static_cast<T>(other);
    }
    template <typename U> shared &operator+=(const U &v)
    {
        return *this = static_cast<T>(T(*this) + v);
    }
    template <typename U> shared &operator-=(const U &v)
    {
        return *this = static_cast<T>(T(*this) - v);
    }
    template <typename U> shared &operator*=(const U &v)
    {
        return *this = static_cast<T>(T(*this) * v);
    }
    template <typename U> shared &operator/=(const U &v)
    {
        return *this = static_cast<T>(T(*this) / v);
    }
    template <typename U> shared &operator&=(const U &v)
    {
        return *this = static_cast<T>(T(*this) & v);
    }
    template <typename U> shared &operator|=(const U &v)
    {
        return *this = static_cast<T>(T(*this) | v);
    }
    template <typename U> shared &operator^=(const U &v)
    {
        return *this = static_cast<T>(T(*this) ^ v);
    }
};

/* An array of so many bytes in the shared memory that the launch asked for. */
void place(size_t first, size_t bytes, size_t align);

template <typename T> struct element_of;
template <typename T> struct element_of<shared<T>> {
    typedef T type;
};
template <typename U> using value_of = typename element_of<std::remove_all_extents_t<U>>::type;

/* An array of elements or rows U there, or behind so many elements or rows of another one. */
template <typename U> U *part(spot where)
{
    return static_cast<U *>(slots<value_of<U>>::at(where.offset));
}
template <typename U, typename V> U *part(const V *where)
{
    return part<U>(spot{slots<value_of<V>>::offset(where)});
}

/* An array that the kernel declares. */
inline void declared(int line, size_t bytes)
{
    now.declared[line] = bytes;
}

/* The devices that a file is for. */
struct arch {
    explicit arch(int version);
};

void wait(int line);

/* All threads of a warp give something, and may then look at what the others gave. */
template <typename T> const fiber *exchange(T value, int line)
{
    fiber &self = *now.fibers[now.current];

    static_assert(sizeof(T) <= sizeof(self.given[0]), "");
    std::memcpy(self.given[++self.exchanges % 2], &value, sizeof value);
    self.exchange = line;
    swapcontext(&self.context, &now.scheduler);
    return &self;
}

template <typename T> T given(unsigned thread)
{
    const fiber &other = *now.fibers[thread];
    T value;

    std::memcpy(&value, other.given[now.fibers[now.current]->exchanges % 2], sizeof value);
    return value;
}

/* Threads that exchange values: of CUDA always so many, of HIP what the architecture has that the file names. */
inline unsigned warp = 32;

struct wavefront {
    explicit wavefront(unsigned threads)
    {
        warp = threads;
    }
};

template <typename T> T shuffle_xor(unsigned mask, T value, unsigned lanes, int line)
{
    const unsigned own = now.current;

    if (mask != 0xffffffffu)
        fail("an exchange that is not for all of a warp", own, own);
    exchange(value, line);
    return given<T>(own / warp * warp + (own % warp ^ lanes));
}

bool any(unsigned mask, bool value, int line);

/* What a launcher's test does where it finds a launch too large for a device: the launch sees whether that is so. */
inline void refuse()
{
    now.refused = true;
}

void launch(const void *function, const dim3 &grid, const dim3 &block, size_t dynamic, std::function<void()> kernel);

} // namespace shim

#define __global__
#define __forceinline__ inline
#define __device__
#define __host__
#define __launch_bounds__(...)
#define threadIdx (shim::now.thread)
#define blockIdx (shim::now.block)
#define blockDim (shim::now.block_size)
#define gridDim (shim::now.grid_size)
#define __syncthreads() shim::wait(__LINE__)
#define __shfl_xor_sync(mask, value, lanes) shim::shuffle_xor(mask, value, lanes, __LINE__)
#define __any_sync(mask, value) shim::any(mask, value, __LINE__)

namespace shim
{

template <typename T, typename Function> T update(T *x, Function function)
{
    const T old = *x;
    *x = static_cast<T>(function(old));
    return old;
}
template <typename T, typename Function> T update(shared<T> *x, Function function)
{
    return x->update(function);
}

/* What a thread may see of an element that others update: something older. */
template <typename T> T stale(const T *)
{
    T old;
    std::memset(static_cast<void *>(&old), 0, sizeof old);
    return old;
}
template <typename T> T stale(const shared<T> *)
{
    return stale(static_cast<const T *>(nullptr));
}

/* The bits of the element, which becomes those of wanted where they are those of old. */
template <typename W, typename Pointer> W exchange_bits(Pointer x, W old, W wanted)
{
    W seen{};

    update(x, [&](auto value) {
        static_assert(sizeof value == sizeof seen, "");
        std::memcpy(&seen, &value, sizeof seen);
        std::memcpy(static_cast<void *>(&value), seen == old ? &wanted : &seen, sizeof seen);
        return value;
    });
    return seen;
}

template <typename To, typename From> To bits_as(From from)
{
    To to;

    static_assert(sizeof to == sizeof from, "");
    std::memcpy(&to, &from, sizeof to);
    return to;
}

template <typename T> bool is_aligned(const T *x, size_t bytes)
{
    return reinterpret_cast<size_t>(x) % bytes == 0;
}
template <typename T> bool is_aligned(const shared<T> *x, size_t bytes)
{
    return reinterpret_cast<size_t>(x) / spacing * sizeof(T) % bytes == 0;
}

template <typename T> size_t bytes_of(const T *)
{
    return sizeof(T);
}
template <typename T> size_t bytes_of(const shared<T> *)
{
    return sizeof(T);
}

/* How many elements so many bytes at once are. */
template <typename To, typename From> size_t elements(const To *to, const From *from, size_t bytes)
{
    if (!is_aligned(to, bytes) || !is_aligned(from, bytes))
        fail("an address is no multiple of the bytes that are copied at once", now.current, now.current);
    return bytes / bytes_of(to);
}

template <typename To, typename From> void copy(To *to, const From *from, size_t bytes)
{
    for (size_t k = 0, n = elements(to, from, bytes); k < n; k++)
        to[k] = from[k];
}

} // namespace shim

template <typename T> void __pipeline_memcpy_async(shim::shared<T> *to, const T *from, size_t bytes)
{
    shim::fiber &self = *shim::now.fibers[shim::now.current];

    if (bytes != 4 && bytes != 8 && bytes != 16)
        shim::fail("asynchronous copies are of 4, 8 or 16 bytes", shim::now.current, shim::now.current);
    for (size_t k = 0, n = shim::elements(to, from, bytes); k < n; k++) {
        to[k].start_copy();
        self.copies.push_back({self.commits, [=] { to[k].end_copy(from[k]); }});
    }
}

void __pipeline_commit();
/* Those of all batches but the last `prior`. */
void __pipeline_wait_prior(size_t prior);

template <typename T> T shim_sum(T a, T b)
{
    if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
    } else {
        return a + b;
    }
}

/* Updates in the element's own type: 64-bit integers have other types in CUDA, of the same bits. */
#define SHIM_ATOMIC(name, expression)                                                                                  \
    template <typename Pointer, typename T> void name(Pointer x, const T &v)                                           \
    {                                                                                                                  \
        shim::update(x, [&](auto a) {                                                                                  \
            const auto b = static_cast<decltype(a)>(v);                                                                \
            return expression;                                                                                         \
        });                                                                                                            \
    }
SHIM_ATOMIC(atomicAdd, shim_sum(a, b))
SHIM_ATOMIC(atomicAnd, a &b)
SHIM_ATOMIC(atomicOr, a | b)
SHIM_ATOMIC(atomicXor, a ^ b)
SHIM_ATOMIC(atomicMin, a < b ? a : b)
SHIM_ATOMIC(atomicMax, a > b ? a : b)

inline unsigned __float_as_uint(float a)
{
    return shim::bits_as<unsigned>(a);
}
inline float __uint_as_float(unsigned a)
{
    return shim::bits_as<float>(a);
}
inline long long __double_as_longlong(double a)
{
    return shim::bits_as<long long>(a);
}
inline double __longlong_as_double(long long a)
{
    return shim::bits_as<double>(a);
}

inline float __fmul_rn(float a, float b)
{
    return a * b;
}
inline double __dmul_rn(double a, double b)
{
    return a * b;
}

template <typename Kernel> cudaError_t cudaFuncSetAttribute(Kernel *kernel, cudaFuncAttribute, int bytes)
{
    if (bytes < 0 || size_t(bytes) > shim::most_shared)
        return cudaErrorInvalidValue;
    shim::now.most[reinterpret_cast<const void *>(kernel)] = size_t(bytes);
    return cudaSuccess;
}

cudaError_t cudaGetLastError();
cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t); /* the bytes are no zeros */
cudaError_t cudaMalloc(void **memory, size_t bytes);
cudaError_t cudaFree(void *memory);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemsetAsync(void *memory, int byte, size_t bytes, cudaStream_t);
cudaError_t cudaFreeAsync(void *memory, cudaStream_t);

#endif
