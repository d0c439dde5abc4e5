#!/bin/sh
# Compiler launcher: ccache, set up so that two checkouts of the same source share its cache. Usage: ccache.sh ROOT COMPILER ARGS...
root=$1
shift

# A precompiled header holds absolute paths of its checkout, so it is never taken from the cache. What is compiled with it
# is: ccache hashes the .pch.sum that CMake writes next to it (src/CMakeLists.txt) instead of the .pch itself.
case " $* " in
*" c++-header "*) exec "$@" ;;
esac

CCACHE_BASEDIR=$root
CCACHE_NOHASHDIR=1
CCACHE_PCH_EXTSUM=1
CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
export CCACHE_BASEDIR CCACHE_NOHASHDIR CCACHE_PCH_EXTSUM CCACHE_SLOPPINESS
exec ccache "$@"
