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

constexpr StringLiteral suffix = ".entry", temporary = ".tmp";
constexpr int64_t lifeOfTemporary = 3600; // seconds; who wrote it is gone by then
constexpr int64_t timeToTouch = 600;      // seconds: an entry in constant use is not written to

// A file begins with this; then come label and content. python/shapecast/_cache.py reads it, too.
struct Header {
    char magic[8] = {'s', 'h', 'a', 'p', 'e', 'c', '0', '1'};
    CacheKey key{};
    uint64_t checksum = 0; // of what follows this struct
    uint64_t labelBytes = 0, contentBytes = 0;
};
static_assert(sizeof(Header) == 64);

uint64_t checksumOf(StringRef bytes) {
    return xxh3_64bits(ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
}

struct File { // closed at the end
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

// Where others could write they could make this process run their code.
std::string problemOf(const std::string &path, const struct stat &found) {
    if (!S_ISDIR(found.st_mode))
        return path + " is no directory";
    if (found.st_uid != ::geteuid())
        return path + " belongs to another user";
    if (found.st_mode & (S_IWGRP | S_IWOTH))
        return "others can write to " + path;
    return "";
}

struct Found {
    std::string name;
    uint64_t bytes;
    int64_t used; // seconds
};

// The entries of a directory; old files of writers that did not finish are removed.
std::vector<Found> entriesOf(const std::string &directory) {
    std::vector<Found> entries;
    DIR *open = ::opendir(directory.c_str());
    if (!open)
        return entries;
    const int64_t now = ::time(nullptr);
    while (const dirent *entry = ::readdir(open)) {
        const StringRef name = entry->d_name;
        struct stat found{};
        if (!(name.ends_with(suffix) || name.ends_with(temporary)) ||
            ::fstatat(dirfd(open), entry->d_name, &found, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (name.ends_with(suffix))
            entries.push_back({name.str(), uint64_t(found.st_size), found.st_mtime});
        else if (now - found.st_mtime > lifeOfTemporary)
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
    if (const char *given = std::getenv("SHAPECAST_CACHE_DIR")) {
        const StringRef text = given;
        return text.empty() || text == "0" || text.equals_insensitive("off") ? "" : given;
    }
    const char *caches = std::getenv("XDG_CACHE_HOME");
    if (caches && caches[0] == '/')
        return std::string(caches) + "/shapecast";
    const char *home = std::getenv("HOME");
    return home && home[0] == '/' ? std::string(home) + "/.cache/shapecast" : "";
}

uint64_t cacheLimit() {
    constexpr double usual = 256;
    double megabytes = usual;
    if (const char *given = std::getenv("SHAPECAST_CACHE_SIZE"))
        if (StringRef(given).getAsDouble(megabytes) || !(megabytes >= 0 && megabytes < 1e9))
            megabytes = usual;
    return uint64_t(megabytes * (1 << 20));
}

DiskCache::DiskCache(std::string path, uint64_t mostBytes) : mostBytes(mostBytes) {
    struct stat found{};
    if (path.empty() || !makeDirectories(path) || ::stat(path.c_str(), &found) != 0)
        return;
    problem = problemOf(path, found);
    char resolved[PATH_MAX]; // the process may change its directory
    if (problem.empty())
        directory = ::realpath(path.c_str(), resolved) ? resolved : "";
    else
        problem = "shapecast keeps no compiled code on disk: " + problem;
}

std::string DiskCache::pathOf(const CacheKey &key) const {
    return directory + "/" + toHex(ArrayRef(key).take_front(16), /*LowerCase=*/true) + suffix.str();
}

std::optional<std::string> DiskCache::load(const CacheKey &key) {
    if (!isOn())
        return std::nullopt;
    const std::string path = pathOf(key);
    const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    struct stat found{};
    if (file.descriptor < 0 || ::fstat(file.descriptor, &found) != 0) {
        ++counted.misses;
        return std::nullopt;
    }
    Header header;
    std::string bytes(std::max<int64_t>(found.st_size - int64_t(sizeof header), 0), '\0');
    const bool isWhole =
        readAll(file.descriptor, reinterpret_cast<char *>(&header), sizeof header) &&
        std::memcmp(header.magic, Header().magic, sizeof header.magic) == 0 && header.key == key &&
        header.labelBytes <= bytes.size() &&
        header.contentBytes == bytes.size() - header.labelBytes &&
        readAll(file.descriptor, bytes.data(), bytes.size()) &&
        header.checksum == checksumOf(bytes);
    if (!isWhole) {
        reject(key);
        return std::nullopt;
    }
    if (::time(nullptr) - found.st_mtime > timeToTouch)
        ::futimens(file.descriptor, nullptr);
    ++counted.hits;
    bytes.erase(0, header.labelBytes);
    return bytes;
}

void DiskCache::reject(const CacheKey &key) {
    ++counted.damaged;
    const std::string path = pathOf(key);
    ::unlink(path.c_str());
    if (!std::exchange(hasReported, true))
        problem = "shapecast compiles again what a damaged file of its cache was for: " + path;
}

bool DiskCache::write(const std::string &path, ArrayRef<StringRef> parts) {
    const File file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    return file.descriptor >= 0 &&
           llvm::all_of(parts, [&](StringRef part) { return writeAll(file.descriptor, part); });
}

void DiskCache::store(const CacheKey &key, StringRef label, StringRef content) {
    if (!isOn() || !isWritable || content.size() > mostBytes / 2)
        return;
    const std::string body = (label + content).str();
    Header header;
    header.key = key;
    header.checksum = checksumOf(body);
    header.labelBytes = label.size();
    header.contentBytes = content.size();
    static std::atomic<unsigned> count{0};
    const std::string path = pathOf(key), written = directory + "/" + std::to_string(::getpid()) +
                                                    "-" + std::to_string(count++) + "-" +
                                                    std::to_string(::time(nullptr)) +
                                                    temporary.str();
    const StringRef start(reinterpret_cast<const char *>(&header), sizeof header);
    if (!write(written, {start, body}) || ::rename(written.c_str(), path.c_str()) != 0) {
        ::unlink(written.c_str());
        isWritable = false; // a disk that is full or read-only
        return;
    }
    ++counted.stores;
    storedSinceLook += sizeof header + body.size();
    // To look at all files takes a while: one entry in so many does it, or one process that stores
    // much.
    if (key[16] % 32 == 0 || storedSinceLook > mostBytes / 16)
        shrink();
}

void DiskCache::shrink() {
    storedSinceLook = 0;
    std::vector<Found> entries = entriesOf(directory);
    uint64_t total = 0;
    for (const Found &entry : entries)
        total += entry.bytes;
    if (total <= mostBytes)
        return;
    llvm::sort(entries, [](const Found &a, const Found &b) { return a.used < b.used; });
    for (const Found &entry : entries) {
        if (total <= mostBytes - mostBytes / 8)
            return;
        if (::unlink((directory + "/" + entry.name).c_str()) == 0)
            total -= entry.bytes;
    }
}

} // namespace shapecast
