// np-lifetime on random programs: an abstract machine with reference counts executes the result
// along random paths. No use after the last release, and at the end only returned arrays are live.
#include "passes/loops/lifetime.h"
#include "ir/np.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

#include <random>

using namespace mlir;
using namespace shapecast;

namespace {

std::mt19937 randomBits(3);
int pick(int n) { return int(randomBits() % unsigned(n)); }

//===-- Random programs

const char *array = "!np.array<8 x f64, C>";

// Text of a function over handles; every name in `live` is in scope.
class Writer {
public:
    std::string run() {
        llvm::raw_string_ostream out(text);
        out << "np.func @f(%a: " << array << ", %b: " << array << ", %c: !np.pybool) -> (" << array
            << ", " << array << ") {\n";
        std::vector<std::string> live{"%a", "%b"};
        statements(out, live, 3);
        out << "np.return " << choose(live) << ", " << choose(live) << " : " << array << ", "
            << array << "\n}\n";
        return out.str();
    }

private:
    std::string fresh() { return "%v" + std::to_string(counter++); }
    static const std::string &choose(const std::vector<std::string> &live) {
        return live[size_t(pick(int(live.size())))];
    }
    void statements(llvm::raw_ostream &out, std::vector<std::string> &live, int depth) {
        for (int k = pick(5); k >= 0; --k)
            statement(out, live, depth);
    }
    void statement(llvm::raw_ostream &out, std::vector<std::string> &live, int depth) {
        int kind = pick(depth > 0 ? 7 : 3);
        if (kind == 0) {
            std::string name = fresh();
            out << name << " = np.alloc : " << array << "\n";
            live.push_back(name);
        } else if (kind == 1) {
            std::string name = fresh(), base = choose(live);
            out << name << " = np.view " << base << " [#np.dim<0>] [#np.dim<1>] [0] : " << array
                << " to " << array << "\n";
            live.push_back(name);
        } else if (kind == 2) {
            out << fresh() << " = np.load " << choose(live) << " [#np.dim<0>] : " << array
                << " to f64\n";
        } else if (kind <= 4) {
            branch(out, live, depth);
        } else {
            loop(out, live, depth, kind == 6);
        }
    }
    void branch(llvm::raw_ostream &out, std::vector<std::string> &live, int depth) {
        std::string name = fresh();
        out << name << " = np.if %c : (!np.pybool) -> " << array << " {\n";
        for (int arm = 0; arm < 2; ++arm) {
            std::vector<std::string> inner = live;
            statements(out, inner, depth - 1);
            out << "np.yield " << choose(inner) << " : " << array << "\n"
                << (arm == 0 ? "} else {\n" : "}\n");
        }
        live.push_back(name);
    }
    void loop(llvm::raw_ostream &out, std::vector<std::string> &live, int depth, bool isWhile) {
        std::string name = fresh(), x = fresh(), y = fresh(), i = fresh(), var = name.substr(1);
        std::string types = std::string("(") + array + ", " + array + ")";
        std::string carried = x + ": " + array + ", " + y + ": " + array;
        out << name << ":2 = ";
        if (isWhile)
            out << "np.while";
        else
            out << "np.for \"" << var << "\" = <0> to <3> step <1>";
        out << " iter(" << choose(live) << ", " << choose(live) << ") : " << types << " -> "
            << types << " {\n";
        if (isWhile) {
            std::vector<std::string> inner = live;
            std::string p = fresh(), q = fresh();
            out << "^bb0(" << p << ": " << array << ", " << q << ": " << array << "):\n";
            inner.insert(inner.end(), {p, q});
            statements(out, inner, 0);
            out << "np.test %c : !np.pybool\n} do {\n^bb0(" << carried << "):\n";
        } else {
            out << "^bb0(" << i << ": !np.pyint, " << carried << "):\n";
        }
        std::vector<std::string> inner = live;
        inner.insert(inner.end(), {x, y});
        statements(out, inner, depth - 1);
        out << "np.next (" << choose(inner) << ", " << choose(inner) << ")"
            << (pick(2) ? " while %c : !np.pybool" : "") << " : " << array << ", " << array
            << "\n}\n";
        live.insert(live.end(), {name + "#0", name + "#1"});
    }

