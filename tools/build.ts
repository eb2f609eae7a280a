/** Bundles the program into dist/, with the API data of the embedded cluster beside it. */
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { lazyBuiltins, withLazyBuiltins } from "./lazy-builtins.ts";
import { bypassIndexFiles } from "./bypass-index-files.ts";

const dist = join(import.meta.dirname, "..", "dist");
const src = join(import.meta.dirname, "..", "src");
const { version: packageVersion } = JSON.parse(readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8")) as {
  version: string;
};

/** Reads JSON as JSON: for an engine, that is much less work than the same as a program. */
const jsonAsText: Plugin = {
  name: "json-as-text",
  setup({ onLoad }) {
    onLoad({ filter: /\.json$/ }, ({ path }) => {
      const text = JSON.stringify(JSON.parse(readFileSync(path, "utf8")));
      return { contents: `export default JSON.parse(${JSON.stringify(text)})`, loader: "js" };
    });
  },
};

const direct = bypassIndexFiles();

function sourcesWith(change: (text: string) => string): Plugin {
  return {
    name: "sources",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        return path.startsWith(src)
          ? { contents: withLazyBuiltins(direct(path, change(readFileSync(path, "utf8")))), loader: "ts" }
          : undefined;
      });
    },
  };
}

/** Libraries that are loaded when they are first used, and the file of each that `require` gives. */
const lazyLibraries = { re2js: "build/index.cjs", bcryptjs: "umd/index.js" };

/** Puts these libraries into the file: there they are compiled with all the rest, and run when they are needed. */
function withLibrariesInside(text: string): string {
  return text.replace(/createRequire\(import\.meta\.url\)\(("(?:re2js|bcryptjs)")\)/, "require($1)");
}

/** The entry loads the program, and is no part of it. */
const programElsewhere: Plugin = {
  name: "program-elsewhere",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/program\.ts$/ }, () => ({ path: "./program.mjs", external: true }));
  },
};

const common = {
  outdir: dist,
  bundle: true,
  platform: "node",
  target: "node24",
  minify: true,
  legalComments: "linked",
  logLevel: "warning",
  plugins: [jsonAsText, sourcesWith((text) => text), lazyBuiltins],
} satisfies BuildOptions;
const version = JSON.stringify(packageVersion);

/** What a module asks of itself, as CommonJS knows it. */
const asCommonJs = { "import.meta.url": "__filename", "import.meta.dirname": "__dirname" };

rmSync(dist, { recursive: true, force: true });
await build({
  ...common,
  entryPoints: { program: join(src, "cli", "program.ts") },
  outExtension: { ".js": ".mjs" },
  splitting: true,
  format: "esm",
  chunkNames: "[name]-[hash]",
  define: { "process.env.SLUICE_VERSION": version },
  // Libraries in CommonJS ask for Node's own modules with require, which an ES module has to make for itself.
  banner: { js: 'import{createRequire as sluiceRequire}from"node:module";const require=sluiceRequire(import.meta.url);' },
});

// Rendering is over so soon that loading is much of it: one file takes less than many, and CommonJS less than ES modules.
await build({
  ...common,
  entryPoints: { render: join(src, "cli", "render-program.ts") },
  outExtension: { ".js": ".cjs" },
  format: "cjs",
  define: { "process.env.SLUICE_VERSION": version, ...asCommonJs },
  plugins: [jsonAsText, sourcesWith(withLibrariesInside), lazyBuiltins],
});
await build({
  ...common,
  entryPoints: { sluice: join(src, "cli", "main.ts") },
  format: "cjs",
  define: asCommonJs,
  plugins: [programElsewhere, ...common.plugins],
});
writeFileSync(join(dist, "package.json"), JSON.stringify({ type: "commonjs" }));
chmodSync(join(dist, "sluice.js"), 0o755);

for (const [name, file] of Object.entries(lazyLibraries)) {
  const library = join(import.meta.dirname, "..", "node_modules", name);
  const copy = join(dist, "node_modules", name);
  mkdirSync(copy, { recursive: true });
  copyFileSync(join(library, file), join(copy, "index.cjs"));
  copyFileSync(join(library, "LICENSE"), join(copy, "LICENSE"));
  writeFileSync(join(copy, "package.json"), JSON.stringify({ name, main: "index.cjs" }));
}

mkdirSync(join(dist, "data"), { recursive: true });
for (const file of readdirSync(join(src, "embedded", "data"))) {
  if (/\.(br|pack)$|^NOTICE$/.test(file)) copyFileSync(join(src, "embedded", "data", file), join(dist, "data", file));
}

// What `sluice controller manifests` prints.
cpSync(join(src, "..", "deploy"), join(dist, "deploy"), { recursive: true });

const renderer = join(dist, "render.cjs");
execFileSync(process.execPath, [join(import.meta.dirname, "code-cache.ts"), renderer, join(import.meta.dirname, "warm-up")], {
  stdio: ["ignore", "ignore", "inherit"],
});
