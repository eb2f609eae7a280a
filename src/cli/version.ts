import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The bundle has the version in it; from source it stands in package.json. */
export const version: string = process.env.SLUICE_VERSION ?? fromPackage();

function fromPackage(): string {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "..", "..", "package.json"), "utf8")) as { version: string };
  return version;
}
