# shellcheck shell=sh
# Sourced by tools/*.sh: Debian's packages and sources by apt with folders of its own, and roots of packages that are only
# unpacked, so that nothing is installed and no other machine or root is changed.

say() { printf 'dev: %s\n' "$*" >&2; }
die() {
    say "$*"
    exit 1
}

# prepare_apt FOLDER deb|deb-src SUITE ARCHITECTURE: an apt that believes that nothing is installed; own_apt runs it.
prepare_apt() {
    apt=$1
    mkdir -p "$apt/etc/apt/preferences.d" "$apt/etc/apt/apt.conf.d" "$apt/var/lib/apt/lists/partial" \
        "$apt/var/cache/apt/archives/partial" "$apt/var/lib/dpkg"
    : >"$apt/var/lib/dpkg/status"
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
    signed="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror:?apt has no sources here}"
    {
        echo "$2 $signed $3 main"
        [ "$3" = sid ] || echo "$2 ${signed%/}-security $3-security main"
    } >"$apt/etc/apt/sources.list"
    {
        apt-config dump | grep -i '^Acquire::.*proxy' || :
        printf '%s\n' "Dir \"$apt\";" "Dir::State::status \"$apt/var/lib/dpkg/status\";" "APT::Architecture \"$4\";" \
            "APT::Architectures { \"$4\"; };" 'APT::Install-Recommends "false";' 'APT::Sandbox::User "root";' \
            'Acquire::Check-Valid-Until "false";'
    } >"$apt/apt.conf"
    own_apt update -qq
}

own_apt() { APT_CONFIG=$apt/apt.conf apt-get "$@"; }

# unpack_packages ROOT ARCHITECTURE SUITE PACKAGE...: the packages and all that they need; ROOT/../apt keeps the downloads.
unpack_packages() {
    target=$1 architecture=$2 suite=$3
    shift 3
    rm -rf "$target"
    mkdir -p "$target/usr/bin" "$target/usr/sbin" "$target/usr/lib" "$target/usr/lib64"
    for folder in bin sbin lib lib64; do
        ln -s usr/$folder "$target/$folder"
    done
    prepare_apt "${target%/*}/apt" deb "$suite" "$architecture"
    own_apt install -qq -y --download-only -o Debug::NoLocking=true "$@" >/dev/null ||
        die "apt could not get for $suite ($architecture): $*"
    for package in "$apt"/var/cache/apt/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -C "$target" -x --keep-directory-symlink -f -
    done
}

# download_source SUITE PACKAGE: the files of a Debian source package, into this folder.
download_source() {
    prepare_apt "$PWD/apt" deb-src "$1" "$(dpkg --print-architecture)"
    own_apt source -qq --download-only "$2" >/dev/null || die "apt has no source of $2"
}

# add_wheels PYTHON FOLDER PLATFORM REQUIREMENT...: for Python 3.x, into that folder, wheels for any of the platforms
# manylinux_2_NN_PLATFORM.
add_wheels() {
    version=$1 folder=$2 platform=$3
    shift 3
    for libc in 17 26 27 28 31 34; do
        set -- --platform "manylinux_2_${libc}_$platform" "$@"
    done
    python3 -m pip install -q --disable-pip-version-check --upgrade --target "$folder" --platform "manylinux2014_$platform" \
        --implementation cp --python-version "$version" --only-binary=:all: "$@"
}
