import type { Directive, Tag } from "../scan/tag.ts";
import { resolveScalar, type ScalarKind, type ResolvedScalar } from "./resolve-scalar.ts";

const prefix = "tag:yaml.org,2002:";

/** The tag handles of a document. */
export class TagHandles {
  #prefixes = defaults();
  #declared = new Set<string>();
  #hasVersion = false;

  reset(): void {
    this.#prefixes = defaults();
    this.#declared.clear();
    this.#hasVersion = false;
  }

  /** Applies a directive. Returns the error. */
  direct(directive: Directive): string | undefined {
    if ("version" in directive) {
      if (this.#hasVersion) return "found duplicate %YAML directive";
      this.#hasVersion = true;
      return directive.version[0] === 1 && directive.version[1] === 1 ? undefined : "found incompatible YAML document";
    }
    const { handle, suffix } = directive.tag;
    if (this.#declared.has(handle)) return "found duplicate %TAG directive";
    this.#declared.add(handle);
    this.#prefixes.set(handle, suffix);
    return undefined;
  }

  /** The full tag; undefined if its handle is unknown. */
  resolve({ handle, suffix }: Tag): string | undefined {
    if (handle === "") return suffix;
    const known = this.#prefixes.get(handle);
    return known === undefined ? undefined : known + suffix;
  }
}

function defaults(): Map<string, string> {
  return new Map([
    ["!", "!"],
    ["!!", prefix],
  ]);
}

/** Takes go-yaml's message, and ours. */
type Refuse = (message: string, problem: string) => void;

const expected: Readonly<Record<string, string>> = {
  null: "nothing or null",
  bool: "true or false",
  int: "an integer",
  float: "a number",
  timestamp: "a date",
};

/** Resolves a tagged scalar. With a tag that is not YAML's own it is a string. Models resolve and decoder.scalar of go.yaml.in/yaml/v2. */
export function resolveTagged(tag: string, text: string, refuse: Refuse): ResolvedScalar {
  const name = tag.startsWith(prefix) ? tag.slice(prefix.length) : "";
  if (name === "binary") return { kind: "str", value: binary(text, refuse) };
  if (!["bool", "int", "float", "null", "timestamp"].includes(name)) return { kind: "str", value: text };
  let resolved = resolveScalar(text) ?? { kind: "str", value: text };
  if (resolved.kind === "timestamp" && name !== "timestamp") resolved = { kind: "str", value: text };
  if (tagOf(resolved.kind) === name) return resolved;
  if (name === "float" && resolved.kind === "int") return { kind: "float", value: Number(resolved.value) };
  refuse(
    `cannot decode !!${tagOf(resolved.kind)} \`${text}\` as a !!${name}`,
    `${JSON.stringify(text)} is tagged !!${name}; expected ${expected[name]}`,
  );
  return resolved;
}

function tagOf(kind: ScalarKind): string {
  return kind === "uint" ? "int" : kind;
}

/** Decodes padded base64, ignoring line breaks. */
function binary(text: string, refuse: Refuse): string {
  const encoded = text.replaceAll(/[\r\n]/g, "");
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded))
    refuse("!!binary value contains invalid base64 data", "a value tagged !!binary is no base64; expected base64");
  return Buffer.from(encoded, "base64").toString();
}
