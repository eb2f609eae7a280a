import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { runProgram } from "../cluster/run-program.ts";
import { packages } from "./packages.ts";

/** Unpacks the image for a kind of machine, as others do: skopeo chooses it out of the archive, umoci unpacks and checks it. */
export async function unpackImage(root: string, architecture: "amd64" | "arm64"): Promise<void> {
  const { image, version } = packages();
  const workshop = mkdtempSync(join(dirname(root), "image-"));
  try {
    const chosen = join(workshop, "layout");
    const from = `oci-archive:${image}:${version.replaceAll("+", "_")}`;
    await ran("skopeo", ["--insecure-policy", "--override-os", "linux", "--override-arch", architecture, "copy", from, `oci:${chosen}:it`]);
    await ran("umoci", [
      "unpack",
      ...(process.getuid?.() === 0 ? [] : ["--rootless"]),
      "--image",
      `${chosen}:it`,
      join(workshop, "bundle"),
    ]);
    rmSync(root, { recursive: true, force: true });
    renameSync(join(workshop, "bundle", "rootfs"), root);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

async function ran(command: string, args: readonly string[]): Promise<void> {
  const { code, out, err } = await runProgram(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}: ${out}${err}`);
}
