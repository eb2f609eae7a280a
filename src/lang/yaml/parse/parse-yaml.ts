import { Parser, type ParsedDocument, type ParserOptions } from "./parser.ts";
import { jsonTarget, type DecodeTarget } from "./decode-target.ts";

type YamlParseOptions = ParserOptions & {
  /** What maps and lists are built of. Default: plain JSON values. */
  readonly target?: DecodeTarget;
};

/**
 * The value of the first document, as `yaml.Unmarshal` of sigs.k8s.io/yaml reads it. The rest of the text is ignored. Throws a
 * YamlFault with go-yaml's message.
 */
export function parseYaml(text: string, { target = jsonTarget, ...options }: YamlParseOptions = {}): unknown {
  return firstDocument(text, target, options)?.value ?? null;
}

/** The first document of a text; undefined if it has none. */
export function firstDocument(text: string, target: DecodeTarget, options: ParserOptions): ParsedDocument | undefined {
  const parser = new Parser(text, target, options);
  try {
    return parser.next();
  } finally {
    parser.close();
  }
}
