import { isEmpty, type Node, type Tree } from "../parse/node.ts";
import type { Program, TemplateCode } from "../run/frame.ts";
import { runtime } from "../run/runtime.ts";
import { Code } from "./code.ts";
import { Expressions, type Callables } from "./expressions.ts";
import { Scope } from "./scope.ts";
import { Statements } from "./statements.ts";

/** A template that is compiled when it is first executed: most of a library never is. */
export function programOf(tree: Tree, callables: Callables): Program {
  const { root, text } = tree;
  const texts = root.nodes.map((node) => (node.type === "text" ? node.text : undefined));
  if (!texts.includes(undefined)) {
    const output = texts.join("");
    return { text, isEmpty: isEmpty(root), run: () => output, nodes: [], calls: [] };
  }
  const program: Program = {
    text,
    isEmpty: isEmpty(root),
    nodes: [],
    calls: [],
    run: (frame, dot, entry) => {
      Object.assign(program, compile(tree, callables));
      return program.run(frame, dot, entry);
    },
  };
  return program;
}

function compile({ root }: Tree, callables: Callables): Pick<Program, "run" | "nodes" | "calls"> {
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
