import { resolveScalar } from "../parse/resolve-scalar.ts";
import { compareKeys } from "./key-order.ts";

/** The differences between versions of go-yaml. */
export type YamlDialect = {
  /** Lines are folded at the first space after this column. */
  readonly width: number;
  /** The indent of a list relative to its key. */
  readonly listIndent: number;
  /** Whether a literal scalar may have tabs. */
  readonly allowsTabs: boolean;
  readonly compareKeys: (a: string, b: string) => number;
  /** Whether a plain scalar of this text reads back as this string, in this version and older ones. */
  readonly isPlainString: (text: string) => boolean;
};

const base60 = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;

/** The dialect of sigs.k8s.io/yaml and kubectl. Models go.yaml.in/yaml/v2. */
export const yamlV2: YamlDialect = {
  width: 80,
  listIndent: 0,
  allowsTabs: false,
  compareKeys: (a, b) => compareKeys(a, b),
  isPlainString: (text) => resolveScalar(text) === undefined && !base60.test(text),
};

/** The dialect of Helm's toYamlPretty. Models go.yaml.in/yaml/v3. */
export const yamlV3: YamlDialect = {
  width: Infinity,
  listIndent: 2,
  allowsTabs: true,
  compareKeys: (a, b) => compareKeys(a, b, true),
  isPlainString: (text) => yamlV2.isPlainString(text),
};
