// Runs CUDA kernels on the host: one block at a time, its threads are coroutines.
//
// Threads stop at barriers and shuffles. A block continues when all its threads have stopped at
// the same kind of operation (else the kernel is wrong: abort); in between they run in a shuffled order, so
// that nothing can rely on the order in which threads or blocks run.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

enum { mostThreads = 1024, stackBytes = 64 * 1024, warp = 32 };
enum Stop { AtBarrier, AtShuffle, AtEnd };
typedef void Kernel(void **arguments);

static uint32_t threads[2], blocks[2], block[2];
static ucontext_t scheduler, contexts[mostThreads];
static char stacks[mostThreads][stackBytes];
static enum Stop stops[mostThreads];
static int32_t mailbox[mostThreads];
static uint32_t current, randomState;
static Kernel *kernel;
static void **kernelArguments;

uint32_t gpu_tid_x(void) { return current % threads[0]; }
uint32_t gpu_tid_y(void) { return current / threads[0]; }
uint32_t gpu_ctaid_x(void) { return block[0]; }
uint32_t gpu_ctaid_y(void) { return block[1]; }
uint32_t gpu_ntid_x(void) { return threads[0]; }
uint32_t gpu_ntid_y(void) { return threads[1]; }
uint32_t gpu_nctaid_x(void) { return blocks[0]; }
uint32_t gpu_nctaid_y(void) { return blocks[1]; }

static void stop(enum Stop where) {
    stops[current] = where;
    swapcontext(&contexts[current], &scheduler);
}

void gpu_barrier(void) { stop(AtBarrier); }

int32_t gpu_shuffle_down(int32_t value, int32_t distance) {
    mailbox[current] = value;
    stop(AtShuffle);
    uint32_t lane = current % warp;
    int32_t result = mailbox[lane + distance < warp ? current + distance : current];
    stop(AtShuffle);
    return result;
}

static void thread(void) {
    kernel(kernelArguments);
    stops[current] = AtEnd;
}

static void shuffle(uint32_t *order, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k)
        order[k] = k;
    for (uint32_t k = count; k-- > 1;) {
        randomState = randomState * 1664525u + 1013904223u;
        uint32_t other = (randomState >> 8) % (k + 1), kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
}

static void runBlock(void) {
    uint32_t order[mostThreads], count = threads[0] * threads[1];
    for (uint32_t k = 0; k < count; ++k) {
        getcontext(&contexts[k]);
        contexts[k].uc_stack.ss_sp = stacks[k];
        contexts[k].uc_stack.ss_size = stackBytes;
        contexts[k].uc_link = &scheduler;
        makecontext(&contexts[k], thread, 0);
    }
    do {
        shuffle(order, count);
        for (uint32_t k = 0; k < count; ++k) {
            current = order[k];
            swapcontext(&scheduler, &contexts[current]);
        }
        for (uint32_t k = 1; k < count; ++k)
            if (stops[k] != stops[0]) {
                fprintf(stderr, "threads 0 and %u wait for each other\n", k);
                abort();
            }
    } while (stops[0] != AtEnd);
}

void gpu_run(Kernel *function, void **arguments, const uint32_t *launch, uint32_t seed) {
    uint32_t *order = malloc(sizeof(uint32_t) * launch[2] * launch[3]);
    for (int axis = 0; axis < 2; ++axis) {
        threads[axis] = launch[axis];
        blocks[axis] = launch[2 + axis];
    }
    kernel = function;
    kernelArguments = arguments;
    randomState = seed;
    shuffle(order, blocks[0] * blocks[1]);
    for (uint32_t k = 0; k < blocks[0] * blocks[1]; ++k) {
        block[0] = order[k] % blocks[0];
        block[1] = order[k] / blocks[0];
        runBlock();
    }
    free(order);
}
