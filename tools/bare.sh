#!/bin/sh
# ./dev bare [--keep] [bookworm|trixie|sid] [PYTEST ARGUMENTS]: the README's two commands on a machine with nothing on it.
#
# The machine is a root made by debootstrap (tools/machine.sh), with a clean checkout of HEAD and, for speed, ccache's
# folder.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
self=$root/tools/bare.sh

. "$root/tools/machine.sh"

own_git() { git -c safe.directory="$root" -C "$root" "$@"; } # with sudo the checkout is another user's

main() {
    keep=
    if [ "${1:-}" = --keep ]; then
        keep=yes
        shift
    fi
    suite=bookworm
    case ${1:-} in
    bookworm | trixie | sid)
        suite=$1
        shift
        ;;
    esac
    own_git rev-parse --verify --quiet HEAD >/dev/null || die "no git checkout with a commit in $root"
    [ -z "$(own_git status --porcelain)" ] || say "the bare machine gets HEAD: what is not committed is not in it"
    run_apart "${keep:+kept-$suite}" "$suite" "$@"
}

# A kept machine has been through the quickstart.
first_steps='cd ~/shapecast && { [ -e ~/started ] || ./dev quickstart; } && touch ~/started && exec ./dev test "$@"'

inside() {
    work=$1 suite=$2
    shift 2
    if [ -d "$work/$suite/root/shapecast" ]; then
        say "the kept $suite, brought up to date"
        machine=$work/$suite
        update_checkout
    else
        make_machine "$suite"
        make_checkout
    fi
    copy_settings
    mount_system
    mount_folder "$(ccache -k cache_dir 2>/dev/null || echo "${CCACHE_DIR:-$HOME/.cache/ccache}")" /root/.cache/ccache
    in_machine /bin/sh -c "$first_steps" dev "$@"
}

make_checkout() {
    mkdir "$machine/root/shapecast"
    own_git archive HEAD | tar -C "$machine/root/shapecast" -x
    own_git rev-parse HEAD >"$work/revision"
}

# Only files that differ get a new time: what was built of the others stays.
update_checkout() {
    own_git diff --binary "$(cat "$work/revision")" HEAD >"$work/patch" || die "unknown commit: rm -r '$work'"
    [ ! -s "$work/patch" ] ||
        (cd "$machine/root/shapecast" && GIT_CEILING_DIRECTORIES=$machine/root git apply "$work/patch")
    own_git rev-parse HEAD >"$work/revision"
}

case ${1:-} in
--inside)
    shift
    inside "$@"
    ;;
*) main "$@" ;;
esac
