// Types of the np dialect. Strong NumPy scalars are builtin types (i1, si64, f64, complex<f64> ...).
#ifndef NP_TYPES_TD
#define NP_TYPES_TD

include "NpAttrs.td"
include "NpDim.td"
include "mlir/IR/AttrTypeBase.td"

class Np_Type<string name, string mnem> : TypeDef<Np_Dialect, name> {
    let mnemonic = mnem;
}

def Np_AnyType : Np_Type<"Any", "any"> {
    let summary = "element of `tensor<*x!np.any>`: a Python object of a class not yet known";
}

def Np_ArrayType : Np_Type<"Array", "array"> {
    let summary = "handle of a mutable array object; may alias other handles";
    let description = [{
        `!np.array<s0 x s1 - 2 x f64, C>`: dims are symbolic expressions, then the dtype and the
        layout class. `readonly` marks arrays that NumPy refuses to write to.
        Layout `C`/`F`: contiguous, strides follow from sizes. `inner`: unit stride on the last axis.
        `strided`: any strides. Strides are counted in elements. The last parameter names the device that
        holds the elements, as in `!np.array<s0 x f64, C, "cuda:0">`; none (null) is the host.
    }];
    let parameters = (ins ArrayRefParameter<"DimAttr">:$dims, "::mlir::Type":$dtype,
                          "Layout":$layout, "bool":$readonly, "::mlir::StringAttr":$device);
    let hasCustomAssemblyFormat = 1;
    let extraClassDeclaration = [{
        int64_t getRank() const { return getDims().size(); }
    }];
}

def Np_PyBoolType : Np_Type<"PyBool", "pybool"> { let summary = "Python bool (weak)"; }
def Np_PyIntType : Np_Type<"PyInt", "pyint"> { let summary = "Python int that fits 64 bits (weak)"; }
def Np_PyWideIntType : Np_Type<"PyWideInt", "pywideint"> {
    let summary = "Python int that fits 128 bits (weak): two registers, the low 64 bits and the others";
}
def Np_PyFloatType : Np_Type<"PyFloat", "pyfloat"> { let summary = "Python float (weak)"; }
def Np_PyComplexType : Np_Type<"PyComplex", "pycomplex"> { let summary = "Python complex (weak)"; }

def Np_ObjectType : Np_Type<"Object", "object"> {
    let summary = "Python object that compiled code only passes on: to Python, and to its caller";
    let description = [{ `!np.object<"numpy.random.Generator", 3>`: its class, and the number of a sample object. }];
    let parameters = (ins StringRefParameter<>:$name, "int64_t":$sample);
    let assemblyFormat = "`<` $name `,` $sample `>`";
}

def Np_StaticType : Np_Type<"Static", "static"> {
    let summary = "compile-time Python value: None, str, dtype, module, function, Ellipsis";
}

#endif
