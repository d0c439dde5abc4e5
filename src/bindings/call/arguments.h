// Reads a call's arguments without running Python code: the cache key, the values that compiled
// code gets, and which arrays alias.
#pragma once

#include "bindings/call/forms.h"
#include "capture/python.h"
#include "device/cuda.h"
#include "facts/dtype.h"
#include "ir/np.h"
#include "support/bytes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <iterator>
#include <string>
#include <vector>

namespace shapecast::bindings {

// Visible and hidden arguments together, items of lists and dicts counted one by one: each is a
// parameter of its own to the compiler.
inline constexpr int maxParameters = 4096;

// A stride, in elements, that code is specialised for: of the first axis of an array whose strides
// grow from axis to axis (as in F order), else of the last axis.
struct KnownStride {
    bool isFirst;
    int8_t stride;
};
constexpr KnownStride knownStrides[] = {{true, 1},  {true, -1}, {true, 2},  {false, -1},
                                        {false, 0}, {false, 2}, {false, 3}, {false, 4}};

static_assert(std::size(knownStrides) < 16); // KeyWord::pack()

// One parameter's part of the key, packed into 64 bits so that keys compare as words.
struct KeyWord {
    enum Kind : uint8_t {
        Array = 1,
        Scalar,
        PyBool,
        PyInt,
        PyWideInt,
        PyFloat,
        PyComplex,
        Static,
        StaticInt,
        StaticBool,
        Object,  // value: number of the sample of its kind, see opaqueKindOf()
        InMemory // value: number of its form, see forms.h
    };
    Kind kind;
    DType dtype = DType::Bool; // arrays and NumPy scalars
    uint8_t rank = 0;
    np::Layout layout = np::Layout::C;
    uint8_t stride = 0; // of strided arrays: 1 + index into knownStrides, 0 where none is known
    bool readonly = false, overlapsItself = false;
    // Static: index into the table of statics; StaticInt, StaticBool: the value; Array: its device,
    // 0 for the host and 1 + k for cuda:k.
    int32_t value = 0;