    std::string text;
    int counter = 0;
};

//===-- The abstract machine

class Machine {
public:
    // False when the program misuses a buffer.
    bool run(np::FuncOp function) {
        values.clear();
        counts.clear();
        for (Value argument : function.getBody().getArguments())
            if (isa<np::ArrayType>(argument.getType()))
                values[argument] = caller;
        Block &body = function.getBody().front();
        block(body);
        for (Value value : body.getTerminator()->getOperands())
            release(value);
        for (int count : counts)
            problem |= count != 0;
        return !problem;
    }

private:
    static constexpr int caller = -1; // the caller's arrays are not counted

    int objectOf(Value value) { return values.lookup(value); }
    void use(Value value) {
        int object = objectOf(value);
        problem |= object != caller && counts[size_t(object)] <= 0;
    }
    void release(Value value) { // decrements the reference count
        use(value);
        if (objectOf(value) != caller)
            --counts[size_t(objectOf(value))];
    }
    std::vector<int> objects(OperandRange operands) {
        std::vector<int> list;
        for (Value operand : operands)
            if (isa<np::ArrayType>(operand.getType())) {
                use(operand);
                list.push_back(objectOf(operand));
            }
        return list;
    }
    void bind(ValueRange targets, const std::vector<int> &list) {
        size_t next = 0;
        for (Value target : targets)
            if (isa<np::ArrayType>(target.getType()))
                values[target] = list[next++];
    }
    void block(Block &block) {
        for (Operation &op : block.without_terminator())
            operation(op);
    }
    void operation(Operation &op) {
        for (Value operand : op.getOperands())
            if (isa<np::ArrayType>(operand.getType()))
                use(operand);
        if (isa<np::AllocOp>(op)) {
            counts.push_back(1);
            values[op.getResult(0)] = int(counts.size()) - 1;
        } else if (isa<np::ViewOp>(op)) {
            values[op.getResult(0)] = objectOf(op.getOperand(0));
        } else if (isa<np::RetainOp>(op)) {
            if (objectOf(op.getOperand(0)) != caller)
                ++counts[size_t(objectOf(op.getOperand(0)))];
        } else if (isa<np::ReleaseOp>(op)) {
            release(op.getOperand(0));
        } else if (isa<np::IfOp>(op)) {
            Block &arm = op.getRegion(unsigned(pick(2))).front();
            block(arm);
            bind(op.getResults(), objects(arm.getTerminator()->getOperands()));
        } else if (isa<np::ForOp, np::WhileOp>(op)) {
            loop(op);
        }
    }
    void loop(Operation &op) {
        std::vector<int> carried = objects(op.getOperands());
        Block &body = op.getRegion(op.getNumRegions() - 1).front();
        for (int tripCount = pick(4);; --tripCount) {
            if (op.getNumRegions() == 2) {
                bind(op.getRegion(0).getArguments(), carried);
                block(op.getRegion(0).front());
            }
            if (tripCount == 0)
                break;
            bind(body.getArguments(), carried);
            block(body);
            carried = objects(cast<np::NextOp>(body.getTerminator()).getValues());
            if (cast<np::NextOp>(body.getTerminator()).getCondition() && pick(4) == 0)
                break;
        }
        bind(op.getResults(), carried);
    }

    llvm::DenseMap<Value, int> values;
    std::vector<int> counts; // owners per object
    bool problem = false;
};

} // namespace

int main() {
    DialectRegistry registry;
    registry.insert<np::NpDialect>();
    MLIRContext ctx(registry, MLIRContext::Threading::DISABLED);
    ctx.loadAllAvailableDialects();
    for (int program = 0; program < 1500; ++program) {
        std::string text = Writer().run();
        OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &ctx);
        if (!module) {
            llvm::errs() << text;
            return 1;
        }
        if (failed(insertReleases(*module)))
            return 1;
        for (int path = 0; path < 20; ++path) {
            if (Machine().run(*module->getOps<np::FuncOp>().begin()))
                continue;
            llvm::errs() << "a buffer is misused in\n" << text << "\n" << *module << "\n";
            return 1;
        }
    }
    return 0;
}
