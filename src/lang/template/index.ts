/**
 * Go's text/template: parses templates, then interprets them or compiles them to JavaScript, with Go's output, truth, comparison,
 * formatting and error messages.
 *
 * Templates see Go's types, so the module has Go's values (see `GoValue`), and functions are declared with their Go signatures
 * (`goFunction`). It knows neither Kubernetes nor Helm nor YAML: functions beside the builtins and the data come from the caller.
 * It uses no file, clock or network, and never runs a template's text as JavaScript.
 */
export * from "./value/index.ts";
export { Engine } from "./engine.ts";
export { TemplateSet } from "./template-set.ts";
export { Execution, type ExecLimits } from "./run/execution.ts";
export { ExecError } from "./run/error.ts";
export { LimitError } from "../../core/cost/index.ts";
export { ParseError } from "./parse/token-reader.ts";
export { sprint, sprintln, sprintValue } from "./print/print.ts";
export { sprintf } from "./print/printf.ts";
export { floatText, formatFloat } from "./print/float.ts";
export { byParts } from "./print/by-parts.ts";
export { canBackquote, quote, quoteRune } from "./print/quote.ts";
