#include "bindings/direct.h"
#include "capture/interrupts.h"

#include "bindings/random.h"
#include "bindings/variants.h"
#include "ir/restart.h"
#include "lower/jit.h"
#include "runtime/ufunc_loops.h"
#include "stored.h"
#include "support/build_id.h"
#include "support/bytes.h"

#include <dirent.h>
#include <mutex>
#include <sys/stat.h>

namespace py = pybind11;

namespace shapecast::bindings {
namespace {

constexpr size_t mostAlternatives = 8; // variants of one key, which differ by their guards
constexpr size_t mostCaptures = 8;     // of one function, whose surroundings differed

// The package's own Python files, which capture and the library are made of: names, sizes and
// times.
void addFiles(ByteWriter &out, const std::string &directory) {
    std::vector<std::string> files;
    if (DIR *open = ::opendir(directory.c_str())) {
        while (const dirent *entry = ::readdir(open)) {
            struct stat about{};
            const llvm::StringRef name = entry->d_name;
            if (name.ends_with(".py") && ::fstatat(dirfd(open), entry->d_name, &about, 0) == 0)
                files.push_back(name.str() + " " + std::to_string(about.st_size) + " " +
                                std::to_string(about.st_mtim.tv_sec) + "." +
                                std::to_string(about.st_mtim.tv_nsec));
        }
        ::closedir(open);
    }
    llvm::sort(files);
    out.texts(files);
}

// What the body gives; nothing where Python code fails in it: then nothing is found, nor kept.
template <class Body> std::optional<std::string> unlessFailing(Body body) {
    try {
        return body();
    } catch (const std::exception &error) { // Python's, too
        capture::forgetError(error);
        return std::nullopt;
    }
}

// All that compiled code depends on besides the function and the call.
const std::optional<std::string> &commonText() {
    static const auto *text = new std::optional(unlessFailing([] {
        ByteWriter out;
        out.text(buildId());
        out.text(targetId());
        out.text(Py_GetVersion());
        out.text(py::cast<std::string>(py::module_::import("numpy").attr("__version__")));
        out.number(py::cast<uint64_t>(py::module_::import("sys").attr("flags").attr("optimize")));
        const auto package =
            py::cast<std::string>(py::list(py::module_::import("shapecast").attr("__path__"))[0]);
        out.number(runtime::needsBlas()); // then the library has other functions
        addFiles(out, package);
        addFiles(out, package + "/library");
        return std::move(out.bytes);
    }));
    return *text;
}

// The annotations of parameters: see annotations.h.
std::string annotationText(py::handle function) {
    const py::object annotations = function.attr("__annotations__");
    if (!py::isinstance<py::dict>(annotations))
        return "";
    bool isPlain = true; // usual classes say nothing of arrays
    for (auto [name, given] : py::reinterpret_borrow<py::dict>(annotations))
        isPlain &= llvm::is_contained({(PyObject *)&PyFloat_Type, (PyObject *)&PyLong_Type,
                                       (PyObject *)&PyBool_Type, (PyObject *)&PyComplex_Type,
                                       (PyObject *)&PyArray_Type, Py_None},
                                      given.ptr());
    if (isPlain)
        return "";
    return py::cast<std::string>(
        py::module_::import("shapecast.typing").attr("described")(function));
}

// What a function's entry holds: of each capture the hash of its text, and what gives that text.
struct KnownCapture {
    CacheKey digest{};
    ParameterSet demandedStatic;
    std::vector<capture::Dependency> dependencies;
};

CacheKey keyOf(llvm::StringRef bytes) { // as they stand in an entry; zeros for others
    CacheKey key{};
    if (bytes.size() == key.size())
        std::copy(bytes.begin(), bytes.end(), key.begin());
    return key;
}

llvm::StringRef bytesOf(const CacheKey &key) {
    return {reinterpret_cast<const char *>(key.data()), key.size()};
}

std::optional<std::vector<KnownCapture>> readCaptures(llvm::StringRef bytes) {
    ByteReader in(bytes);
    auto all = in.list<KnownCapture>([&] {
        KnownCapture one;
        one.digest = keyOf(in.text());
        one.demandedStatic = ParameterSet::read(in);
        one.dependencies = capture::readDependencies(in);
        return one;
    });
    return in.ok() ? std::optional(std::move(all)) : std::nullopt;
}

std::string toBytes(const std::vector<KnownCapture> &all) {
    ByteWriter out;
    out.list(all, [&](const KnownCapture &one) {
        out.text(bytesOf(one.digest));
        one.demandedStatic.write(out);
        capture::writeDependencies(out, one.dependencies);
    });
    return std::move(out.bytes);
}

// What was found outside, and the annotations.
std::optional<std::string> wholeText(PyObject *function, const capture::FoundAgain &found) {
    return unlessFailing([&] { return found.text + annotationText(function); });
}

// Kinds of objects and of records have numbers of this process.
bool isPortable(llvm::StringRef structure) {
    return structure.find_first_of("@=N") == llvm::StringRef::npos;
}

std::optional<CacheKey> keyOfFunction(PyObject *function, const DirectFunction &about) {
    const std::optional<std::string> own = capture::functionText(function);
    if (!own || !commonText() || !isPortable(about.structure))
        return std::nullopt;
    ByteWriter out;
    out.text("function");
    out.text(*commonText());
    out.text(*own);
    out.text(about.structure);
    about.givenStatic.write(out);
    return cacheKey(out.bytes);
}

// Of arguments whose value is part of the key.
bool addWord(ByteWriter &out, uint64_t packed) {
    KeyWord word = KeyWord::unpack(packed);
    if (word.kind == KeyWord::Object)
        return false;
    if (word.kind != KeyWord::Static) {
        out.number(packed);
        return true;
    }
    const std::optional<std::string> value = capture::valueText(staticObject(word.value));
    word.value = 0;
    out.number(word.pack());
    out.text(value.value_or(""));
    return value.has_value();
}

struct Alternative {
    CodeOnDisk place;
    ProbeLog::Probes probes;
};

std::vector<Alternative> readAlternatives(llvm::StringRef bytes) {
    ByteReader in(bytes);
    auto all = in.list<Alternative>([&] {
        Alternative one;
        one.place.key = keyOf(in.text());
        one.place.files = in.texts();
        one.probes = in.list<ProbeLog::Probes::value_type>([&] {
            std::string asked = in.text().str(), answer = in.text().str();
            return std::pair(std::move(asked), std::move(answer));
        });
        return one;
    });
    return in.ok() ? std::move(all) : std::vector<Alternative>();
}

std::string toBytes(const std::vector<Alternative> &all) {
    ByteWriter out;
    out.list(all, [&](const Alternative &one) {
        out.text(bytesOf(one.place.key));
        out.texts(one.place.files);
        out.list(one.probes, [&](const auto &probe) {
            out.text(probe.first);
            out.text(probe.second);
        });
    });
    return std::move(out.bytes);
}

// Objects that calls are tried out with, and classes of records, have numbers of this process.
bool isPortable(const ProbeLog::Probes &probes) {
    return llvm::none_of(probes, [](const auto &probe) {
        const llvm::StringRef asked = probe.first, answer = probe.second;
        return asked.contains("\"object\"") || asked.contains("pyfunc:") ||
               asked.contains("ufunc:") || asked.contains("record:") ||
               answer.contains("\"sample\"") || answer.contains("\"record\"");
    });
}

bool isPortable(const Variant &variant) {
    return llvm::none_of(variant.sites, [](const ErrorSite &site) {
        return site.exception == np::restartError || site.exception == np::lateRestartError;
    });
}

// Python gives the same answers; its loops of ufuncs are known to the linker then.
bool hold(const ProbeLog::Probes &probes) {
    return llvm::all_of(
        probes, [](const auto &probe) { return probeCallOut(probe.first) == probe.second; });
}

// Makes the linker know loops of ufuncs, which inference would have done.
bool bindLoops(const std::vector<std::string> &loops) {
    return llvm::all_of(loops, [](const std::string &loop) {
        if (runtime::findUfuncLoop(loop))
            return true;
        Ref module = Ref::steal(PyImport_ImportModule("shapecast._ufuncs"));
        Ref bound = module
                        ? Ref::steal(PyObject_CallMethod(module.get(), "bind", "s", loop.c_str()))
                        : Ref();
        capture::forgetError();
        return bound.get() == Py_True;
    });
}

} // namespace

std::optional<capture::Captured> findCapture(DiskCache &disk, PyObject *function,
                                             const DirectFunction &about, DirectCapture &direct) {
    const std::optional<CacheKey> key = keyOfFunction(function, about);
    const std::optional<std::string> bytes = key ? disk.load(*key) : std::nullopt;
    if (!bytes)
        return std::nullopt;
    std::optional<std::vector<KnownCapture>> all = readCaptures(*bytes);
    if (!all)
        return disk.reject(*key), std::nullopt;
    for (KnownCapture &known : *all) {
        std::optional<capture::FoundAgain> found = capture::findAgain(function, known.dependencies);
        std::optional<std::string> text = found ? wholeText(function, *found) : std::nullopt;
        if (!text || cacheKey(*text) != known.digest)
            continue;
        direct = {std::move(*text), std::move(known.dependencies), known.demandedStatic};
        return std::move(found->captured);
    }
    return std::nullopt;
}

DirectCapture directCapture(PyObject *function, const capture::Captured &captured) {
    std::optional<std::vector<capture::Dependency>> found = capture::dependenciesOf(captured);
    std::optional<capture::FoundAgain> again =
        found ? capture::findAgain(function, *found) : std::nullopt;
    std::optional<std::string> text = again ? wholeText(function, *again) : std::nullopt;
    if (!text || !again->sees(captured))
        return {};
    return {std::move(*text), std::move(*found), {}};
}

void storeCapture(DiskCache &disk, PyObject *function, const DirectFunction &about,
                  const DirectCapture &direct) {
    const std::optional<CacheKey> key = keyOfFunction(function, about);
    if (!key)
        return;
    std::vector<KnownCapture> all;
    if (const std::optional<std::string> bytes = disk.load(*key))
        all = readCaptures(*bytes).value_or(std::vector<KnownCapture>());
    const KnownCapture now{cacheKey(direct.text), direct.demandedStatic, direct.dependencies};
    if (!all.empty() && all[0].digest == now.digest && all[0].demandedStatic == now.demandedStatic)
        return;
    llvm::erase_if(all, [&](const KnownCapture &one) { return one.digest == now.digest; });
    all.insert(all.begin(), now);
    all.resize(std::min(all.size(), mostCaptures));
    disk.store(*key, "names that a function looks up", toBytes(all));
}

std::optional<CacheKey> keyOfCall(const DirectFunction &about, const DirectCapture &direct,
                                  const Call &call, size_t parameters,
                                  const CompileOptions &options) {
    if (direct.text.empty() || !commonText() || !options.doubted.empty())
        return std::nullopt;
    ByteWriter out;
    out.text("call");
    out.text(*commonText());
    out.text(direct.text);
    out.text(about.structure);
    out.number(options.recheck);
    out.number(options.debug);
    out.number(options.defersRefusals);
    out.number(parameters);
    for (size_t k = 0; k < call.key.size(); ++k)
        if (k >= parameters)
            out.number(call.key[k]); // two arrays that overlap
        else if (!addWord(out, call.key[k]))
            return std::nullopt;
    out.list(options.forbidden, [&](np::GuardAttr guard) {
        std::string text;
        llvm::raw_string_ostream stream(text);
        mlir::Attribute(guard).print(stream);
        out.text(text);
    });
    return cacheKey(out.bytes);
}

std::unique_ptr<Variant> findVariant(DiskCache &disk, const CacheKey &key,
                                     llvm::function_ref<bool(const Variant &)> fits) {
    const std::optional<std::string> bytes = disk.load(key);
    if (!bytes)
        return nullptr;
    for (const Alternative &one : readAlternatives(*bytes)) {
        std::optional<StoredVariant> stored = loadCode(disk, one.place);
        if (!stored)
            continue;
        const std::string entry = stored->entry;
        const std::vector<std::string> objects = std::move(stored->objects);
        std::unique_ptr<Variant> variant = variantOf(*stored, context());
        if (!variant || !fits(*variant) || !hold(one.probes) || !bindLoops(stored->loops) ||
            (stored->drawsNumbers && !hasDistributions()) ||
            (stored->drawsLegacyNumbers && !hasLegacyDistributions()))
            continue;
        std::string error;
        lockCompiler();
        std::lock_guard running(compilerMutex(), std::adopt_lock);
        std::shared_ptr<CompiledCode> code = jitLink(objects, entry, error);
        if (!code)
            continue;
        variant->entry = code->entry;
        variant->code = std::move(code);
        return variant;
    }
    return nullptr;
}

void storeVariant(DiskCache &disk, const CacheKey &key, llvm::StringRef label,
                  const Variant &variant, const CodeOnDisk &place, const ProbeLog::Probes &probes) {
    if (!place.isPortable || !isPortable(variant) || !isPortable(probes))
        return;
    std::vector<Alternative> all;
    if (const std::optional<std::string> bytes = disk.load(key))
        all = readAlternatives(*bytes);
    llvm::erase_if(all, [&](const Alternative &one) { return one.place.key == place.key; });
    if (all.size() >= mostAlternatives)
        all.pop_back();
    all.insert(all.begin(), {place, probes});
    disk.store(key, label, toBytes(all));
}

} // namespace shapecast::bindings
