import { Parser, type ParserOptions } from "./parser.ts";
import { jsonTarget, type Target } from "./target.ts";

export type ParseOptions = ParserOptions & {
  /** What maps and lists are made of. Default: plain JSON values. */
  readonly target?: Target;
};

/**
 * The value of the first document of a text, as `yaml.Unmarshal` of sigs.k8s.io/yaml reads it; what follows is not looked
 * at. Throws a YamlFault whose message is go-yaml's.
 */
export function parse(text: string, { target = jsonTarget, ...options }: ParseOptions = {}): unknown {
  return new Parser(text, target, options).next()?.value ?? null;
}
