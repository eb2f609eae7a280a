import type { Scanner } from "../scan/scanner.ts";
import { token } from "../scan/token.ts";
import { formatGoFloat } from "../scalar.ts";
import { resolveScalar, resolveScalarRange, type ResolvedScalar } from "./resolve-scalar.ts";
import type { DecodeTarget } from "./decode-target.ts";

/** A power of two, large enough for the field names of a large file. */
const cacheSize = 2048;
const longestCached = 40;
/** Keys repeat, so interning them saves allocation and hashing. */
const cache: string[] = Array.from({ length: cacheSize }, () => "");

/** Reads keys and converts them to strings as sigs.k8s.io/yaml does. */
export class KeyReader {
  readonly #scanner: Scanner;
  /** The key is the merge key `<<`. */
  isMerge = false;
  /** A key that JSON cannot represent: null, or an integer beyond 63 bits. */
  bad: ResolvedScalar | undefined;
  line = 0;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  begin(line: number): void {
    this.isMerge = false;
    this.bad = undefined;
    this.line = line;
  }

  /** The scalar key of the next token; undefined if it is not a valid key. */
  read(type: number, target: DecodeTarget, isWanted: boolean): string | undefined {
    const scanner = this.#scanner;
    const cooked = scanner.tokenCooked;
    if (type === token.plainScalar) {
      const resolved = cooked === undefined ? resolveScalarRange(scanner.text, scanner.tokenFrom, scanner.tokenTo) : resolveScalar(cooked);
      if (resolved !== undefined) return this.of(resolved, target);
    }
    if (!isWanted && scanner.tokenTo - scanner.tokenFrom !== 2) return "";
    const text = cooked ?? this.#cached(scanner.tokenFrom, scanner.tokenTo);
    if (text === "<<" && type === token.plainScalar) this.isMerge = true;
    return target.key === undefined ? text : target.key({ kind: "str", value: text });
  }

  of(resolved: ResolvedScalar, target: DecodeTarget): string | undefined {
    if (target.key !== undefined) return target.key(resolved);
    const { kind, value } = resolved;
    if (kind === "null" || kind === "uint") {
      this.bad = resolved;
      return undefined;
    }
    return kind === "float" ? floatKey(Number(value)) : String(value);
  }

  #cached(from: number, to: number): string {
    const { codes, text } = this.#scanner;
    const length = to - from;
    if (length > longestCached || length === 0) return text.slice(from, to);
    const mixed = codes[from]! * 31 + codes[to - 1]! * 17 + codes[from + (length >> 1)]! * 7 + length * 131;
    const at = mixed & (cacheSize - 1);
    const known = cache[at]!;
    if (known.length === length && text.startsWith(known, from)) return known;
    const fresh = text.slice(from, to);
    cache[at] = fresh;
    return fresh;
  }
}

function floatKey(value: number): string {
  if (Number.isFinite(value)) return formatGoFloat(value, 32);
  return Number.isNaN(value) ? ".nan" : value > 0 ? ".inf" : "-.inf";
}
