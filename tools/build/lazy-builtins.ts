import type { Plugin } from "esbuild";

const namespace = "lazy-builtin";

/**
 * Loads a module of Node's own when something of it is first used: a command imports more of them than it uses, and each
 * loads others in turn. Whoever imports one is given a stand-in of its own, which is bundled with it: a shared one would be one
 * more file to read.
 */
export function lazyBuiltins(sources: string): Plugin {
  return {
    name: namespace,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^node:/ }, ({ path, kind, importer, namespace: within }) => {
        if (within === namespace) return { path, external: true };
        // What runs other programs is large, and the library that requires it at once hardly ever does.
        const isLazy = (kind === "import-statement" && importer.startsWith(sources)) || path === "node:child_process";
        return isLazy ? { path: `${path}#${importer}`, namespace } : undefined;
      });
      onLoad({ filter: /./, namespace }, ({ path }) => ({ contents: standIn(path.split("#")[0] ?? ""), loader: "js", resolveDir: "/" }));
    },
  };
}

/**
 * A module in CommonJS whose exports are looked up when they are asked for. They are inherited, since esbuild copies those that a
 * module has itself when it is imported, and asks whether it was an ES module once.
 */
function standIn(builtin: string): string {
  const loaded = `(builtin ??= require(${JSON.stringify(builtin)}))`;
  const get = `(_, name) => name === "__esModule" ? undefined : ${loaded}[name]`;
  return `let builtin; module.exports = Object.create(new Proxy({}, { get: ${get} }));`;
}
