import { BadInput, type Problem } from "../../core/fault/index.ts";
import { parsePath, type Path } from "../../core/object/index.ts";
import { problemMessage } from "./problem-message.ts";
import { offsetOfPath } from "./path-offset.ts";
import { Parser } from "./parse/parser.ts";
import { jsonTarget } from "./parse/decode-target.ts";
import { splitDocuments, type DocumentText } from "./split-documents.ts";
import { YamlFault } from "./yaml-fault.ts";

/** A place in a file; lines count from 1. */
export type Position = { readonly file: string; readonly line: number };

export type YamlDocument = {
  readonly value: unknown;
  /** Where its content begins. */
  readonly at: Position;
  /** Where a path stands (`metadata.annotations["a/b"]`), or the nearest part of it. Looked for only when asked. */
  readonly positionOf: (path: Path | string) => Position;
};

export type YamlReadOptions = {
  /** What becomes of a key that is written twice in one object. Default: refused. */
  readonly duplicateKeys?: "refused" | "last wins";
};

/** `web.yaml:12`. */
export function positionText({ file, line }: Position): string {
  return `${file}:${line}`;
}

/**
 * Reads a stream of YAML documents, or a JSON file, as sigs.k8s.io/yaml does. Documents without content are left out; one
 * that cannot be read becomes a problem that names file and line, and the others are read all the same.
 *
 * An integer that a JavaScript number cannot hold is kept with all its digits as an ExactInteger.
 */
export function readDocuments(
  text: string,
  file: string,
  { duplicateKeys = "refused" }: YamlReadOptions = {},
): { documents: YamlDocument[]; problems: Problem[] } {
  const documents: YamlDocument[] = [];
  const problems: Problem[] = [];
  for (const chunk of splitDocuments(text)) {
    try {
      documents.push(...documentsIn(chunk, file, duplicateKeys));
    } catch (error) {
      problems.push(problemFor(error, chunk, file));
    }
  }
  return { documents, problems };
}

/** Reads the one document of a file; null when the file is empty. Throws BadInput. */
export function readYaml(text: string, file: string, options: YamlReadOptions = {}): unknown {
  const { documents, problems } = readDocuments(text, file, options);
  if (problems.length > 0) throw new BadInput(problems);
  const second = documents[1];
  if (second !== undefined)
    throw new BadInput([{ at: positionText(second.at), message: "a second document begins here; expected one document" }]);
  return documents[0]?.value ?? null;
}

/** As kubectl tells JSON from YAML. */
const isJson = /^\s*\{/;

function documentsIn(chunk: DocumentText, file: string, duplicateKeys: "refused" | "last wins"): YamlDocument[] {
  const parser = new Parser(chunk.text, jsonTarget, { duplicateKeys, takesJson: isJson.test(chunk.text) });
  const documents: YamlDocument[] = [];
  try {
    for (let index = 0, read = parser.next(); read !== undefined; index++, read = parser.next()) {
      if (read.isEmpty) continue;
      const positionOf = (path: Path | string): Position => {
        return positionIn(chunk, file, offsetOfPath(chunk.text, index, typeof path === "string" ? parsePath(path) : path));
      };
      documents.push({ value: read.value, at: { file, line: chunk.linesBefore + parser.line }, positionOf });
    }
    return documents;
  } finally {
    parser.close();
  }
}

function problemFor(error: unknown, chunk: DocumentText, file: string): Problem {
  if (!(error instanceof YamlFault)) throw error;
  return { at: positionText({ file, line: chunk.linesBefore + error.line }), message: problemMessage(error) };
}

function positionIn(chunk: DocumentText, file: string, offset: number): Position {
  let line = chunk.linesBefore + 1;
  for (let at = chunk.text.indexOf("\n"); at >= 0 && at < offset; at = chunk.text.indexOf("\n", at + 1)) line++;
  return { file, line };
}
