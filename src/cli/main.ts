#!/usr/bin/env node
// The entry is small on purpose: what a command needs is loaded when it runs, out of a cache of compiled code.
import module from "node:module";
import { loadCompiledRenderer } from "./compiled.ts";
import { tuneForRendering } from "./light.ts";

const oldest = 22;

type Program = { readonly run: (args: readonly string[]) => Promise<number> };

if (Number(process.versions.node.split(".")[0]) < oldest) {
  process.stderr.write(
    `sluice needs Node ${oldest} or newer, and this is ${process.version}: start it with npx sluice, which brings its own\n`,
  );
  process.exitCode = 1;
} else {
  void start(process.argv.slice(2));
}

async function start(args: readonly string[]): Promise<void> {
  const { run } = await programFor(args[0]);
  process.exitCode = await run(args);
}

async function programFor(command: string | undefined): Promise<Program> {
  if (command === "render") {
    tuneForRendering();
    const renderer = loadCompiledRenderer(import.meta.dirname);
    if (renderer !== undefined) return renderer.load() as Program;
  }
  module.enableCompileCache?.();
  return import("./program.ts");
}
