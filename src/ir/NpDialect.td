// The `np` dialect: captured Python, typed NumPy and loop nests in one IR.
#ifndef NP_DIALECT_TD
#define NP_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Np_Dialect : Dialect {
    let name = "np";
    let cppNamespace = "::shapecast::np";
    let summary = "NumPy programs, from captured Python source to loop nests";
    // Attributes of operations that are not ours, the module's above all: `np.<name>`.
    let discardableAttrs = (ins
        // Of the module, where np-infer has failed: the entry's parameters whose values must be known
        // when compiling. The caller makes them static arguments.
        "::mlir::DenseI32ArrayAttr":$static_arguments,
        // Of the module: what compiled code can raise (#np.error_site); how it is compiled: nests' claims
        // are checked again at run time; loops run on one thread, and prange is checked; what is refused
        // is not deferred to the call that reaches it.
        "::mlir::ArrayAttr":$sites,
        "::mlir::UnitAttr":$recheck,
        "::mlir::UnitAttr":$debug,
        "::mlir::UnitAttr":$refuses,
        // Of the module: what classes have of which instances are made, by "17.area", the class's number in
        // _objects.py's `records` and the name (#np.method).
        "::mlir::DictionaryAttr":$methods,
        // Of the module: what time is measured for (#np.profile_row), where calls are profiled; empty before np-profile.
        "::mlir::ArrayAttr":$profile,
        // Of a kernel: how it is launched, and its parameters (names, and sizes as #np.dim).
        "LaunchAttr":$launch,
        "::mlir::ArrayAttr":$parameters,
        // Of the function of a nest, for descriptions (nest_code.h): why threads do not share it; it is strip-mined with
        // the adjacent nests; it has non-temporal stores; it has prefetches.
        "::mlir::StringAttr":$not_multithreaded,
        "::mlir::UnitAttr":$strip_mined,
        "::mlir::UnitAttr":$non_temporal,
        "::mlir::UnitAttr":$prefetched
    );
    let useDefaultTypePrinterParser = 1;
    let useDefaultAttributePrinterParser = 1;
}

class Np_Attr<string name, string mnem> : AttrDef<Np_Dialect, name> {
    let mnemonic = mnem;
}

#endif
