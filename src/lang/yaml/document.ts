import { BadInput, type Problem } from "../../core/fault/index.ts";
import { parsePath, type Path } from "../../core/object/index.ts";
import { problemMessage } from "./problem-message.ts";
import { DocumentPositions } from "./document-positions.ts";
import { Parser } from "./parse/parser.ts";
import { jsonTarget } from "./parse/decode-target.ts";
import { splitDocuments, type DocumentText } from "./split-documents.ts";
import { YamlFault } from "./yaml-fault.ts";

/** A position in a file. Lines count from 1; there is none in a text that nobody wrote. */
export type Position = { readonly file: string; readonly line?: number };

export type YamlDocument = {
  readonly value: unknown;
  /** Where the content begins. */
  readonly at: Position;
  /**
   * The position of a path (`metadata.annotations["a/b"]`), or of the nearest part of it. With a line: of that line of the
   * text there, if it is a literal block; other texts are not written line by line. Computed lazily.
   */
  readonly positionOf: (path: Path | string, line?: number) => Position;
};

export type YamlReadOptions = {
  /** How a duplicate key in one object is handled. Default: refused. */
  readonly duplicateKeys?: "refused" | "last wins";
  /** The text was generated, for example from a template, so its lines are none of the file. Default false. */
  readonly isGenerated?: boolean;
};

/** `web.yaml:12`. */
export function positionText({ file, line }: Position): string {
  return line === undefined ? file : `${file}:${line}`;
}

/**
 * Parses a stream of YAML documents, or a JSON file, as sigs.k8s.io/yaml does. Empty documents are left out. An invalid document
 * becomes a problem that names file and line, and the others are still parsed.
 *
 * An integer that a JavaScript number cannot hold becomes an ExactInteger with all its digits.
 */
export function readDocuments(
  text: string,
  file: string,
  options: YamlReadOptions = {},
): { documents: YamlDocument[]; problems: Problem[] } {
  const documents: YamlDocument[] = [];
  const problems: Problem[] = [];
  for (const chunk of splitDocuments(text)) {
    try {
      documents.push(...documentsIn(chunk, file, options));
    } catch (error) {
      problems.push(problemFor(error, chunk, file, options));
    }
  }
  return { documents, problems };
}

/** Parses the single document of a file; null when the file is empty. Throws BadInput. */
export function readYaml(text: string, file: string, options: YamlReadOptions = {}): unknown {
  const { documents, problems } = readDocuments(text, file, options);
  if (problems.length > 0) throw new BadInput(problems);
  const second = documents[1];
  if (second !== undefined)
    throw new BadInput([{ at: positionText(second.at), message: "a second document begins here; expected one document" }]);
  return documents[0]?.value ?? null;
}

/** How kubectl detects JSON. */
const isJson = /^\s*\{/;

function documentsIn(
  chunk: DocumentText,
  file: string,
  { duplicateKeys = "refused", isGenerated = false }: YamlReadOptions,
): YamlDocument[] {
  const parser = new Parser(chunk.text, jsonTarget, { duplicateKeys, takesJson: isJson.test(chunk.text) });
  const documents: YamlDocument[] = [];
  try {
    for (let index = 0, read = parser.next(); read !== undefined; index++, read = parser.next()) {
      if (read.isEmpty) continue;
      const positions = new DocumentPositions(chunk.text, index);
      const positionOf = (path: Path | string, inner = 0): Position => {
        if (isGenerated) return { file };
        const offset = positions.offsetOf(typeof path === "string" ? parsePath(path) : path);
        const below = isLiteralBlock(chunk.text, offset) ? inner : 0;
        return { file, line: chunk.linesBefore + 1 + positions.lineOf(offset) + below };
      };
      documents.push({ value: read.value, at: isGenerated ? { file } : { file, line: chunk.linesBefore + parser.line }, positionOf });
    }
    return documents;
  } finally {
    parser.close();
  }
}

function problemFor(error: unknown, chunk: DocumentText, file: string, { isGenerated = false }: YamlReadOptions): Problem {
  if (!(error instanceof YamlFault)) throw error;
  const line = chunk.linesBefore + error.line;
  if (isGenerated) return { at: file, message: `${problemMessage(error)} (line ${line} of the rendered text)` };
  return { at: positionText({ file, line }), message: problemMessage(error) };
}

/** The header of a literal block, which its text follows line by line. */
const literalHeader = /[^\n]*:[ \t]*\|[-+0-9]*[ \t]*(#[^\n]*)?\r?\n/y;

function isLiteralBlock(text: string, offset: number): boolean {
  literalHeader.lastIndex = offset;
  return literalHeader.test(text);
}
