import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The bundle has the version in it; from source it stands in package.json. */
export const version: string = process.env.SLUICE_VERSION ?? fromPackage();

/** The commit that the bundle was built of. From source, and built without git, none is known. */
export const commit: string | undefined = process.env.SLUICE_COMMIT || undefined;

function fromPackage(): string {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "..", "..", "package.json"), "utf8")) as { version: string };
  return version;
}
