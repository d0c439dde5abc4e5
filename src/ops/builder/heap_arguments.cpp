#include "ops/builder/heap_arguments.h"

#include "ops/builder/heap_text.h"
#include "ops/builder/memory.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

constexpr unsigned firstPlace = 1u << 24; // not those of calls

// The Slots of a form, and the sites of the containers in it.
class FormSlots {
public:
    FormSlots(TypedBuilder &e, StringRef form, unsigned place) : e(e), place(place) {
        const bool areMerged = form.consume_front("=");
        SmallVector<StringRef> parts;
        form.split(parts, '\x1f');
        for (StringRef text : ArrayRef(parts).drop_front()) {
            rest = text;
            const std::string facts = ("object " + word()).str();
            const Location at = HeapSites::placed(e.loc, areMerged ? firstPlace : this->place++);
            sites.push_back(e.heapSites->root(e.heapSites->make(at, facts)));
            classes.push_back(rest);
        }
        for (auto [k, text] : llvm::enumerate(classes)) {
            rest = text;
            instances(sites[k]);
        }
        rest = form;
        top = next();
    }

    SmallVector<unsigned> sites; // of all of them
    Slot top;                    // the outermost one

private:
    Slot next() {
        const char kind = rest.front();
        rest = rest.drop_front();
        Slot slot;
        switch (kind) {
        case 'n':
            return slotOf(e.noneVal());
        case 'T':
            return textSlot(e);
        case 'L':
            return container("list");
        case 'S':
            return container("set");
        case 'D':
            return container("dict");
        case 'I':
            return heapSlot(e, e.heapSites->root(sites[count()]));
        case 'o':
            slot.kind = Slot::Kind::Optional;
            slot.attr = e.noneVal().attr;
            slot.items = {next()};
            return slot;
        case 't':
            slot.kind = Slot::Kind::Tuple;
            for (size_t left = count(); left > 0; --left)
                slot.items.push_back(next());
            return slot;
        case 'u':
            slot.kind = Slot::Kind::Union;
            for (size_t left = count(); left > 0; --left)
                slot.items.push_back(next());
            return slot;
        case 'U': {
            size_t left = count() - 1;
            for (slot = next(); left > 0; --left)
                slot = joinSlots(e, slot, next());
            return slot;
        }
        case 'N':
            return slotOf(e.staticVal("func", word()));
        case 'm':
            return slotOf(e.staticVal("enum", word()));
        case 'X':
        case 'x':
            slot.kind = Slot::Kind::Never;
            return slot;
        default:
            slot.kind = Slot::Kind::Typed;
            slot.type = numberType(kind);
            return slot;
        }
    }

    size_t count() { // and the colon
        size_t number = 0;
        rest.consumeInteger(10, number);
        rest = rest.drop_front();
        return number;
    }

    StringRef word() {
        const size_t size = count();
        const StringRef text = rest.take_front(size);
        rest = rest.drop_front(size);
        return text;
    }

    void instances(unsigned site) {
        SmallVector<std::pair<StringRef, Slot>> attributes;
        for (size_t left = count(); left > 0; --left) {
            const StringRef name = word();
            const bool isUnreadable = rest.front() == 'X';
            attributes.emplace_back(name, next());
            if (isUnreadable)
                e.heapSites->sites[site].unreadable.insert(name);
        }
        widenArgument(e, site, attributes);
    }

    Type numberType(char kind) {
        if (kind == 'b')
            return pyType(e.ctx, PyKind::Bool);
        if (kind != 's')
            return pyType(e.ctx, kind == 'f' ? PyKind::Float : PyKind::Int);
        const Type type = scalarType(e.ctx, *dtypeFromChar(rest.front()));
        rest = rest.drop_front();
        return type;
    }

    Slot container(StringRef form) {
        const Location at = HeapSites::placed(e.loc, place++);
        const Slot none;
        const Slot key = form == "list" ? none : next();
        const Slot value = form == "set" ? none : next();
        const unsigned number = e.heapSites->root(e.heapSites->make(at, form));
        widenArgument(e, number, key, value);
        sites.push_back(number);
        return heapSlot(e, number);
    }

    TypedBuilder &e;
    StringRef rest;
    unsigned place;
    SmallVector<StringRef> classes; // of the instances: their attributes
};

} // namespace

static bool canBeRead(const HeapSites &heap, const Slot &slot, SmallVector<unsigned> &around);

// Whether the caller's containers have forms that are read: no containers of their own kind.
static bool canBeRead(const HeapSites &heap, unsigned site, SmallVector<unsigned> &around) {
    if (llvm::is_contained(around, site))
        return false;
    around.push_back(site);
    const bool can = canBeRead(heap, heap.sites[site].key, around) &&
                     canBeRead(heap, heap.sites[site].value, around);
    around.pop_back();
    return can;
}

static bool canBeRead(const HeapSites &heap, const Slot &slot, SmallVector<unsigned> &around) {
    if (slot.valKind == Val::Kind::Heap)
        return isObjectForm(slot.attr) || canBeRead(heap, heap.root(slot.serial), around);
    return llvm::all_of(slot.items,
                        [&](const Slot &item) { return canBeRead(heap, item, around); });
}

Val shapecast::argumentInMemory(TypedBuilder &e, unsigned k, const Val &object, StringRef form) {
    if (form == "T")
        return textFunction(e, "of_object", {object});
    constexpr unsigned mostPlaces = 1u << 8;
    FormSlots slots(e, form, firstPlace + 1 + k * mostPlaces);
    SmallVector<unsigned> around;
    for (unsigned site : slots.sites)
        if (!canBeRead(*e.heapSites, e.heapSites->root(site), around))
            e.unsupported("a list, dict or set of the caller's that its own kind is put into is "
                          "not supported; "
                          "make a new one");
    const bool isChanged = llvm::any_of(slots.sites, [&](unsigned site) {
        return e.heapSites->sites[e.heapSites->root(site)].isChanged;
    });
    const auto read = [&](const Val &made) {
        SmallVector<Val> operands{object, e.intVal(isChanged)};
        llvm::append_range(operands, constantWords(e, heapFormat(e, made)));
        native(e, "container_read", {made.items[0]}, operands);
        return made;
    };
    const HeapSites::Site &site = e.heapSites->sites[e.heapSites->root(slots.top.serial)];
    if (!isObjectForm(slots.top.attr))
        return read(newHeap(e, site));
    // It may have been read with another argument: so it is read as the item of a list.
    const unsigned holder = e.heapSites->root(
        e.heapSites->make(HeapSites::placed(e.loc, firstPlace + mostPlaces * (k + 1)), "list"));
    widenArgument(e, holder, Slot(), slots.top);
    return heapValueAt(e, read(newHeap(e, e.heapSites->sites[holder])), e.intVal(0));
}
