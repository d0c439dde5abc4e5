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
for argument in "$@"; do
    shift
    set -- "$@" "${argument#"$PWD"/}"
done

export CCACHE_BASEDIR="$root"
export CCACHE_NOHASHDIR=1
export CCACHE_PCH_EXTSUM=1
export CCACHE_ABSSTDERR=1
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
exec ccache "$@"
