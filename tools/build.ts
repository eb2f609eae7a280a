/** Bundles the program into dist/, with the API data of the embedded cluster beside it. */
import { copyFileSync, chmodSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const dist = join(import.meta.dirname, "..", "dist");
const src = join(import.meta.dirname, "..", "src");
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8")) as { version: string };

rmSync(dist, { recursive: true, force: true });
await build({
  entryPoints: { sluice: join(src, "cli", "main.ts") },
  outdir: dist,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node24",
  minify: true,
  keepNames: true,
  legalComments: "linked",
  chunkNames: "[name]-[hash]",
  define: { "process.env.SLUICE_VERSION": JSON.stringify(version) },
  // Libraries in CommonJS ask for Node's own modules with require, which an ES module has to make for itself.
  banner: { js: 'import{createRequire as sluiceRequire}from"node:module";const require=sluiceRequire(import.meta.url);' },
  logLevel: "warning",
});
chmodSync(join(dist, "sluice.js"), 0o755);

mkdirSync(join(dist, "data"), { recursive: true });
for (const file of readdirSync(join(src, "sim", "data"))) {
  if (/\.(br|pack)$|^NOTICE$/.test(file)) copyFileSync(join(src, "sim", "data", file), join(dist, "data", file));
}
