#include "support/build_id.h"

#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/stat.h>

namespace shapecast {
namespace {

struct Search {
    uintptr_t address; // in the module
    std::string found;
};

// The content of the note NT_GNU_BUILD_ID of a PT_NOTE segment.
std::string idIn(const char *at, const char *end) {
    auto padded = [](size_t bytes) { return (bytes + 3) & ~size_t(3); };
    while (size_t(end - at) >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        std::memcpy(&note, at, sizeof note);
        const char *name = at + sizeof note, *content = name + padded(note.n_namesz);
        if (size_t(end - name) < padded(note.n_namesz) + padded(note.n_descsz))
            return "";
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !std::memcmp(name, "GNU", 4))
            return {content, note.n_descsz};
        at = content + padded(note.n_descsz);
    }
    return "";
}

int visit(dl_phdr_info *info, size_t, void *data) {
    auto &search = *static_cast<Search *>(data);
    bool isHere = false;
    std::string id;
    for (int k = 0; k < info->dlpi_phnum; ++k) {
        const ElfW(Phdr) &segment = info->dlpi_phdr[k];
        const uintptr_t start = info->dlpi_addr + segment.p_vaddr;
        isHere |= segment.p_type == PT_LOAD && search.address - start < segment.p_memsz;
        const auto *bytes = reinterpret_cast<const char *>(start);
        if (segment.p_type == PT_NOTE && id.empty())
            id = idIn(bytes, bytes + segment.p_memsz);
    }
    if (isHere)
        search.found = id;
    return isHere;
}

std::string find() {
    Search search{reinterpret_cast<uintptr_t>(&buildId), {}};
    dl_iterate_phdr(visit, &search);
    Dl_info file{};
    struct stat status{};
    if (!search.found.empty() || !dladdr(reinterpret_cast<void *>(&buildId), &file) ||
        stat(file.dli_fname, &status) != 0)
        return search.found;
    return std::string(file.dli_fname) + " " + std::to_string(status.st_size) + " " +
           std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec);
}

} // namespace

const std::string &buildId() {
    static const std::string *id = new std::string(find());
    return *id;
}

} // namespace shapecast
