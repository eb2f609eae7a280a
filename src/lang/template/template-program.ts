import { compileTemplate } from "./compile/compile.ts";
import { interpretTemplate } from "./interpret/interpret.ts";
import { isEmptyTree, type Tree } from "./parse/node.ts";
import type { Callables } from "./run/callee.ts";
import type { TemplateProgram } from "./run/exec-state.ts";

/**
 * A template that is interpreted for its first executions and compiled after them. Most templates of a library never run, and
 * most of a chart run once.
 */
export function templateProgramOf(tree: Tree, callables: Callables, compileAfter: number): TemplateProgram {
  const { root, text } = tree;
  const texts = root.nodes.map((node) => (node.type === "text" ? node.text : undefined));
  if (!texts.includes(undefined)) {
    const output = texts.join("");
    return { text, isEmpty: isEmptyTree(root), run: () => output, nodes: [], calls: [] };
  }
  const interpret = interpretTemplate(tree, callables);
  let runs = 0;
  const program: TemplateProgram = {
    text,
    isEmpty: isEmptyTree(root),
    nodes: [],
    calls: [],
    run: (state, dot, entry) => {
      if (runs++ < compileAfter) return interpret(state, dot, entry);
      Object.assign(program, compileTemplate(tree, callables));
      return program.run(state, dot, entry);
    },
  };
  return program;
}
