/**
 * Go's text/template: texts with actions are parsed, interpreted or compiled to JavaScript and executed on Go values, with Go's output,
 * truth, comparison, printing and error texts.
 *
 * Templates see Go's types, so the module brings Go's values with it (`Value` says what stands for what) and functions are
 * handed in with their Go signatures (`goFunction`). It knows no Kubernetes, no Helm and no YAML: what a template can call
 * beside Go's own builtins, and the data it is given, come from outside. It touches no file, no clock and no network, and
 * nothing of a template's text is ever run as JavaScript.
 */
export * from "./value/index.ts";
export { Engine } from "./engine.ts";
export { TemplateSet } from "./template-set.ts";
export { TextCache } from "./text-cache.ts";
export { Execution, type ExecLimits } from "./run/execution.ts";
export { ExecError, LimitError } from "./run/error.ts";
export { ParseError } from "./parse/token-reader.ts";
export { sprint, sprintln, sprintValue } from "./print/print.ts";
export { sprintf } from "./print/printf.ts";
export { floatText, formatFloat } from "./print/float.ts";
export { canBackquote, quote } from "./print/quote.ts";
