import { Parser, type ParsedDocument, type ParserOptions } from "./parser.ts";
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
  return firstDocument(text, target, options)?.value ?? null;
}

/** The first document of a text, or nothing if it has none. */
export function firstDocument(text: string, target: Target, options: ParserOptions): ParsedDocument | undefined {
  const parser = new Parser(text, target, options);
  try {
    return parser.next();
  } finally {
    parser.close();
  }
}
