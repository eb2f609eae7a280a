#!/usr/bin/env node
// The entry is small on purpose: what a command needs is loaded when it runs, out of a cache of compiled code.
import module from "node:module";
import { setFlagsFromString } from "node:v8";

const oldest = 22;

if (Number(process.versions.node.split(".")[0]) < oldest) {
  process.stderr.write(
    `sluice needs Node ${oldest} or newer, and this is ${process.version}: start it with npx sluice, which brings its own\n`,
  );
  process.exitCode = 1;
} else {
  if (process.argv[2] === "render") stayLight();
  module.enableCompileCache?.();
  const { run } = await import("./program.ts");
  process.exitCode = await run(process.argv.slice(2));
}

/**
 * A chart is rendered before the work of the optimising compiler would pay, and with little garbage at a time: both are left
 * out, which takes a fifth off time and memory.
 */
function stayLight(): void {
  setFlagsFromString("--no-opt");
  setFlagsFromString("--semi-space-growth-factor=1");
}
