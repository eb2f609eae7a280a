import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** The file that declares a name, and the name there. */
type Origin = { readonly file: string; readonly name: string };

const importing = /^import \{([^}]*)\} from "(\.[^"]*\/index\.ts)";$/gm;
const passing = /^export \{([^}]*)\} from "(\.[^"]+)";$/gm;
const passingAll = /^export \* from "(\.[^"]+)";$/gm;
const declaring = /^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm;

/**
 * Rewrites imports from index.ts files to the files that declare the names. A bundler splits a program by the files that a
 * command reaches, and through an index.ts it reaches all of a module.
 */
export function bypassIndexFiles(): (path: string, text: string) => string {
  const indexFiles = new Map<string, ReadonlyMap<string, Origin>>();
  const exportsOf = (file: string): ReadonlyMap<string, Origin> => {
    const known = indexFiles.get(file) ?? readExports(file, exportsOf);
    indexFiles.set(file, known);
    return known;
  };
  return (path, text) => direct(path, text, exportsOf);
}

/** The names that a file declares or re-exports. */
function readExports(file: string, exportsOf: (file: string) => ReadonlyMap<string, Origin>): ReadonlyMap<string, Origin> {
  const text = readFileSync(file, "utf8");
  const found = new Map<string, Origin>();
  for (const [, path = ""] of text.matchAll(passingAll)) {
    for (const [name, origin] of exportsOf(join(dirname(file), path))) found.set(name, origin);
  }
  for (const [, name = ""] of text.matchAll(declaring)) found.set(name, { file, name });
  for (const [, list = "", path = ""] of text.matchAll(passing)) {
    const behind = exportsOf(join(dirname(file), path));
    for (const { name, alias } of valuesIn(list)) {
      const origin = behind.get(name);
      if (origin !== undefined) found.set(alias, origin);
    }
  }
  return found;
}

/** The names in a list of imports or exports, without types. */
function valuesIn(list: string): readonly { readonly name: string; readonly alias: string }[] {
  const items = list.split(",").map((item) => item.trim());
  return items.flatMap((item) => {
    const [name = "", alias = name] = item.split(" as ");
    return item === "" || item.startsWith("type ") ? [] : [{ name, alias }];
  });
}

/** The text of a file with direct imports, on the same lines. A name that is not found keeps its import. */
function direct(path: string, text: string, exportsOf: (file: string) => ReadonlyMap<string, Origin>): string {
  return text.replace(importing, (whole, list: string, indexFile: string) => {
    const behind = exportsOf(join(dirname(path), indexFile));
    const lines = valuesIn(list).map(({ name, alias }) => {
      const origin = behind.get(name);
      const from = origin === undefined ? indexFile : `./${relative(dirname(path), origin.file)}`;
      return `import { ${origin?.name ?? name} as ${alias} } from ${JSON.stringify(from)};`;
    });
    return lines.join(" ") + "\n".repeat(whole.split("\n").length - 1);
  });
}
