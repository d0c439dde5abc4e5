// np-strips: neighbouring nests run strip by strip of their rows, so that what one stores the next
// finds in the cache.
//
//     t = f(x)                              for k in strips:
//     y = g(t[:-2], t[1:-1], t[2:])   ->        t[rows of k] = f(x[rows of k])
//                                               y[rows of k - 2] = g(t[...], t[...], t[...])
//
// Before: the IR after np-schedule. After: as before.
// A group is a run of nests of one block, with nothing but pure operations between them, that walk
// their outermost iterator upwards or in any order over about as many rows, and that touch common
// arrays. Each nest lags behind the first by as many rows as it needs so that every element it
// touches has seen the same accesses before as in the program (loop fusion by shifting). A strip is
// of so many rows that all it touches stays in the second-level cache; small arrays are one strip.
//
// An array that is made for the group and is seen by no one else becomes a window: the rows of one
// strip and the few older ones that are still read, which move to the front after each strip.
// Arrays in Fortran's order are left alone: their outermost axis is the fastest.
#pragma once

#include "passes/passes.h"
