#include "bindings/cache/disk_lookup.h"

#include "bindings/cache/compile_lock.h"
#include "bindings/call/forms.h"
#include "bindings/call/generators.h"
#include "bindings/call/static_values.h"
#include "capture/interrupts.h"
#include "compile.h"
#include "context.h"
#include "ir/error_names.h"
#include "lower/llvm/jit.h"
#include "runtime/openblas.h"
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

constexpr size_t maxAlternatives = 8; // variants of one key, which differ by their guards
constexpr size_t maxCaptures = 8;     // of one function, with other globals

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

// The body's result; none where Python code raises in it: then nothing is found or stored.
template <class Body> std::optional<std::string> unlessFailing(Body body) {
    try {
        return body();
    } catch (const std::exception &error) { // Python's, too
        capture::forgetError(error);
        return std::nullopt;
    }
}

// What compiled code depends on besides the function and the call: versions and the target.
const std::optional<std::string> &environmentText() {
    static const auto *text = new std::optional(unlessFailing([] {
        ByteWriter out;
        out.text(buildId());
        out.text(targetId());
        out.text(Py_GetVersion());
        out.text(py::cast<std::string>(py::module_::import("numpy").attr("__version__")));
        out.number(py::cast<uint64_t>(py::module_::import("sys").attr("flags").attr("optimize")));
        const auto package =
            py::cast<std::string>(py::list(py::module_::import("shapecast").attr("__path__"))[0]);
        out.number(runtime::needsBlas()); // the library's functions depend on it
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
    bool isPlain = true; // float, int ... constrain no arrays
    for (auto [name, given] : py::reinterpret_borrow<py::dict>(annotations))
        isPlain &= llvm::is_contained({(PyObject *)&PyFloat_Type, (PyObject *)&PyLong_Type,
                                       (PyObject *)&PyBool_Type, (PyObject *)&PyComplex_Type,
                                       (PyObject *)&PyArray_Type, Py_None},
                                      given.ptr());
    if (isPlain)
        return "";
    return py::cast<std::string>(
        py::module_::import("shapecast.typing").attr("annotations_text")(function));
}

// An item of a function's entry: the hash of a capture's text, and the look-ups that give it.
struct KnownCapture {
    CacheKey digest{};
    ParameterSet requestedStatic;
    std::vector<capture::Dependency> dependencies;
    bool hasContainers = false;
};

CacheKey keyOf(llvm::StringRef bytes) { // as stored in an entry; zeros for another length
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
        KnownCapture known;
        known.digest = keyOf(in.text());
        known.requestedStatic = ParameterSet::read(in);
        known.dependencies = capture::readDependencies(in);
        known.hasContainers = in.number() != 0;
        return known;
    });
    return in.ok() ? std::optional(std::move(all)) : std::nullopt;
}

std::string toBytes(const std::vector<KnownCapture> &all) {
    ByteWriter out;
    out.list(all, [&](const KnownCapture &known) {
        out.text(bytesOf(known.digest));
        known.requestedStatic.write(out);
        capture::writeDependencies(out, known.dependencies);
        out.number(known.hasContainers);
    });
    return std::move(out.bytes);
}

// The text of a capture: what the look-ups found, and the annotations.
std::optional<std::string> captureText(PyObject *function, const capture::ReplayedLookUps &found) {
    return unlessFailing([&] { return found.text + annotationText(function); });
}

std::optional<CacheKey> keyOfFunction(PyObject *function, const DirectFunction &about) {
    const std::optional<std::string> own = capture::functionText(function);
    if (!own || !environmentText() || !about.structure.isPortable())
        return std::nullopt;
    ByteWriter out;
    out.text("function");
    out.text(*environmentText());
    out.text(*own);
    out.text(about.structure.text());
    about.declaredStatic.write(out);
    return cacheKey(out.bytes);
}

// Adds an argument's word of the key, with the value of a static one. False: not portable.
bool addWord(ByteWriter &out, uint64_t packed) {
    KeyWord word = KeyWord::unpack(packed);
    if (word.kind == KeyWord::Object)
        return false;
    if (word.kind == KeyWord::InMemory) {
        out.text(formOfNumber(std::exchange(word.value, 0)));
        out.number(word.pack());
        return true;
    }
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
    CodeOnDisk code;
    ProbeLog::Probes probes;
};

std::vector<Alternative> readAlternatives(llvm::StringRef bytes) {
    ByteReader in(bytes);
    auto all = in.list<Alternative>([&] {
        Alternative alternative;
        alternative.code.key = keyOf(in.text());
        alternative.code.files = in.texts();
        alternative.probes = in.list<ProbeLog::Probes::value_type>([&] {
            std::string query = in.text().str(), answer = in.text().str();
            return std::pair(std::move(query), std::move(answer));
        });
        return alternative;
    });
    return in.ok() ? std::move(all) : std::vector<Alternative>();
}

std::string toBytes(const std::vector<Alternative> &all) {
    ByteWriter out;
    out.list(all, [&](const Alternative &alternative) {
        out.text(bytesOf(alternative.code.key));
        out.texts(alternative.code.files);
        out.list(alternative.probes, [&](const auto &probe) {
            out.text(probe.first);
            out.text(probe.second);
        });
    });
    return std::move(out.bytes);
}

// Numbers of sample objects and of record classes are per process.
bool isPortable(const ProbeLog::Probes &probes) {
    return llvm::none_of(probes, [](const auto &probe) {
        const llvm::StringRef query = probe.first, answer = probe.second;
        return query.contains("\"object\"") || query.contains("pyfunc:") ||
               query.contains("ufunc:") || query.contains("record:") ||
               answer.contains("\"sample\"") || answer.contains("\"record\"");
    });
}

bool isPortable(const Variant &variant) {
    return llvm::none_of(variant.sites, [](const ErrorSite &site) {
        return site.exception == np::failedAssumptionError ||
               site.exception == np::lateFailedAssumptionError;
    });
}

// Whether Python gives the same answers now.
bool hold(const ProbeLog::Probes &probes) {
    return llvm::all_of(
        probes, [](const auto &probe) { return probeCallOut(probe.first) == probe.second; });
}

// Registers loops of ufuncs with the linker, which inference would have done.
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
        std::optional<capture::ReplayedLookUps> found =
            capture::replayLookUps(function, known.dependencies);
        std::optional<std::string> text = found ? captureText(function, *found) : std::nullopt;
        if (!text || cacheKey(*text) != known.digest)
            continue;
        direct = {std::move(*text), std::move(known.dependencies), known.requestedStatic,
                  known.hasContainers};
        return std::move(found->captured);
    }
    return std::nullopt;
}

