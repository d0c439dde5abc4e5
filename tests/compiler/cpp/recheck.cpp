// Claims that do not hold are found by code compiled with np.recheck, and true ones pass: programs
// as np-lifetime leaves them, each with one wrong claim.
#include "runtime/recheck.h"
#include "compile.h"
#include "context.h"
#include "lower/llvm/jit.h"
#include "pipeline.h"
#include "runtime/abi.h"
#include "runtime/memory.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <cassert>
#include <cstdio>

using namespace mlir;
using namespace shapecast;

extern "C" { // runtime/recheck.cpp, otherwise called by compiled code only
int64_t sc_recheck_begin(runtime::Context *ctx, const int64_t *slots, const int64_t *table);
void sc_recheck_access(int64_t number, const char *address, int64_t point, int64_t inBounds);
int64_t sc_recheck_end();
}

namespace {

constexpr int64_t size = 10;

// b[i] = a[i + shift] for i in [0, s0 - 1), with what the compiler has claimed.
std::string copyNest(int shift, const char *order, const char *groups) {
    std::string view = "%0 = np.view %a [#np.dim<" + std::to_string(shift) +
                       ">] [#np.dim<1>] [0] : <s0 x f64, C> to <s0 - 1 x f64, C>\n";
    return view +
           "%1 = np.view %b [#np.dim<1>] [#np.dim<1>] [0] : <s0 x f64, C> to <s0 - 1 x f64, C>\n"
           "np.nest [#np.dim<s0 - 1>] reduced 0 reads(%0) [[#np.dim<d0>]] writes(%1) "
           "[[#np.dim<d0>]] combine [\"\"] order [\"" +
           order + "\"] groups " + groups +
           " : (!np.array<s0 - 1 x f64, C>, !np.array<s0 - 1 x f64, C>) -> () {\n"
           "^bb0(%x: f64):\n np.nest_yield %x : f64\n}\n";
}

// What the program raises when it is called with these arrays; "" for nothing.
std::string raised(const std::string &body, double *a, double *b) {
    std::string text = "module attributes {np.recheck} {\n"
                       "np.func @f(%a: !np.array<s0 x f64, C>, %b: !np.array<s0 x f64, C>) "
                       "attributes {alias = \"noalias\"} {\n" +
                       body + "np.return\n}\n}\n";
    auto module = parseSourceString<ModuleOp>(text, &context());
    assert(module);
    PassManager pm(&context());
    addStages(pm, "outer-vectorise", "", Side::Host);
    assert(succeeded(pm.run(*module)));
    auto sites = np::NpDialect::SitesAttrHelper(&context()).getAttr(*module);
    std::string error;
    auto code = jitCompile(*module, "f", {}, error);
    if (!code)
        std::fprintf(stderr, "%s\n", error.c_str());
    assert(code);
    runtime::Context ctx;
    const int64_t args[] = {reinterpret_cast<int64_t>(a), size, 1,
                            reinterpret_cast<int64_t>(b), size, 1};
    int64_t results[1];
    const int32_t status = code->entry(&ctx, args, results);
    runtime::releaseAll(&ctx);
    if (status == 0)
        return "";
    auto site = cast<np::ErrorSiteAttr>(sites[size_t(ctx.error.site)]);
    assert(site.getError() == "shapecast.InternalError");
    return site.getMessage().str();
}

bool contains(const std::string &message, const char *text) {
    if (message.find(text) != std::string::npos)
        return true;
    std::fprintf(stderr, "raised \"%s\", not \"%s\"\n", message.c_str(), text);
    return false;
}

void testTrueClaimsPass() {
    double a[size] = {}, b[size] = {};
    assert(raised(copyNest(0, "any", "[0, 1]"), a, b).empty());
    assert(raised(copyNest(1, "any", "[0, 0]"), a, a).empty()); // in place
    assert(raised(copyNest(0, "down", "[0, 0]"), a, a).empty());
}

void testNestsBeyondTheirArrays() {
    double a[size] = {}, b[size] = {};
    assert(contains(raised(copyNest(2, "any", "[0, 1]"), a, b), "out of its array's bounds"));
    assert(contains(raised(copyNest(-1, "any", "[0, 1]"), a, b), "out of its array's bounds"));
}

void testOperandsThatOverlapAgainstTheirGroups() {
    double a[2 * size] = {};
    assert(contains(raised(copyNest(0, "any", "[0, 1]"), a, a), "of another group"));
    assert(contains(raised(copyNest(0, "any", "[0, 1]"), a, a + 1), "of another group"));
    assert(raised(copyNest(0, "any", "[0, 1]"), a, a + size).empty());
}

void testOrdersThatLoseValues() {
    double a[size] = {};
    assert(contains(raised(copyNest(0, "up", "[0, 0]"), a, a), "order that loses values"));
    assert(contains(raised(copyNest(0, "any", "[0, 0]"), a, a), "order that loses values"));
}

void testElementsOutsideAndOfFreedBuffers() {
    double a[size] = {}, b[size] = {};
    auto load = [](const char *index) {
        return "%0 = np.load %a [#np.dim<" + std::string(index) +
               ">] : <s0 x f64, C> to f64\n"
               "np.store %0 to %b [#np.dim<0>] : f64, !np.array<s0 x f64, C>\n";
    };
    assert(raised(load("s0 - 1"), a, b).empty());
    assert(contains(raised(load("s0"), a, b), "outside of its array"));
    assert(contains(raised(load("-1"), a, b), "outside of its array"));
    std::string freed = "%0 = np.alloc : <s0 x f64, C>\nnp.release %0 : <s0 x f64, C>\n"
                        "%1 = np.load %0 [#np.dim<0>] : <s0 x f64, C> to f64\n"
                        "np.store %1 to %b [#np.dim<0>] : f64, !np.array<s0 x f64, C>\n";
    assert(contains(raised(freed, a, b), "outside of its array"));
}

void testChecksThatWereDropped() {
    double a[size] = {}, b[size] = {};
    auto require = [](const char *index) {
        return "np.require \"index\" [#np.dim<" + std::string(index) +
               ">, #np.dim<s0>] \"IndexError\" \"index\" [] {proved}\n";
    };
    assert(raised(require("s0 - 1"), a, b).empty());
    assert(contains(raised(require("s0"), a, b), "np-checks proved it, but it fails: index"));
}

// The compiler derives noalias from the groups, which are checked first: this calls the run time.
// Two pointers of one group into `a`, four elements each, the second `distance` elements later.
runtime::Recheck sharing(bool noAlias, int64_t distance, bool written) {
    double a[16] = {};
    runtime::Context ctx;
    const double *table[] = {a, a + 16};                   // the extent of the one argument
    const int64_t slots[] = {1, 0, 2,       4, 0,          // four points, in any order
                             1, 8, 1,       5, 0, noAlias, // argument 0, group 5, pointer 0
                             1, 8, written, 5, 1, 0};      // and pointer 1
    sc_recheck_begin(&ctx, slots, reinterpret_cast<const int64_t *>(table));
    for (int64_t point = 0; point < 4; ++point) {
        sc_recheck_access(0, reinterpret_cast<const char *>(a + point), point, 1);
        sc_recheck_access(1, reinterpret_cast<const char *>(a + point + distance), point, 1);
    }
    const int64_t verdict = sc_recheck_end();
    return {runtime::Recheck::Claim(verdict & 7), verdict >> 3};
}

void testPointersThatShareAgainstNoAlias() {
    using runtime::Recheck;
    assert(sharing(true, 3, false).claim == Recheck::NoAlias);
    assert(sharing(true, 3, true).claim == Recheck::NoAlias);
    assert(sharing(true, 3, true).operand == 1);
    assert(sharing(true, 4, true).claim == Recheck::None);
    assert(sharing(false, 3, false).claim == Recheck::Order); // noalias is not claimed
    assert(sharing(false, 14, false).claim == Recheck::Buffer);
}

void testIntegersThatWrapAgainstTheirRanges() {
    double a[size] = {}, b[size] = {};
    auto sum = [](const char *right) {
        return "%0 = np.const 9223372036854775806 : !np.pyint\n"
               "%1 = np.const " +
               std::string(right) +
               " : !np.pyint\n"
               "%2 = np.pyop \"add\"(%0, %1) nowrap : (!np.pyint, !np.pyint) -> !np.pyint\n"
               "%3 = np.cast %2 : !np.pyint to f64\n"
               "np.store %3 to %b [#np.dim<0>] : f64, !np.array<s0 x f64, C>\n";
    };
    assert(raised(sum("1"), a, b).empty());
    assert(b[0] == 9223372036854775807.0);
    assert(!raised(sum("2"), a, b).empty());
}

} // namespace

int main() {
    testTrueClaimsPass();
    testNestsBeyondTheirArrays();
    testOperandsThatOverlapAgainstTheirGroups();
    testOrdersThatLoseValues();
    testElementsOutsideAndOfFreedBuffers();
    testChecksThatWereDropped();
    testPointersThatShareAgainstNoAlias();
    testIntegersThatWrapAgainstTheirRanges();
    return 0;
}
