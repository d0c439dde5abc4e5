#include "passes/infer/dataclasses.h"

#include "ops/builder/containers.h"
#include "ops/builder/heap.h"
#include "ops/builder/record_class.h"
#include "passes/infer/heaps.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static bool isDataclass(const Val &v) {
    return (v.isRecord() && !isPlainInstance(v)) || overloads(v, "dataclass");
}

// The names and values of the attributes, of a record or an instance in memory.
static std::vector<std::pair<std::string, Val>> fieldsOf(TypedBuilder &e, const Val &v) {
    std::vector<std::pair<std::string, Val>> fields;
    if (v.isRecord()) {
        for (auto [name, value] : llvm::zip_equal(fieldNames(v), v.items.read()))
            fields.emplace_back(name.str(), value);
        return fields;
    }
    const HeapSites::Site &site = e.heapSites->sites[e.heapSites->root(v.serial)];
    const std::vector<std::string> names(site.attributes.begin() + 1, site.attributes.end());
    for (const std::string &name : names)
        fields.emplace_back(name, heapAttribute(e, v, name));
    return fields;
}

// Another instance of its class. Its __init__ would run __post_init__, and give defaults of fields
// with init=False: records of such classes have ";made".
static Val replaced(TypedBuilder &e, const Val &v, ArrayRef<std::pair<StringRef, Val>> changes) {
    if (overloads(v, "made"))
        e.unsupported("dataclasses.replace() of a " + v.className() +
                      ", whose class has a __post_init__ or more than fields, is not supported; "
                      "call the class");
    std::vector<std::pair<std::string, Val>> fields = fieldsOf(e, v);
    const SmallVector<StringRef> words = v.recordWords();
    std::string text = (words[0] + " " + words[1]).str();
    for (const auto &[name, value] : fields)
        text += " " + name;
    for (const auto &[name, value] : changes) {
        auto field = llvm::find_if(fields, [&](const auto &one) { return one.first == name; });
        if (field == fields.end())
            e.fail("TypeError",
                   v.className() + ".__init__() got an unexpected keyword argument '" + name + "'");
        field->second = value;
    }
    Val made = e.tupleVal({});
    made.kind = Val::Kind::Record;
    made.attr = PyAttr::get(
        e.ctx, v.isRecord() ? cast<PyAttr>(v.attr).getKind() : StringRef("dataclass"), text);
    for (const auto &[name, value] : fields)
        made.items.push_back(value);
    return made;
}

// As dataclasses.asdict and astuple do, which copy what the fields hold.
static Val asPlain(Inference &in, const Val &v, bool isDict) {
    TypedBuilder &e = in.e;
    if (isDataclass(v)) {
        SmallVector<Attribute> keys;
        std::vector<Val> items;
        for (const auto &[name, value] : fieldsOf(e, v)) {
            keys.push_back(PyAttr::get(e.ctx, "str", name));
            items.push_back(asPlain(in, value, isDict));
        }
        return isDict ? dictVal(e, keys, std::move(items)) : e.tupleVal(std::move(items));
    }
    if (v.isTuple()) {
        std::vector<Val> items;
        for (const Val &item : v.items)
            items.push_back(asPlain(in, item, isDict));
        return e.tupleVal(std::move(items), v.list);
    }
    if (isHeap(v)) {
        if (isObjectForm(heapValueSlot(v).attr) || isObjectForm(heapKeySlot(v).attr))
            e.unsupported("dataclasses.asdict() and astuple() of instances in containers whose "
                          "length is known only at run time are not supported; write the loop");
        return callHeap(in, Val(v), "copy", {}, {});
    }
    return v;
}

std::optional<Val> shapecast::callOnDataclass(Inference &in, StringRef name, ArrayRef<Val> operands,
                                              ArrayRef<std::pair<StringRef, Val>> named) {
    if (!name.consume_front("dataclasses.") || operands.size() != 1 || !isDataclass(operands[0]))
        return std::nullopt;
    if (name == "replace")
        return replaced(in.e, operands[0], named);
    if ((name == "asdict" || name == "astuple") && named.empty())
        return asPlain(in, operands[0], name == "asdict");
    return std::nullopt;
}
