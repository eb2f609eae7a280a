import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";

const manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";

for (const env of [{}, { CI: "true" }, { FORCE_COLOR: "1" }]) {
  test(`what goes into a pipe is plain, with ${JSON.stringify(env)} around it`, async () => {
    const program = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), "apply", "-", "--embedded"], {
      env: { ...process.env, ...env },
      stdio: ["pipe", "pipe", "inherit"],
    });
    program.stdin.end(manifest);
    const said = await text(program.stdout);
    assert.match(said, /^ready +configmap\/a in default$/m);
    assert.ok(!said.includes("\u001b"), JSON.stringify(said));
  });
}
