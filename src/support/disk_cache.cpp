#include "support/disk_cache.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace shapecast {
namespace {

constexpr StringLiteral suffix = ".entry", temporarySuffix = ".tmp";
constexpr int64_t maxTemporaryAge = 3600; // seconds; its writer has ended by then
constexpr int64_t touchInterval = 600;    // seconds, between updates of an entry's time of use
constexpr uint64_t maxEntryBytes = 1 << 30;

// At the start of a file, before label and content. python/shapecast/_cache.py reads it, too.
struct Header {
    char magic[8] = {'s', 'h', 'a', 'p', 'e', 'c', '0', '1'};
    CacheKey key{};
    uint64_t checksum = 0; // of the bytes after this struct
    uint64_t labelBytes = 0, contentBytes = 0;
};
static_assert(sizeof(Header) == 64);

uint64_t checksumOf(StringRef bytes) {
    return xxh3_64bits(ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
}

struct File { // closed by the destructor
    int descriptor;
    explicit File(int descriptor) : descriptor(descriptor) {}
    ~File() {
        if (descriptor >= 0)
            ::close(descriptor);
    }
    File(const File &) = delete;
    File &operator=(const File &) = delete;
};

bool readAll(int descriptor, char *data, size_t bytes) {
    while (bytes) {
        const ssize_t got = ::read(descriptor, data, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        data += got;
        bytes -= size_t(got);
    }
    return true;
}

bool writeAll(int descriptor, StringRef bytes) {
    while (!bytes.empty()) {
        const ssize_t put = ::write(descriptor, bytes.data(), bytes.size());
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        bytes = bytes.drop_front(size_t(put));
    }
    return true;
}

bool makeDirectories(const std::string &path) {
    for (size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1))
        ::mkdir(path.substr(0, at).c_str(), 0700);
    return ::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST;
}

bool othersCanWrite(const struct stat &found) { return found.st_mode & (S_IWGRP | S_IWOTH); }

// Why a directory is unsafe: who can write to it can make this process run any code.
std::string problemOf(const std::string &path, const struct stat &found) {
    if (!S_ISDIR(found.st_mode))
        return path + " is not a directory";
    if (found.st_uid != ::geteuid())
        return path + " belongs to another user";
    if (othersCanWrite(found))
        return "others can write to " + path;
    return "";
}

// Who can write to a directory can replace any directory in it. The owner of the root directory is
// the administrator: in some containers that is not user 0.
std::string problemAbove(StringRef path) {
    struct stat root{}, found{};
    if (::stat("/", &root) != 0)
        return "stat() of / fails";
    while (!path.empty()) {
        path = path.substr(0, path.rfind('/')); // a resolved path begins with a slash
        const std::string above = path.empty() ? "/" : path.str();
        if (::lstat(above.c_str(), &found) != 0 || !S_ISDIR(found.st_mode))
            return above + " is not a directory, or lstat() of it fails";
        if (found.st_uid != 0 && found.st_uid != ::geteuid() && found.st_uid != root.st_uid)
            return above + " belongs to another user";
        // Where each user has a private group of the same number, ~/.cache is often writable by it.
        if (found.st_uid != 0 && found.st_gid == found.st_uid)
            found.st_mode &= ~mode_t(S_IWGRP);
        if (othersCanWrite(found) && !(found.st_mode & S_ISVTX))
            return "others can write to " + above;
    }
    return "";
}

// A file that only this user can have written.
bool isOwnFile(const struct stat &found) {
    return S_ISREG(found.st_mode) && found.st_uid == ::geteuid() && !othersCanWrite(found);
}

std::string nameOf(const CacheKey &key) {
    return toHex(ArrayRef(key).take_front(16), /*LowerCase=*/true) + suffix.str();
}

struct Found {
    std::string name;
    uint64_t bytes; // allocated on disk: a damaged file may be sparse, of any size
    int64_t used;   // time of the last use, nanoseconds
};

// The entries of a directory. Removes old temporary files, of writers that did not finish.
std::vector<Found> entriesOf(int directory) {
    std::vector<Found> entries;
    const int own = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); // closedir()
    DIR *open = own >= 0 ? ::fdopendir(own) : nullptr;
    if (!open) {
        if (own >= 0)
            ::close(own);
        return entries;
    }
    const int64_t now = ::time(nullptr);
    while (const dirent *entry = ::readdir(open)) {
        const StringRef name = entry->d_name;
        struct stat found{};
        if (!(name.ends_with(suffix) || name.ends_with(temporarySuffix)) ||
            ::fstatat(dirfd(open), entry->d_name, &found, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (name.ends_with(suffix))
            entries.push_back({name.str(), uint64_t(std::min(found.st_size, found.st_blocks * 512)),
                               found.st_mtim.tv_sec * 1'000'000'000 + found.st_mtim.tv_nsec});
        else if (now - found.st_mtime > maxTemporaryAge)
            ::unlinkat(dirfd(open), entry->d_name, 0);
    }
    ::closedir(open);
    return entries;
}

} // namespace

CacheKey cacheKey(StringRef material) {
    return BLAKE3::hash(
        ArrayRef(reinterpret_cast<const uint8_t *>(material.data()), material.size()));
}

std::string cacheDirectory() {
    if (const char *value = std::getenv("SHAPECAST_CACHE_DIR")) {
        const StringRef text = value;
        return text.empty() || text == "0" || text.equals_insensitive("off") ? "" : value;
    }
    const char *caches = std::getenv("XDG_CACHE_HOME");
    if (caches && caches[0] == '/')
        return std::string(caches) + "/shapecast";
    const char *home = std::getenv("HOME");
    return home && home[0] == '/' ? std::string(home) + "/.cache/shapecast" : "";
}

uint64_t cacheLimit() {
    constexpr double defaultMegabytes = 256;
    double megabytes = defaultMegabytes;
    if (const char *value = std::getenv("SHAPECAST_CACHE_SIZE"))
        if (StringRef(value).getAsDouble(megabytes) || !(megabytes >= 0 && megabytes < 1e9))
            megabytes = defaultMegabytes;
    return uint64_t(megabytes * (1 << 20));
}

DiskCache::DiskCache(std::string path, uint64_t maxBytes)
    : directory(std::move(path)), maxBytes(maxBytes) {
    open();
}

DiskCache::~DiskCache() {
    if (descriptor >= 0)
        ::close(descriptor);
}

void DiskCache::open() {
    descriptor = -1;
    char resolved[PATH_MAX]; // the process may change its working directory
    if (directory.empty() || !makeDirectories(directory) ||
        !::realpath(directory.c_str(), resolved))
        return;
    directory = resolved;
    const int found = ::open(resolved, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat status{};
    if (found < 0)
        return;
    if (::fstat(found, &status) == 0) {
        std::string why = problemOf(directory, status);
        if (why.empty())
            why = problemAbove(directory);
        if (why.empty()) {
            descriptor = found;
            device = status.st_dev;
            inode = status.st_ino;
            return;
        }
        problem = "shapecast keeps no compiled code on disk: " + why +
                  " (SHAPECAST_CACHE_DIR can name a directory that only you can write to)";
    }
    ::close(found);
}

// Whether the descriptor is still the directory's: a program may have closed all of its files (and
// opened another under that number), or removed the directory, or let others write to it.
bool DiskCache::isReady() {
    if (!isOn())
        return false;
    struct stat status{};
    const bool isSame = ::fstat(descriptor, &status) == 0 && status.st_dev == device &&
                        status.st_ino == inode && S_ISDIR(status.st_mode);
    if (isSame && status.st_nlink && problemOf(directory, status).empty())
        return true;
    if (isSame)
        ::close(descriptor);
    open();
    return isOn();
}

std::optional<std::string> DiskCache::load(const CacheKey &key) {
    if (!isReady())
        return std::nullopt;
    // Does not block, whatever has that name: a FIFO, say, or a device.
    const File file(::openat(descriptor, nameOf(key).c_str(),
                             O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC));
    if (file.descriptor < 0 && errno != ELOOP && errno != ENXIO && errno != EACCES) {
        ++counted.misses;
        return std::nullopt;
    }
    struct stat found{};
    if (file.descriptor < 0 || ::fstat(file.descriptor, &found) != 0 || !isOwnFile(found) ||
        found.st_size < int64_t(sizeof(Header)) || found.st_size > int64_t(maxEntryBytes)) {
        reject(key);
        return std::nullopt;
    }
    Header header;
    const uint64_t size = uint64_t(found.st_size) - sizeof header;
    std::string bytes;
    const bool isWhole =
        readAll(file.descriptor, reinterpret_cast<char *>(&header), sizeof header) &&
        std::memcmp(header.magic, Header().magic, sizeof header.magic) == 0 && header.key == key &&
        header.labelBytes <= size && header.contentBytes == size - header.labelBytes &&
        (bytes.resize(size), readAll(file.descriptor, bytes.data(), size)) &&
        header.checksum == checksumOf(bytes);
    if (!isWhole) {
        reject(key);
        return std::nullopt;
    }
    if (::time(nullptr) - found.st_mtime > touchInterval)
        ::futimens(file.descriptor, nullptr);
    ++counted.hits;
    bytes.erase(0, header.labelBytes);
    return bytes;
}

void DiskCache::reject(const CacheKey &key) {
    ++counted.damaged;
    const std::string name = nameOf(key);
    if (::unlinkat(descriptor, name.c_str(), 0) != 0)
        ::unlinkat(descriptor, name.c_str(), AT_REMOVEDIR);
    if (!std::exchange(hasReported, true))
        problem = "shapecast compiles again a function whose file in the disk cache was damaged, "
                  "and has removed the file: " +
                  directory + "/" + name;
}

bool DiskCache::write(const std::string &name, ArrayRef<StringRef> parts) {
    const File file(::openat(descriptor, name.c_str(),
                             O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    return file.descriptor >= 0 &&
           llvm::all_of(parts, [&](StringRef part) { return writeAll(file.descriptor, part); });
}

void DiskCache::store(const CacheKey &key, StringRef label, StringRef content) {
    if (!isReady() || !isWritable ||
        content.size() + label.size() + sizeof(Header) > std::min(maxBytes / 2, maxEntryBytes))
        return;
    const std::string body = (label + content).str();
    Header header;
    header.key = key;
    header.checksum = checksumOf(body);
    header.labelBytes = label.size();
    header.contentBytes = content.size();
    static std::atomic<unsigned> count{0};
    const std::string name = nameOf(key),
                      temporary = std::to_string(::getpid()) + "-" + std::to_string(count++) + "-" +
                                  std::to_string(::time(nullptr)) + temporarySuffix.str();
    const StringRef start(reinterpret_cast<const char *>(&header), sizeof header);
    const bool isWritten = write(temporary, {start, body});
    if (!isWritten || ::renameat(descriptor, temporary.c_str(), descriptor, name.c_str()) != 0) {
        ::unlinkat(descriptor, temporary.c_str(), 0);
        isWritable = isWritten; // else the disk is full or read-only
        return;
    }
    ++counted.stores;
    storedSinceShrink += sizeof header + body.size();
    // Listing the directory takes a while: done at one store in 32 (by its key), and when this
    // process has stored much.
    if (key[16] % 32 == 0 || storedSinceShrink > maxBytes / 16)
        shrink(name);
}

// `stored`: the entry stored just now. It stays: files' times have the resolution of the system's
// tick, so that it may not be the newest.
void DiskCache::shrink(const std::string &stored) {
    storedSinceShrink = 0;
    std::vector<Found> entries = entriesOf(descriptor);
    uint64_t total = 0;
    for (const Found &entry : entries)
        total += entry.bytes;
    if (total <= maxBytes)
        return;
    llvm::sort(entries, [](const Found &a, const Found &b) { return a.used < b.used; });
    for (const Found &entry : entries) {
        if (total <= maxBytes - maxBytes / 8)
            return;
        if (entry.name != stored && ::unlinkat(descriptor, entry.name.c_str(), 0) == 0)
            total -= entry.bytes;
    }
}

} // namespace shapecast
