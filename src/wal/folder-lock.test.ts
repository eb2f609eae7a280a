import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { lockFolder } from "./index.ts";

const root = mkdtempSync(join(tmpdir(), "sluice-lock-"));
after(() => rmSync(root, { recursive: true, force: true }));

for (const [what, name] of Object.entries({ "a folder": "a", "a folder with a long path": `${"b".repeat(120)}/${"c".repeat(120)}` })) {
  test(`${what} is one process's, until that releases it`, { skip: process.platform !== "linux" && name.length > 50 }, async () => {
    const folder = join(root, name);
    mkdirSync(folder, { recursive: true });
    const lock = await lockFolder(folder, "me");
    await assert.rejects(lockFolder(folder, "you"), {
      message: `use ${folder}: it is in use by me: end that one first, or name another folder`,
    });
    await lock.release();
    const again = await lockFolder(folder, "you");
    await again.release();
  });
}

test("a killed process leaves nothing that keeps others out, and two never get in at once", async () => {
  const folder = mkdtempSync(join(root, "killed-"));
  const script = `const net = require("node:net"); net.createServer().listen(${JSON.stringify(join(folder, "lock-1"))}, () => console.log("up"));`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  assert.equal(existsSync(join(folder, "lock-1")), true);
  const results = await Promise.allSettled(Array.from({ length: 4 }, (_, at) => lockFolder(folder, `process ${at}`)));
  const taken = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  assert.ok(taken.length <= 1);
  for (const lock of taken) await lock.release();
  const alone = await lockFolder(folder, "the next one");
  assert.deepEqual(readdirSync(folder).length, 1);
  await alone.release();
  assert.deepEqual(readdirSync(folder), []);
});
