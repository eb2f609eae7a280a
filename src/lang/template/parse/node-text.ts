import { quote } from "../print/quote.ts";
import type { BranchNode, CommandNode, ParseNode, Operand, PipeNode } from "./node.ts";

/** Formats a node for an error message. */
export function nodeText(node: ParseNode): string {
  switch (node.type) {
    case "list":
      return node.nodes.map(nodeText).join("");
    case "text":
      return node.text;
    case "pipe":
      return pipeText(node);
    case "action":
      return `{{${pipeText(node.pipe)}}}`;
    case "command":
      return commandText(node);
    case "if":
    case "range":
    case "with":
      return branchText(node);
    case "template":
      return `{{template ${quote(node.name)}${node.pipe === undefined ? "" : ` ${pipeText(node.pipe)}`}}}`;
    case "break":
    case "continue":
    case "end":
    case "else":
      return `{{${node.type}}}`;
    default:
      return operandText(node);
  }
}

function operandText(node: Operand): string {
  switch (node.type) {
    case "identifier":
      return node.name;
    case "variable":
      return node.path.join(".");
    case "dot":
      return ".";
    case "nil":
      return "nil";
    case "field":
      return `.${node.path.join(".")}`;
    case "chain":
      return `${inParentheses(node.node)}.${node.path.join(".")}`;
    case "bool":
      return String(node.value);
    case "number":
      return node.text;
    case "string":
      return node.quoted;
    case "pipe":
      return pipeText(node);
  }
}

function inParentheses(node: Operand): string {
  return node.type === "pipe" ? `(${pipeText(node)})` : operandText(node);
}

function commandText({ args }: CommandNode): string {
  return args.map(inParentheses).join(" ");
}

function pipeText({ declared, isAssign, commands }: PipeNode): string {
  const variables = declared.map(operandText).join(", ");
  const sign = declared.length === 0 ? "" : isAssign ? " = " : " := ";
  return variables + sign + commands.map(commandText).join(" | ");
}

function branchText({ type, pipe, list, elseList }: BranchNode): string {
  const otherwise = elseList === undefined ? "" : `{{else}}${nodeText(elseList)}`;
  return `{{${type} ${pipeText(pipe)}}}${nodeText(list)}${otherwise}{{end}}`;
}
