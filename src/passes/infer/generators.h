// np-infer: generators of the user's own. A generator function (np.func with `generator`) has a
// captured parameter "free consume ": `yield v` calls it, and returns where that is false. A loop
// over a generator runs its function, with a consumer that is the loop's body: so the loop needs no
// frame of the generator's, and optimises as if it had been written there.
#pragma once

#include "passes/infer/iterator_sites.h"

namespace shapecast {

void iterateGenerator(Inference &in, np::ForEachOp op, const Val &generator);
// Of a generator function that calls itself: a list of its items, where all are taken and nobody
// can see when it runs. Otherwise its calls make instances from the next attempt on, which this
// begins. Where that is refused, less has to be known of what the loop does (takesAllAtOnce).
std::optional<Val> listOfRecursive(Inference &in, const Val &generator,
                                   llvm::function_ref<bool()> takesAll);
bool takesAllAtOnce(Inference &in, np::ForEachOp op);
// item in generator: as far as that one.
std::optional<Val> containsInGenerator(Inference &in, np::PyOp op);
Val listOfGenerator(Inference &in, const Val &generator);
// next(generator): the first item; it cannot be gone on with.
Val firstOfGenerator(Inference &in, llvm::ArrayRef<Val> operands);
// Functions of the library over generators, which do not need all of their items.
std::optional<Val> callOnGenerators(Inference &in, llvm::StringRef name,
                                    llvm::ArrayRef<Val> operands,
                                    llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
// The function of the library that does; null where there is none.
np::FuncOp functionOnGenerators(Inference &in, llvm::StringRef name, llvm::ArrayRef<Val> operands);

} // namespace shapecast
