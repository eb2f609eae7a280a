#!/usr/bin/env node
// The entry is small on purpose, and plain enough for an old Node: what a command needs is loaded when it runs.
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { isSea } from "node:sea";
import { runOnBundledNode } from "./bundled-node.ts";
import { settleColorVariables } from "./color-variables.ts";
import { compileCacheFolder } from "./compile-cache.ts";
import { programBeside, programInside, type Program } from "./compiled.ts";
import { tuneForRendering } from "./light.ts";

/** The oldest Node that the program runs on. */
const oldest = 24;

if (Number(process.versions.node.split(".")[0]) < oldest) runOnBundledNode(import.meta.filename, oldest);
else void start(process.argv.slice(2));

async function start(args: readonly string[]): Promise<void> {
  settleColorVariables(process.env);
  const { run } = await programFor(args[0]);
  process.exitCode = await run(args);
  // A completion that came too late leaves a connection, or a program for credentials, behind; the user waits for the prompt.
  if (args[0] === "__complete") process.exit();
}

async function programFor(command: string | undefined): Promise<Program> {
  const isRender = command === "render" || command === "template";
  if (isRender) tuneForRendering();
  const name = isRender ? "render.cjs" : "program.cjs";
  if (isSea()) return programInside(name);
  const program = programBeside(import.meta.dirname, name);
  if (program !== undefined) return program;
  const { env, platform } = process;
  const folder = compileCacheFolder({ env, home: homedir(), platform, uid: process.getuid?.() });
  if (folder !== undefined) enableCompileCache(folder);
  return import("./program.ts");
}
