import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, transform, type BuildOptions, type Metafile, type Plugin } from "esbuild";
import { readYaml, writeYaml } from "../../src/lang/yaml/index.ts";
import { bundlePage } from "./bundle-page.ts";
import { lazyBuiltins } from "./lazy-builtins.ts";
import { lazyLibraries } from "./lazy-libraries.ts";
import { licenceTexts, packagesIn, type BundledPackage } from "./licences.ts";
import type { BuildVersion } from "./build-version.ts";

const root = join(import.meta.dirname, "..", "..");
const src = join(root, "src");

/** The files of the project that the program reads at run time, and where they come from. */
const folders = { deploy: "deploy", "examples/addons/postgresql-order": "examples/addons/postgresql-order" };

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

/** The entry loads the program, and is no part of it. */
const programElsewhere: Plugin = {
  name: "program-elsewhere",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/program\.ts$/ }, () => ({ path: "./program.cjs", external: true }));
  },
};

const hello = join(root, "examples", "hello");
const warmUp = join(import.meta.dirname, "warm-up");

/** Commands that are run before code is kept: what they use is in it. */
const warmUps = {
  program: ["version", `lint ${hello}`, `plan hello ${hello} --embedded`, `deploy warm-up ${warmUp}.yaml --embedded`],
  render: [`render ${warmUp}`],
};

/** What a bundle asks of itself, as CommonJS knows it. */
const asCommonJs = { "import.meta.filename": "__filename", "import.meta.dirname": "__dirname", "import.meta.url": "__filename" };

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node24",
  minify: true,
  metafile: true,
  legalComments: "none",
  logLevel: "warning",
  plugins: [jsonAsText, lazyLibraries(src, root), lazyBuiltins(src)],
} satisfies BuildOptions;

/**
 * Bundles the program into a folder, with all that it reads at run time, and tells which packages of npm are in it. All
 * commands together are many files, of which a command loads what it needs. Rendering is over so soon that loading is much of
 * it: its program is one file. Beside each file is its code, compiled.
 */
export async function bundleProgram(folder: string, version: BuildVersion): Promise<readonly BundledPackage[]> {
  rmSync(folder, { recursive: true, force: true });
  copyFiles(folder, version);
  const define = { ...definesOf(version), ...asCommonJs };
  const program = await bundleInParts(folder, define);
  keepCode(join(folder, "program.cjs"), warmUps.program);
  const renderer = await build({ ...common, ...oneFile(folder, "render", "render-program.ts"), define });
  keepCode(join(folder, "render.cjs"), ["--light", ...warmUps.render]);
  // The entry loads a program and is no part of it. An old Node has to understand it.
  await build({
    ...common,
    ...oneFile(folder, "sluice", "main.ts"),
    outExtension: { ".js": ".js" },
    target: "node18",
    supported: requireLate,
    define: asCommonJs,
    plugins: [programElsewhere, ...common.plugins],
  });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "commonjs" }));
  chmodSync(join(folder, "sluice.js"), 0o755);
  const page = await bundlePage(join(folder, "page"));
  const packages = packagesIn(root, [program, renderer.metafile, page]);
  writeLicences(folder, packages);
  return packages;
}

/** Has `import()` become a `require` that is called late: files of CommonJS are loaded with code that was kept of them. */
const requireLate = { "dynamic-import": false };

/** Bundles all commands into files of CommonJS. esbuild parts only ES modules, so it does that first. */
async function bundleInParts(folder: string, define: Record<string, string>): Promise<Metafile> {
  const { outputFiles, metafile } = await build({
    ...common,
    outdir: folder,
    entryPoints: { program: join(src, "cli", "program.ts") },
    outExtension: { ".js": ".cjs" },
    format: "esm",
    splitting: true,
    chunkNames: "[name]-[hash]",
    define,
    write: false,
  });
  for (const { path, text } of outputFiles) {
    const { code } = await transform(text, { format: "cjs", platform: "node", target: "node24", minify: true, supported: requireLate });
    writeFileSync(path, code);
  }
  return metafile;
}

function oneFile(folder: string, name: string, file: string) {
  const entryPoints = { [name]: join(src, "cli", file) };
  return { outdir: folder, entryPoints, outExtension: { ".js": ".cjs" }, format: "cjs" } satisfies BuildOptions;
}

function definesOf({ version, commit = "" }: BuildVersion): Record<string, string> {
  return { "process.env.SLUICE_VERSION": JSON.stringify(version), "process.env.SLUICE_COMMIT": JSON.stringify(commit) };
}

/** What the program reads at run time: the API data, the chart that installs it, and the example of the demo. */
function copyFiles(folder: string, { version }: BuildVersion): void {
  mkdirSync(join(folder, "data"), { recursive: true });
  for (const file of readdirSync(join(src, "embedded", "data"))) {
    if (/\.(br|pack)$|^NOTICE$/.test(file)) copyFileSync(join(src, "embedded", "data", file), join(folder, "data", file));
  }
  for (const [to, from] of Object.entries(folders)) cpSync(join(root, from), join(folder, to), { recursive: true });
  const chart = readYaml(readFileSync(join(root, "deploy", "Chart.yaml"), "utf8"), "deploy/Chart.yaml") as object;
  writeFileSync(join(folder, "deploy", "Chart.yaml"), writeYaml({ ...chart, version, appVersion: version }));
}

function writeLicences(folder: string, packages: readonly BundledPackage[]): void {
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  const notice = readFileSync(join(src, "embedded", "data", "NOTICE"), "utf8");
  writeFileSync(
    join(folder, "THIRD-PARTY-LICENSES.txt"),
    licenceTexts(packages, [{ of: "API data of Kubernetes (Apache-2.0)", text: notice }]),
  );
}

/**
 * Keeps the code that this Node makes of a program. In a predictable engine, the same program gives the same code, if it writes to
 * the same kind of stream.
 */
function keepCode(file: string, commands: readonly string[]): void {
  const keeper = join(import.meta.dirname, "code-cache.ts");
  execFileSync(process.execPath, ["--predictable", keeper, file, ...commands], { stdio: ["ignore", "ignore", "pipe"] });
}
