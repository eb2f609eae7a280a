import { globSync } from "node:fs";
import { basename, join } from "node:path";

/** How a test learns what was packed, and what else it may use. */
export const environment = {
  packed: "SLUICE_TEST_PACKED",
  again: "SLUICE_TEST_PACKED_AGAIN",
  kubeconfig: "SLUICE_TEST_KUBECONFIG",
  kubectl: "SLUICE_TEST_KUBECTL",
  registry: "SLUICE_TEST_NPM_REGISTRY",
  authorities: "SLUICE_TEST_NPM_CAFILE",
} as const;

/** The files that `npm run package` made. */
export type Packages = {
  readonly folder: string;
  readonly version: string;
  readonly npm: string;
  readonly chart: string;
  readonly image: string;
  readonly executable: (architecture: "x64" | "arm64") => string;
};

/** What was packed for the tests. */
export function packages(): Packages {
  const folder = process.env[environment.packed] ?? "";
  const [image] = globSync("sluice-image-*.tar", { cwd: folder });
  if (image === undefined)
    throw new Error(`find what was packed: there is no image in ${folder || "no folder"}; start this with npm run test:package`);
  const version = basename(image, ".tar").replace("sluice-image-", "");
  return {
    folder,
    version,
    npm: join(folder, `sluice-${version}.tgz`),
    chart: join(folder, `sluice-chart-${version}.tgz`),
    image: join(folder, image),
    executable: (architecture) => join(folder, `sluice-${version}-linux-${architecture}.tar.gz`),
  };
}
