import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { Fault } from "../core/fault/index.ts";
import { runService } from "./interrupt.ts";

/** Runs `script` as a module beside this one in a process of its own, and gives its output. */
async function output(script: string): Promise<string> {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["--input-type=module-typescript", "-e", script], { cwd: import.meta.dirname });
  return stdout;
}

test("a process lives until its work has ended, with nothing but background timers left", async () => {
  const script = `
    import { interruptible } from ${JSON.stringify(join(import.meta.dirname, "interrupt.ts"))};
    const waiting = interruptible(() => new Promise((resolve) => setTimeout(() => resolve("done"), 200).unref()));
    waiting.then((result) => console.log(result));`;
  assert.equal(await output(script), "done\n");
});

test("a service that ends without being told to has failed", async () => {
  const stop = new AbortController();
  await assert.rejects(
    runService("agent", stop.signal, async () => {}),
    new Fault("the agent has ended without being told to"),
  );
  stop.abort();
  await runService("agent", stop.signal, async () => {});
});
