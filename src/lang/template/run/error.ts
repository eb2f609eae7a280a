import { GoError, byteLength } from "../value/index.ts";
import { quote } from "../print/quote.ts";
import { nodeText } from "../parse/node-text.ts";
import type { ParseNode } from "../parse/node.ts";

/** Where in a text an execution failed. The column is in bytes from the start of the line, counted from 0, as Go counts. */
type Location = {
  /** The name under which the text was parsed. */
  readonly source: string;
  readonly line: number;
  readonly column: number;
};

/** An execution that failed. The message is Go's, position and all; its parts are here for those who word it anew. */
export class ExecError extends GoError {
  readonly location: Location;
  /** The template that was executing. */
  readonly template: string;
  /** The node that was being evaluated, as Go prints it. */
  readonly node: string;
  /** What went wrong, without the position; with a `cause` it is `error calling NAME: ` and the cause's message. */
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

/** An execution was stopped because it took too long, wrote too much or went too deep. */
export class LimitError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "LimitError";
  }
}

/** Where evaluation stands: a node, or its number among the nodes of a compiled template. */
export type NodeRef = number | ParseNode;

/** What a helper of executing code throws; the template's own catch knows the template and makes an ExecError of it. */
export class ExecFailure extends Error {
  readonly node: NodeRef;

  constructor(message: string, node: NodeRef, cause?: unknown) {
    super(message, { cause });
    this.node = node;
  }
}

/** Where a node lies. */
function locate(source: string, text: string, node: ParseNode): Location {
  const before = text.slice(0, node.pos);
  const newline = before.lastIndexOf("\n");
  let line = 1;
  for (let at = before.indexOf("\n"); at >= 0; at = before.indexOf("\n", at + 1)) line++;
  return { source, line, column: byteLength(before.slice(newline + 1)) };
}

/** The error of a template that failed at a node. */
export function failedAt(
  at: { readonly source: string; readonly template: string; readonly text: string; readonly node: ParseNode },
  complaint: string,
  cause?: unknown,
): ExecError {
  return new ExecError(locate(at.source, at.text, at.node), at.template, nodeText(at.node), complaint, cause);
}
