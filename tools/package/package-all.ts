import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault } from "../../src/core/fault/index.ts";
import { kubernetesVersion } from "../../src/embedded/index.ts";
import { loadChartAt } from "../../src/release/load/index.ts";
import { packageChart } from "../../src/repository/index.ts";
import { bundleProgram } from "../build/bundle-program.ts";
import { readBuildVersion, type BuildVersion } from "../build/build-version.ts";
import { companions, executableArchive } from "./executable-archive.ts";
import { makeSingleExecutable } from "./single-executable.ts";
import { imageArchive, programFile, tagOf } from "./oci-archive.ts";
import { nodeBinary, nodeVersion, type Architecture } from "./node-binary.ts";
import { npmPackage } from "./npm-package.ts";
import { imageFiles } from "./image-files.ts";
import { makeSbom } from "./sbom.ts";
import type { Entry } from "./write-tar.ts";

const architectures: readonly Architecture[] = ["x64", "arm64"];

/** Makes everything that is released into a folder, which is emptied before: packages, checksums and what they are made of. */
export async function packageAll(root: string, out: string, log: (line: string) => void): Promise<void> {
  if (process.versions.node !== nodeVersion)
    throw new Fault(`pack with Node ${nodeVersion}`, `this is Node ${process.version}: start it with npm run package, after npm ci`, {
      final: true,
    });
  const version = readBuildVersion(root);
  checkTag(root, version);
  const workshop = mkdtempSync(join(tmpdir(), "sluice-package-"));
  const files = new Map<string, Buffer>();
  const keep = (name: string, data: Buffer | Uint8Array) => {
    files.set(name, Buffer.from(data.buffer, data.byteOffset, data.byteLength));
    log(`${name}: ${(data.length / 1e6).toFixed(1)} MB`);
  };
  try {
    const built = join(workshop, "dist");
    const bundled = await bundleProgram(built, version);
    keep(`sluice-${version.version}.tgz`, npmPackage(root, built, version));
    keep(`sluice-chart-${version.version}.tgz`, packageChart(loadChartAt(join(built, "deploy"))));
    const images = [];
    const debian = [];
    for (const architecture of architectures) {
      const node = await nodeBinary(architecture, log);
      const executable = makeSingleExecutable(node.program, architecture, built, workshop);
      const beside = companions(root, built, node.licence);
      const folder = `sluice-${version.version}-linux-${architecture}`;
      keep(`${folder}.tar.gz`, executableArchive(folder, executable, beside, version.seconds));
      const base = await imageFiles(architecture, workshop, log);
      images.push({ architecture, layers: [base.entries, programFiles(executable, beside)] });
      debian.push(...base.packages);
    }
    keep(`sluice-image-${version.version}.tar`, imageArchive(images, { repository: "sluice", tag: tagOf(version.version), ...version }));
    keep(
      `sluice-${version.version}.cdx.json`,
      makeSbom({ version: version.version, node: nodeVersion, kubernetes: kubernetesVersion, bundled, debian }),
    );
    writeAll(out, files);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/** A tag that package.json and the chart do not agree with is a mistake in one of them. */
function checkTag(root: string, { version }: BuildVersion): void {
  const { version: expected } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  if (version !== expected && !version.includes("-next."))
    throw new Fault(`package ${version}, the version of the tag`, `package.json says ${expected}: set it, commit, and move the tag`, {
      final: true,
    });
}

function programFiles(executable: Buffer, beside: readonly Entry[]): readonly Entry[] {
  const licences = beside
    .filter(({ name }) => name.includes("LICENSE"))
    .map((entry) => ({ ...entry, name: `usr/share/doc/sluice/${entry.name}` }));
  return [{ name: programFile, data: executable, mode: 0o755 }, ...licences];
}

function writeAll(out: string, files: ReadonlyMap<string, Buffer>): void {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const [name, data] of files) writeFileSync(join(out, name), data);
  const sums = [...files.keys()].toSorted().map(
    (name) =>
      `${createHash("sha256")
        .update(readFileSync(join(out, name)))
        .digest("hex")}  ${name}`,
  );
  writeFileSync(join(out, "SHA256SUMS"), `${sums.join("\n")}\n`);
}
