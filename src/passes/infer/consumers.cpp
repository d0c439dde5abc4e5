#include "passes/infer/consumers.h"

#include "ops/builder/cells.h"
#include "ops/builder/heap.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

Val shapecast::consume(Inference &in, const Val &consumer, const Val &item) {
    TypedBuilder &e = in.e;
    if (isHeap(consumer)) { // of a recursive generator
        heapMethod(e, consumer, "append", item);
        return e.boolVal(true);
    }
    size_t number = 0;
    consumer.staticText().getAsInteger(10, number);
    if (number >= in.consumers.size())
        e.unsupported("'yield' in a 'try' or in a recursive function is not supported; append the "
                      "items to a list");
    Consumer &loop = in.consumers[number];
    const Location loc = e.loc;
    llvm::SaveAndRestore around(in.callStack, loop.callStack);
    Block &body = loop.op.getBody().front();
    const unsigned frame = loop.frame;
    const SmallVector<Val> carried(e.cells[frame].items.begin(), e.cells[frame].items.end());
    in.env[body.getArgument(0)] = item;
    for (auto [argument, v] : llvm::zip(body.getArguments().drop_front(), carried)) {
        Val now = v;
        reloadCells(e, now);
        in.env[argument] = std::move(now);
    }
    in.walk(body);
    if (in.unreachable)
        return e.boolVal(true);
    auto next = cast<NextOp>(body.back());
    const SmallVector<Val> values = in.vals(next.getValues());
    Cell &cell = e.cells[frame];
    cell.items.assign(values.begin(), values.end());
    ++cell.changes;
    e.anyCellMutated = true;
    Val goesOn = next.getCondition() ? in.val(next.getCondition()) : e.boolVal(true);
    e.loc = loc;
    return goesOn;
}
