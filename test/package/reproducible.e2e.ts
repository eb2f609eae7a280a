/** What was packed twice is the same, and says what is in it. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { environment, packages } from "./packages.ts";

const { folder, version } = packages();

function sumsOf(path: string): readonly string[] {
  const names = readdirSync(path).filter((name) => name !== "SHA256SUMS");
  return names.toSorted().map(
    (name) =>
      `${createHash("sha256")
        .update(readFileSync(join(path, name)))
        .digest("hex")}  ${name}`,
  );
}

test("packed twice it is the same to the byte", () => {
  assert.deepEqual(sumsOf(process.env[environment.again] ?? ""), sumsOf(folder));
});

test("the checksums are right", () => {
  assert.equal(readFileSync(join(folder, "SHA256SUMS"), "utf8"), `${sumsOf(folder).join("\n")}\n`);
});

test("the list of ingredients names libraries, Node, Kubernetes and Debian's packages", () => {
  type Component = { readonly name: string; readonly version: string };
  const list = JSON.parse(readFileSync(join(folder, `sluice-${version}.cdx.json`), "utf8")) as {
    readonly bomFormat: string;
    readonly metadata: { readonly component: Component };
    readonly components: readonly Component[];
  };
  assert.deepEqual([list.bomFormat, list.metadata.component.version], ["CycloneDX", version]);
  const names = new Set(list.components.map(({ name }) => name));
  for (const name of ["commander", "picocolors", "re2js", "node", "kubernetes", "libc6", "libstdc++6", "libgcc-s1", "ca-certificates"])
    assert.ok(names.has(name), name);
});
