/* What the shim does that no type changes: turns of fibers, launches, the device's memory. See shim.h. */
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <utility>

#include <sys/mman.h>

namespace shim {

state now;

[[noreturn]] void fail(const char *what, unsigned a, unsigned b)
{
    std::fprintf(stderr, "shim: %s: block (%u, %u, %u), threads %u and %u\n", what, now.block.x, now.block.y,
                 now.block.z, a, b);
    std::exit(1);
}

void place(size_t first, size_t bytes, size_t align)
{
    const auto next = now.parts.upper_bound(first);

    now.parts[first] = first + bytes;
    if (first % align || first + bytes > now.dynamic || (next != now.parts.end() && next->first < first + bytes))
        fail("an array is not inside of the shared memory that the launch asked for", now.current, now.current);
    for (const auto &part : now.parts)
        if (part.first < first && part.second > first)
            fail("two arrays are at one place of shared memory", now.current, now.current);
}

void *reserve(size_t bytes)
{
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (memory == MAP_FAILED)
        std::abort();
    return memory;
}

void add_start(size_t offset)
{
    const auto behind = now.parts.upper_bound(offset);

    now.starts[offset] = true;
    if (offset % 16 || offset > now.dynamic)
        fail("an array does not start inside of the shared memory that the launch asked for", now.current, now.current);
    if (behind != now.parts.end() || (!now.parts.empty() && now.parts.rbegin()->second > offset))
        fail("two arrays are at one place of shared memory", now.current, now.current);
}

size_t end_behind(size_t offset)
{
    const auto next = now.starts.upper_bound(offset);

    return next == now.starts.end() ? now.dynamic : next->first;
}

/* Bytes of shared memory that a block can have. */
static size_t &limit()
{
    static size_t bytes = 163 * 1024;
    return bytes;
}

arch::arch(int version)
{
    static const std::map<int, size_t> kilobytes = {{70, 96}, {72, 96}, {75, 64}, {80, 163}, {86, 99}, {87, 163},
                                                    {89, 99}, {120, 99}, {121, 99}};
    const auto found = kilobytes.find(version);

    limit() = 1024 * (found == kilobytes.end() ? 227 : found->second);
}

void wait(int line)
{
    fiber &self = *now.fibers[now.current];

    self.barrier = line;
    swapcontext(&self.context, &now.scheduler);
}

bool any(unsigned mask, bool value, int line)
{
    bool found = shuffle_xor(mask, value, 0, line);

    for (unsigned lane = 0; lane < warp; lane++)
        found |= given<bool>(now.current / warp * warp + lane);
    return found;
}

namespace {

dim3 position(unsigned long k, const dim3 &size)
{
    return dim3(unsigned(k % size.x), unsigned(k / size.x % size.y), unsigned(k / size.x / size.y));
}

/* 0 .. n - 1 in the order that SHIM_ORDER says */
std::vector<unsigned> turns(unsigned long n)
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

void enter()
{
    now.kernel();
    now.fibers[now.current]->done = true;
    swapcontext(&now.fibers[now.current]->context, &now.scheduler);
}

void start(fiber &f)
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

void run(unsigned thread)
{
    now.current = thread;
    now.thread = position(thread, now.block_size);
    now.fibers[thread]->barrier = now.fibers[thread]->exchange = 0;
    swapcontext(&now.scheduler, &now.fibers[thread]->context);
}

/* Do the threads of the warp that starts there exchange values? All or none of them do, and at one place. */
bool exchanges(unsigned start, unsigned long threads)
{
    for (unsigned t = start; t < start + warp; t++)
        if (t >= threads ? now.fibers[start]->exchange != 0 : now.fibers[t]->exchange != now.fibers[start]->exchange)
            fail("not all threads of a warp exchange values", start, t);
    return now.fibers[start]->exchange != 0;
}

/* All threads once, up to their next barrier or end; false when all have ended. */
bool round(unsigned long threads)
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

bool fits(const dim3 &grid, const dim3 &block)
{
    const unsigned long threads = (unsigned long)block.x * block.y * block.z;

    return threads > 0 && threads <= 1024 && block.z <= 64 && grid.x > 0 && grid.x <= 2147483647u && grid.y > 0 &&
           grid.y <= 65535 && grid.z > 0 && grid.z <= 65535;
}

/* Does it fit? Its launcher must know. What the kernel declares is not known before it runs. */
bool is_launched(const dim3 &grid, const dim3 &block, size_t dynamic)
{
    const bool refused = now.refused;

    if (refused && fits(grid, block) && dynamic <= limit() - most_declared)
        fail("a launch is refused that a device has room for", 0, 0);
    if (!refused && (!fits(grid, block) || dynamic > limit()))
        fail("a launch is larger than a device has", 0, 0);
    now.refused = false;
    now.too_large |= refused;
    return !refused;
}

/* Is what the kernel declares and what the launch asked for together no more than there is? */
void check_shared(const void *function, size_t dynamic)
{
    const auto most = now.most.find(function);
    size_t declared = 0;

    for (const auto &array : now.declared)
        declared += array.second;
    if (declared > most_declared)
        fail("a kernel declares too much shared memory", 0, 0);
    if (dynamic + declared > most_declared && (most == now.most.end() || dynamic > most->second))
        fail("a launch has no permission for its shared memory", 0, 0);
    if (most != now.most.end() && most->second + declared > limit())
        fail("a launch is permitted more shared memory than there is", 0, 0);
}

} // namespace

void launch(const void *function, const dim3 &grid, const dim3 &block, size_t dynamic, std::function<void()> kernel)
{
    const unsigned long threads = (unsigned long)block.x * block.y * block.z;

    if (!is_launched(grid, block, dynamic) || (dynamic > most_declared && dynamic > now.most[function])) {
        now.error = cudaErrorInvalidConfiguration;
        return;
    }
    now.dynamic = dynamic;
    now.launches++;
    now.parts.clear();
    now.starts.clear();
    now.declared.clear();
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
        check_shared(function, dynamic);
    }
}

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

