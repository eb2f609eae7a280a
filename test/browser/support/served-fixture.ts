import { join } from "node:path";
import { after } from "node:test";
import { build } from "esbuild";
import type { Handler } from "../../../src/core/exchange/index.ts";
import { serveHandler } from "../../../src/server/index.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Fixture</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/styles.css"><script type="module" src="/page.js"></script></head>
<body><div id="page"></div></body></html>`;
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'";

/** Serves a page of test/browser/fixture with the styles of the dashboard and its policy, until all tests of the file have ended. */
export async function serveFixture(name: string): Promise<string> {
  const files = await bundle(name);
  const handler: Handler = ({ path }) => {
    const file = new URL(path, "http://localhost").pathname.slice(1);
    const text = files.get(file) ?? page;
    const type = file.endsWith(".js") ? "text/javascript" : file.endsWith(".css") ? "text/css" : "text/html; charset=utf-8";
    return Promise.resolve({ status: 200, headers: { "content-type": type, "content-security-policy": policy }, body: [text] });
  };
  const served = await serveHandler(handler);
  after(() => served.close());
  return served.url;
}

async function bundle(name: string): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: {
      page: `test/browser/fixture/${name}.tsx`,
      styles: "dashboard/styles.css",
      "layout-worker": "dashboard/graph/layout-worker.ts",
    },
    outdir: "/",
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2023",
    jsx: "automatic",
    jsxImportSource: "preact",
  });
  return new Map(outputFiles.map(({ path, text }) => [path.slice(1), text]));
}
