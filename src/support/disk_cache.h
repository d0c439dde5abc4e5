// A key-value cache on disk, shared by all processes of one user.
//
// One file per entry, written under another name and renamed, so that a reader finds a whole entry
// or none. A file has its key and a checksum of its content; a damaged one is removed, and so is
// anything but a regular file of the user's own that nobody else may write. When the files become
// too large together, the least recently used are removed.
//
// Code from here is run, so nobody else may be able to put any here: the directory is the user's
// own, nobody else can write to it or replace it (its parents are the user's or the
// administrator's, and others cannot write to them, or they have the sticky bit). Files are opened
// relative to its descriptor.
#pragma once

#include "llvm/ADT/ArrayRef.h"
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

    // Off: finds nothing and stores nothing.
    DiskCache() = default;
    // The directory is created if it does not exist, and again when it was removed. Where others
    // could put files there the cache is off, and takeProblem() gives the reason. Where it cannot
    // be written to, entries are only read; where it cannot be created, the cache is silently off.
    DiskCache(std::string directory, uint64_t maxBytes);
    ~DiskCache();
    DiskCache(const DiskCache &) = delete;
    DiskCache &operator=(const DiskCache &) = delete;

    bool isOn() const { return descriptor >= 0; }
    // The entry's content.
    std::optional<std::string> load(const CacheKey &key);
    // `label`: what the entry is, for list().
    void store(const CacheKey &key, llvm::StringRef label, llvm::StringRef content);
    // For an entry whose content turned out unusable: counts it as damaged, and removes it.
    void reject(const CacheKey &key);

    const Statistics &statistics() const { return counted; }
    // A warning for the user, given once.
    std::string takeProblem() { return std::exchange(problem, {}); }

private:
    std::string directory, problem;
    int descriptor = -1; // of the directory; -1: off
    uint64_t device = 0, inode = 0;
    uint64_t maxBytes = 0, storedSinceShrink = 0;
    bool isWritable = true, hasReported = false;
    Statistics counted;

    void open();
    bool isReady();
    bool write(const std::string &name, llvm::ArrayRef<llvm::StringRef> parts);
    void shrink(const std::string &stored);
};

// $SHAPECAST_CACHE_DIR, or a directory in the user's cache directory; "" where the user has turned
// the cache off, or where there is no such directory.
std::string cacheDirectory();
uint64_t cacheLimit(); // in bytes: $SHAPECAST_CACHE_SIZE megabytes, or 256

} // namespace shapecast
