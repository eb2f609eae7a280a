import type { ParseNode, Tree } from "../parse/node.ts";
import type { TemplateProgram, TemplateCode } from "../run/exec-state.ts";
import { runtime } from "../run/runtime.ts";
import type { Callables } from "../run/callee.ts";
import { CodeWriter } from "./code-writer.ts";
import { ExpressionCompiler } from "./expression-compiler.ts";
import { CompileScope } from "./compile-scope.ts";
import { StatementCompiler } from "./statement-compiler.ts";

/** Compiles a template to a JavaScript function. */
export function compileTemplate({ root }: Tree, callables: Callables): Pick<TemplateProgram, "run" | "nodes" | "calls"> {
  const code = new CodeWriter();
  const dot = { code: "d", maybeNil: true };
  const scope = new CompileScope(dot);
  scope.declare("$", dot);
  const expressions = new ExpressionCompiler(code, callables, scope, assignedNames(root));
  // Go visits the root node first.
  expressions.at(root);
  new StatementCompiler(code, expressions).list(root);
  // The source has no text of the template: see CodeWriter.
  const make = new Function("R", "K", "F", code.source());
  const run: TemplateCode = make(runtime, code.constants, code.functions);
  return { run, nodes: code.nodes, calls: code.calls };
}

/** The variables that are assigned to, not only declared, anywhere in the tree. */
function assignedNames(root: ParseNode): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: ParseNode | undefined): void => {
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
