// Entries on disk, bytes under a key, shared by all processes of one user.
//
// One file per entry, written under another name and renamed, so that a reader finds a whole entry
// or none. A file says which key it is of and has a checksum of its content; one that is damaged is
// removed, and so is anything but a regular file of the user's own that nobody else may write. When
// the files become too many, those not used for the longest time go.
//
// Code from here runs, so that nobody else may have a way to put it here: the directory is the
// user's own, nobody else can write to it, nor exchange it (those above it are the user's or the
// administrator's, and others cannot write to them, or they have the sticky bit). Files are opened
// by its descriptor.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shapecast {

using CacheKey = std::array<uint8_t, 32>;
CacheKey cacheKey(llvm::StringRef material); // a cryptographic hash of it

class DiskCache {
public:
    struct Statistics {
        uint64_t hits = 0, misses = 0, stores = 0, damaged = 0;
    };

    // Does nothing: nothing is found, and nothing stored.
    DiskCache() = default;
    // The directory is made if it does not exist, and again when it has gone. Where others could
    // put files there the cache is off, and takeProblem() says why. Where it cannot be written to,
    // entries are only read; where it cannot be made, the cache is off without a word.
    DiskCache(std::string directory, uint64_t mostBytes);
    ~DiskCache();
    DiskCache(const DiskCache &) = delete;
    DiskCache &operator=(const DiskCache &) = delete;

    bool isOn() const { return descriptor >= 0; }
    // The entry's content.
    std::optional<std::string> load(const CacheKey &key);
    // `label`: what the entry is, for list().
    void store(const CacheKey &key, llvm::StringRef label, llvm::StringRef content);
    // A content that was found and is of no use: counted as damaged, and removed.
    void reject(const CacheKey &key);

    const Statistics &statistics() const { return counted; }
    // What the user is to be told, once.
    std::string takeProblem() { return std::exchange(problem, {}); }

private:
    std::string directory, problem;
    int descriptor = -1; // of the directory; -1: off
    uint64_t device = 0, inode = 0;
    uint64_t mostBytes = 0, storedSinceLook = 0;
    bool isWritable = true, hasReported = false;
    Statistics counted;

    void open();
    bool isReady();
    bool write(const std::string &name, llvm::ArrayRef<llvm::StringRef> parts);
    void shrink(const std::string &stored);
};

// $SHAPECAST_CACHE_DIR, or the directory of the user's caches; "" where the user has turned it off,
// or where there is no such directory.
std::string cacheDirectory();
uint64_t cacheLimit(); // in bytes: $SHAPECAST_CACHE_SIZE megabytes, or 256

} // namespace shapecast
