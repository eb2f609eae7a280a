import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";

/** A package of npm whose code is inside of the program. */
export type BundledPackage = { readonly name: string; readonly version: string; readonly licence: string; readonly text: string };

/** The packages that files of a bundle came from, by name. */
export function packagesIn(root: string, metafiles: readonly Metafile[]): readonly BundledPackage[] {
  const files = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const names = new Set(files.flatMap((file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []));
  return [...names].toSorted().map((name) => bundledPackage(join(root, "node_modules", name)));
}

/** A package as it lies in a folder. */
function bundledPackage(folder: string): BundledPackage {
  const { name, version, license = "" } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, string>;
  return { name: name ?? "", version: version ?? "", licence: license, text: licenceIn(folder, name ?? "") };
}

function licenceIn(folder: string, name: string): string {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  if (file !== undefined) return readFileSync(join(folder, file), "utf8");
  const texts = (filesWithLicence[name] ?? []).map((path) => openingComment(join(folder, path)));
  if (texts.length > 0) return `${texts.join("\n\n")}\n\nThe file LICENSE beside this one has the Apache License.`;
  throw new Error(
    `gather licences: ${name} has no file LICENSE in ${folder}, and its text has to come with the program: add it, or do without`,
  );
}

/** Files that begin with the licence of a package without a file of its own for it: one for each of its licences. */
const filesWithLicence: Readonly<Record<string, readonly string[]>> = {
  "@bufbuild/protobuf": ["dist/esm/wire/binary-encoding.js", "dist/esm/wire/varint.js"],
};

function openingComment(path: string): string {
  const lines = readFileSync(path, "utf8").split("\n");
  const comment = lines
    .slice(
      0,
      lines.findIndex((line) => !line.startsWith("//")),
    )
    .map((line) => line.replace(/^\/\/ ?/, ""));
  if (!/copyright/i.test(comment[0] ?? "")) throw new Error(`gather licences: ${path} does not begin with a copyright`);
  return comment.join("\n");
}

/** The licences of what the program is made of, as one text. */
export function licenceTexts(
  packages: readonly BundledPackage[],
  notices: readonly { readonly of: string; readonly text: string }[],
): string {
  const parts = [...packages.map(({ name, version, licence, text }) => ({ of: `${name} ${version} (${licence})`, text })), ...notices];
  return parts.map(({ of, text }) => `${"=".repeat(of.length)}\n${of}\n${"=".repeat(of.length)}\n\n${text.trim()}\n`).join("\n\n");
}
