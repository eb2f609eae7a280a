import { YamlFault } from "../yaml-fault.ts";

/**
 * What is wrong with a document that can be parsed. go-yaml and sigs.k8s.io/yaml find it in passes of their own, once all
 * of the text was read: what a later pass would find is not told if an earlier one found something.
 */
export class DecodeErrors {
  #decoding: YamlFault | undefined;
  #converting: YamlFault | undefined;
  #nonFiniteLine: number | undefined;

  /** What go-yaml's decoder refuses; `problem` is for those who read our messages, not its. */
  decoding(message: string, line: number, problem = message): void {
    this.#decoding ??= new YamlFault(`yaml: ${message}`, problem, line);
  }

  /** A key that JSON cannot have. */
  converting(message: string, line: number, problem: string): void {
    this.#converting ??= new YamlFault(message, problem, line);
  }

  /** There is a number that JSON cannot have, unless it was overwritten. */
  nonFinite(line: number): void {
    this.#nonFiniteLine ??= line;
  }

  /** Throws what was found; `firstNonFinite` looks at the value once more. */
  throw(firstNonFinite: () => number | undefined): void {
    const first = this.#decoding ?? this.#converting;
    if (first !== undefined) throw first;
    if (this.#nonFiniteLine === undefined) return;
    const found = firstNonFinite();
    if (found === undefined) return;
    const name = Number.isNaN(found) ? "NaN" : found > 0 ? "+Inf" : "-Inf";
    const written = Number.isNaN(found) ? ".nan" : found > 0 ? ".inf" : "-.inf";
    const problem = `${written} is a number that JSON does not have; expected a finite number, or quote it`;
    throw new YamlFault(`json: unsupported value: ${name}`, problem, this.#nonFiniteLine);
  }
}
