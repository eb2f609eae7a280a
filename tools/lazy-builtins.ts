import type { Plugin } from "esbuild";

const namespace = "builtin-on-use";
const importing = /^import \{([^}]*)\} from "(node:[^"]+)";$/gm;

/**
 * Loads a module of Node when something of it is first used. A command imports more of them than it uses, and an `import`
 * evaluates all exports of a module, which loads others in turn. A named import gets a stand-in for just its names, which is
 * bundled with the importing file.
 */
export const lazyBuiltins: Plugin = {
  name: namespace,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:[^#]+#/ }, ({ path, importer }) => ({ path: `${path}#${importer}`, namespace }));
    // node:child_process is large, and commander requires it at once but hardly ever uses it.
    onResolve({ filter: /^node:child_process$/ }, ({ path, importer, kind, namespace: within }) => {
      return kind === "require-call" && within !== namespace ? { path: `${path}#spawn#${importer}`, namespace } : undefined;
    });
    onLoad({ filter: /./, namespace }, ({ path }) => ({ contents: standIn(path), loader: "js", resolveDir: "/" }));
  },
};

/** Redirects imports of Node's modules to stand-ins. */
export function withLazyBuiltins(text: string): string {
  return text.replace(importing, (_, list: string, builtin: string) => {
    const items = list.split(",").map((item) => item.trim());
    const names = items.filter((item) => item !== "" && !item.startsWith("type ")).map((item) => item.split(" as ")[0]);
    return `import {${list}} from ${JSON.stringify(`${builtin}#${names.join(",")}`)};`;
  });
}

/** A CommonJS module whose exports are looked up on use. */
function standIn(path: string): string {
  const [builtin = "", names = ""] = path.split("#");
  const getters = names.split(",").map((name) => `get ${name}() { return require(${JSON.stringify(builtin)}).${name}; }`);
  return `module.exports = { ${getters.join(", ")} };`;
}