    uint64_t pack() const {
        return uint64_t{kind} | uint64_t(dtype) << 8 | uint64_t{rank} << 16 |
               uint64_t(layout) << 24 | uint64_t{stride} << 26 | uint64_t{readonly} << 30 |
               uint64_t{overlapsItself} << 31 | uint64_t(uint32_t(value)) << 32;
    }
    static KeyWord unpack(uint64_t word) {
        return {Kind(word & 0xff),          DType(word >> 8 & 0xff),
                uint8_t(word >> 16 & 0xff), np::Layout(word >> 24 & 0x3),
                uint8_t(word >> 26 & 0xf),  bool(word >> 30 & 1),
                bool(word >> 31 & 1),       int32_t(word >> 32)};
    }
};

// After the parameters' words, one word for each pair of arrays that is not disjoint.
struct AliasWord {
    enum Kind : uint8_t { Same = 1, Overlap };
    Kind kind;
    uint16_t first, second;
    uint64_t pack() const { return uint64_t{kind} | uint64_t{first} << 8 | uint64_t{second} << 24; }
    static AliasWord unpack(uint64_t word) {
        return {Kind(word & 0xff), uint16_t(word >> 8 & 0xffff), uint16_t(word >> 24 & 0xffff)};
    }
};

struct ArrayArgument {
    const char *low, *high; // the bytes it may touch; equal for empty arrays
    uint32_t parameter, slot;
};

// An argument that compiled code cannot read in place (unaligned, non-native byte order) and its
// aligned native copy.
struct CopiedArgument {
    uint32_t parameter;
    Ref copy;
};

// A list, dict or set of the caller's that compiled code has in memory (container_arguments.h).
struct ContainerArgument {
    Ref object; // it may be in another one, and be removed from there
    int64_t address;
    std::string form;                        // see containers.h
    bool isChanged;                          // perhaps
    std::shared_ptr<const std::string> text; // of the argument: the classes of instances
};

struct ExchangeApi; // exchange.h

struct Call {
    // Of containers and instances in memory that were made for the caller already, by address.
    mutable llvm::DenseMap<int64_t, Ref> made;
    PyObject *const *arguments = nullptr;  // one per parameter, borrowed; then hidden ones
    llvm::SmallVector<PyObject *, 0> all;  // what `arguments` points to where there are hidden ones
    llvm::SmallVector<Ref, 0> hidden;      // keeps globals alive that are rebound meanwhile
    PyObject *const *containers = nullptr; // the lists and dicts that the structure numbers
    llvm::SmallVector<uint64_t, 24> key;
    llvm::SmallVector<int64_t, 96> slots; // as runtime/abi.h says
    llvm::SmallVector<ArrayArgument, 8> arrays;
    llvm::SmallVector<CopiedArgument, 0> copies;
    int device = -1; // on which arrays are: its ordinal; none: all are in the host's memory
    int target = -1; // to which NumPy arrays are copied, too (f.on()); none: they stay
    llvm::SmallVector<uint32_t, 0> moved; // these, by their numbers in `arrays`
    CUstream stream = nullptr;            // on which the first of them is computed; the call's, too
    llvm::SmallVector<CUstream, 0> otherStreams; // of others of them
    const ExchangeApi *exchange = nullptr;       // of the array whose stream it is: it allocates
    PyObject *ofLibrary = nullptr; // an argument on the device that another library made; borrowed
    bool nested = false;           // an argument is a tuple, a list or an object: see flatten.h
    bool bigint = false;           // jit(bigint=True): see restart.h
    int64_t elements = 0;          // in all arrays
    FormPlaces formPlaces;
    mutable std::vector<ContainerArgument> inMemory; // filled by compiled code, as it starts
    mutable llvm::DenseMap<PyObject *, size_t> placesInMemory; // of each in `inMemory`
    uint64_t generation = 0; // of the capture that the arguments were read for
};

// Numbers of parameters. Nearly always none, and else a few of the first ones.
class ParameterSet {
    llvm::SmallVector<uint64_t, 1> words; // one bit each; the last word is not zero

public:
    bool contains(size_t number) const {
        return number / 64 < words.size() && words[number / 64] >> number % 64 & 1;
    }
    void insert(size_t number) {
        if (number / 64 >= words.size())
            words.resize(number / 64 + 1);
        words[number / 64] |= uint64_t{1} << number % 64;
    }
    void insert(const ParameterSet &others) {
        if (others.words.size() > words.size())
            words.resize(others.words.size());
        for (size_t k = 0; k < others.words.size(); ++k)
            words[k] |= others.words[k];
    }
    bool operator==(const ParameterSet &other) const { return words == other.words; }
    void write(ByteWriter &out) const {
        out.list(words, [&](uint64_t word) { out.number(word); });
    }
    static ParameterSet read(ByteReader &in) {
        ParameterSet set;
        llvm::append_range(set.words, in.list<uint64_t>([&] { return in.number(); }));
        return set;
    }
};

// The function's parameters, as readArguments() needs them.
struct Parameters {
    std::string function;
    std::vector<Ref> names;       // interned strings
    size_t visible = 0;           // the others are hidden arguments: globals, attributes ...
    ParameterSet requestedStatic; // their values are part of the key
    ParameterSet numberLists;     // arrays that stand for lists of numbers
    ParameterSet globals;         // of the hidden ones
    MemoryUse inMemory = MemoryUse::None;
    bool mergesInstances = false;                  // FormPlaces::mergesInstances
    std::vector<pybind11::object> classesInMemory; // Captured's
    bool areFlattened = false;                     // code knows the Enums of the members in lists
    // Of longer strings nothing is computed while compiling: they are in memory.
    Py_ssize_t longestConstant = 40;
};

// False with a Python exception set: OverflowError, or UnsupportedError for an argument that is
// not supported.
bool readArguments(const Parameters &parameters, PyObject *const *arguments, Call &call);
// Stores what compiled code wrote into copies; false with an exception set.
bool writeBack(const Call &call);

bool isObjectArgument(PyObject *object); // see flatten.h and capture/object_kind.h

} // namespace shapecast::bindings
