/* Blocks one after the other, the threads of a block as fibers that take turns from barrier to barrier.
 *
 * SHIM_ORDER chooses in which order blocks and threads get their turn: 0 ascending, 1 descending, others shuffled. What
 * is wrong ends the program with a message: a race on an element of a shared array (two threads, one writing, no
 * barrier between), a read of shared memory that the block never wrote, threads of a block that wait at different
 * barriers or that end while others wait, threads of a warp that exchange values while others of it do not, a copy of
 * several elements from or to an address that it cannot have, a launch that a device would refuse, arrays beyond the
 * shared memory that the launch asked for, or on top of each other. An asynchronous copy takes place when its thread
 * waits for it, and who uses the elements before that ends the program, too.
 */
#ifndef POLYNEST_SHIM_H
#define POLYNEST_SHIM_H

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <type_traits>
#include <ucontext.h>
#include <vector>

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

struct int4 {
    int x, y, z, w;
};
struct int2 {
    int x, y;
};

namespace shim {

enum : size_t { stack_size = 65536 };

/* An asynchronous copy that has not taken place. */
struct pending {
    unsigned long batch; /* number of commits before it */
    std::function<void()> copy;
};

struct fiber {
    ucontext_t context;
    std::unique_ptr<char[]> stack{new char[stack_size]};
    int barrier = 0;  /* the line it waits at */
    int exchange = 0; /* likewise, with its warp only */
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
    unsigned current = 0;  /* thread */
    unsigned long epoch = 1, block_start = 1; /* barriers passed by all blocks so far */
    unsigned long random = 1;
    cudaError_t error = cudaSuccess;
    size_t dynamic = 0;               /* bytes of shared memory that the launch asked for, */
    std::map<size_t, size_t> parts;   /* its arrays: where they start and end, */
    std::map<const void *, size_t> most; /* and what kernels may ask for */
};

inline state now;

[[noreturn]] inline void fail(const char *what, unsigned a, unsigned b)
{
    std::fprintf(stderr, "shim: %s: block (%u, %u, %u), threads %u and %u\n", what, now.block.x, now.block.y,
                 now.block.z, a, b);
    std::exit(1);
}

enum : size_t { spacing = 64 }; /* bytes from one element of a shared array to the next */

/* An element of a shared array that knows who used it since the last barrier. */
template <typename T> class alignas(spacing) shared {
    T value;
    mutable unsigned writer = 0, reader = 0;
    mutable unsigned long written = 0, read = 0; /* epochs */
    mutable bool many = false;
    bool atomic = false; /* written by updates that nothing interrupts */
    unsigned long copied = 0; /* the epoch in which an asynchronous copy to it started that goes on */

    void check_copied(const char *what) const
    {
        if (copied >= now.block_start)
            fail(what, writer, now.current);
    }

    void note_read() const
    {
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
    shared &operator=(const shared &other) { return *this = static_cast<T>(other); }
    template <typename U> shared &operator+=(const U &v) { return *this = static_cast<T>(T(*this) + v); }
    template <typename U> shared &operator-=(const U &v) { return *this = static_cast<T>(T(*this) - v); }
    template <typename U> shared &operator*=(const U &v) { return *this = static_cast<T>(T(*this) * v); }
    template <typename U> shared &operator/=(const U &v) { return *this = static_cast<T>(T(*this) / v); }
    template <typename U> shared &operator&=(const U &v) { return *this = static_cast<T>(T(*this) & v); }
    template <typename U> shared &operator|=(const U &v) { return *this = static_cast<T>(T(*this) | v); }
    template <typename U> shared &operator^=(const U &v) { return *this = static_cast<T>(T(*this) ^ v); }
};

/* An array of so many bytes in the shared memory that the launch asked for. */
inline void place(size_t first, size_t bytes, size_t align)
{
    const auto next = now.parts.upper_bound(first);

    now.parts[first] = first + bytes;
    if (first % align || first + bytes > now.dynamic || (next != now.parts.end() && next->first < first + bytes))
        fail("an array is not inside of the shared memory that the launch asked for", now.current, now.current);
    for (const auto &part : now.parts)
        if (part.first < first && part.second > first)
            fail("two arrays are at one place of shared memory", now.current, now.current);
}

inline dim3 position(unsigned long k, const dim3 &size)
{
    return dim3(unsigned(k % size.x), unsigned(k / size.x % size.y), unsigned(k / size.x / size.y));
}

/* 0 .. n - 1 in the order that SHIM_ORDER says */
inline std::vector<unsigned> turns(unsigned long n)
{
    const char *order = std::getenv("SHIM_ORDER");
    const int kind = order ? std::atoi(order) : 0;
    std::vector<unsigned> list(n);

    std::iota(list.begin(), list.end(), 0u);
    if (kind == 1)
        std::reverse(list.begin(), list.end());
    for (unsigned long k = n; kind > 1 && k > 1; k--) {
        now.random = now.random * 6364136223846793005ul + 1442695040888963407ul + unsigned(kind);
        std::swap(list[k - 1], list[(now.random >> 33) % k]);
    }
    return list;
}

inline void enter()
{
    now.kernel();
    now.fibers[now.current]->done = true;
    swapcontext(&now.fibers[now.current]->context, &now.scheduler);
}

inline void wait(int line)
{
    fiber &self = *now.fibers[now.current];

    self.barrier = line;
    swapcontext(&self.context, &now.scheduler);
}

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

enum : unsigned { warp = 32 };

template <typename T> T shuffle_xor(unsigned mask, T value, unsigned lanes, int line)
{
    const unsigned own = now.current;

    if (mask != 0xffffffffu)
        fail("an exchange that is not for all of a warp", own, own);
    exchange(value, line);
    return given<T>(own / warp * warp + (own % warp ^ lanes));
}

inline bool any(unsigned mask, bool value, int line)
{
    bool found = shuffle_xor(mask, value, 0, line);

    for (unsigned lane = 0; lane < warp; lane++)
        found |= given<bool>(now.current / warp * warp + lane);
    return found;
}

inline void start(fiber &f)
{
    f.done = false;
    f.commits = 0;
    f.copies.clear();
    f.barrier = f.exchange = 0;
    f.exchanges = 0;
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = f.stack.get();
    f.context.uc_stack.ss_size = stack_size;
    f.context.uc_link = nullptr;
    makecontext(&f.context, enter, 0);
}

inline void run(unsigned thread)
{
    now.current = thread;
    now.thread = position(thread, now.block_size);
    now.fibers[thread]->barrier = now.fibers[thread]->exchange = 0;
    swapcontext(&now.scheduler, &now.fibers[thread]->context);
}

/* Do the threads of the warp that starts there exchange values? All or none of them do, and at one place. */
inline bool exchanges(unsigned start, unsigned long threads)
{
    for (unsigned t = start; t < start + warp; t++)
        if (t >= threads ? now.fibers[start]->exchange != 0 : now.fibers[t]->exchange != now.fibers[start]->exchange)
            fail("not all threads of a warp exchange values", start, t);
    return now.fibers[start]->exchange != 0;
}

/* All threads once, up to their next barrier or end; false when all have ended. */
inline bool round(unsigned long threads)
{
    const std::vector<unsigned> order = turns(threads);
    unsigned first = 0;

    for (unsigned t : order)
        run(t);
    for (unsigned start = 0; start < threads; start += warp)
        while (exchanges(start, threads))
            for (unsigned t : order)
                if (t / warp * warp == start)
                    run(t);
    for (unsigned t = 0; t < threads; t++)
        if (now.fibers[t]->barrier != now.fibers[first]->barrier)
            fail("not all threads reach the same barrier", first, t);
    now.epoch++;
    return !now.fibers[0]->done;
}

inline bool fits(const dim3 &grid, const dim3 &block)
{
    const unsigned long threads = (unsigned long)block.x * block.y * block.z;

    return threads > 0 && threads <= 1024 && block.z <= 64 && grid.x > 0 && grid.x <= 2147483647u && grid.y > 0 &&
           grid.y <= 65535 && grid.z > 0 && grid.z <= 65535;
}

enum : size_t { most_declared = 49152, most_shared = 232448 }; /* bytes, without and with permission */

inline void launch(const void *function, const dim3 &grid, const dim3 &block, size_t dynamic,
                   std::function<void()> kernel)
{
    const unsigned long threads = (unsigned long)block.x * block.y * block.z;

    if (!fits(grid, block) || dynamic > std::max<size_t>(most_declared, now.most[function])) {
        now.error = cudaErrorInvalidConfiguration;
        return;
    }
    now.dynamic = dynamic;
    now.parts.clear();
    while (now.fibers.size() < threads)
        now.fibers.emplace_back(new fiber);
    now.kernel = kernel;
    now.block_size = block;
    now.grid_size = grid;
    for (unsigned b : turns((unsigned long)grid.x * grid.y * grid.z)) {
        now.block = position(b, grid);
        now.block_start = ++now.epoch;
        for (unsigned long t = 0; t < threads; t++)
            start(*now.fibers[t]);
        while (round(threads))
            ;
    }
}

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

namespace shim {

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

template <typename T> bool is_aligned(const T *x, size_t bytes) { return reinterpret_cast<size_t>(x) % bytes == 0; }
template <typename T> bool is_aligned(const shared<T> *x, size_t bytes)
{
    return reinterpret_cast<size_t>(x) / spacing * sizeof(T) % bytes == 0;
}

template <typename T> size_t bytes_of(const T *) { return sizeof(T); }
template <typename T> size_t bytes_of(const shared<T> *) { return sizeof(T); }

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

inline void __pipeline_commit() { shim::now.fibers[shim::now.current]->commits++; }

/* Those of all batches but the last `prior`. */
inline void __pipeline_wait_prior(size_t prior)
{
    shim::fiber &self = *shim::now.fibers[shim::now.current];
    size_t n = 0;

    while (n < self.copies.size() && self.copies[n].batch + prior < self.commits)
        self.copies[n++].copy();
    self.copies.erase(self.copies.begin(), self.copies.begin() + long(n));
}

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
#define SHIM_ATOMIC(name, expression) \
    template <typename Pointer, typename T> void name(Pointer x, const T &v) \
    { \
        shim::update(x, [&](auto a) { const auto b = static_cast<decltype(a)>(v); return expression; }); \
    }
SHIM_ATOMIC(atomicAdd, shim_sum(a, b))
SHIM_ATOMIC(atomicAnd, a & b)
SHIM_ATOMIC(atomicOr, a | b)
SHIM_ATOMIC(atomicXor, a ^ b)
SHIM_ATOMIC(atomicMin, a < b ? a : b)
SHIM_ATOMIC(atomicMax, a > b ? a : b)

inline float __fmul_rn(float a, float b) { return a * b; }
inline double __dmul_rn(double a, double b) { return a * b; }

template <typename Kernel> cudaError_t cudaFuncSetAttribute(Kernel *kernel, cudaFuncAttribute, int bytes)
{
    if (bytes < 0 || size_t(bytes) > shim::most_shared)
        return cudaErrorInvalidValue;
    shim::now.most[reinterpret_cast<const void *>(kernel)] = size_t(bytes);
    return cudaSuccess;
}

inline cudaError_t cudaGetLastError()
{
    const cudaError_t error = shim::now.error;

    shim::now.error = cudaSuccess;
    return error;
}

/* Memory starts with bytes that are no zeros. */
inline cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t)
{
    *memory = bytes > 0 && bytes <= PTRDIFF_MAX ? std::malloc(bytes) : nullptr;
    if (*memory)
        std::memset(*memory, 0xA5, bytes);
    return *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}

namespace shim {

/* The device's memory that is there, by its first byte. What is not freed when the program ends makes it fail; with
 * SHIM_FAIL=n call number n of those that allocate or copy fails, and those behind it. */
struct memory {
    std::map<char *, size_t> blocks;
    long calls = 0;

    bool fails()
    {
        const char *number = std::getenv("SHIM_FAIL");
        return number && ++calls >= std::atol(number);
    }
    /* Is all of it the device's; is none of it? */
    bool has(const void *from, size_t bytes) const
    {
        for (const auto &block : blocks)
            if (from >= block.first && static_cast<const char *>(from) + bytes <= block.first + block.second)
                return true;
        return false;
    }
    ~memory()
    {
        if (blocks.empty())
            return;
        std::fprintf(stderr, "shim: memory of the device is not freed\n");
        std::_Exit(1);
    }
};

inline memory device;

} // namespace shim

inline cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    if (shim::device.fails() || cudaMallocAsync(memory, bytes, nullptr) != cudaSuccess)
        return cudaErrorMemoryAllocation;
    shim::device.blocks[static_cast<char *>(*memory)] = bytes;
    return cudaSuccess;
}

inline cudaError_t cudaFree(void *memory)
{
    if (memory && !shim::device.blocks.erase(static_cast<char *>(memory)))
        return cudaErrorInvalidValue;
    std::free(memory);
    return cudaSuccess;
}

inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    const bool to_device = kind == cudaMemcpyHostToDevice;

    if (shim::device.fails() || shim::device.has(to, bytes) != to_device || shim::device.has(from, bytes) == to_device)
        return cudaErrorInvalidValue;
    if (bytes > 0)
        std::memcpy(to, from, bytes);
    return cudaSuccess;
}

inline cudaError_t cudaMemsetAsync(void *memory, int byte, size_t bytes, cudaStream_t)
{
    std::memset(memory, byte, bytes);
    return cudaSuccess;
}

inline cudaError_t cudaFreeAsync(void *memory, cudaStream_t)
{
    std::free(memory);
    return cudaSuccess;
}

#endif
