/** Writes the CRDs of our kinds into the chart that installs Sluice: deploy/crds. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sveltosCrds } from "../src/sveltos/api/index.ts";
import { writeYaml } from "../src/lang/yaml/index.ts";

const folder = join(import.meta.dirname, "..", "deploy", "crds");

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const crd of sveltosCrds()) writeFileSync(join(folder, `${crd.metadata.name}.yaml`), writeYaml(crd));
