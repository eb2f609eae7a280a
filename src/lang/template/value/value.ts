import type { GoFunction } from "./function.ts";
import type { GoList } from "./list.ts";
import type { GoMap } from "./map.ts";
import type { Complex, Integer, GoScalar } from "./number.ts";
import type { GoStruct, Pointer } from "./object.ts";
import type { GoSequence } from "./sequence.ts";

/**
 * A Go value. Representation:
 *
 * | Go | here |
 * |---|---|
 * | `float64` | number |
 * | `int`, `int64`, `uint8` … | `Integer` |
 * | `string`, `bool` | string (see text.ts for bytes), boolean |
 * | nil `interface {}` | `null` |
 * | the invalid value (`<no value>`) | `undefined` |
 * | maps, with or without a name | `GoMap` |
 * | slices and arrays | `GoList`; `[]byte` is a `Uint8Array` |
 * | structs, pointers | `GoStruct`, `Pointer` |
 * | functions | `GoFunction` |
 * | channels and iterators | `GoSequence` |
 * | `complex128` | `Complex` |
 * | `float32`, and named bools, strings and floats | `GoScalar` |
 *
 * An interface is represented by the value in it.
 */
export type GoValue =
  | null
  | undefined
  | boolean
  | string
  | number
  | Integer
  | Complex
  | GoScalar
  | GoMap
  | GoList
  | Uint8Array
  | GoStruct
  | Pointer
  | GoFunction
  | GoSequence;
