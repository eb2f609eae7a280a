import { compile } from "./compile/compile.ts";
import { interpreterOf } from "./interpret/interpret.ts";
import { isEmpty, type Tree } from "./parse/node.ts";
import type { Callables } from "./run/callee.ts";
import type { Program } from "./run/frame.ts";

/**
 * A template that is interpreted the first times it is executed, and compiled once it was so many times: most of a library
 * never is executed, and most of a chart only once.
 */
export function programOf(tree: Tree, callables: Callables, compileAfter: number): Program {
  const { root, text } = tree;
  const texts = root.nodes.map((node) => (node.type === "text" ? node.text : undefined));
  if (!texts.includes(undefined)) {
    const output = texts.join("");
    return { text, isEmpty: isEmpty(root), run: () => output, nodes: [], calls: [] };
  }
  const interpret = interpreterOf(tree, callables);
  let runs = 0;
  const program: Program = {
    text,
    isEmpty: isEmpty(root),
    nodes: [],
    calls: [],
    run: (frame, dot, entry) => {
      if (runs++ < compileAfter) return interpret(frame, dot, entry);
      Object.assign(program, compile(tree, callables));
      return program.run(frame, dot, entry);
    },
  };
  return program;
}
