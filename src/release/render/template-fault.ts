import { Fault } from "../../core/fault/index.ts";
import { ExecError, type ParseError } from "../../lang/template/index.ts";

const [start, end] = ["HELM_ERR_START", "HELM_ERR_END"];

/** Marks the message of `fail`, so that it is found inside Go's error text. */
export function markFailMessage(message: string): string {
  return start + message + end;
}

/** Templates that cannot be rendered, in Helm's words. */
export class TemplateFault extends Fault {
  constructor(message: string, cause: unknown) {
    super(message, undefined, { final: true });
    this.name = "TemplateFault";
    this.cause = cause;
  }
}

/** A parse error: its location and the last part of Go's message. */
export function parseFailure(file: string, error: ParseError): TemplateFault {
  const parts = error.message.split(": ");
  if (parts.length === 1) return new TemplateFault(`parse error in (${file}): ${error.message}`, error);
  return new TemplateFault(`parse error at (${parts[1]}): ${parts.at(-1)}`, error);
}

/** The error of an execution. Models reformatExecErrorMsg of helm.sh/helm/v4/pkg/engine. */
export function executionFailure(file: string, error: Error, helm: 3 | 4 = 4): TemplateFault {
  if (!(error instanceof ExecError)) return new TemplateFault(error.message, error);
  const [, location, rest] = /^(?:.*?): (.*?): (.*)$/s.exec(error.message) ?? [];
  if (location === undefined || rest === undefined) return new TemplateFault(`execution error in (${file}): ${error.message}`, error);
  const message = rest.slice(rest.indexOf(start) + start.length, rest.lastIndexOf(end));
  if (rest.includes(start) && rest.lastIndexOf(end) >= rest.indexOf(start) + start.length)
    return new TemplateFault(`execution error at (${location}): ${message}`, error);
  return new TemplateFault((helm === 4 ? traceOf(error) : undefined) ?? error.message, error);
}

/** Every step from the file to the error on its own line; undefined when a step is not a template error. */
function traceOf(error: Error): string | undefined {
  const steps: string[] = [];
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    const step = stepIn(current.message);
    if (step === undefined) return undefined;
    if (steps.at(-1) !== step) steps.push(step);
  }
  return steps.join("").trim();
}

function stepIn(message: string): string | undefined {
  const prefix = "template: ";
  if (!message.startsWith(prefix)) return undefined;
  const rest = message.slice(prefix.length);
  if (rest.startsWith("no template ")) return `${message}\n`;
  return executingStep(rest) ?? simpleStep(rest);
}

function executingStep(rest: string): string | undefined {
  const found = /^(.*?): executing "(.*?)" at <(.*?)>: (.*)$/s.exec(rest);
  if (found === null) return undefined;
  const [, location, template, node, complaint = ""] = found;
  return `${location}\n  executing "${template}" at <${node}>:\n    ${withoutChain(complaint)}\n`;
}

function simpleStep(rest: string): string | undefined {
  const at = rest.lastIndexOf(": ");
  return at < 0 ? undefined : `${rest.slice(0, at)}\n  ${withoutChain(rest.slice(at + 2))}\n`;
}

/** Drops what the next step reports. */
function withoutChain(complaint: string): string {
  const at = complaint.indexOf(" template:");
  return at < 0 ? complaint : complaint.slice(0, at);
}
