import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { adviceFor, bundledNode } from "./bundled-node.ts";

const program = process.platform === "win32" ? "node.exe" : "node";

function withFiles(files: Readonly<Record<string, string>>, look: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "sluice-bundled-node-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    look(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const nodeOf = (version: string) => ({
  "node_modules/node/package.json": JSON.stringify({ version }),
  [`node_modules/node/bin/${program}`]: "",
});

test("a clone runs on the Node that it has for development, if that is new enough", () => {
  const clone = { "tools/build.ts": "", "dist/sluice.js": "" };
  withFiles({ ...clone, ...nodeOf("24.1.0") }, (folder) =>
    assert.equal(bundledNode(join(folder, "dist", "sluice.js"), 24), join(folder, "node_modules", "node", "bin", program)),
  );
  withFiles({ ...clone, ...nodeOf("22.1.0") }, (folder) => assert.equal(bundledNode(join(folder, "dist", "sluice.js"), 24), undefined));
  withFiles(clone, (folder) => assert.match(adviceFor(join(folder, "dist", "sluice.js")), /run npm ci in .*sluice-bundled-node-/));
});

test("an installed program leaves the Node of others alone", () =>
  withFiles({ "dist/sluice.js": "", ...nodeOf("24.1.0") }, (folder) => {
    assert.equal(bundledNode(join(folder, "dist", "sluice.js"), 24), undefined);
    assert.match(adviceFor(join(folder, "dist", "sluice.js")), /without --omit=optional/);
  }));
