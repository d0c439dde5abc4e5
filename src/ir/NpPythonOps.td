// Operations of captured Python, before types are inferred: a part of NpOps.td, which includes it.

//===-- Captured Python (all any-typed; gone after infer) --------------------------------------===//

def ConstOp : Np_Op<"const", [Pure, ConstantLike]> {
    let summary = "a constant: a Python number, or another value known at compile time";
    let description = [{
        IntegerAttr (i64) with !np.pyint, FloatAttr (f64) with !np.pyfloat, BoolAttr with !np.pybool,
        ArrayAttr [re, im] with !np.pycomplex, #np.py<...> with !np.static; after infer also
        strong scalars (IntegerAttr i64 / FloatAttr f64 with si32, f32 ...).
    }];
    let arguments = (ins AnyAttr:$value);
    let results = (outs AnyObject:$result);
    let hasCustomAssemblyFormat = 1;
    let hasFolder = 1;
}

def PyOp : Np_Op<"pyop"> {
    let summary = "a Python operator or scalar builtin, with Python's semantics";
    let description = [{
        Captured on any type: add sub mul truediv floordiv mod pow lshift rshift and or xor matmul,
        neg pos invert not, lt le gt ge eq ne is is_not in not_in. After infer only on Python scalars (also
        abs min max int float bool round and math.* names): raises OverflowError / ZeroDivisionError,
        unless `nowrap`: its operands' ranges prove that it cannot overflow. `intermediate`: of a sum,
        difference or product, its one use in the program is as an operand, and no size depends on it;
        np-wide-integers makes such ones "wide." operations, which compute in 128 bits.
    }];
    let arguments = (ins StrAttr:$op, Variadic<AnyObject>:$operands_, UnitAttr:$nowrap,
                         UnitAttr:$intermediate);
    let results = (outs AnyObject:$result);
    let assemblyFormat = "$op `(` $operands_ `)` (`nowrap` $nowrap^)? (`intermediate` $intermediate^)? attr-dict `:` functional-type($operands_, $result)";
}

def InplaceOp : Np_Op<"inplace"> {
    let summary = "augmented assignment: updates an array target in place, else computes a new value";
    let arguments = (ins StrAttr:$op, AnyObject:$target, AnyObject:$value);
    let results = (outs AnyObject:$result);
    let assemblyFormat = "$op $target `,` $value attr-dict `:` functional-type(operands, $result)";
}

def TruthOp : Np_Op<"truth"> {
    let summary = "bool(x), as i1 or pybool; after infer a no-op or a comparison with zero";
    let arguments = (ins AnyObject:$value);
    let results = (outs AnyObject:$result);
    let assemblyFormat = "$value attr-dict `:` functional-type(operands, $result)";
}

def SliceOp : Np_Op<"slice", [Pure]> {
    let summary = "lo:hi:step; absent bounds are np.const #np.py<none>";
    let arguments = (ins AnyObject:$lo, AnyObject:$hi, AnyObject:$step);
    let results = (outs AnyObject:$result);
    let assemblyFormat = "$lo `,` $hi `,` $step attr-dict `:` functional-type(operands, $result)";
}

def GetItemOp : Np_Op<"getitem"> {
    let summary = "base[k0, k1, ...] (a tuple subscript becomes several keys)";
    let arguments = (ins AnyObject:$base, Variadic<AnyObject>:$keys);
    let results = (outs AnyObject:$result);
    let assemblyFormat = "$base `[` $keys `]` attr-dict `:` functional-type(operands, $result)";
}

def SetItemOp : Np_Op<"setitem"> {
    let summary = "base[k0, ...] = value; `augmented`: value is the np.inplace of the same element or slice";
    let arguments = (ins AnyObject:$base, Variadic<AnyObject>:$keys, AnyObject:$value, UnitAttr:$augmented);
    let assemblyFormat = "$base `[` $keys `]` `=` $value (`augmented` $augmented^)? attr-dict `:` type(operands)";
}

