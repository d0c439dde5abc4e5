// Compiled for the host and, by clang's NVPTX back end, for a device: the results must be the same.
// Arithmetic of all widths, calls, a switch, local arrays, loops whose lanes diverge, 128 bits,
// halves and conversions; then a product of matrices by tiles in shared memory.
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;
typedef unsigned long long u64;
typedef long long i64;

static __attribute__((noinline)) u64 mix(u64 x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ULL;
    return x ^ x >> 29;
}

static __attribute__((noinline)) int collatz(u64 n) {
    int steps = 0;
    for (; n > 1 && steps < 200; ++steps)
        n = n & 1 ? 3 * n + 1 : n / 2;
    return steps;
}

static __attribute__((noinline)) double series(double x, int terms) {
    double result = 0;
    for (int k = 0; k < terms; ++k)
        result = result * x + 1.0 / (k + 1);
    return result;
}

static u64 sorted(u64 h) {
    u8 bytes[32];
    for (int k = 0; k < 32; ++k)
        bytes[k] = (u8)(h >> (k % 8 * 8)) ^ k;
    for (int k = 1; k < 32; ++k) {
        u8 value = bytes[k];
        int at = k - 1;
        for (; at >= 0 && bytes[at] > value; --at)
            bytes[at + 1] = bytes[at];
        bytes[at + 1] = value;
    }
    for (int k = 0; k < 32; ++k)
        h = h * 31 + bytes[k];
    return h;
}

static u64 integers(u64 h, u64 s) {
    i64 a = (i64)h, b = (i64)(s % 1000) - 500;
    if (b == 0)
        b = 7;
    h ^= (u64)(a / b);
    h += (u64)(a % b);
    h ^= (u64)((int)a / (int)b);
    h += (u32)a / ((u32)b | 1);
    h ^= (u64)__builtin_clzll(h | 1) * 3 + __builtin_ctzll(h | 2) + __builtin_popcountll(h);
    h += collatz(s % 10000 + 1);
    switch (s % 7) {
    case 0:
        h += 11;
        break;
    case 1:
        h ^= 0x55;
        break;
    case 2:
        h *= 3;
        break;
    case 3:
        h -= 9;
        break;
    case 4:
        h = ~h;
        break;
    case 5:
        h <<= 3;
        break;
    default:
        h >>= 2;
    }
    unsigned __int128 wide = (unsigned __int128)h * (h ^ 0x9e3779b97f4a7c15ULL) + s;
    h = (u64)(wide >> 64) ^ (u64)wide;
    short narrow = (short)h;
    signed char narrower = (signed char)(h >> 5);
    h += (u64)(i64)(narrow * narrower);
    h ^= (u64)(u16)(narrow >> 3);
    h = (h << (s & 63)) | (h >> ((64 - (s & 63)) & 63));
    return h + __builtin_bswap32((u32)h) + __builtin_bitreverse32((u32)(h >> 32));
}

static u64 floats(u64 h, u64 s) {
    double d = series((double)(s % 100) * 0.01, (int)(s % 12) + 1);
    float f = (float)d * 1.7f;
    h += (u64)(i64)(d * 1e6);
    h ^= (u64)(u32)(f * 1000.f);
    u64 bits;
    __builtin_memcpy(&bits, &d, 8);
    u32 fewer;
    __builtin_memcpy(&fewer, &f, 4);
    h = (h ^ bits) + fewer;
    _Float16 half = (_Float16)f;
    h += (u64)(int)((float)(half * half) * 16);
    return (h + (d > 1.5)) ^ (f != f ? 4 : 8);
}

static u64 work(u64 k) {
    u64 s = k * 2654435761u + 12345;
    return floats(integers(sorted(mix(s)), s), s);
}

#ifdef __NVPTX__

#define KERNEL __attribute__((nvptx_kernel))
#define SHARED __attribute__((address_space(3)))

KERNEL void scramble(u64 *out, u64 count) {
    u64 k = (u64)__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +
            __nvvm_read_ptx_sreg_tid_x();
    if (k < count)
        out[k] = work(k);
}

static SHARED float tile_a[16][17], tile_b[16][17];

KERNEL void product(const float *a, const float *b, float *c, int n) {
    int x = __nvvm_read_ptx_sreg_tid_x(), y = __nvvm_read_ptx_sreg_tid_y();
    int row = __nvvm_read_ptx_sreg_ctaid_y() * 16 + y,
        column = __nvvm_read_ptx_sreg_ctaid_x() * 16 + x;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        tile_a[y][x] = row < n && k + x < n ? a[row * n + k + x] : 0;
        tile_b[y][x] = k + y < n && column < n ? b[(k + y) * n + column] : 0;
        __nvvm_barrier_sync(0);
        for (int j = 0; j < 16; ++j)
            sum += tile_a[y][j] * tile_b[j][x];
        __nvvm_barrier_sync(0);
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}

#else

void scramble(u64 *out, u64 count) {
    for (u64 k = 0; k < count; ++k)
        out[k] = work(k);
}

#endif
