/** `npm run build`: bundles the program into dist/, with all that it reads at run time beside it. */
import { join } from "node:path";
import { bundleProgram } from "./build/bundle-program.ts";
import { readBuildVersion } from "./build/build-version.ts";

const root = join(import.meta.dirname, "..");
await bundleProgram(join(root, "dist"), readBuildVersion(root));
