import assert from "node:assert/strict";
import { test } from "node:test";
import { loadChart } from "../../chart/index.ts";
import { lockDigest, lockText, oldLockDigest, requestedBy } from "./lock.ts";

const chartOf = (dependencies: string) =>
  loadChart([{ name: "Chart.yaml", data: Buffer.from(`apiVersion: v2\nname: app\nversion: 1.0.0\ndependencies:\n${dependencies}`) }]);

test("the digest is the one of Helm's own tests", () => {
  const alpine = { name: "alpine", version: "0.1.0", repository: "http://localhost:8879/charts" };
  const requested = requestedBy(chartOf("- {name: alpine, version: 0.1.0, repository: http://localhost:8879/charts}\n"));
  assert.equal(lockDigest(requested, [alpine]), "sha256:fb239e836325c5fa14b29d1540a13b7d3ba13151b67fe719f820e0ef6d66aaaf");
});

test("all that a dependency can say counts, as Helm 4.2.4 counts it", () => {
  const requested = requestedBy(
    chartOf(`
  - name: alpha
    version: ">=0.1.0 <0.1.9"
    repository: http://127.0.0.1:18765
    alias: one
    condition: one.enabled
    tags: [a, "b<c"]
    import-values: [data, {parent: p, child: c.d}]
  - name: beta
    version: ~0.1
    repository: http://127.0.0.1:18765/
  - name: sib
    version: ^1.0.0
    repository: file://../sib
    enabled: true
`),
  );
  const locked = [
    { name: "alpha", version: "0.1.5+build.7", repository: "http://127.0.0.1:18765" },
    { name: "beta", version: "0.1.5+build.7", repository: "http://127.0.0.1:18765/" },
    { name: "sib", version: "1.4.2", repository: "file://../sib" },
  ];
  const digest = "sha256:c331e46bb5f131139f88c9439451608f1250c6f707df5427dcb208b988221082";
  assert.equal(lockDigest(requested, locked), digest);
  // Helm's own file, except for the time.
  assert.equal(
    lockText(locked, digest, new Date("2026-11-15T10:35:45.500Z")),
    `dependencies:
- name: alpha
  repository: http://127.0.0.1:18765
  version: 0.1.5+build.7
- name: beta
  repository: http://127.0.0.1:18765/
  version: 0.1.5+build.7
- name: sib
  repository: file://../sib
  version: 1.4.2
digest: ${digest}
generated: "2026-11-15T10:35:45.5Z"
`,
  );
});

test("a wish that changed has another digest", () => {
  const locked = [{ name: "a", version: "1.0.0", repository: "" }];
  const [one, other] = ["1.0.0", "^1.0.0"].map((version) =>
    lockDigest(requestedBy(chartOf(`- {name: a, version: "${version}"}\n`)), locked),
  );
  assert.notEqual(one, other);
  assert.match(oldLockDigest(undefined), /^sha256:[0-9a-f]{64}$/);
});
