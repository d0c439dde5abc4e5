#!/bin/sh
# ./dev arm64 [root|build|test [PYTEST ARGUMENTS]|cpp NAME [ARGUMENTS]|python [ARGUMENTS]]: shapecast for 64-bit ARM Linux, built
# on this x86-64 machine and run under qemu-user. Without a command: all of it, with a sample of the tests.
#
# A root of arm64 packages (Debian trixie's, and wheels) is unpacked below ~/.cache/shapecast-arm64; nothing in it is
# installed, nothing of this machine's is changed but for qemu-user-static. docs/internals/porting.md says more.
set -eu

source=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/shapecast-arm64
root=$cache/root
build=$source/build/arm64
llvm_root=${SHAPECAST_LLVM_ROOT:-/usr/lib/llvm-22}

packages="llvm-22-dev libmlir-22-dev libzstd-dev zlib1g-dev libstdc++-14-dev libc6-dev python3-dev"
wheels="numpy>=2 scipy-openblas64 pybind11>=3 pytest>=8 pytest-xdist hypothesis>=6 mpmath scipy ml_dtypes cloudpickle rich"

# A fair picture; qemu takes ten times as long as the machine.
sample="tests/numpy/programs tests/numpy/test_unary.py tests/numpy/test_select_cast.py tests/numpy/test_sorting.py
    tests/numpy/test_mathlib.py tests/numpy/test_own_fft.py tests/runtime/test_threads.py"

. "$source/tools/packages.sh"

main() {
    command -v qemu-aarch64-static >/dev/null || die "qemu-user-static is missing (apt-get install qemu-user-static)"
    command=${1:-all}
    [ $# -eq 0 ] || shift
    [ -e "$cache/complete" ] || make_root
    case $command in
    root) ;;
    build) build_all ;;
    test)
        build_all
        run_tests "$@"
        ;;
    cpp)
        build_all
        run_program "$@"
        ;;
    python)
        build_all
        python "$@"
        ;;
    all)
        build_all
        run_program mathlib 2000 # samples of each function
        run_program jit
        # shellcheck disable=SC2086 # a list of words
        run_tests $sample
        ;;
    *) die "arm64 what? root, build, test, cpp or python" ;;
    esac
}

# ------------------------------------------------------------------------------------------------ the root

make_root() {
    say "making a root of arm64 packages in $root (2 GB)"
    # shellcheck disable=SC2086 # lists of words
    unpack_packages "$root" arm64 trixie $packages
    # qemu looks in the root first: these folders are this machine's.
    (cd "$root" && rm -rf tmp root proc sys dev home run var boot)
    link_tools
    write_runners
    # shellcheck disable=SC2086
    add_wheels 3.13 "$root/usr/local/lib/python3.13/dist-packages" aarch64 $wheels
    : >"$cache/complete"
}

# LLVM's CMake files check for all their tools; mlir-tblgen is run, and is this machine's.
link_tools() {
    for tool in "$llvm_root"/bin/*; do
        name=${tool##*/}
        [ -e "$root/usr/lib/llvm-22/bin/$name" ] || ln -s "$tool" "$root/usr/lib/llvm-22/bin/$name"
    done
}

# Programs of the root, by qemu: `run PROGRAM ...`, and Python, which finds the root's prefix from its own path and
# starts itself by that.
write_runners() {
    cat >"$cache/run" <<RUN
#!/bin/sh
program=\$1
shift
exec qemu-aarch64-static -L '$root' -0 "\$program" "\$program" "\$@"
RUN
    cat >"$root/usr/bin/python" <<RUN
#!/bin/sh
exec qemu-aarch64-static -L '$root' -0 '$root/usr/bin/python' '$root/usr/bin/python3.13' "\$@"
RUN
    chmod +x "$cache/run" "$root/usr/bin/python"
}

# ----------------------------------------------------------------------------------------------- the build

build_all() {
    if [ ! -e "$build/build.ninja" ]; then
        say "configuring build/arm64"
        mkdir -p "$build"
        SHAPECAST_ARM64_ROOT=$root cmake -G Ninja -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Dev \
            -DCMAKE_TOOLCHAIN_FILE="$source/cmake/arm64.cmake" -DSHAPECAST_LLVM_ROOT="$llvm_root" \
            -DPython_EXECUTABLE="$root/usr/bin/python" >"$build/configure.log" 2>&1 || {
            cat "$build/configure.log" >&2
            exit 1
        }
    fi
    ninja -C "$build" --quiet _core python_stage captured_library shapecast-tests >&2
}

# ------------------------------------------------------------------------------------------------- the run

python() {
    # With bytecode: under qemu the import of NumPy's sources takes half a minute.
    PYTHONPATH=$build/python PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$cache/bytecode OPENBLAS_NUM_THREADS=1 \
        "$root/usr/bin/python" "$@"
}

# In one process: those of xdist talk through pipes that qemu makes slow.
run_tests() { (cd "$source" && python -m pytest -q -p no:cacheprovider -p no:xdist "$@"); }

run_program() {
    name=${1:?which of tests/compiler/cpp?}
    shift
    "$cache/run" "$build/bin/tests/$name" "$@"
}

main "$@"
