import { LimitError } from "../../../core/cost/index.ts";
import { GoError, byteLength } from "../value/index.ts";
import { quote } from "../print/quote.ts";
import { nodeText } from "../parse/node-text.ts";
import type { ParseNode } from "../parse/node.ts";

/** The position of an error. The column counts bytes from 0, as in Go. */
type Location = {
  /** The name under which the text was parsed. */
  readonly source: string;
  readonly line: number;
  readonly column: number;
};

/** A failed execution. The message is Go's, with the position; the parts are for callers that rephrase it. */
export class ExecError extends GoError {
  readonly location: Location;
  /** The template that was executing. */
  readonly template: string;
  /** The node that was being evaluated, as Go prints it. */
  readonly node: string;
  /** The error without the position. With a `cause` it is `error calling NAME: ` and the message of the cause. */
  readonly complaint: string;

  constructor(location: Location, template: string, node: string, complaint: string, cause?: unknown) {
    const { source, line, column } = location;
    super(`template: ${source}:${line}:${column}: executing ${quote(template)} at <${node}>: ${complaint}`, { cause });
    this.name = "ExecError";
    this.location = location;
    this.template = template;
    this.node = node;
    this.complaint = complaint;
  }
}

/** A node, or its number in a compiled template. */
export type NodeRef = number | ParseNode;

/** A failure at a node. The executor of the template turns it into an ExecError. */
export class ExecFailure extends Error {
  readonly node: NodeRef;

  constructor(message: string, node: NodeRef, cause?: unknown) {
    super(message, { cause });
    this.node = node;
  }
}

/** A limit that is reached at a node. The executor of the template adds the position. */
export class LimitFailure extends LimitError {
  readonly node: NodeRef;

  constructor(message: string, node: NodeRef) {
    super(message);
    this.node = node;
  }
}

/** The position of a node. */
function locate(source: string, text: string, node: ParseNode): Location {
  const before = text.slice(0, node.pos);
  const newline = before.lastIndexOf("\n");
  let line = 1;
  for (let at = before.indexOf("\n"); at >= 0; at = before.indexOf("\n", at + 1)) line++;
  return { source, line, column: byteLength(before.slice(newline + 1)) };
}

/** A node of a template. */
export type Place = { readonly source: string; readonly template: string; readonly text: string; readonly node: ParseNode };

/** A limit that was reached in a template, at a node if one is known. */
export function limitAt(
  { source, text, node }: Omit<Place, "node"> & { readonly node?: ParseNode | undefined },
  complaint: string,
): LimitError {
  if (node === undefined) return new LimitError(`${source}: ${complaint}`, { isLocated: true });
  const { line, column } = locate(source, text, node);
  return new LimitError(`${source}:${line}:${column}: ${complaint}`, { isLocated: true });
}

/** The error of a template at a node. */
export function failedAt(at: Place, complaint: string, cause?: unknown): ExecError {
  return new ExecError(locate(at.source, at.text, at.node), at.template, nodeText(at.node), complaint, cause);
}
