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
constexpr uint64_t mostEntryBytes = 1 << 30;

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

bool othersCanWrite(const struct stat &found) { return found.st_mode & (S_IWGRP | S_IWOTH); }

// Where others could write they could make this process run their code.
std::string problemOf(const std::string &path, const struct stat &found) {
    if (!S_ISDIR(found.st_mode))
        return path + " is no directory";
    if (found.st_uid != ::geteuid())
        return path + " belongs to another user";
    if (othersCanWrite(found))
        return "others can write to " + path;
    return "";
}

// Who can write to a directory can put another in the place of one in it. Whoever owns the root
// directory is the administrator: in some containers that is not user 0.
std::string problemAbove(StringRef path) {
    struct stat root{}, found{};
    if (::stat("/", &root) != 0)
        return "/ cannot be looked at";
    while (!path.empty()) {
        path = path.substr(0, path.rfind('/')); // a resolved path begins with one
        const std::string above = path.empty() ? "/" : path.str();
        if (::lstat(above.c_str(), &found) != 0 || !S_ISDIR(found.st_mode))
            return above + " cannot be looked at";
        if (found.st_uid != 0 && found.st_uid != ::geteuid() && found.st_uid != root.st_uid)
            return above + " belongs to another user";
        // Where each user has a group of the same number, ~/.cache is often writable by it.
        if (found.st_uid != 0 && found.st_gid == found.st_uid)
            found.st_mode &= ~mode_t(S_IWGRP);
        if (othersCanWrite(found) && !(found.st_mode & S_ISVTX))
            return "others can write to " + above;
    }
    return "";
}

// A file that this user alone has written.
bool isOwnFile(const struct stat &found) {
    return S_ISREG(found.st_mode) && found.st_uid == ::geteuid() && !othersCanWrite(found);
}

std::string nameOf(const CacheKey &key) {
    return toHex(ArrayRef(key).take_front(16), /*LowerCase=*/true) + suffix.str();
}

struct Found {
    std::string name;
    uint64_t bytes; // on the disk: a damaged file may have holes of any size
    int64_t used;   // nanoseconds
};

// The entries of a directory; old files of writers that did not finish are removed.
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
        if (!(name.ends_with(suffix) || name.ends_with(temporary)) ||
            ::fstatat(dirfd(open), entry->d_name, &found, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (name.ends_with(suffix))
            entries.push_back({name.str(), uint64_t(std::min(found.st_size, found.st_blocks * 512)),
                               found.st_mtim.tv_sec * 1'000'000'000 + found.st_mtim.tv_nsec});
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

DiskCache::DiskCache(std::string path, uint64_t mostBytes)
    : directory(std::move(path)), mostBytes(mostBytes) {
    open();
}

DiskCache::~DiskCache() {
    if (descriptor >= 0)
        ::close(descriptor);
}

void DiskCache::open() {
    descriptor = -1;
    char resolved[PATH_MAX]; // the process may change its directory
    if (directory.empty() || !makeDirectories(directory) ||
        !::realpath(directory.c_str(), resolved))
        return;
    directory = resolved;
    const int found = ::open(resolved, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat about{};
    if (found < 0)
        return;
    if (::fstat(found, &about) == 0) {
        std::string why = problemOf(directory, about);
        if (why.empty())
            why = problemAbove(directory);
        if (why.empty()) {
            descriptor = found;
            device = about.st_dev;
            inode = about.st_ino;
            return;
        }
        problem = "shapecast keeps no compiled code on disk: " + why;
    }
    ::close(found);
}

// The descriptor is still the directory's: a program may have closed all of its files (and opened
// another under that number), or removed the directory, or let others write to it.
bool DiskCache::isReady() {
    if (!isOn())
        return false;
    struct stat about{};
    const bool isSame = ::fstat(descriptor, &about) == 0 && about.st_dev == device &&
                        about.st_ino == inode && S_ISDIR(about.st_mode);
    if (isSame && about.st_nlink && problemOf(directory, about).empty())
        return true;
    if (isSame)
        ::close(descriptor);
    open();
    return isOn();
}

std::optional<std::string> DiskCache::load(const CacheKey &key) {
    if (!isReady())
        return std::nullopt;
    // Nothing that could stand in its place holds this up: no FIFO, no device.
    const File file(::openat(descriptor, nameOf(key).c_str(),
                             O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC));
    if (file.descriptor < 0 && errno != ELOOP && errno != ENXIO && errno != EACCES) {
        ++counted.misses;
        return std::nullopt;
    }
    struct stat found{};
    if (file.descriptor < 0 || ::fstat(file.descriptor, &found) != 0 || !isOwnFile(found) ||
        found.st_size < int64_t(sizeof(Header)) || found.st_size > int64_t(mostEntryBytes)) {
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
    if (::time(nullptr) - found.st_mtime > timeToTouch)
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
        problem =
            "shapecast compiles again what a damaged file of its cache was for: " + directory +
            "/" + name;
}

bool DiskCache::write(const std::string &name, ArrayRef<StringRef> parts) {
    const File file(::openat(descriptor, name.c_str(),
                             O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    return file.descriptor >= 0 &&
           llvm::all_of(parts, [&](StringRef part) { return writeAll(file.descriptor, part); });
}

void DiskCache::store(const CacheKey &key, StringRef label, StringRef content) {
    if (!isReady() || !isWritable ||
        content.size() + label.size() + sizeof(Header) > std::min(mostBytes / 2, mostEntryBytes))
        return;
    const std::string body = (label + content).str();
    Header header;
    header.key = key;
    header.checksum = checksumOf(body);
    header.labelBytes = label.size();
    header.contentBytes = content.size();
    static std::atomic<unsigned> count{0};
    const std::string name = nameOf(key),
                      written = std::to_string(::getpid()) + "-" + std::to_string(count++) + "-" +
                                std::to_string(::time(nullptr)) + temporary.str();
    const StringRef start(reinterpret_cast<const char *>(&header), sizeof header);
    const bool isWritten = write(written, {start, body});
    if (!isWritten || ::renameat(descriptor, written.c_str(), descriptor, name.c_str()) != 0) {
        ::unlinkat(descriptor, written.c_str(), 0);
        isWritable = isWritten; // else the disk is full or read-only
        return;
    }
    ++counted.stores;
    storedSinceLook += sizeof header + body.size();
    // To look at all files takes a while: one entry in so many does it, or one process that stores
    // much.
    if (key[16] % 32 == 0 || storedSinceLook > mostBytes / 16)
        shrink(name);
}

// `stored`: what was stored just now. It stays: times of files are those of the system's last tick.
void DiskCache::shrink(const std::string &stored) {
    storedSinceLook = 0;
    std::vector<Found> entries = entriesOf(descriptor);
    uint64_t total = 0;
    for (const Found &entry : entries)
        total += entry.bytes;
    if (total <= mostBytes)
        return;
    llvm::sort(entries, [](const Found &a, const Found &b) { return a.used < b.used; });
    for (const Found &entry : entries) {
        if (total <= mostBytes - mostBytes / 8)
            return;
        if (entry.name != stored && ::unlinkat(descriptor, entry.name.c_str(), 0) == 0)
            total -= entry.bytes;
    }
}

} // namespace shapecast
