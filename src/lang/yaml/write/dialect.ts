import { resolveScalar } from "../parse/resolve-scalar.ts";
import { compareKeys } from "./key-order.ts";

/** What the versions of go-yaml do not write alike. */
export type YamlDialect = {
  /** Lines are folded at the first space after this column. */
  readonly width: number;
  /** How far a list stands in from the key that holds it. */
  readonly listIndent: number;
  /** A tab may stand in a literal scalar. */
  readonly allowsTabs: boolean;
  readonly compareKeys: (a: string, b: string) => number;
  /** Tells whether a plain scalar of this text would be read as this string, by this version and by older ones. */
  readonly isPlainString: (text: string) => boolean;
};

const base60 = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;

/** As sigs.k8s.io/yaml and kubectl write. Models go.yaml.in/yaml/v2. */
export const yamlV2: YamlDialect = {
  width: 80,
  listIndent: 0,
  allowsTabs: false,
  compareKeys: (a, b) => compareKeys(a, b),
  isPlainString: (text) => resolveScalar(text) === undefined && !base60.test(text),
};

/** As Helm's toYamlPretty writes. Models go.yaml.in/yaml/v3. */
export const yamlV3: YamlDialect = {
  width: Infinity,
  listIndent: 2,
  allowsTabs: true,
  compareKeys: (a, b) => compareKeys(a, b, true),
  isPlainString: (text) => yamlV2.isPlainString(text),
};