def AttrOp : Np_Op<"attr"> {
    let summary = "base.name";
    let arguments = (ins AnyObject:$base, StrAttr:$name);
    let results = (outs AnyObject:$result);
    let assemblyFormat = "$base $name attr-dict `:` functional-type(operands, $result)";
}

def MethodOp : Np_Op<"method"> {
    let summary = "base.name(args); the last kw.size() arguments are keyword arguments";
    let arguments = (ins AnyObject:$base, StrAttr:$name, Variadic<AnyObject>:$args, OptionalAttr<StrArrayAttr>:$kw);
    let results = (outs AnyObject:$result);
    let assemblyFormat = "$base $name `(` $args `)` (`kw` $kw^)? attr-dict `:` functional-type(operands, $result)";
}

def TupleOp : Np_Op<"tuple", [Pure]> {
    let summary = "a tuple display, or one of the other containers of Python";
    let arguments = (ins Variadic<AnyObject>:$elements,
        UnitAttr:$list,                        // a list
        UnitAttr:$dict,                        // a dict: keys and values alternate
        OptionalAttr<DenseI64ArrayAttr>:$starred, // elements that are unpacked here
        OptionalAttr<StrAttr>:$numbers,        // a list of "f" floats or "i" ints, which is the array given
        OptionalAttr<Np_PyAttr>:$record,       // a record of that class
        OptionalAttr<AnyAttrOf<[Np_CallersContainerAttr, StrAttr, I32Attr]>>:$argument); // #np.callers_container, why it must not change, or the number of a global one
    let results = (outs AnyObject:$result);
    let skipDefaultBuilders = 1;
    let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::ValueRange":$elements, "::mlir::UnitAttr":$list), [{
            $_state.addTypes(result);
            $_state.addOperands(elements);
            $_state.getOrAddProperties<Properties>().list = list;
        }]>];
    let assemblyFormat = "`(` $elements `)` (`list` $list^)? attr-dict `:` functional-type($elements, $result)";
}

def ClosureOp : Np_Op<"closure", [Pure, AttrSizedOperandSegments]> {
    let summary = "a captured function as a value, with the free variables it captures and its parameters' defaults";
    let description = [{
        The callee's first parameters are the captured variables; `defaults` belong to its last ones.
        `assignedLater` is a captured variable that is assigned again: by the next iteration of an enclosing loop,
        or (`assignedBelow`) further down. Python binds late, so its function then sees the new value: np-infer
        does not support this closure where it escapes.
    }];
    let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyObject>:$captured, Variadic<AnyObject>:$defaults,
        OptionalAttr<StrAttr>:$assignedLater, UnitAttr:$assignedBelow);
    let results = (outs AnyObject:$result);
    let builders = [OpBuilder<(ins "::mlir::Type":$result, "::llvm::StringRef":$callee, "::mlir::ValueRange":$captured,
            "::mlir::ValueRange":$defaults), [{
        build($_builder, $_state, result, callee, captured, defaults, ::mlir::StringAttr());
    }]>];
    let assemblyFormat = [{
        $callee (`captured` `(` $captured^ `:` type($captured) `)`)?
        (`defaults` `(` $defaults^ `:` type($defaults) `)`)? attr-dict `:` type($result)
    }];
}

def ApplyOp : Np_Op<"apply"> {
    let summary = "call of a function that is a value; the last kw.size() arguments are keyword arguments";
    let arguments = (ins AnyObject:$function, Variadic<AnyObject>:$args, OptionalAttr<StrArrayAttr>:$kw,
        OptionalAttr<DenseI64ArrayAttr>:$starred); // arguments that are unpacked here
    let results = (outs AnyObject:$result);
    let skipDefaultBuilders = 1;
    let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$function, "::mlir::ValueRange":$args, "::mlir::ArrayAttr":$kw), [{
            $_state.addTypes(result);
            $_state.addOperands(function);
            $_state.addOperands(args);
            $_state.getOrAddProperties<Properties>().kw = kw;
        }]>];
    let assemblyFormat = "$function `(` $args `)` (`kw` $kw^)? attr-dict `:` functional-type(operands, $result)";
}

