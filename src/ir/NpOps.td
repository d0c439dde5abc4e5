// Operations of the np dialect, by family in the order of the pipeline (see src/compile.cpp).
#ifndef NP_OPS_TD
#define NP_OPS_TD

include "NpTypes.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Np_Op<string mnem, list<Trait> traits = []> : Op<Np_Dialect, mnem, traits>;
// Handles are `!np.array`, values are tensors, scalars are builtin, Python scalars are `!np.py*`.
defvar AnyObject = AnyType;

def Np_AliasAttr : AnyAttrOf<[StrAttr, TypedArrayAttrBase<ArrayAttr, "relations">],
    "\"noalias\", or the relations of arguments">;

// How the leaves of a result become one Python object: the number of a leaf, a tuple of trees, a container, or a constant.
def Np_NumberAttr : Attr<CPred<"::llvm::isa<::mlir::IntegerAttr, ::mlir::FloatAttr>($_self)">, "a number">;
def Np_ResultTreeAttr : AnyAttrOf<[Np_NumberAttr, ArrayAttr, Np_PyAttr, Np_ResultListAttr, Np_ResultCallAttr,
    Np_ResultChoiceAttr, Np_CallersContainerAttr, Np_CallersObjectAttr, Np_ObjectStateAttr], "a result tree">;

//===-- Functions and calls ------------------------------------------------------------------===//

def FuncOp : Np_Op<"func", [FunctionOpInterface, IsolatedFromAbove, NoTerminator, SingleBlock]> {
    let summary = "one Python function: a single structured block that ends in np.return";
    let description = [{
        After capture all arguments and results are `tensor<*x!np.any>` (a Python function has one result).
    }];
    let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
        OptionalAttr<StrAttr>:$sym_visibility,
        OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs,
        // What capture knows of it.
        OptionalAttr<StrArrayAttr>:$arg_names,       // the parameters' names
        OptionalAttr<ArrayAttr>:$defaults,           // of the last parameters; unit: not a constant
        OptionalAttr<I64Attr>:$posonly,              // how many parameters are positional-only
        OptionalAttr<I64Attr>:$kwonly,               // how many are keyword-only
        UnitAttr:$varargs,                           // it has *args
        UnitAttr:$varkw,                             // it has **kwargs
        OptionalAttr<StrAttr>:$qualname,             // its name in Python's messages, where not the symbol
        UnitAttr:$library,                           // part of the library in Python: not in tracebacks
        UnitAttr:$generator,                         // it yields: see passes/infer/generators.h
        OptionalAttr<FlatSymbolRefAttr>:$iterator,   // of a generator: makes an instance that has its items one by one
        OptionalAttr<StrAttr>:$noinline,             // see passes/frontend/shared_functions.h
        // Of the entry: the call that is compiled.
        OptionalAttr<I64Attr>:$hidden,               // how many globals follow the parameters, see np.global
        OptionalAttr<TypedArrayAttrBase<Np_ObjectStateAttr, "object states">>:$states, // of assigned objects
        OptionalAttr<ArrayAttr>:$annotations,        // per parameter #np.annotation, or unit
        OptionalAttr<Np_CallStructureAttr>:$structure, // how its arguments are nested, where they are
        OptionalAttr<ArrayAttr>:$signature,          // per argument its type, or a value: np-specialise casts to them
        OptionalAttr<ArrayAttr>:$hints,              // per argument an array of sizes, an integer, or unit
        OptionalAttr<ArrayAttr>:$strides,            // per argument an array of those known, or unit
        OptionalAttr<Np_AliasAttr>:$alias,           // "noalias", or arrays [kind, i, j], kind "same" or "overlap"
        UnitAttr:$symbolic_sizes,                    // sizes may be expressions, as in f.infer
        UnitAttr:$memory_is_next,                    // where refused, it is compiled with its lists and dicts in memory
        OptionalAttr<TypedArrayAttrBase<Np_GuardAttr, "guards">>:$forbidden_guards, // not to be assumed again
        OptionalAttr<StrArrayAttr>:$failed_assumptions, // see ir/error_names.h
        // Of a recursive function, which np-infer compiles apart.
        UnitAttr:$recursive,                         // it is one
        OptionalAttr<LocationAttr>:$caller,          // its first call, of which all its locations are inside
        OptionalAttr<ArrayAttr>:$globals,            // per global a constant; unit, or i32, a container in memory, -1 a string: the next of the last parameters
        // After np-specialise.
        OptionalAttr<TypedArrayAttrBase<ArrayAttr, "texts with locations">>:$annotation_errors, // of nested arguments annotated as arrays
        // After np-infer.
        OptionalAttr<TypedArrayAttrBase<Np_GuardAttr, "guards">>:$guards, // assumed of the arguments
        OptionalAttr<Np_ResultTreeAttr>:$result,     // over the numbers of np.return's operands
        OptionalAttr<TypedArrayAttrBase<Np_ObjectWriteAttr, "writes">>:$writes, // to the caller's objects
        OptionalAttr<Np_ErrorSiteAttr>:$raises,      // what each call raises, where each does
        OptionalAttr<DenseI64ArrayAttr>:$carried,    // results that come out of branches and loops
        OptionalAttr<DenseI64ArrayAttr>:$scalars);   // 0-d arrays on a device for results that are NumPy scalars in the host
    let regions = (region AnyRegion:$body);
    let hasCustomAssemblyFormat = 1;
    let extraClassDeclaration = [{
        mlir::ArrayRef<mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
        mlir::ArrayRef<mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
        mlir::Region *getCallableRegion() { return &getBody(); }
        // What describes a call of the entry goes: for a copy that the program calls.
        void removeCallAttributes();
    }];
    let skipDefaultBuilders = 1;
    let builders = [OpBuilder<(ins "::mlir::StringRef":$name, "::mlir::FunctionType":$type)>];
}

