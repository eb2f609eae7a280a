import { copyFileSync, globSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Fault } from "../../src/core/fault/index.ts";
import { runProgram } from "../../test/cluster/run-program.ts";
import { cached } from "../../test/cluster/toolchain.ts";
import type { Architecture } from "./node-binary.ts";

/** A package of Debian, unpacked. */
export type DebianPackage = {
  readonly name: string;
  readonly version: string;
  /** What the package says of itself. */
  readonly control: string;
  /** Where its files are, as they would be under `/`. */
  readonly folder: string;
};

const names: Readonly<Record<Architecture, string>> = { x64: "amd64", arm64: "arm64" };
const newEnoughMs = 24 * 3600 * 1000;

/** Packages of the Debian that this machine's apt-get knows, for any kind of machine. Nothing is installed, and nobody has to be root. */
export async function debianPackages(
  wanted: readonly string[],
  architecture: Architecture,
  workshop: string,
  log: (line: string) => void,
): Promise<readonly DebianPackage[]> {
  const apt = await aptFor(names[architecture], log);
  const listed = await apt(["download", "--print-uris", ...wanted]);
  const files = [...listed.matchAll(/^'[^']*' (\S+\.deb) /gm)].map(([, file = ""]) => file.replace(/%3a/gi, ":"));
  if (files.length !== wanted.length) throw missing(`apt-get finds only ${files.join(", ")} of ${wanted.join(", ")}`);
  return Promise.all(files.map((file) => unpacked(file, names[architecture], workshop, apt, log)));
}

async function unpacked(
  file: string,
  architecture: string,
  workshop: string,
  apt: Apt,
  log: (line: string) => void,
): Promise<DebianPackage> {
  const [name = ""] = file.split("_");
  const archive = await cached(`debian-${file.replace(/\.deb$/, "")}-for-${architecture}`, "package.deb", log, async (output) => {
    await apt(["download", name], dirname(output));
    const [found] = globSync("*.deb", { cwd: dirname(output) });
    if (found === undefined) throw missing(`apt-get left nothing behind of ${name}`);
    copyFileSync(join(dirname(output), found), output);
  });
  const folder = join(workshop, architecture, name);
  mkdirSync(folder, { recursive: true });
  await ran("dpkg-deb", ["--extract", archive, folder]);
  const control = await ran("dpkg-deb", ["--field", archive]);
  const version = /^Version: (.+)$/m.exec(control)?.[1] ?? "";
  return { name, version, control, folder };
}

type Apt = (args: readonly string[], cwd?: string) => Promise<string>;

/** apt-get with lists of its own, which are fetched anew when they are older than a day. */
async function aptFor(architecture: string, log: (line: string) => void): Promise<Apt> {
  const marker = await cached(`apt-${architecture}`, "lists-of", log, async (output) => writeFileSync(output, "", { flag: "w" }));
  const home = dirname(marker);
  const folders = { "Dir::State::Lists": join(home, "lists"), "Dir::Cache": join(home, "cache") };
  for (const folder of [...Object.values(folders), join(home, "lists", "partial"), join(home, "cache", "archives", "partial")])
    mkdirSync(folder, { recursive: true });
  const settings = { "APT::Architecture": architecture, "APT::Architectures": architecture, ...folders };
  const options = Object.entries(settings).flatMap(([key, value]) => ["-o", `${key}=${value}`]);
  const apt: Apt = (args, cwd = home) => ran("apt-get", ["--quiet", "--quiet", ...options, ...args], cwd);
  const isNew = globSync("*_Packages*", { cwd: join(home, "lists") }).length > 0 && Date.now() - statSync(marker).mtimeMs < newEnoughMs;
  if (!isNew) {
    log(`fetching Debian's lists of packages for ${architecture}`);
    await apt(["update"]);
    writeFileSync(marker, architecture);
  }
  return apt;
}

async function ran(command: string, args: readonly string[], cwd?: string): Promise<string> {
  const { code, out, err } = await runProgram(command, args, cwd === undefined ? {} : { cwd }).catch((error: unknown) => {
    throw missing(`there is no ${command} here (${error instanceof Error ? error.message : String(error)})`);
  });
  if (code !== 0) throw missing(`${command} ${args.join(" ")} ended with ${code}: ${err.trim()}`);
  return out;
}

function missing(because: string): Fault {
  return new Fault("the image is made of Debian's packages, which apt-get and dpkg-deb fetch: run this on Debian or Ubuntu", because, {
    final: true,
  });
}
