import { relative } from "node:path";
import type { Plugin } from "esbuild";

/** Files that load a library when it is first needed, and what stands for each in a bundle: there esbuild sees the require. */
const counterparts: Readonly<Record<string, string>> = {
  "lang/re2/load-re2js.ts": 'export const loadRe2js = () => require("re2js");',
  "lang/sprig/crypto/load-bcryptjs.ts": 'export const loadBcryptjs = () => require("bcryptjs");',
};

/** Makes libraries a part of the bundle that are still run only when they are needed. */
export function lazyLibraries(sources: string, resolveDir: string): Plugin {
  return {
    name: "lazy-libraries",
    setup({ onLoad }) {
      onLoad({ filter: /\/load-[^/]+\.ts$/ }, ({ path }) => {
        const contents = counterparts[relative(sources, path)];
        return contents === undefined ? undefined : { contents, loader: "js", resolveDir };
      });
    },
  };
}
