// A library has to be made of something: what counts is its precompiled header (precompiled.cmake).
