#!/usr/bin/env node
// The entry is small on purpose: what a command needs is loaded when it runs, out of a cache of compiled code.
import module from "node:module";

const oldest = 22;

if (Number(process.versions.node.split(".")[0]) < oldest) {
  process.stderr.write(
    `sluice needs Node ${oldest} or newer, and this is ${process.version}: start it with npx sluice, which brings its own\n`,
  );
  process.exitCode = 1;
} else {
  module.enableCompileCache?.();
  const { run } = await import("./program.ts");
  process.exitCode = await run(process.argv.slice(2));
}
