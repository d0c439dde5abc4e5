#!/bin/sh
# ./dev wheels --try [WHEEL...]: wheels (all of dist/, without one) on machines with nothing on them, beside peers.
#
# For each wheel a root of the Debian that has its Python (tools/machine.sh), with python3 and venv, no compiler and no
# LLVM. There the wheel is installed from its file and shows the quickstart; then Numba, JAX, PyTorch and Triton are
# installed, and tools/smoke.py compiles with all of them in one process, with shapecast imported first, and last. A
# peer that the index does not have for this Python is named, and the rest is tried.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
self=$root/tools/smoke.sh
peers="numba jax torch triton"

. "$root/tools/machine.sh"

main() {
    [ $# -gt 0 ] || set -- "$root"/dist/*.whl
    for wheel in "$@"; do
        [ -f "$wheel" ] || die "no wheel: $wheel (./dev wheels makes them)"
        choose_suite "$wheel" # before anything takes long
    done
    run_apart '' "$@"
}

# Sets `version` and `suite`, which has this Python.
choose_suite() {
    case ${1##*/} in
    *-cp311-cp311-*) version=3.11 suite=bookworm ;;
    *-cp313-cp313-*) version=3.13 suite=trixie ;;
    *-cp314-cp314-*) version=3.14 suite=sid ;;
    *) die "no suite of Debian has the Python of ${1##*/}" ;;
    esac
}

inside() {
    work=$1
    shift
    failed=
    for wheel in "$@"; do
        choose_suite "$wheel"
        make_machine "$suite"
        copy_settings
        mount_system
        mount_wheels
        mount_folder "$cache/pip" /root/.cache/pip
        cp "$wheel" "$root/tools/smoke.py" "$machine/root"
        say "${wheel##*/} on $suite"
        if try; then
            say "${wheel##*/}: all passed"
        else
            say "${wheel##*/}: FAILED"
            failed=yes
        fi
        keep_packages
        remove_machine
    done
    [ -z "$failed" ]
}

# Each step by itself: where `try` is a condition, `set -e` does nothing.
try() {
    in_machine env DEBIAN_FRONTEND=noninteractive sh -c "apt-get update -qq &&
        apt-get install -y -qq --no-install-recommends 'python$version' 'python$version-venv'" >"$work/log" 2>&1 || {
        tail -n 20 "$work/log" >&2
        return 1
    }
    found=$(in_machine sh -c 'for name in cc gcc clang ld nvcc; do command -v $name; done; ls -d /usr/lib/*/libLLVM*' \
        2>/dev/null) || :
    [ -z "$found" ] || {
        say "should not be there: $found"
        return 1
    }
    in_machine "python$version" -m venv /root/venv &&
        install "/root/${wheel##*/}" &&
        in_machine sh -c 'cd /tmp && /root/venv/bin/python -m shapecast.examples.quickstart pictures' || return 1
    there=
    for peer in $peers; do
        if in_machine /root/venv/bin/python -m pip download -q --no-deps --only-binary=:all: -d /tmp/found "$peer" \
            >"$work/log" 2>&1; then
            there="$there $peer"
        elif grep -q 'No matching distribution' "$work/log"; then
            say "NOT TRIED with Python $version: $peer, of which the index has no wheel for it"
        else
            cat "$work/log" >&2
            return 1
        fi
    done
    [ -n "$there" ] || return 0
    # shellcheck disable=SC2086 # lists of words
    install $there || return 1
    for order in first last; do
        # shellcheck disable=SC2086
        in_machine SHAPECAST_CACHE_DIR=off SHAPECAST_NUM_THREADS=4 /root/venv/bin/python -X faulthandler \
            /root/smoke.py $order $there || return 1
    done
}

install() {
    in_machine /root/venv/bin/python -m pip install -q --only-binary=:all: "$@" >"$work/log" 2>&1 || {
        tail -n 20 "$work/log" >&2
        return 1
    }
}

case ${1:-} in
--inside)
    shift
    inside "$@"
    ;;
*) main "$@" ;;
esac