static memory device;

} // namespace shim


void __pipeline_commit()
{
    shim::now.fibers[shim::now.current]->commits++;
}

void __pipeline_wait_prior(size_t prior)
{
    shim::fiber &self = *shim::now.fibers[shim::now.current];
    size_t n = 0;

    while (n < self.copies.size() && self.copies[n].batch + prior < self.commits)
        self.copies[n++].copy();
    self.copies.erase(self.copies.begin(), self.copies.begin() + long(n));
}

/* For the harness: was a launch too large since the last time that it asked? */
extern "C" int harness_too_large(int)
{
    return std::exchange(shim::now.too_large, false);
}

cudaError_t cudaGetLastError()
{
    const cudaError_t error = shim::now.error;

    shim::now.error = cudaSuccess;
    return error;
}

cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t)
{
    *memory = bytes > 0 && bytes <= PTRDIFF_MAX ? std::malloc(bytes) : nullptr;
    if (*memory)
        std::memset(*memory, 0xA5, bytes);
    return *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    if (shim::device.fails() || cudaMallocAsync(memory, bytes, nullptr) != cudaSuccess)
        return cudaErrorMemoryAllocation;
    shim::device.blocks[static_cast<char *>(*memory)] = bytes;
    return cudaSuccess;
}

cudaError_t cudaFree(void *memory)
{
    if (memory && !shim::device.blocks.erase(static_cast<char *>(memory)))
        return cudaErrorInvalidValue;
    std::free(memory);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    const bool to_device = kind == cudaMemcpyHostToDevice;

    if (shim::device.fails() || shim::device.has(to, bytes) != to_device || shim::device.has(from, bytes) == to_device)
        return cudaErrorInvalidValue;
    if (bytes > 0)
        std::memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *memory, int byte, size_t bytes, cudaStream_t)
{
    std::memset(memory, byte, bytes);
    return cudaSuccess;
}

cudaError_t cudaFreeAsync(void *memory, cudaStream_t)
{
    std::free(memory);
    return cudaSuccess;
}
