import { EVENT_ID, parseEvents, YAMLException, type Event } from "js-yaml";
import { BadInput, type Problem } from "../fault/index.ts";
import { parsePath, type Path } from "../object/index.ts";
import { Composer, Misread } from "./compose.ts";
import { offsetAt, offsetOf } from "./locate.ts";
import { chunksOf, type Chunk } from "./split.ts";

/** A place in a file; lines count from 1. */
export type Position = { readonly file: string; readonly line: number };

export type Document = {
  readonly value: unknown;
  /** Where its content begins. */
  readonly at: Position;
  /** Where a path stands (`metadata.annotations["a/b"]`), or the nearest part of it. Looked for only when asked. */
  readonly positionOf: (path: Path | string) => Position;
};

export type ReadOptions = {
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
  { duplicateKeys = "refused" }: ReadOptions = {},
): { documents: Document[]; problems: Problem[] } {
  const documents: Document[] = [];
  const problems: Problem[] = [];
  for (const chunk of chunksOf(text)) {
    try {
      documents.push(...documentsIn(chunk, file, duplicateKeys));
    } catch (error) {
      problems.push(problemFor(error, chunk, file));
    }
  }
  return { documents, problems };
}

/** Reads the one document of a file; null when the file is empty. Throws BadInput. */
export function readYaml(text: string, file: string, options: ReadOptions = {}): unknown {
  const { documents, problems } = readDocuments(text, file, options);
  if (problems.length > 0) throw new BadInput(problems);
  const second = documents[1];
  if (second !== undefined)
    throw new BadInput([{ at: positionText(second.at), message: "a second document begins here; expected one document" }]);
  return documents[0]?.value ?? null;
}

function documentsIn(chunk: Chunk, file: string, duplicateKeys: "refused" | "last wins"): Document[] {
  const events = eventsOf(chunk);
  const documents: Document[] = [];
  for (const [index, event] of events.entries()) {
    if (event.type !== EVENT_ID.DOCUMENT || isEmpty(events[index + 1])) continue;
    const value = new Composer(chunk.text, events, { at: index + 1, duplicateKeys }).value();
    const at = positionIn(chunk, file, offsetAt(events, index + 1));
    const positionOf = (path: Path | string): Position => {
      // The events are made again: keeping them for a message that is hardly ever needed would hold a lot of memory.
      const again = eventsOf(chunk);
      return positionIn(chunk, file, offsetOf(chunk.text, again, index + 1, typeof path === "string" ? parsePath(path) : path));
    };
    documents.push({ value, at, positionOf });
  }
  return documents;
}

/** Schemas in CustomResourceDefinitions nest deeper than the parser allows by itself. */
function eventsOf(chunk: Chunk): Event[] {
  return parseEvents(chunk.text, { maxDepth: 1000 });
}

function isEmpty(event: Event | undefined): boolean {
  return event?.type === EVENT_ID.SCALAR && event.valueStart < 0 && event.tagStart < 0;
}

function problemFor(error: unknown, chunk: Chunk, file: string): Problem {
  if (error instanceof Misread) return { at: positionText(positionIn(chunk, file, error.offset)), message: error.message };
  if (!(error instanceof YAMLException)) throw error;
  const line = chunk.linesBefore + (error.mark?.line ?? 0) + 1;
  return { at: positionText({ file, line }), message: messageFor(error, chunk) };
}

function positionIn(chunk: Chunk, file: string, offset: number): Position {
  let line = chunk.linesBefore + 1;
  for (let at = chunk.text.indexOf("\n"); at >= 0 && at < offset; at = chunk.text.indexOf("\n", at + 1)) line++;
  return { file, line };
}

const expectations: readonly [RegExp, string][] = [
  [/^tab characters/, "expected spaces"],
  [/^bad indentation of a mapping entry/, "expected the keys of one object in one column, and a value with ': ' in it in quotes"],
  [/^bad indentation of a sequence entry/, "expected the items of one list in one column"],
  [/^deficient indentation/, "expected the lines of a value to be indented more than its key, and every bracket and quote to be closed"],
  [/^end of the stream or a document separator/, "is one value only, and something else follows it"],
  [/^unexpected end of the (stream|document) within/, "expected it to be closed"],
  [/^null byte/, "expected text"],
  [/^unknown escape sequence/, "expected one of YAML's escapes after a backslash, or single quotes"],
  [/^missed comma/, "expected a comma"],
];

function messageFor(error: YAMLException, chunk: Chunk): string {
  const { reason, mark } = error;
  const found = mark === undefined ? "" : chunk.text.slice(mark.position, mark.position + 1);
  if ((found === "@" || found === "`" || found === "%") && reason.startsWith("bad indentation"))
    return `a value begins with ${found}; expected it in quotes`;
  const expectation = expectations.find(([pattern]) => pattern.test(reason))?.[1];
  if (reason.startsWith("end of the stream"))
    return "something follows that does not belong to the value before; expected the end of the document or ---";
  return expectation === undefined ? reason : `${reason}; ${expectation}`;
}
