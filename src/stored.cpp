#include "stored.h"

#include "support/bytes.h"

#include "mlir/AsmParser/AsmParser.h"

using namespace llvm;

namespace shapecast {
namespace {

template <class Printable> std::string textOf(Printable what) {
    std::string text;
    raw_string_ostream stream(text);
    if (what)
        what.print(stream);
    return text;
}

void writeFrame(ByteWriter &out, const Frame &frame, ArrayRef<std::string> files) {
    const size_t number = llvm::find(files, frame.file) - files.begin();
    out.number(number < files.size() ? number + 1 : 0);
    out.text(number < files.size() ? "" : frame.file);
    out.text(frame.function);
    for (unsigned part : {frame.line, frame.column, frame.endLine, frame.endColumn})
        out.number(part);
}

Frame readFrame(ByteReader &in, ArrayRef<std::string> files) {
    Frame frame;
    const uint64_t number = in.number();
    frame.file = in.text().str();
    if (number && number <= files.size())
        frame.file = files[number - 1];
    frame.function = in.text().str();
    for (unsigned *part : {&frame.line, &frame.column, &frame.endLine, &frame.endColumn})
        *part = unsigned(in.number());
    return frame;
}

} // namespace

StoredVariant storedOf(const Variant &variant, StringRef entry, std::vector<std::string> objects) {
    StoredVariant stored;
    stored.entry = entry.str();
    for (mlir::Type type : variant.resultTypes)
        stored.resultTypes.push_back(textOf(type));
    for (mlir::Attribute guard : variant.guards)
        stored.guards.push_back(textOf(guard));
    stored.callOuts = variant.callOuts;
    stored.resultTree = textOf(variant.resultTree);
    stored.writes = textOf(variant.writes);
    for (const KeptChanges &kept : variant.kept) {
        stored.kept.push_back(textOf(kept.writes));
        stored.kept.push_back(std::to_string(kept.types.size()));
        for (mlir::Type type : kept.types)
            stored.kept.push_back(textOf(type));
    }
    stored.carriedResults = variant.carriedResults;
    stored.scalarResults = variant.scalarResults;
    stored.written = variant.written;
    stored.sites = variant.sites;
    stored.raises = variant.raises;
    stored.objects = std::move(objects);
    stored.ptx = variant.ptx;
    stored.kernels = variant.kernels;
    stored.milliseconds = variant.milliseconds;
    return stored;
}

std::string toBytes(const StoredVariant &stored, ArrayRef<std::string> files) {
    ByteWriter out;
    out.text(stored.entry);
    out.texts(stored.resultTypes);
    out.texts(stored.guards);
    out.texts(stored.callOuts);
    out.texts(stored.loops);
    out.number(stored.drawsNumbers);
    out.number(stored.drawsLegacyNumbers);
    out.number(stored.raises);
    out.text(stored.resultTree);
    out.text(stored.writes);
    out.texts(stored.kept);
    for (const std::vector<int64_t> *numbers :
         {&stored.carriedResults, &stored.scalarResults, &stored.written})
        out.list(*numbers, [&](int64_t number) { out.number(uint64_t(number)); });
    out.list(stored.sites, [&](const ErrorSite &site) {
        out.text(site.exception);
        out.text(site.message);
        out.list(site.frames, [&](const Frame &frame) { writeFrame(out, frame, files); });
        out.texts(site.notes);
        out.number(site.callers);
    });
    out.texts(stored.objects);
    out.text(stored.ptx);
    out.list(stored.kernels, [&](const device::KernelSource &kernel) {
        out.text(kernel.name);
        out.number(kernel.parameters);
    });
    out.real(stored.milliseconds);
    return std::move(out.bytes);
}

std::optional<StoredVariant> fromBytes(StringRef bytes, ArrayRef<std::string> files) {
    ByteReader in(bytes);
    StoredVariant stored;
    stored.entry = in.text().str();
    stored.resultTypes = in.texts();
    stored.guards = in.texts();
    stored.callOuts = in.texts();
    stored.loops = in.texts();
    stored.drawsNumbers = in.number();
    stored.drawsLegacyNumbers = in.number();
    stored.raises = in.number();
    stored.resultTree = in.text().str();
    stored.writes = in.text().str();
    stored.kept = in.texts();
    for (std::vector<int64_t> *numbers :
         {&stored.carriedResults, &stored.scalarResults, &stored.written})
        *numbers = in.list<int64_t>([&] { return int64_t(in.number()); });
    stored.sites = in.list<ErrorSite>([&] {
        ErrorSite site;
        site.exception = in.text().str();
        site.message = in.text().str();
        site.frames = in.list<Frame>([&] { return readFrame(in, files); });
        site.notes = in.texts();
        site.callers = in.number();
        return site;
    });
    stored.objects = in.texts();
    stored.ptx = in.text().str();
    stored.kernels = in.list<device::KernelSource>([&] {
        device::KernelSource kernel;
        kernel.name = in.text().str();
        kernel.parameters = unsigned(in.number());
        return kernel;
    });
    stored.milliseconds = in.real();
    return in.ok() ? std::optional(std::move(stored)) : std::nullopt;
}

std::optional<StoredVariant> loadCode(DiskCache &disk, const CodeOnDisk &entry) {
    const std::optional<std::string> bytes = disk.load(entry.key);
    std::optional<StoredVariant> stored = bytes ? fromBytes(*bytes, entry.files) : std::nullopt;
    if (bytes && !stored)
        disk.reject(entry.key);
    return stored;
}

std::unique_ptr<Variant> variantOf(const StoredVariant &stored, mlir::MLIRContext &context) {
    auto variant = std::make_unique<Variant>();
    variant->raises = stored.raises;
    bool isParsed = true;
    auto attribute = [&](const std::string &text) {
        mlir::Attribute read = text.empty() ? mlir::Attribute() : parseAttribute(text, &context);
        isParsed &= text.empty() || read;
        return read;
    };
    for (const std::string &text : stored.resultTypes) {
        variant->resultTypes.push_back(mlir::parseType(text, &context));
        isParsed &= bool(variant->resultTypes.back());
    }
    for (const std::string &text : stored.guards) {
        variant->guards.push_back(dyn_cast_or_null<np::GuardAttr>(attribute(text)));
        isParsed &= bool(variant->guards.back());
    }
    variant->resultTree = attribute(stored.resultTree);
    variant->writes = attribute(stored.writes);
    for (size_t k = 0; isParsed && k + 1 < stored.kept.size();) {
        KeptChanges kept{{}, attribute(stored.kept[k])};
        const size_t types = k + 2, end = types + std::stoul(stored.kept[k + 1]);
        for (k = types; k < std::min(end, stored.kept.size()); ++k) {
            kept.types.push_back(mlir::parseType(stored.kept[k], &context));
            isParsed &= bool(kept.types.back());
        }
        variant->kept.push_back(std::move(kept));
    }
    variant->carriedResults = stored.carriedResults;
    variant->scalarResults = stored.scalarResults;
    variant->written = stored.written;
    variant->callOuts = stored.callOuts;
    variant->sites = stored.sites;
    variant->ptx = stored.ptx;
    variant->kernels = stored.kernels;
    variant->fromDisk = true;
    return isParsed ? std::move(variant) : nullptr;
}

} // namespace shapecast