def ReturnOp : Np_Op<"return", [Terminator]> {
    let summary = "ends np.func; after infer one operand per run-time leaf of the result tree";
    let arguments = (ins Variadic<AnyObject>:$values);
    let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def KeepChangesOp : Np_Op<"keep_changes"> {
    let summary = "keeps what the function has changed of the caller's objects by now, should it raise";
    let description = [{
        `writes` is as np.func's, over the operands. Python's objects get the contents of the last such
        operation that was executed, where the call ends by an exception. `number`: which of them it is.
    }];
    let arguments = (ins Variadic<AnyObject>:$values,
        TypedArrayAttrBase<Np_ObjectWriteAttr, "writes">:$writes, I64Attr:$number);
    let assemblyFormat = "$number $writes ($values^ `:` type($values))? attr-dict";
}

def CallOp : Np_Op<"call", [DeclareOpInterfaceMethods<CallOpInterface>]> {
    let summary = "call of a captured function (@f), a NumPy function (@numpy.f), math or a builtin";
    let description = [{
        The last `kw.size()` operands are keyword arguments with those names. One result, but for a
        recursive function, after infer: one per scalar in what it returns. With `catches`, the names
        of exception classes, an exception is caught here: the last three results are those of
        np.try, and the others are undefined where the first of the three is 1.
    }];
    let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyObject>:$args,
        OptionalAttr<StrArrayAttr>:$kw,
        OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs,
        OptionalAttr<StrAttr>:$catches,  // exception classes that are caught here
        OptionalAttr<Np_ResultTreeAttr>:$tree, // of a call of Python: its arguments
        OptionalAttr<StrAttr>:$expected); // of a call of Python: what it must return, a CallResult (ir/call_result.h)
    let results = (outs Variadic<AnyObject>:$outputs);
    let skipDefaultBuilders = 1;
    let builders = [OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::FlatSymbolRefAttr":$callee, "::mlir::ValueRange":$args,
            "::mlir::ArrayAttr":$kw, "::mlir::ArrayAttr":$arg_attrs, "::mlir::ArrayAttr":$res_attrs), [{
            $_state.addTypes(results);
            $_state.addOperands(args);
            auto &made = $_state.getOrAddProperties<Properties>();
            made.callee = callee;
            made.kw = kw;
            made.arg_attrs = arg_attrs;
            made.res_attrs = res_attrs;
        }]>,
        OpBuilder<(ins "::mlir::TypeRange":$results, "::llvm::StringRef":$callee, "::mlir::ValueRange":$args,
            "::mlir::ArrayAttr":$kw, "::mlir::ArrayAttr":$arg_attrs, "::mlir::ArrayAttr":$res_attrs), [{
            build($_builder, $_state, results, ::mlir::FlatSymbolRefAttr::get($_builder.getContext(), callee), args, kw,
                  arg_attrs, res_attrs);
        }]>];
    let assemblyFormat = "$callee `(` $args `)` (`kw` $kw^)? attr-dict `:` functional-type($args, $outputs)";
    let extraClassDeclaration = [{
        mlir::Value getResult() { return getOutputs().front(); }
        mlir::Type getType() { return getResult().getType(); }
    }];
}

include "NpPythonOps.td" // captured Python: all any-typed; gone after infer

//===-- Control flow (captured to loops) -------------------------------------------------------===//

def IfOp : Np_Op<"if", [SingleBlock, NoRegionArguments]> {
    let summary = "structured branch; both regions end in np.yield";
    let arguments = (ins AnyObject:$condition);
    let results = (outs Variadic<AnyObject>:$results_);
    let regions = (region SizedRegion<1>:$thenRegion, SizedRegion<1>:$elseRegion);
    let assemblyFormat = "$condition attr-dict-with-keyword `:` functional-type($condition, $results_) $thenRegion `else` $elseRegion";
}

def TryOp : Np_Op<"try", [SingleBlock, NoRegionArguments]> {
    let summary = "captured `try`: runs `body`, and if that raises `handler`, which computes nothing; both end in np.yield";
    let description = [{
        Operands: the exception classes that are caught. Results: what the region yields, whether
        `body` raised, which of the classes the exception is of (from 1, 0 for none) and its number.
        np-infer outlines the body into a function, and this becomes an np.call with `catches`.
    }];
    let arguments = (ins Variadic<AnyObject>:$classes);
    let results = (outs Variadic<AnyObject>:$results_);
    let regions = (region SizedRegion<1>:$body, SizedRegion<1>:$handler);
    let assemblyFormat = "`(` $classes `)` attr-dict-with-keyword `:` functional-type($classes, $results_) $body `else` $handler";
}

