// Allocation sites: which places in the source make lists, dicts and sets in memory (heap.h), and
// with which entries.
//
// What a display or a call makes is a list or dict of known length first. Where that is not enough
// (a key is known only at run time), inference starts again, and knows then of that place in the
// source that it makes a container in memory.
#pragma once

#include "ops/builder/slot.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

namespace shapecast {

struct HeapSites {
    struct Site {
        mlir::Location at;
        // "list", "dict", "set"; "object" and words of an instance of a class in Python: "object
        // 17,3;__eq__ Node" (capture/record_classes.h).
        std::string form;
        Slot key, value; // Never: none was stored so far; of an instance a tuple of attributes
        unsigned sameAs; // its own number, or that of a site whose containers it shares names with
        bool isUsed = false; // its containers are in memory
        // Of an instance: the attributes' names. The first one, "", says by bits which of the
        // others are set.
        std::vector<std::string> attributes = {};
        bool hasObjects = false;      // of a list: instances were put into it
        llvm::StringSet<> unreadable; // attributes of the caller's instances that have no form
        // Its containers are copies of the caller's; they may be changed, so that the caller's are,
        // too.
        bool isOfCaller = false, isChanged = false;
        // (key, value) of the site that it shares names with: what Val::element of each of its
        // containers points to, so that all see what is stored later.
        std::shared_ptr<Slot> entry = std::make_shared<Slot>();
    };
    std::vector<Site> sites;
    // Something was stored that they did not hold when this attempt began: what is inferred until
    // its end is known only in part, and inference then starts again.
    bool isWider = false;
    // The keys and values of dicts from outside that are in memory (heap_constants.h).
    llvm::SmallVector<std::pair<mlir::ArrayAttr, mlir::ArrayAttr>> constants;
    // The form of tuples that are objects in memory (tuple_objects.h); empty: there are none, and
    // whether there should be.
    std::string tupleForm;
    bool wantsTuples = false;
    bool listsRecursive = false; // see passes/infer/iterator_sites.h
    // Operations of our library have the location of its call: the number of the one that is being
    // emitted tells them apart; 0 for those of the program.
    unsigned place = 0;
    mlir::Location placed(mlir::Location at) const { return placed(at, place); }
    static mlir::Location placed(mlir::Location at, unsigned place);
    // The site there, where its containers are in memory; null: none.
    const Site *find(mlir::Location at, llvm::StringRef form);
    // The places in the source whose containers were in memory in an earlier attempt, for any call
    // of the function around: pairs of location and form. `generalises`: from now on for all of its
    // calls, since otherwise there would be an attempt for each.
    llvm::DenseSet<mlir::Attribute> places;
    bool generalises = false;
    void notePlaces();
    unsigned make(mlir::Location at, llvm::StringRef form);
    unsigned root(unsigned site) const;
    void refreshEntries();      // after a key or value has changed, or sites were united
    std::vector<Slot> outdated; // entries before, whose parts callers may refer to; until the end
};

// Thrown where a place in the source makes a container in memory that did not before. No error: the
// entry's inference starts again.
struct HeapRequest {};

bool isHeap(const Val &v, llvm::StringRef form = "");
bool isHeapObject(const Val &v); // an instance of a class in Python, in memory
bool isObjectForm(mlir::Attribute form);
bool holdsInstances(const Slot &key); // in memory, itself or items of tuples
std::string formOf(const Val &container); // as HeapSites::Site::form
const Slot &heapKeySlot(const Val &container);
const Slot &heapValueSlot(const Val &container);
// Of instances of frozen dataclasses, which are stored as tuples of their fields are.
bool isValueRecord(const Slot &slot);
Slot heapPairSlot(const Slot &key, const Slot &value);
bool isEmptyForEver(const Val &container); // nothing is ever stored to it
Val heapLength(TypedBuilder &e, const Val &container);

// The number of the site of a list, dict or instance that is not in memory; none: it has none.
std::optional<unsigned> siteNumber(TypedBuilder &e, const Val &container);
// If an error is found in this operation, it is tried again with the list or dict in memory. Not
// where it is the caller's, or one of several.
void wishHeap(TypedBuilder &e, const Val &container);
Val containerOf(const Slot &slot); // for its site
// The same, where it is or holds what a generator function gives whose calls may make instances
// (passes/infer/iterator_sites.h): from the next attempt on they do.
void wishIterators(TypedBuilder &e, const Val &v);
// An item is put into a list whose length is known only at run time: the same where it is a list or
// dict, and later where that is changed. `list` is null for the list of a comprehension, made at
// `made`.
void wishForItem(TypedBuilder &e, const Val *list, mlir::Location made, const Val &item);
// The same, where the list holds lists, dicts or objects.
void wishForItems(TypedBuilder &e, const Val &list);
// Two lists of different lengths join: the same for both, where they hold lists or dicts.
void wishForJoin(TypedBuilder &e, const Slot &slot, const Val &v);
// One name may be either list or dict: the same, also where one is changed later.
void noteOneOfSeveral(TypedBuilder &e, const Slot &slot, const Val &v);
// One name may be either list, neither in memory: if one has to be, both are. Returns where one was
// made; null where that is not known.
mlir::LocationAttr uniteSites(TypedBuilder &e, const Slot &slot, const Val &v);
// A tuple is one of several kinds of values: the same for the lists and dicts in it.
void wishForMembers(TypedBuilder &e, const Slot &slot);
// At once: where the list holds lists, dicts or objects.
void requestHeapForItems(TypedBuilder &e, const Val &list);
// At once: an object that is one of several is returned, with its identity. Not where it holds what
// cannot be in memory.
void requestHeapForResult(TypedBuilder &e, const Val &record);
// At once: where the error asks for a list of instances in memory.
void requestListsOfObjects(TypedBuilder &e, llvm::ArrayRef<unsigned> wishes);
// At once: where the error asks for it.
void requestWishes(TypedBuilder &e, llvm::ArrayRef<unsigned> wishes);
// At once: the item is held several times.
void requestHeapForItem(TypedBuilder &e, const Val &list, const Val &item);

bool isUnhashable(const Val &v); // as Python says of a key
// UnsupportedError, unless tuples are in memory, for one in columns that is put into a container.
[[noreturn]] void requestTuplesInMemory(TypedBuilder &e);
[[noreturn]] void requestTuplesInMemory(TypedBuilder &e, const llvm::Twine &otherwise);
// Instances are keys by identity: at once, it is in memory. UnsupportedError where their class has
// an __eq__ or __hash__ of its own.
void objectAsKey(TypedBuilder &e, const Val &key);
// It is changed.
void noteChange(TypedBuilder &e, const Val &container);
// The containers of this site are copies of the caller's, with such entries.
void widenArgument(TypedBuilder &e, unsigned number, const Slot &key, const Slot &value);
// Its instances are copies of the caller's, with such attributes.
void widenArgument(TypedBuilder &e, unsigned number,
                   llvm::ArrayRef<std::pair<llvm::StringRef, Slot>> attributes);
// UnsupportedError where it is an attribute of the caller's that is not in memory.
void checkReadable(TypedBuilder &e, const HeapSites::Site &site, llvm::StringRef name);
Slot joinSlots(TypedBuilder &e, const Slot &slot, const Slot &other); // as attributes are joined
Slot heapSlot(TypedBuilder &e, unsigned site);                        // of its containers
// The entries of this container hold them from now on.
void widenHeap(TypedBuilder &e, const Val &container, const Val *key, const Val *value);
// The same for an attribute of an instance.
void widenAttribute(TypedBuilder &e, unsigned number, llvm::StringRef name, const Val &value);
// A record holds one of its class, and so on: it is in memory. Throws HeapRequest, or returns.
void requestHeapForRecursive(TypedBuilder &e, const Slot &slot, const Val &v);
// One name, or one item, is a container of either site.
void uniteHeaps(TypedBuilder &e, unsigned mine, unsigned theirs);
// Of a slot or value that is one. None: they have no join.
std::optional<Slot> joinHeap(TypedBuilder &e, const Slot &slot, const Val &v);

} // namespace shapecast
