#!/bin/sh
# Compiler launcher: ccache, set up so that two checkouts of the same source share its cache. Usage: ccache.sh ROOT COMPILER ARGS...
root=$1
shift

# A precompiled header holds absolute paths of its checkout, so it is never taken from the cache. What is compiled with it
# is: ccache hashes the .pch.sum that CMake writes next to it (src/CMakeLists.txt) instead of the .pch itself.
case " $* " in
*" c++-header "*) exec "$@" ;;
esac

# ccache makes paths below its base directory relative, but leaves those behind -Xclang (CMake's -include of the
# precompiled header) as they are. The build folder is the working directory, so cutting it off is enough.
# CMake 3.25 (Debian 12's) puts -std behind -fPIC, later ones before it: always before it, so that they share, too.
standard=
case " $* " in
*" -fPIC "*)
    for argument in "$@"; do
        case $argument in -std=*) standard=$argument ;; esac
    done
    ;;
esac
for argument in "$@"; do
    shift
    case $argument in
    "${standard:-none}") continue ;;
    -fPIC) set -- "$@" ${standard:+"$standard"} ;;
    esac
    set -- "$@" "${argument#"$PWD"/}"
done

# Part of ccache's key, for the language of warnings; bare machines set none.
unset LC_ALL LC_CTYPE LC_MESSAGES
export LANG=C.UTF-8

export CCACHE_BASEDIR="$root"
export CCACHE_NOHASHDIR=1
export CCACHE_PCH_EXTSUM=1
export CCACHE_ABSSTDERR=1
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
exec ccache "$@"