def YieldOp : Np_Op<"yield", [Terminator]> {
    let arguments = (ins Variadic<AnyObject>:$values);
    let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def ForEachOp : Np_Op<"foreach", [SingleBlock]> {
    let summary = "captured `for x in iterable`; region arguments: x, then the loop-carried variables";
    let description = [{ Ends in np.next. Results: the carried variables after the loop. }];
    let arguments = (ins AnyObject:$iterable, Variadic<AnyObject>:$inits,
        UnitAttr:$unroll,  // of a comprehension: fully unrolled where the items are known
        UnitAttr:$prange); // set by np-infer: over shapecast.prange, see np.for
    let results = (outs Variadic<AnyObject>:$results_);
    let regions = (region SizedRegion<1>:$body);
    let skipDefaultBuilders = 1;
    let builders = [OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::Value":$iterable, "::mlir::ValueRange":$inits), [{
            $_state.addTypes(results);
            $_state.addOperands(iterable);
            $_state.addOperands(inits);
            (void)$_state.addRegion();
        }]>];
    let assemblyFormat = "$iterable `iter` `(` $inits `)` attr-dict-with-keyword `:` functional-type(operands, $results_) $body";
}

def ForOp : Np_Op<"for", [SingleBlock]> {
    let summary = "typed counted loop: its induction variable, the symbol `var`, runs from lower to upper (exclusive) by step";
    let description = [{
        Region arguments: the induction variable (!np.pyint), then the carried values. `step` is a non-zero
        constant expression or a symbol that an np.require before has shown non-zero. Ends in np.next.
    }];
    let arguments = (ins StrAttr:$var, Np_DimAttr:$lower, Np_DimAttr:$upper, Np_DimAttr:$step,
        Variadic<AnyObject>:$inits,
        UnitAttr:$prange,             // the program promises independent iterations
        UnitAttr:$multithreaded,      // threads share the iterations
        UnitAttr:$dependence_checked, // the run time checks that promise
        UnitAttr:$strip_mined,        // runs the nests in it strip by strip, in order
        UnitAttr:$register_tiled,     // interchanged with its nests, and with those beside it
        UnitAttr:$outer_vector,       // several iterations at once, with divergence masks
        OptionalAttr<StrAttr>:$placement); // of elements on a device: passes/loops/place_loops.h
    let results = (outs Variadic<AnyObject>:$results_);
    let regions = (region SizedRegion<1>:$body);
    let skipDefaultBuilders = 1;
    let builders = [OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::StringAttr":$var, "DimAttr":$lower, "DimAttr":$upper,
            "DimAttr":$step, "::mlir::ValueRange":$inits), [{
            $_state.addTypes(results);
            $_state.addOperands(inits);
            (void)$_state.addRegion();
            auto &made = $_state.getOrAddProperties<Properties>();
            made.var = var;
            made.lower = lower;
            made.upper = upper;
            made.step = step;
        }]>];
    let assemblyFormat = "$var `=` $lower `to` $upper `step` $step `iter` `(` $inits `)` attr-dict-with-keyword `:` functional-type($inits, $results_) $body";
    let extraClassDeclaration = [{
        // Whether the program or a pass says anything of how it is to run.
        bool isMarked() {
            return getPrange() || getMultithreaded() || getDependenceChecked() || getStripMined() ||
                   getRegisterTiled() || getOuterVector();
        }
    }];
}

def NextOp : Np_Op<"next", [Terminator, AttrSizedOperandSegments]> {
    let summary = "latch: the next iteration's carried values; the loop ends when the condition is given and false";
    let arguments = (ins Variadic<AnyObject>:$values, Optional<AnyObject>:$condition);
    let assemblyFormat = "`(` $values `)` (`while` $condition^ `:` type($condition))? attr-dict (`:` type($values)^)?";
}

def WhileOp : Np_Op<"while", [SingleBlock]> {
    let summary = "loop: `before` computes the condition (np.test), `body` ends in np.next";
    let description = [{
        Both regions take the carried values as arguments. np.test yields only the condition: the body gets
        the same carried values. Results: the carried values when the condition is false (or that of
        np.next is).
    }];
    let arguments = (ins Variadic<AnyObject>:$inits,
        OptionalAttr<StrAttr>:$placement); // of elements on a device: passes/loops/place_loops.h
    let results = (outs Variadic<AnyObject>:$results_);
    let regions = (region SizedRegion<1>:$before, SizedRegion<1>:$body);
    let assemblyFormat = "`iter` `(` $inits `)` attr-dict-with-keyword `:` functional-type($inits, $results_) $before `do` $body";
}

def TestOp : Np_Op<"test", [Terminator]> {
    let arguments = (ins AnyObject:$condition);
    let assemblyFormat = "$condition attr-dict `:` type($condition)";
}

//===-- Symbols and checks (typed) -------------------------------------------------------------===//

