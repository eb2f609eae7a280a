import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Metafile } from "esbuild";

const root = join(import.meta.dirname, "..", "..");
const source = join(root, "dashboard");

/** Bundles the page of the dashboard into a folder: its scripts, its styles, and what the browser loads first. */
export async function bundlePage(folder: string): Promise<Metafile> {
  mkdirSync(folder, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    // A worker is a script of its own, which the page starts by its name.
    entryPoints: {
      main: join(source, "main.tsx"),
      styles: join(source, "styles.css"),
      "layout-worker": join(source, "graph", "layout-worker.ts"),
    },
    outdir: folder,
    entryNames: "[name]",
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2023",
    minify: true,
    metafile: true,
    legalComments: "none",
    logLevel: "warning",
    jsx: "automatic",
    jsxImportSource: "preact",
  });
  writeFileSync(join(folder, "index.html"), readFileSync(join(source, "index.html")));
  writeFileSync(join(folder, "icon.svg"), readFileSync(join(source, "icon.svg")));
  return metafile;
}
