import { copyFileSync, existsSync, globSync, mkdirSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { Fault } from "../../src/core/fault/index.ts";
import { runProgram } from "./run-program.ts";
import { cached } from "./toolchain.ts";

/**
 * The path of a program from a Debian package: the installed one, or the one from the package, which apt-get downloads into
 * the cache. That needs no root, and installs nothing.
 */
export async function debianProgram(packageName: string, path: string, log: (line: string) => void): Promise<string> {
  const own = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, basename(path)));
  const installed = own.find((file) => existsSync(file));
  if (installed !== undefined) return installed;
  return cached(`debian-${packageName}-${process.arch}`, basename(path), log, (output) => extract(packageName, path, output));
}

async function extract(packageName: string, path: string, output: string): Promise<void> {
  const workshop = dirname(output);
  if (!(await downloaded(packageName, [], workshop))) await downloadAnew(packageName, workshop);
  const [archive] = globSync("*.deb", { cwd: workshop });
  if (archive === undefined) throw missing(packageName, "apt-get left no package behind");
  const root = join(workshop, "root");
  const { code, err } = await runProgram("dpkg", ["-x", archive, root], { cwd: workshop });
  if (code !== 0) throw missing(packageName, err.trim());
  copyFileSync(join(root, path), output);
}

/** Downloads the package lists into the workshop, for a machine without them. */
async function downloadAnew(packageName: string, workshop: string): Promise<void> {
  const lists = join(workshop, "lists");
  for (const folder of [join(lists, "partial"), join(workshop, "cache", "archives", "partial")]) mkdirSync(folder, { recursive: true });
  const options = ["-o", `Dir::State::Lists=${lists}`, "-o", `Dir::Cache=${join(workshop, "cache")}`];
  const { code, err } = await apt(["update", ...options], workshop);
  if (code !== 0) throw missing(packageName, err.trim());
  if (!(await downloaded(packageName, options, workshop))) throw missing(packageName, "apt-get does not find it");
}

async function downloaded(packageName: string, options: readonly string[], cwd: string): Promise<boolean> {
  const { code } = await apt(["download", packageName, ...options], cwd);
  return code === 0;
}

async function apt(args: readonly string[], cwd: string) {
  try {
    return await runProgram("apt-get", args, { cwd });
  } catch {
    return { code: 1, out: "", err: "there is no apt-get here" };
  }
}

function missing(packageName: string, because: string): Fault {
  return new Fault(`${packageName} is needed and cannot be fetched: install it, and run this again`, because, { final: true });
}
