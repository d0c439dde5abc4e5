# shellcheck shell=sh
# Sourced by tools/bare.sh and tools/smoke.sh: machines that are roots made by debootstrap. All that is mounted or
# started is in namespaces of its own, so it ends with the script, however that ends.
#
# The script sets `self`, its own file, which is started a second time, as `self --inside FOLDER ARGUMENTS`, in the
# namespaces. Both have a folder below `cache`. From outside come the network's and pip's settings, the certificates,
# folders of wheels on this machine's disk and, for speed, the Debian packages that an earlier run downloaded.

cache=${XDG_CACHE_HOME:-$HOME/.cache}/shapecast-bare
PATH=$PATH:/usr/sbin:/sbin

. "$root/tools/packages.sh" # say, die

# ------------------------------------------------------------------------------- outside of the namespaces

# run_apart KEPT [ARGUMENTS]: the script again, inside; ends with its exit status. KEPT names a folder that stays, or
# is empty.
run_apart() {
    kept=$1
    shift
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
        "${self:?}" --inside "$work" "$@" <&3 &
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
    if [ -n "$kept" ]; then
        work=$cache/$kept
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
        for suite in bookworm trixie sid; do
            keep_packages
        done
    fi
    if [ -n "$kept" ]; then
        say "kept: ${work:-nothing}"
    elif [ -n "${work:-}" ]; then
        for pause in 0 1 2 4 8; do
            sleep $pause # killed processes may need a moment to go
            rm -rf --one-file-system "$work" 2>/dev/null && break
        done
        [ ! -e "$work" ] || say "could not remove $work; the next run will"
    fi
    exit $status
}

# ------------------------------------------------------------------------------ machines: $work/$suite

# make_machine SUITE: sets `machine`. What debootstrap makes, with the sources of packages, is kept for a week.
make_machine() {
    suite=$1 machine=$work/$1
    base=$cache/$suite.tar
    rm -rf --one-file-system "$machine"
    mkdir "$machine"
    if [ -z "$(find "$base" -mtime -7 2>/dev/null)" ]; then
        sources=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages')
        mirror=$(printf '%s\n' "$sources" | head -n 1)
        say "making a bare $suite from ${mirror:?apt has no sources here}"
        debootstrap --variant=minbase "$suite" "$machine" "$mirror" >"$work/log" 2>&1 || {
            tail -n 20 "$work/log" >&2
            die "debootstrap could not make a bare $suite"
        }
        write_sources
        rm -rf "$cache/$suite-debs" "$machine"/var/cache/apt/archives/*.deb
        tar -C "$machine" -cf "$work/base.tar" .
        mv "$work/base.tar" "$base"
    else
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

keep_packages() {
    [ -d "$work/$suite" ] || return 0
    mkdir -p "$cache/$suite-debs"
    cp -ln "$work/$suite"/var/cache/apt/archives/*.deb "$cache/$suite-debs" 2>/dev/null || :
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

mount_system() {
    mount -t proc proc "$machine/proc" && mount --rbind /dev "$machine/dev" ||
        die "mounting is not permitted here, and a bare machine needs /proc and /dev"
}

# Folders of wheels that pip's settings name: links of an index on the disk (file:///FOLDER/simple) lead to what is
# beside it.
mount_wheels() {
    tr ' ' '\n' <"$work/named" | sed -n 's|^file:||; s|/simple/*$||; s|^/*\(/[^:]*\)$|\1|p' | sort -u |
        while read -r folder; do
            [ ! -d "$folder" ] || mount_folder "$folder" "$folder" ro
        done
}

# mount_folder FOLDER PLACE [OPTION]
mount_folder() {
    mkdir -p "$1" "$machine$2"
    mount --bind "$1" "$machine$2" || die "mounting is not permitted here: $1"
    [ -z "${3:-}" ] || mount -o "remount,bind,$3" "$machine$2"
}

# Nothing that is mounted into the machine may be seen as a part of it when that is removed.
remove_machine() {
    awk -v machine="$machine/" 'index($2, machine) == 1 { print $2 }' /proc/self/mounts | sort -r |
        while read -r place; do
            umount "$place" || :
        done
    ! grep -qF " $machine/" /proc/self/mounts || die "something is still mounted below $machine"
    rm -rf --one-file-system "$machine"
}

# in_machine PROGRAM [ARGUMENTS]: with nothing of this environment but pip's and the network's settings.
in_machine() {
    set -- PIP_CERT=/etc/ssl/outside.pem "$@"
    for name in $(env | sed -n 's/^\(PIP_[A-Z_]*\|[a-zA-Z]*_proxy\|[A-Z]*_PROXY\)=.*/\1/p'); do
        [ "$name" = PIP_CERT ] || set -- "$name=$(printenv "$name")" "$@"
    done
    chroot "$machine" /usr/bin/env -i HOME=/root TERM="${TERM:-dumb}" \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
