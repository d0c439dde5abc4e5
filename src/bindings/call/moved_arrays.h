// Calls of f.on("cuda:0"): NumPy arrays are copied to the device, and what is written and returned
// is copied back.
#pragma once

#include "bindings/call/arguments.h"
#include "bindings/call/result_plan.h"
#include "runtime/device_memory.h"
#include "variant.h"

#include <memory>
#include <vector>

namespace shapecast::bindings {

// The copies of call.moved. Arrays that overlap share a block, so that they overlap on the device
// as they do in the host. Functions return false with an exception set; the device's context is
// current.
class MovedArrays {
public:
    MovedArrays(Call &call, runtime::DeviceCall &device) : call(call), device(device) {}
    MovedArrays(const MovedArrays &) = delete;
    ~MovedArrays();

    // Puts the copies' addresses into the slots.
    bool copyToDevice();
    // The arrays that the variant may write to, their elements only: what is between those of a
    // view may have changed meanwhile. An exception that is set stays.
    bool copyBack(const Variant &variant);
    // Slots of arrays on the device become slots of arrays in the host: views of arguments, and
    // copies of new arrays.
    bool bringResults(const ResultPlan &plan, runtime::Context &ctx, int64_t *slots);

private:
    struct Block { // of memory that arrays span
        const char *low, *high;
        CUdeviceptr address = 0;
        std::unique_ptr<char[]> fetched; // what is on the device after the call
        int64_t bytes() const { return high - low; }
    };
    Block &blockOf(const ArrayArgument &array);
    const ArrayArgument *movedParameter(uint64_t parameter) const;
    device::Error store(const ArrayArgument &array, bool overlapsItself);
    device::Error fetchNew(const ResultPlan &plan, runtime::Context &ctx, int64_t *slots);
    bool wait();

    Call &call;
    runtime::DeviceCall &device;
    std::vector<Block> blocks;
    llvm::SmallVector<int64_t, 8> hostAddresses; // of call.moved, before copyToDevice()
};

} // namespace shapecast::bindings