def SymbolOp : Np_Op<"symbol"> {
    let summary = "binds a symbol to an integer value, for the rest of the block";
    let description = [{ The symbols of the arguments' dims are bound by the arguments themselves. }];
    let arguments = (ins StrAttr:$name, Np_PyIntType:$value);
    let assemblyFormat = "$name `=` $value attr-dict";
}

def SizeOp : Np_Op<"size", [Pure]> {
    let summary = "the value of a dimension expression over bound symbols";
    let arguments = (ins Np_DimAttr:$expr);
    let results = (outs Np_PyIntType:$result);
    let assemblyFormat = "$expr attr-dict";
}

def RequireOp : Np_Op<"require"> {
    let summary = "raises unless the relation holds";
    let description = [{
        kind: "eq" (a == b), "ge" (a >= b), "ne", "index" (-b <= a < b), "broadcast" (a == b or a == 1 or b == 1),
        "broadcast_to" (a == b or a == 1), "false" (always raises). `message` has {0} {1} ... for the values of
        `payload` (at most 10).
    }];
    let arguments = (ins StrAttr:$kind, TypedArrayAttrBase<Np_DimAttr, "dims">:$args, StrAttr:$error, StrAttr:$message,
        TypedArrayAttrBase<Np_DimAttr, "dims">:$payload,
        OptionalAttr<StrArrayAttr>:$notes, // of the exception: where its operands come from
        UnitAttr:$proved);                 // np-checks leaves it for the re-check only
    let skipDefaultBuilders = 1;
    let builders = [OpBuilder<(ins "::mlir::StringAttr":$kind, "::mlir::ArrayAttr":$args, "::mlir::StringAttr":$error,
            "::mlir::StringAttr":$message, "::mlir::ArrayAttr":$payload), [{
            auto &made = $_state.getOrAddProperties<Properties>();
            made.kind = kind;
            made.args = args;
            made.error = error;
            made.message = message;
            made.payload = payload;
        }]>];
    let assemblyFormat = "$kind $args $error $message $payload attr-dict";
}

def AllHoldOp : Np_Op<"all_hold", [Pure]> {
    let summary = "whether all relations hold, as i1; np-checks branches on it to choose a version of a loop";
    let description = [{ The relations are #np.guard over symbols in scope; their line numbers mean nothing. }];
    let arguments = (ins ArrayAttr:$relations);
    let results = (outs I1:$result);
    let assemblyFormat = "$relations attr-dict";
}

//===-- Handles (typed to loops) ---------------------------------------------------------------===//

def AllocOp : Np_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
    let summary = "a fresh uninitialised array";
    let results = (outs Np_ArrayType:$result);
    let assemblyFormat = "attr-dict `:` type($result)";
}

def ViewOp : Np_Op<"view", [Pure]> {
    let summary = "a strided slice: result index (j0, j1, ...) is base index offset[d] + step[d] * j[r] with axes[r] == d";
    let description = [{
        One offset and step per base dimension; `axes` has one entry per result dimension: the base
        dimension it runs along, or -1 (newaxis, or a stride-0 broadcast of that size). A base dimension
        that no axis names is fixed at its offset. Covers basic indexing, transpose, newaxis, broadcast_to.
    }];
    let arguments = (ins Np_ArrayType:$base, TypedArrayAttrBase<Np_DimAttr, "dims">:$offsets,
        TypedArrayAttrBase<Np_DimAttr, "dims">:$steps, DenseI64ArrayAttr:$axes,
        UnitAttr:$readonly); // even if the base turns out writeable at run time
    let results = (outs Np_ArrayType:$result);
    let skipDefaultBuilders = 1;
    let builders = [OpBuilder<(ins "::mlir::Value":$base, "::llvm::ArrayRef<DimAttr>":$offsets, "::llvm::ArrayRef<DimAttr>":$steps, "::llvm::ArrayRef<int64_t>":$axes,
        "::llvm::ArrayRef<DimAttr>":$dims, "const DimFacts &":$facts, CArg<"bool", "false">:$readonly)>,
        OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$base, "::mlir::ArrayAttr":$offsets, "::mlir::ArrayAttr":$steps,
            "::mlir::DenseI64ArrayAttr":$axes), [{
            $_state.addTypes(result);
            $_state.addOperands(base);
            auto &made = $_state.getOrAddProperties<Properties>();
            made.offsets = offsets;
            made.steps = steps;
            made.axes = axes;
        }]>];
    let assemblyFormat = "$base $offsets $steps $axes attr-dict `:` type($base) `to` type($result)";
}

def ReshapeOp : Np_Op<"reshape", [Pure]> {
    let summary = "view of a contiguous array with other dims (both C, or both F), or of a strided 1-D array whose axis is split";
    let arguments = (ins Np_ArrayType:$base);
    let results = (outs Np_ArrayType:$result);
    let builders = [OpBuilder<(ins "::mlir::Value":$base, "::llvm::ArrayRef<DimAttr>":$dims, "Layout":$layout)>];
    let assemblyFormat = "$base attr-dict `:` type($base) `to` type($result)";
}

def ReshapeAnyOp : Np_Op<"reshape_any", [MemoryEffects<[MemRead, MemAlloc]>]> {
    let summary = "reshape: a view where the strides at run time allow that, else a fresh C copy";
    let description = [{
        NumPy's rule for `reshape` where the layout class does not decide. A result of layout `strided` is a
        view where each run of axes that is merged or split has one common stride; a 1-D result of layout
        `C` only where the base is C-contiguous (np.ravel). The result holds a reference of its own either
        way (a view: to the base's buffer); a copy is made here. Of a `readonly` base the view is
        read-only, the copy is not: np.check_writeable tells them apart.
    }];
    let arguments = (ins Np_ArrayType:$base);
    let results = (outs Np_ArrayType:$result);
    let builders = [OpBuilder<(ins "::mlir::Value":$base, "::llvm::ArrayRef<DimAttr>":$dims, "Layout":$layout)>];
    let assemblyFormat = "$base attr-dict `:` type($base) `to` type($result)";
}

def CheckWriteableOp : Np_Op<"check_writeable"> {
    let summary = "the same array, not `readonly`; ValueError with this message where it is a read-only argument or a view of one";
    let arguments = (ins Np_ArrayType:$base, StrAttr:$message);
    let results = (outs Np_ArrayType:$result);
    let assemblyFormat = "$base $message attr-dict `:` type($base) `to` type($result)";
}

def EntryOp : Np_Op<"entry"> {
    let summary = "what an entry of a container (runtime/containers.h) has at a word: an int, a float64, a container, an array";
    let description = [{
        The index is in bounds. A container or array is owned by the result. An entry has `words` words. An array has several of them: its
        owner, its address, and the strides that its layout does not give. It may share memory with any array.
    }];
    let arguments = (ins Np_ArrayType:$container, Np_PyIntType:$index, I64Attr:$word, I64Attr:$words);
    let results = (outs AnyObject:$result);
    let assemblyFormat = "$container `[` $index `]` $word `of` $words attr-dict `:` functional-type(operands, $result)";
}

def SetEntryOp : Np_Op<"set_entry"> {
    let summary = "stores to an entry of a container at a word: a number, or a reference to a container or array";
    let arguments = (ins Np_ArrayType:$container, Np_PyIntType:$index, I64Attr:$word, I64Attr:$words, AnyObject:$value);
    let assemblyFormat = "$container `[` $index `]` $word `of` $words `=` $value attr-dict `:` type(operands)";
}

def AppendOp : Np_Op<"append"> {
    let summary = "a list in memory becomes longer by an item; its index: words that are containers are none yet";
    let arguments = (ins Np_ArrayType:$container);
    let results = (outs Np_PyIntType:$result);
    let assemblyFormat = "$container attr-dict `:` functional-type(operands, $result)";
}

def ContainerLengthOp : Np_Op<"container_length"> {
    let summary = "how many items a container has";
    let arguments = (ins Np_ArrayType:$container);
    let results = (outs Np_PyIntType:$result);
    let assemblyFormat = "$container attr-dict `:` functional-type(operands, $result)";
}

def TextOp : Np_Op<"text", [Pure]> {
    let summary = "a constant string in memory (runtime/text.h), which nothing frees";
    let arguments = (ins StrAttr:$text);
    let results = (outs Np_ArrayType:$result);
    let assemblyFormat = "$text attr-dict `:` type($result)";
}

def TextAtOp : Np_Op<"text_at"> {
    let summary = "the string of a character of a string in memory; the index is in bounds";
    let description = [{ Owned by the result. Those of one byte are the run time's, and no two. }];
    let arguments = (ins Np_ArrayType:$text, Np_PyIntType:$index);
    let results = (outs Np_ArrayType:$result);
    let assemblyFormat = "$text `[` $index `]` attr-dict `:` functional-type(operands, $result)";
}

def DiagonalOp : Np_Op<"diagonal", [Pure]> {
    let summary = "diagonal of two axes, as the last axis of a view; its size is the smaller of theirs";
    let arguments = (ins Np_ArrayType:$base, I64Attr:$axis1, I64Attr:$axis2);
    let results = (outs Np_ArrayType:$result);
    let builders = [OpBuilder<(ins "::mlir::Value":$base, "int64_t":$axis1, "int64_t":$axis2, "DimAttr":$size, CArg<"bool", "true">:$readonly)>];
    let assemblyFormat = "$base $axis1 `,` $axis2 attr-dict `:` type($base) `to` type($result)";
}

def WindowsOp : Np_Op<"windows", [Pure]> {
    let summary = "read-only view of all windows along an axis: (..., i, ..., j) is element i + j of it";
    let arguments = (ins Np_ArrayType:$base, I64Attr:$axis);
    let results = (outs Np_ArrayType:$result);
    let builders = [OpBuilder<(ins "::mlir::Value":$base, "int64_t":$axis, "DimAttr":$count, "DimAttr":$size)>];
    let assemblyFormat = "$base $axis attr-dict `:` type($base) `to` type($result)";
}

def PartOp : Np_Op<"part", [Pure]> {
    let summary = "real (0) or imaginary (1) part of a complex array, as a strided view";
    let arguments = (ins Np_ArrayType:$base, I64Attr:$part);
    let results = (outs Np_ArrayType:$result);
    let builders = [OpBuilder<(ins "::mlir::Value":$base, "int64_t":$part)>];
    let assemblyFormat = "$base $part attr-dict `:` type($base) `to` type($result)";
}

def ReinterpretOp : Np_Op<"reinterpret", [Pure]> {
    let summary = "the same bytes as elements of another dtype, as a view; sizes differ along the last axis only";
    let description = [{
        Where the item sizes differ the last axis is contiguous, and items are aligned to their size
        (np.require checked it before).
    }];
    let arguments = (ins Np_ArrayType:$base);
    let results = (outs Np_ArrayType:$result);
    let assemblyFormat = "$base attr-dict `:` type($base) `to` type($result)";
}

def AsStridedOp : Np_Op<"as_strided", [Pure]> {
    let summary = "a view from the base's first element on with these strides, in elements; its elements may overlap";
    let description = [{ It lies within the memory of the base (np.require checked it before). }];
    let arguments = (ins Np_ArrayType:$base, TypedArrayAttrBase<Np_DimAttr, "dims">:$strides);
    let results = (outs Np_ArrayType:$result);
    let assemblyFormat = "$base $strides attr-dict `:` type($base) `to` type($result)";
}

def LoadOp : Np_Op<"load", [MemoryEffects<[MemRead]>]> {
    let summary = "one element as a NumPy scalar; indices are in bounds (np.require checked them before)";
    let arguments = (ins Np_ArrayType:$base, TypedArrayAttrBase<Np_DimAttr, "dims">:$indices);
    let results = (outs AnyObject:$result);
    let assemblyFormat = "$base $indices attr-dict `:` type($base) `to` type($result)";
}

def StoreOp : Np_Op<"store", [MemoryEffects<[MemWrite]>]> {
    let summary = "stores one element; the value has the array's dtype";
    let arguments = (ins AnyObject:$value, Np_ArrayType:$base, TypedArrayAttrBase<Np_DimAttr, "dims">:$indices);
    let assemblyFormat = "$value `to` $base $indices attr-dict `:` type(operands)";
}

def ReadOp : Np_Op<"read", [MemoryEffects<[MemRead]>]> {
    let summary = "the array's contents at this point, as a value";
    let arguments = (ins Np_ArrayType:$base);
    let results = (outs AnyRankedTensor:$result);
    let builders = [OpBuilder<(ins "::mlir::Value":$base)>];
    let assemblyFormat = "$base attr-dict `:` type($base) `to` type($result)";
}

def TakeOp : Np_Op<"take", [MemoryEffects<[MemRead]>]> {
    let summary = "gather: elements of an array at indices computed at run time";
    let description = [{
        `indices`: per axis of the base si64 values of one shape, in bounds (checked before), negative ones
        count from the end. In a nest they are scalars, and the base is the argument of a read whose access
        function is `gather.index` (ir/gather_index.h): the element there is never read.
    }];
    let arguments = (ins AnyObject:$base, Variadic<AnyObject>:$indices);
    let results = (outs AnyObject:$result);
    let assemblyFormat = "$base `[` $indices `]` attr-dict `:` functional-type(operands, $result)";
}

def MaterializeOp : Np_Op<"materialize", [MemoryEffects<[MemAlloc]>]> {
    let summary = "a fresh array that holds the value";
    let arguments = (ins AnyRankedTensor:$value);
    let results = (outs Np_ArrayType:$result);
    let builders = [OpBuilder<(ins "::mlir::Value":$value, CArg<"Layout", "Layout::C">:$layout)>];
    let assemblyFormat = "$value attr-dict `:` type($value) `to` type($result)";
}

def AssignOp : Np_Op<"assign", [MemoryEffects<[MemWrite]>]> {
    let summary = "writes a value of the same dtype and dims (after np.broadcast) into an array";
    let arguments = (ins AnyRankedTensor:$value, Np_ArrayType:$base);
    let assemblyFormat = "$value `to` $base attr-dict `:` type(operands)";
}

def NativeOp : Np_Op<"native"> {
    let summary = "a call of the runtime function sc_<name>, on arrays and numbers, without Python";
    let description = [{
        The first `written` operands are arrays that it writes (and may read), the others it reads: arrays, ints,
        floats, and Python objects that it knows; each array is passed with its dtype, sizes and strides
        (runtime/native.h). Operands may alias. The result is what the function returns: a float, an int64,
        or a non-negative int. If the latter is -1 the exception `error` is raised;
        its `message` has {0} {1} ... for values that the function recorded.
    }];
    let arguments = (ins StrAttr:$name, I64Attr:$written, Variadic<AnyObject>:$operands_,
        OptionalAttr<StrAttr>:$error, OptionalAttr<StrAttr>:$message,
        OptionalAttr<StrArrayAttr>:$notes, // of the exception
        OptionalAttr<StrAttr>:$loop);      // it is a NumPy ufunc's loop: the ufunc and its dtypes
    let results = (outs AnyType:$result);
    let skipDefaultBuilders = 1;
    let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::StringAttr":$name, "::mlir::IntegerAttr":$written,
            "::mlir::ValueRange":$operands, "::mlir::StringAttr":$error, "::mlir::StringAttr":$message), [{
            $_state.addTypes(result);
            $_state.addOperands(operands);
            auto &made = $_state.getOrAddProperties<Properties>();
            made.name = name;
            made.written = written;
            made.error = error;
            made.message = message;
        }]>];
    let assemblyFormat = [{
        $name `writes` $written `(` $operands_ `)` (`raises` $error^)? ($message^)? attr-dict
        `:` functional-type($operands_, $result)
    }];
}

def SnapshotOp : Np_Op<"snapshot"> {
    let summary = "here Python keeps a reference where compiled code copies the array: it must not be written from here on";
    let description = [{ Until the end of np-infer, which checks it (passes/infer/snapshots.h) and raises UnsupportedError with `message` where it fails. `site`: the
        list's (ops/builder/heap_sites.h), which then is in memory instead. }];
    let arguments = (ins Np_ArrayType:$base, StrAttr:$message, OptionalAttr<I64Attr>:$site);
    let assemblyFormat = "$base $message (`of` $site^)? attr-dict `:` type($base)";
}

def RetainOp : Np_Op<"retain"> {
    let summary = "increments the refcount of the buffer under this handle";
    let arguments = (ins Np_ArrayType:$base);
    let assemblyFormat = "$base attr-dict `:` type($base)";
}

def ReleaseOp : Np_Op<"release"> {
    let summary = "decrements the refcount; at zero the buffer is freed";
    let arguments = (ins Np_ArrayType:$base);
    let assemblyFormat = "$base attr-dict `:` type($base)";
}

//===-- Values and scalars (typed to nests; scalars to loops) ----------------------------------===//

def CastOp : Np_Op<"cast", [Pure]> {
    let summary = "before infer: asserts the type of a value; after: a dtype conversion (NumPy's astype) of a scalar or value";
    let arguments = (ins AnyObject:$value);
    let results = (outs AnyObject:$result);
    let assemblyFormat = "$value attr-dict `:` type($value) `to` type($result)";
    let hasFolder = 1;
}

def UfuncOp : Np_Op<"ufunc"> {
    let summary = "an element-wise function of NumPy on scalars and values of equal dims";
    let description = [{
        After infer tensor operands have the result's dims (after np.broadcast); scalar operands
        apply to every element; Python scalars (weak) are converted to the loop's dtype. `loop`, present
        after infer, names the dtypes that the function computes in: "dd->d" (NumPy type characters).
        Also where(c, x, y) and clip(x, lo, hi).
    }];
    let arguments = (ins StrAttr:$name, Variadic<AnyObject>:$operands_, OptionalAttr<StrAttr>:$loop,
        OptionalAttr<StrArrayAttr>:$kw);
    let results = (outs AnyObject:$result);
    let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::ValueRange":$operands, "::llvm::StringRef":$loop, "::mlir::Type":$dtype)>];
    let assemblyFormat = "$name `(` $operands_ `)` (`loop` $loop^)? (`kw` $kw^)? attr-dict `:` functional-type($operands_, $result)";
}

def BroadcastOp : Np_Op<"broadcast", [Pure]> {
    let summary = "a value broadcast to more dims: right-aligned; where an operand dim differs from the result's it is 1";
    let description = [{ Whether a dim is 1 or equal may be known only at run time: its index is then multiplied by bcast(dim). }];
    let arguments = (ins AnyRankedTensor:$value);
    let results = (outs AnyRankedTensor:$result);
    let builders = [OpBuilder<(ins "::mlir::Value":$value, "::llvm::ArrayRef<DimAttr>":$dims)>];
    let assemblyFormat = "$value attr-dict `:` type($value) `to` type($result)";
}

def SplatOp : Np_Op<"splat", [Pure]> {
    let summary = "a value with the same scalar in every element";
    let arguments = (ins AnyObject:$scalar);
    let results = (outs AnyRankedTensor:$result);
    let builders = [OpBuilder<(ins "::mlir::Value":$scalar, "::llvm::ArrayRef<DimAttr>":$dims, "::mlir::StringAttr":$device)>];
    let assemblyFormat = "$scalar attr-dict `:` type($scalar) `to` type($result)";
}

def IotaOp : Np_Op<"iota", [Pure]> {
    let summary = "value[i] = i along `axis`, in the result's integer or float dtype";
    let arguments = (ins I64Attr:$axis);
    let results = (outs AnyRankedTensor:$result);
    let builders = [OpBuilder<(ins "::llvm::ArrayRef<DimAttr>":$dims, "::mlir::Type":$dtype, "int64_t":$axis, "::mlir::StringAttr":$device)>];
    let assemblyFormat = "$axis attr-dict `:` type($result)";
}

def ReduceOp : Np_Op<"reduce", [Pure]> {
    let summary = "reduction of a value along axes: add multiply minimum maximum logical_and logical_or argmin argmax";
    let description = [{
        argmin/argmax have one axis and give si64: the first index of the minimum or maximum, or of the first NaN.
        The operand has the dtype to accumulate in. Result: a scalar when all axes are reduced and
        `keepdims` is absent, else a value. float16 sums accumulate in float32 (infer casts around).
        minimum/maximum: np-infer requires that the axis is not empty.
    }];
    let arguments = (ins StrAttr:$combine, AnyObject:$value, DenseI64ArrayAttr:$axes, UnitAttr:$keepdims);
    let results = (outs AnyObject:$result);
    let builders = [OpBuilder<(ins "::llvm::StringRef":$combine, "::mlir::Value":$value, "::llvm::ArrayRef<int64_t>":$axes, "bool":$keepdims)>];
    let assemblyFormat = "$combine `(` $value `)` $axes (`keepdims` $keepdims^)? attr-dict `:` functional-type($value, $result)";
}

def MatmulOp : Np_Op<"matmul", [MemoryEffects<[MemRead]>]> {
    let summary = "product of two arrays (1-D or 2-D, equal dtypes): scalar for 1-D x 1-D, else a value; or of two stacks of matrices with equal leading dims";
    let arguments = (ins Np_ArrayType:$lhs, Np_ArrayType:$rhs);
    let results = (outs AnyObject:$result);
    let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs)>];
    let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, $result)";
}

def MarkOp : Np_Op<"mark"> {
    let summary = "in a profiled call: from here on time counts for row `row` of the module's np.profile";
    let arguments = (ins I64Attr:$row,
        OptionalAttr<Np_DimAttr>:$bytes); // that what follows moves at least
    let assemblyFormat = "$row (`bytes` $bytes^)? attr-dict";
}

//===-- Nests (nests to loops) -----------------------------------------------------------------===//

def NestOp : Np_Op<"nest", [SingleBlock, AttrSizedOperandSegments]> {
    let summary = "a perfect loop nest over an iteration space with explicit access functions and a scalar body";
    let description = [{
        Iterators are the symbols d0, d1, ... with the sizes `space`; the last `reduced` of them are
        reduction iterators. `readMaps`/`writeMaps`: the access functions, per operand one index expression
        per array dimension, over iterators and symbols in scope. Region arguments: one scalar per read (the element). Scalars
        defined outside may be used directly; np.index gives an iterator's value. np.nest_yield gives one
        scalar per write, then one per result; `combine` says for each of them "" (store) or a reduction
        (add multiply minimum maximum logical_and logical_or) over the reduced iterators; write maps of
        reductions use no reduced iterator. argmin and argmax reduce one iterator, yield what they compare
        and give its index (si64); they are combined only with minimum or maximum of the same value. After
        np-schedule: `order` (per parallel iterator: "any", or "up" or "down" where a dependence needs ascending
        or descending iterations) and `groups` (per memory operand, reads then writes: operands in different
        groups never alias).
    }];
    let arguments = (ins TypedArrayAttrBase<Np_DimAttr, "dims">:$space, I64Attr:$reduced,
        Variadic<Np_ArrayType>:$reads, Variadic<Np_ArrayType>:$writes,
        ArrayAttr:$readMaps, ArrayAttr:$writeMaps, StrArrayAttr:$combine,
        OptionalAttr<StrArrayAttr>:$order, OptionalAttr<DenseI64ArrayAttr>:$groups,
        OptionalAttr<StrAttr>:$register_tiled, // "before" or "after": part of the register-tiled loop there
        OptionalAttr<I64Attr>:$row_group,      // one kernel with those of that number: passes/nests/group_rows.h
        UnitAttr:$checks);                     // its last result: whether an index is out of bounds
    let results = (outs Variadic<AnyObject>:$results_);
    let regions = (region SizedRegion<1>:$body);
    let skipDefaultBuilders = 1;
    let builders = [OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::ArrayAttr":$space, "::mlir::IntegerAttr":$reduced,
            "::mlir::ValueRange":$reads, "::mlir::ValueRange":$writes, "::mlir::ArrayAttr":$readMaps,
            "::mlir::ArrayAttr":$writeMaps, "::mlir::ArrayAttr":$combine, "::mlir::ArrayAttr":$order,
            "::mlir::DenseI64ArrayAttr":$groups), [{
            $_state.addTypes(results);
            $_state.addOperands(reads);
            $_state.addOperands(writes);
            (void)$_state.addRegion();
            auto &made = $_state.getOrAddProperties<Properties>();
            made.space = space;
            made.reduced = reduced;
            made.readMaps = readMaps;
            made.writeMaps = writeMaps;
            made.combine = combine;
            made.order = order;
            made.groups = groups;
            made.operandSegmentSizes = {int32_t(reads.size()), int32_t(writes.size())};
        }]>];
    let assemblyFormat = [{
        $space `reduced` $reduced `reads` `(` $reads `)` $readMaps `writes` `(` $writes `)` $writeMaps
        `combine` $combine (`order` $order^)? (`groups` $groups^)? attr-dict-with-keyword
        `:` functional-type(operands, $results_) $body
    }];
}

def NestYieldOp : Np_Op<"nest_yield", [Terminator]> {
    let arguments = (ins Variadic<AnyObject>:$values);
    let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def IndexOp : Np_Op<"index", [Pure]> {
    let summary = "value of iterator `dim` of the enclosing nest";
    let arguments = (ins I64Attr:$dim);
    let results = (outs Np_PyIntType:$result);
    let assemblyFormat = "$dim attr-dict";
}

def GemmOp : Np_Op<"gemm"> {
    let summary = "out = lhs @ rhs on arrays (library call); scalar result and no `out` for 1-D x 1-D";
    let arguments = (ins Np_ArrayType:$lhs, Np_ArrayType:$rhs, Optional<Np_ArrayType>:$out);
    let results = (outs Optional<AnyObject>:$result);
    let assemblyFormat = "$lhs `,` $rhs (`to` $out^)? attr-dict `:` functional-type(operands, $result)";
}

#endif