DirectCapture directCapture(PyObject *function, const capture::Captured &captured) {
    std::optional<std::vector<capture::Dependency>> found = capture::dependenciesOf(captured);
    std::optional<capture::ReplayedLookUps> again =
        found ? capture::replayLookUps(function, *found) : std::nullopt;
    std::optional<std::string> text = again ? captureText(function, *again) : std::nullopt;
    if (!text || !again->matches(captured))
        return {};
    return {std::move(*text), std::move(*found), {}, !captured.containers.empty()};
}

void storeCapture(DiskCache &disk, PyObject *function, const DirectFunction &about,
                  const DirectCapture &direct) {
    const std::optional<CacheKey> key = keyOfFunction(function, about);
    if (!key)
        return;
    std::vector<KnownCapture> all;
    if (const std::optional<std::string> bytes = disk.load(*key))
        all = readCaptures(*bytes).value_or(std::vector<KnownCapture>());
    const KnownCapture now{cacheKey(direct.text), direct.requestedStatic, direct.dependencies,
                           direct.hasContainers};
    if (!all.empty() && all[0].digest == now.digest &&
        all[0].requestedStatic == now.requestedStatic)
        return;
    llvm::erase_if(all, [&](const KnownCapture &known) { return known.digest == now.digest; });
    all.insert(all.begin(), now);
    all.resize(std::min(all.size(), maxCaptures));
    disk.store(*key, "names that a function looks up", toBytes(all));
}

std::optional<CacheKey> keyOfCall(const DirectFunction &about, const DirectCapture &direct,
                                  const Call &call, size_t parameters,
                                  const CompileOptions &options) {
    if (direct.text.empty() || !environmentText() || !options.failedAssumptions.empty())
        return std::nullopt;
    ByteWriter out;
    out.text("call");
    out.text(*environmentText());
    out.text(direct.text);
    out.text(about.structure.text());
    out.number(options.recheck);
    out.number(options.debug);
    out.number(options.defersRefusals);
    out.text(options.ptxTarget);
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
    for (const Alternative &alternative : readAlternatives(*bytes)) {
        std::optional<StoredVariant> stored = loadCode(disk, alternative.code);
        if (!stored)
            continue;
        const std::string entry = stored->entry;
        const std::vector<std::string> objects = std::move(stored->objects);
        std::unique_ptr<Variant> variant = variantOf(*stored, context());
        if (!variant || !fits(*variant) || !hold(alternative.probes) || !bindLoops(stored->loops) ||
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
                  const Variant &variant, const CodeOnDisk &code, const ProbeLog::Probes &probes) {
    if (!code.isPortable || !isPortable(variant) || !isPortable(probes))
        return;
    std::vector<Alternative> all;
    if (const std::optional<std::string> bytes = disk.load(key))
        all = readAlternatives(*bytes);
    llvm::erase_if(all, [&](const Alternative &stored) { return stored.code.key == code.key; });
    if (all.size() >= maxAlternatives)
        all.pop_back();
    all.insert(all.begin(), {code, probes});
    disk.store(key, label, toBytes(all));
}

} // namespace shapecast::bindings
