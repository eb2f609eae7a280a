import type { Plugin } from "esbuild";

const namespace = "builtin-on-use";
const importing = /^import \{([^}]*)\} from "(node:[^"]+)";$/gm;

/**
 * Loads a module of Node's own when something of it is first used: a command imports more of them than it uses, and an
 * `import` makes Node look at all that a module exports, which loads others in turn. An import that names what it wants is
 * given a stand-in for just that, so that the stand-in is bundled with the file that imports it.
 */
export const lazyBuiltins: Plugin = {
  name: namespace,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:[^#]+#/ }, ({ path, importer }) => ({ path: `${path}#${importer}`, namespace }));
    // What runs other programs is large, and the library that asks for it at once hardly ever does.
    onResolve({ filter: /^node:child_process$/ }, ({ path, importer, kind, namespace: within }) => {
      return kind === "require-call" && within !== namespace ? { path: `${path}#spawn#${importer}`, namespace } : undefined;
    });
    onLoad({ filter: /./, namespace }, ({ path }) => ({ contents: standIn(path), loader: "js", resolveDir: "/" }));
  },
};

/** A text whose imports from Node's own modules ask for stand-ins. */
export function withLazyBuiltins(text: string): string {
  return text.replace(importing, (_, list: string, builtin: string) => {
    const items = list.split(",").map((item) => item.trim());
    const names = items.filter((item) => item !== "" && !item.startsWith("type ")).map((item) => item.split(" as ")[0]);
    return `import {${list}} from ${JSON.stringify(`${builtin}#${names.join(",")}`)};`;
  });
}

/** A module in CommonJS whose exports are looked up when they are asked for. */
function standIn(path: string): string {
  const [builtin = "", names = ""] = path.split("#");
  const getters = names.split(",").map((name) => `get ${name}() { return require(${JSON.stringify(builtin)}).${name}; }`);
  return `module.exports = { ${getters.join(", ")} };`;
}
