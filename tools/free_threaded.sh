#!/bin/sh
# ./dev free-threaded [--tsan] [PYTEST ARGUMENTS]: the tests on a Python without an interpreter lock; with --tsan Python, the core
# and compiled code under ThreadSanitizer (one hour for the tests that are named below).
#
# Debian has no such Python: 3.13 is built from its source package, below ~/.cache/shapecast-free-threaded, with what pip
# has for it as wheels.
set -eu

source=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/shapecast-free-threaded
llvm_root=${SHAPECAST_LLVM_ROOT:-/usr/lib/llvm-22}
# What is about threads, and programs of all kinds.
tests="tests/runtime/test_threads.py tests/runtime/test_thread_pool.py tests/runtime/test_free_threading.py
    tests/runtime/test_compile.py tests/runtime/test_cache.py tests/runtime/test_memory.py tests/runtime/test_pickling.py
    tests/numpy/programs"
wheels="numpy>=2,<2.5 pybind11>=3 scipy-openblas64 pytest>=8 pytest-xdist hypothesis>=6 mpmath rich cloudpickle"

. "$source/tools/packages.sh"

main() {
    kind=free-threaded type=Dev options=
    if [ "${1:-}" = --tsan ]; then
        kind=free-threaded-tsan type=Tsan options=--with-thread-sanitizer
        shift
    fi
    prefix=$cache/$kind
    build=$source/build/$kind
    # shellcheck disable=SC2086 # a list of words
    [ $# -gt 0 ] || set -- $tests
    [ -e "$prefix/complete" ] || build_python
    build_core
    run "$@"
}

build_python() {
    say "building Python 3.13 without an interpreter lock (five minutes)"
    rm -rf "$prefix"
    mkdir -p "$prefix/source"
    (cd "$prefix/source" && download_source trixie python3.13 && tar -xf python3.13_*.orig.tar.xz --strip-components 1)
    (
        cd "$prefix/source"
        CC=$llvm_root/bin/clang CXX=$llvm_root/bin/clang++ ./configure -q --prefix="$prefix" --disable-gil $options \
            --disable-test-modules --without-static-libpython
        make -s -j2
        make -s install
    ) >"$cache/$kind.log" 2>&1 || {
        tail -n 20 "$cache/$kind.log" >&2
        die "Python could not be built: $cache/$kind.log"
    }
    rm -rf "$prefix/source"
    # shellcheck disable=SC2086 # a list of words
    "$prefix/bin/python3.13t" -m pip install -q --disable-pip-version-check --only-binary=:all: $wheels
    : >"$prefix/complete"
}

build_core() {
    if [ ! -e "$build/build.ninja" ]; then
        mkdir -p "$build"
        cmake -G Ninja -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=$type -DSHAPECAST_LLVM_ROOT="$llvm_root" \
            -DPython_EXECUTABLE="$prefix/bin/python3.13t" >"$build/configure.log" 2>&1 || {
            cat "$build/configure.log" >&2
            exit 1
        }
    fi
    targets="_core python_stage"
    [ $type = Tsan ] || targets="$targets captured_library"
    # shellcheck disable=SC2086 # a list of words
    ninja -C "$build" --quiet $targets >&2
}

run() {
    cd "$source"
    export PYTHONPATH="$build/python" PYTHON_GIL=0 OPENBLAS_NUM_THREADS=1
    if [ $type != Tsan ]; then
        exec "$prefix/bin/python3.13t" -m pytest -p no:cacheprovider "$@"
    fi
    # NumPy is not instrumented; what it does is not looked at.
    rm -rf "$build/races"
    mkdir "$build/races"
    export TSAN_OPTIONS="allocator_may_return_null=1:die_after_fork=0:ignore_noninstrumented_modules=1:log_path=$build/races/process"
    failed=0
    "$prefix/bin/python3.13t" -m pytest -p no:cacheprovider "$@" || failed=1
    [ -z "$(ls "$build/races")" ] || die "races: see $build/races"
    exit $failed
}

main "$@"
