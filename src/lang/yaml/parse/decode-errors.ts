import { YamlFault } from "../yaml-fault.ts";

/**
 * The errors of a document that parses. go-yaml and sigs.k8s.io/yaml find them in later passes over the whole text, and an error
 * of an earlier pass hides those of later ones.
 */
export class DecodeErrors {
  #decoding: YamlFault | undefined;
  #converting: YamlFault | undefined;
  #nonFiniteLine: number | undefined;

  /** An error of go-yaml's decoder. `problem` is the text for our own messages. */
  decoding(message: string, line: number, problem = message): void {
    this.#decoding ??= new YamlFault(`yaml: ${message}`, problem, line);
  }

  /** A key that JSON cannot represent. */
  converting(message: string, line: number, problem: string): void {
    this.#converting ??= new YamlFault(message, problem, line);
  }

  /** A number that JSON cannot represent, unless it is overwritten later. */
  nonFinite(line: number): void {
    this.#nonFiniteLine ??= line;
  }

  /** Throws the first error. `firstNonFinite` searches the final value. */
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