def GlobalOp : Np_Op<"global", [Pure]> {
    let summary = "the value of a global name or closure cell in this call: the entry's hidden argument of that number";
    let description = [{ With `state` the mutable state of the object of that number. }];
    let arguments = (ins I64Attr:$number, UnitAttr:$state,
        OptionalAttr<Np_PyAttr>:$name,   // the attribute of that state
        OptionalAttr<StrAttr>:$missing); // what AttributeError says where it is not set
    let results = (outs AnyObject:$result);
    let skipDefaultBuilders = 1;
    let builders = [OpBuilder<(ins "::mlir::Type":$result, "uint64_t":$number), [{
            $_state.addTypes(result);
            $_state.getOrAddProperties<Properties>().number = $_builder.getI64IntegerAttr(int64_t(number));
        }]>];
    let assemblyFormat = "$number attr-dict `:` type($result)";
}

def UnpackOp : Np_Op<"unpack"> {
    let summary = "a, b, ... = value, one result per target";
    let arguments = (ins AnyObject:$value,
        OptionalAttr<I64Attr>:$star); // the number of the starred target
    let results = (outs Variadic<AnyObject>:$results_);
    let skipDefaultBuilders = 1;
    let builders = [OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::Value":$value), [{
            $_state.addTypes(results);
            $_state.addOperands(value);
        }]>];
    let assemblyFormat = "$value attr-dict `:` functional-type(operands, $results_)";
}

def UnboundOp : Np_Op<"unbound", [Pure]> {
    let summary = "the value of a variable that has not been assigned";
    let arguments = (ins StrAttr:$name);
    let results = (outs AnyObject:$result);
    let assemblyFormat = "$name attr-dict `:` type($result)";
}

def CheckBoundOp : Np_Op<"check_bound"> {
    let summary = "value, or UnboundLocalError for the named variable";
    let arguments = (ins AnyObject:$value, StrAttr:$name,
        UnitAttr:$global,                  // NameError: a global name
        UnitAttr:$free,                    // NameError: a free variable
        OptionalAttr<StrAttr>:$attribute); // AttributeError with this message
    let results = (outs AnyObject:$result);
    let skipDefaultBuilders = 1;
    let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$value, "::llvm::StringRef":$name), [{
            $_state.addTypes(result);
            $_state.addOperands(value);
            $_state.getOrAddProperties<Properties>().name = $_builder.getStringAttr(name);
        }]>];
    let assemblyFormat = "$value $name attr-dict `:` functional-type(operands, $result)";
}

def PrintOp : Np_Op<"print"> {
    let summary = "print(...) through Python's own print";
    let arguments = (ins Variadic<AnyObject>:$values,
        OptionalAttr<StrAttr>:$sep, OptionalAttr<StrAttr>:$end, // where given
        OptionalAttr<StrAttr>:$file,     // "stdout", "stderr", or "" for None
        OptionalAttr<BoolAttr>:$flush,
        // After np-infer, where it is not one operand per value: a tree each, as np.func's `result`.
        OptionalAttr<ArrayAttr>:$tree);
    let skipDefaultBuilders = 1;
    let builders = [OpBuilder<(ins "::mlir::ValueRange":$values), [{
            $_state.addOperands(values);
        }]>];
    let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def RaiseOp : Np_Op<"raise"> {
    let summary = "raise value [from cause]; what follows is unreachable";
    let description = [{
        Captured: the exception (or its class) and, if given, the cause. After infer the operands of both
        trees in `tree`, which are as np.func's `result`. What follows in the block is unreachable.
    }];
    let arguments = (ins Variadic<AnyObject>:$values,
        OptionalAttr<ArrayAttr>:$tree); // after np-infer: of the exception, and of its cause
    let skipDefaultBuilders = 1;
    let builders = [OpBuilder<(ins "::mlir::ValueRange":$values), [{
            $_state.addOperands(values);
        }]>];
    let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}
