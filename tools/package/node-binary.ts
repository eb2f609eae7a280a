import { createHash } from "node:crypto";
import { readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readTar } from "../../src/chart/tar.ts";
import { Fault } from "../../src/core/fault/index.ts";
import { runProgram } from "../../test/cluster/run-program.ts";
import { cached } from "../../test/cluster/toolchain.ts";

export type Architecture = "x64" | "arm64";

/** The Node that Sluice is packed with. Its digests are what npm serves. */
export const nodeVersion = "24.21.0";

const integrity: Readonly<Record<Architecture, string>> = {
  x64: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  arm64: "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
};

type NodeBinary = { readonly program: Buffer; readonly licence: string };

/** Node for Linux, out of the package that npm has of it, which is fetched once. */
export async function nodeBinary(architecture: Architecture, log: (line: string) => void): Promise<NodeBinary> {
  const name = `node-linux-${architecture}`;
  const archive = await cached(`${name}-${nodeVersion}`, "package.tgz", log, (output) => fetched(`${name}@${nodeVersion}`, output));
  const found = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
  if (found !== integrity[architecture])
    throw new Fault(
      `take Node from ${archive}`,
      `its digest is ${found}, expected ${integrity[architecture]}: remove it, and run this again`,
      {
        final: true,
      },
    );
  const [binary, licence] = filesIn(gunzipSync(readFileSync(archive)), ["package/bin/node", "package/LICENSE"]);
  return { program: Buffer.from(binary), licence: Buffer.from(licence).toString() };
}

async function fetched(spec: string, output: string): Promise<void> {
  const folder = dirname(output);
  const { code, out, err } = await runProgram("npm", ["pack", spec, "--silent", "--pack-destination", folder], { cwd: folder });
  if (code !== 0) throw new Fault(`fetch ${spec} with npm`, err.trim());
  renameSync(join(folder, out.trim()), output);
}

function filesIn(archive: Uint8Array, names: readonly [string, string]): readonly [Uint8Array, Uint8Array] {
  const entries = [...readTar(archive)];
  const [one, other] = names.map((name) => entries.find((entry) => entry.name === name)?.data);
  if (one === undefined || other === undefined) throw new Fault(`read Node's package`, `it lacks one of ${names.join(", ")}`);
  return [one, other];
}
