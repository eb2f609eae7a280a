import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
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

const interruptibleScript = `
  import { interruptible } from ${JSON.stringify(join(import.meta.dirname, "interrupt.ts"))};
  const stopped = (signal) => new Promise((resolve) => signal.addEventListener("abort", () => setTimeout(resolve, 2000, "in good order")));
  interruptible(stopped).then((result) => console.log(result));`;

for (const [gapMs, expected] of [
  [0, "in good order\n"],
  [50, "in good order\n"],
  [900, ""],
] as const)
  test(`a second signal after ${gapMs} ms ${expected === "" ? "ends it at once" : "is the same as the first"}`, async () => {
    const send = `setTimeout(() => process.kill(process.pid, "SIGTERM"), 100);
      setTimeout(() => process.kill(process.pid, "SIGTERM"), ${100 + gapMs});`;
    const printed = await output(interruptibleScript + send).catch((error: { code: number; stdout: string }) => {
      assert.equal(error.code, 130);
      return error.stdout;
    });
    assert.equal(printed, expected);
  });

for (const signal of ["SIGINT", "SIGTERM"] as const)
  test(`${signal} ends work that keeps the thread busy`, async (t) => {
    const script = `
      import { writeSync } from "node:fs";
      import { endedBySignals, interruptible } from ${JSON.stringify(join(import.meta.dirname, "interrupt.ts"))};
      await interruptible(async () => endedBySignals(() => {
        writeSync(1, "busy");
        for (;;) {}
      }));`;
    const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    t.after(() => child.kill("SIGKILL"));
    await once(child.stdout, "data");
    child.kill(signal);
    assert.deepEqual(await once(child, "exit"), [null, signal]);
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
