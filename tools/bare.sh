#!/bin/sh
# ./dev bare [--keep] [bookworm|trixie|sid] [PYTEST ARGUMENTS]: the README's two commands on a machine with nothing on it.
#
# The machine is a root made by debootstrap, with a clean checkout of HEAD. From outside come the network's and pip's
# settings, the certificates and, for speed, ccache's folder and the Debian packages that an earlier run downloaded.
# All that is mounted or started is in namespaces of its own, so it ends with this script, however that ends.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/shapecast-bare
PATH=$PATH:/usr/sbin:/sbin

say() { printf 'dev: %s\n' "$*" >&2; }
die() {
    say "$*"
    exit 1
}

own_git() { git -c safe.directory="$root" -C "$root" "$@"; } # with sudo the checkout is another user's

# ------------------------------------------------------------------------------- outside of the namespaces

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
    unshare --mount --pid --fork true ||
        die "namespaces are not permitted here (a container without CAP_SYS_ADMIN?), and a bare machine needs them"

    child=
    trap clean EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    take_folder
    exec 3<&0 # the shell would give a job in the background no stdin, and leave it deaf to Ctrl-C
    env --default-signal=INT,QUIT setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child \
        "$root/tools/bare.sh" --inside "$work" "$suite" "$@" <&3 &
    child=$!
    status=0
    wait "$child" || status=$?
    child=
    exit $status
}

# The folder of this run, with a lock on it for as long as one of its processes lives. Folders without one are of
# runs that could not clean up.
take_folder() {
    mkdir -p "$cache"
    exec 8>"$cache/lock"
    flock 8
    for left in "$cache"/running.*; do
        if [ -d "$left" ] && (exec 9<"$left" && flock --nonblock 9); then
            rm -rf --one-file-system "$left"
        fi
    done
    if [ -n "$keep" ]; then
        work=$cache/kept-$suite
        mkdir -p "$work"
    else
        work=$(mktemp -d "$cache/running.XXXXXX")
    fi
    exec 9<"$work"
    flock --nonblock 9 || die "another run uses $work"
    exec 8>&-
}

clean() {
    status=$?
    trap '' HUP INT TERM
    trap - EXIT
    # --kill-child: the namespace's first process, and with it all others and their mounts, goes too.
    [ -z "$child" ] || kill -KILL "$child" 2>/dev/null || :
    if [ -n "${work:-}" ]; then
        mkdir -p "$cache/$suite-debs"
        cp -ln "$work"/machine/var/cache/apt/archives/*.deb "$cache/$suite-debs" 2>/dev/null || :
    fi
    if [ -n "$keep" ]; then
        say "kept: ${work:-nothing}"
    elif [ -n "${work:-}" ]; then
        for pause in 0 1 2 4 8; do
            sleep $pause # killed processes may need a moment to go
            rm -rf --one-file-system "$work" 2>/dev/null && break
        done
        [ ! -e "$work" ] || say "could not remove $work; the next ./dev bare will"
    fi
    exit $status
}

# --------------------------------------------------------------------------------- inside of the namespaces

# A kept machine has been through the quickstart.
first_steps='cd ~/shapecast && { [ -e ~/started ] || ./dev quickstart; } && touch ~/started && exec ./dev test "$@"'

inside() {
    work=$1 suite=$2
    shift 2
    machine=$work/machine
    if [ -e "$work/revision" ]; then
        say "the kept $suite, brought up to date"
        update_checkout
    else
        rm -rf --one-file-system "$machine"
        make_machine
        make_checkout
    fi
    copy_settings
    mount_folders
    set -- PIP_CERT=/etc/ssl/outside.pem /bin/sh -c "$first_steps" dev "$@"
    for name in $(env | sed -n 's/^\(PIP_[A-Z_]*\|[a-zA-Z]*_proxy\|[A-Z]*_PROXY\)=.*/\1/p'); do
        set -- "$name=$(printenv "$name")" "$@"
    done
    exec chroot "$machine" /usr/bin/env -i HOME=/root TERM="${TERM:-dumb}" \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

# What debootstrap makes, with the sources of packages, is kept for a week.
make_machine() {
    base=$cache/$suite.tar
    if [ -z "$(find "$base" -mtime -7 2>/dev/null)" ]; then
        sources=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages')
        mirror=$(printf '%s\n' "$sources" | head -n 1)
        say "making a bare $suite from ${mirror:?apt has no sources here}"
        mkdir "$machine"
        debootstrap --variant=minbase "$suite" "$machine" "$mirror" >"$work/log" 2>&1 || {
            tail -n 20 "$work/log" >&2
            die "debootstrap could not make a bare $suite"
        }
        write_sources
        rm -rf "$cache/$suite-debs" "$machine"/var/cache/apt/archives/*.deb
        tar -C "$machine" -cf "$work/base.tar" .
        mv "$work/base.tar" "$base"
    else
        mkdir "$machine"
        tar -C "$machine" -xf "$base"
    fi
    cp -l "$cache/$suite-debs"/*.deb "$machine/var/cache/apt/archives" 2>/dev/null || :
}

# As Debian's installer writes them: LLVM 22 came to bookworm through its security updates.
write_sources() {
    [ "$suite" != sid ] || return 0
    security=$(printf '%s\n' "$sources" | grep security | head -n 1)
    cat >"$machine/etc/apt/sources.list" <<LIST
deb $mirror $suite main
deb $mirror $suite-updates main
deb ${security:-${mirror%/}-security} $suite-security main
LIST
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

# The network's and pip's settings, with the files that they name (constraints). The certificates lie where Debian's
# package of certificates, which comes with pip, does not write its own over them.
copy_settings() {
    cp /etc/resolv.conf /etc/hosts "$machine/etc"
    mkdir -p "$machine/etc/ssl"
    cp "${PIP_CERT:-${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}}" "$machine/etc/ssl/outside.pem"
    {
        apt-config dump | grep -i '^Acquire::.*proxy' || :
        echo 'Acquire::https::CAInfo "/etc/ssl/outside.pem";'
        echo 'Acquire::Check-Valid-Until "false";' # a mirror may have stopped at some day of sid's
    } >"$machine/etc/apt/apt.conf.d/90outside"
    for file in /etc/pip.conf /etc/xdg/pip/pip.conf "$HOME/.config/pip/pip.conf" "$HOME/.pip/pip.conf" \
        "${PIP_CONFIG_FILE:-}"; do
        [ -f "$file" ] || continue
        copy=$machine/root/${file#"$HOME"/}
        case $file in "$HOME"/*) ;; *) copy=$machine$file ;; esac
        mkdir -p "${copy%/*}"
        cp "$file" "$copy"
        grep -o '/[^[:space:]]*' "$file" || :
    done >"$work/named"
    env | sed -n 's/^PIP_[A-Z_]*=//p' >>"$work/named"
    while read -r file; do
        [ ! -f "$file" ] || cp --parents "$file" "$machine"
    done <"$work/named"
}

mount_folders() {
    objects=$(ccache -k cache_dir 2>/dev/null) || objects=${CCACHE_DIR:-$HOME/.cache/ccache}
    mkdir -p "$objects" "$machine/root/.cache/ccache"
    mount -t proc proc "$machine/proc" && mount --rbind /dev "$machine/dev" &&
        mount --bind "$objects" "$machine/root/.cache/ccache" ||
        die "mounting is not permitted here, and a bare machine needs /proc and /dev"
}

case ${1:-} in
--inside)
    shift
    inside "$@"
    ;;
*) main "$@" ;;
esac
