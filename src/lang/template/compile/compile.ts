import type { Node, Tree } from "../parse/node.ts";
import type { Program, TemplateCode } from "../run/frame.ts";
import { runtime } from "../run/runtime.ts";
import type { Callables } from "../run/callee.ts";
import { Code } from "./code.ts";
import { Expressions } from "./expressions.ts";
import { Scope } from "./scope.ts";
import { Statements } from "./statements.ts";

/** The code of a template, as JavaScript. */
export function compile({ root }: Tree, callables: Callables): Pick<Program, "run" | "nodes" | "calls"> {
  const code = new Code();
  const dot = { code: "d", maybeNil: true };
  const scope = new Scope(dot);
  scope.declare("$", dot);
  const expressions = new Expressions(code, callables, scope, assignedNames(root));
  // The root is a node as well, and the one that is met first.
  expressions.at(root);
  new Statements(code, expressions).list(root);
  // The code is of our own writing throughout: see Code.
  const make = new Function("R", "K", "F", code.source());
  const run: TemplateCode = make(runtime, code.constants, code.functions);
  return { run, nodes: code.nodes, calls: code.calls };
}

/** The names of variables that are assigned to, rather than only declared, anywhere in the tree. */
function assignedNames(root: Node): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: Node | undefined): void => {
    switch (node?.type) {
      case "list":
        return node.nodes.forEach(visit);
      case "pipe":
        if (node.isAssign) for (const { path } of node.declared) names.add(path[0] ?? "");
        return node.commands.forEach(visit);
      case "command":
        return node.args.forEach(visit);
      case "chain":
        return visit(node.node);
      case "action":
      case "template":
        return visit(node.pipe);
      case "if":
      case "with":
      case "range":
        visit(node.pipe);
        visit(node.list);
        return visit(node.elseList);
      default:
    }
  };
  visit(root);
  return names;
}
