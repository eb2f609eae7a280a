import assert from "node:assert/strict";
import { test } from "node:test";
import { finalizers } from "../../sveltos/api/index.ts";
import { finalizerWarnings } from "../../embedded/apiserver/finalizer-warnings.ts";
import { warningLog } from "./warning-log.ts";

test("warnings are logged once each, those about Sveltos' finalizers never, and 100 at most", () => {
  const lines: string[] = [];
  const warn = warningLog((line) => lines.push(line));
  const metadata = { name: "a", finalizers: [...Object.values(finalizers), "example.com"] };
  const warnings = finalizerWarnings({ apiVersion: "example.com/v1", kind: "A", metadata });
  assert.equal(warnings.length, Object.values(finalizers).length + 1);
  for (const warning of [...warnings, ...warnings]) warn(warning);
  assert.deepEqual(
    lines.map((line) => line.slice(0, 37)),
    ['metadata.finalizers: "example.com": p'],
  );
  for (let count = 0; count < 200; count++) warn(`unknown field "spec.a${count}"`);
  assert.equal(lines.length, 100);
});
