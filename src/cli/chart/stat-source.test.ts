import assert from "node:assert/strict";
import test from "node:test";
import { statSource } from "./stat-source.ts";

test("a path that cannot be looked at is a fault, not a bug", () => {
  assert.equal(statSource("/nowhere/at/all"), undefined);
  assert.throws(() => statSource(`/${"x".repeat(5000)}`), { name: "Fault", message: /^look for the chart or the manifests: ENAMETOOLONG/ });
});
