import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withNote } from "./elf-note.ts";
import { readFolder } from "./read-folder.ts";
import type { Architecture } from "./node-binary.ts";

/** How Node finds what it is to run inside of itself. Models Node's doc/api/single-executable-applications.md */
export const noteName = "NODE_SEA_BLOB";
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:";

/** Kept code is for the machine that it was made on. */
const codeFile = /\.([a-z0-9]+)-([a-z0-9]+)\.code$/;

/** One program out of Node for Linux and a built one, which is in it with all that it reads. */
export function makeSingleExecutable(node: Buffer, architecture: Architecture, built: string, workshop: string): Buffer {
  const files = readFolder(built, "").filter(({ name }) => isInside(name, architecture));
  const output = `${architecture}.blob`;
  const assets = Object.fromEntries(files.map(({ name }) => [name, name]));
  const settings = { main: "sluice.js", disableExperimentalSEAWarning: true, useSnapshot: false, useCodeCache: false };
  const config = join(workshop, `${architecture}.json`);
  writeFileSync(config, JSON.stringify({ ...settings, output: join(workshop, output), assets }));
  // Names are from the folder on: the name of the main file ends up in what is made.
  execFileSync(process.execPath, ["--experimental-sea-config", config], { cwd: built, stdio: "ignore" });
  return lit(withNote(node, noteName, readFileSync(join(workshop, output))));
}

function isInside(name: string, architecture: Architecture): boolean {
  const [, platform, arch] = codeFile.exec(name) ?? [];
  if (platform !== undefined) return platform === "linux" && arch === architecture;
  return name !== "sluice.js" && name !== "package.json";
}

/** Node looks for a program inside of itself once its fuse is lit. */
function lit(program: Buffer): Buffer {
  const at = program.indexOf(`${fuse}0`);
  if (at === -1 || program.indexOf(fuse, at + 1) !== -1)
    throw new Error("make an executable: this Node does not have its fuse exactly once; take an official one");
  program.write("1", at + fuse.length);
  return program;
}
