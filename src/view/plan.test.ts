import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { hook, item, need, planned, webRelease } from "../../test/support/plan/plan-notation.ts";
import { keyOf } from "../core/object/index.ts";
import { diffLines } from "./diff-lines.ts";
import { progressJson } from "./progress-json.ts";
import { deferredCheckLines, planDot, planMermaid, planTree } from "./plan.ts";

const outside = need("", "s", {
  external: true,
  because: "s.external-dependency.werf.io/resource",
  target: { resource: "secrets", name: "s" },
});
const plan = planned({
  release: webRelease,
  desired: [
    hook("Job", "before", { install: ["pre"] }),
    item("StatefulSet", "db", { rank: -1, needs: [outside] }),
    item("Deployment", "web"),
    item("Deployment", "api", { unranked: true, needs: [need("StatefulSet", "db", { because: "werf.io/deploy-dependency-db" })] }),
  ],
});

test("a plan reads as a tree", () => {
  assert.deepEqual(planTree(plan), [
    "install web in shop, revision 1: 4 to apply, 0 to delete, 5 to wait for",
    "pre",
    "  create job/before until completed",
    "main, rank -1",
    "  wait for secrets/s until ready",
    "  create statefulset/db until ready, after secrets/shop/s (what rank -1 needs from outside)",
    "main",
    "  create deployment/web until ready, after statefulset/db (rank -1)",
    "  create deployment/api until ready, after statefulset/db (werf.io/deploy-dependency-db)",
  ]);
});

test("a plan says what is checked only after other objects", () => {
  const cures = [{ by: "object", group: "", kind: "ServiceAccount", namespace: "shop", name: "robot" }] as const;
  const pods = ["a", "b", "c", "d"].map((name) => item("Pod", name));
  const refused = { exists: false, dryRun: { outcome: "refused", because: "no robot", cures } } as const;
  const live = new Map(pods.map(({ ref }) => [keyOf(ref), refused]));
  const waiting = planned({ desired: [item("ServiceAccount", "robot"), ...pods], live });
  assert.equal(planTree(waiting)[3], "  create pod/a until ready, will be checked after serviceaccount/robot");
  assert.deepEqual(deferredCheckLines(waiting), ["pod/a, pod/b, pod/c, 1 more will be checked after serviceaccount/robot"]);
  assert.deepEqual(deferredCheckLines(plan), []);
  const event = JSON.parse(progressJson({ type: "planned", plan: waiting }, 0, { cluster: "c" }));
  const [, pod] = event.steps.filter(({ verb }: { verb: string }) => verb === "apply");
  assert.deepEqual(pod.deferred.after, [{ group: "", version: "v1", kind: "ServiceAccount", namespace: "shop", name: "robot" }]);
});

const small = planned({ release: webRelease, desired: [item("ConfigMap", "settings", { rank: -1 }), item("Deployment", "web")] });

test("a plan is a graph for Mermaid", () => {
  assert.deepEqual(planMermaid(small).split("\n"), [
    "flowchart TD",
    '  n0["record pending-install"]',
    '  n1["create configmap/settings"]',
    '  n2["wait for configmap/settings until ready"]',
    '  n3["create deployment/web"]',
    '  n4["wait for deployment/web until ready"]',
    '  n5["record deployed"]',
    '  n6["record failed otherwise"]',
    "  n0 --> n1",
    "  n1 --> n2",
    "  n2 --> n3",
    "  n3 --> n4",
    "  n4 --> n5",
    "  n5 -.-> n6",
  ]);
});

test("a plan is a graph for Graphviz", () => {
  assert.deepEqual(planDot(small).split("\n"), [
    "digraph plan {",
    "  node [shape=box];",
    '  n0 [label="record pending-install"];',
    '  n1 [label="create configmap/settings"];',
    '  n2 [label="wait for configmap/settings until ready"];',
    '  n3 [label="create deployment/web"];',
    '  n4 [label="wait for deployment/web until ready"];',
    '  n5 [label="record deployed"];',
    '  n6 [label="record failed otherwise"];',
    "  n0 -> n1;",
    "  n1 -> n2;",
    "  n2 -> n3;",
    "  n3 -> n4;",
    "  n4 -> n5;",
    "  n5 -> n6 [style=dashed];",
    "}",
  ]);
});

test("quotes, backslashes and markup do not break out of a label", () => {
  const odd = need("StatefulSet", "db", { gate: { until: "rule", rule: String.raw`self.x < "a\b"` } });
  const quoted = planned({ desired: [item("StatefulSet", "db"), item("Deployment", "api", { unranked: true, needs: [odd] })] });
  assert.match(planMermaid(quoted), /\["wait for statefulset\/db until self\.x #lt; #quot;a\\b#quot; holds"\]/);
  assert.match(planDot(quoted), /\[label="wait for statefulset\/db until self\.x < \\"a\\\\b\\" holds"\]/);
});

const configMap = (data: Record<string, string>) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "c", resourceVersion: "1" },
  data,
});

test("a difference shows what goes and comes, and nothing that only the server writes", () => {
  const changed = { ...configMap({ a: "1", b: "3" }), metadata: { name: "c", resourceVersion: "2", managedFields: [] }, status: { x: 1 } };
  assert.deepEqual(diffLines(configMap({ a: "1", b: "2" }), changed), [
    "  apiVersion: v1",
    "  data:",
    '    a: "1"',
    '-   b: "2"',
    '+   b: "3"',
    "  kind: ConfigMap",
    "  metadata:",
    "    name: c",
  ]);
  assert.deepEqual(diffLines(configMap({ a: "1" }), configMap({ a: "1" })), []);
});

const secret = (password: string) => ({ apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, data: { password } });

test("a difference hides secrets, and shows that they change", () => {
  assert.deepEqual(diffLines(secret("aHVudGVy"), secret("aHVudGVyMg==")), [
    "  apiVersion: v1",
    "  data:",
    "-   password: (hidden)",
    "+   password: (hidden, changed)",
    "  kind: Secret",
    "  metadata:",
    "    name: s",
  ]);
  assert.deepEqual(diffLines(secret("aHVudGVy"), secret("aHVudGVy")), []);
  const mapped = diffLines(configMap({ token: "x" }), configMap({ token: "y" }), { whole: false, paths: ["$.data.token"] });
  assert.match(mapped.join("\n"), /\+ {3}token: \(hidden, changed\)/);
});

const long = (what: string) => configMap(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, `${what}${at}`])));

test("a long difference is found without end of time or memory", () => {
  assert.equal(diffLines(undefined, long("a")).length, 20_005);
  assert.equal(diffLines(long("a"), long("b")).filter((line) => line.startsWith("+")).length, 20_000);
});

test("a difference leads from one to the other", () => {
  const data = fc.dictionary(fc.constantFrom("a", "b", "c", "d", "e"), fc.constantFrom("1", "2"), { noNullPrototype: true });
  fc.assert(
    fc.property(data, data, (one, other) => {
      const lines = diffLines(configMap(one), configMap(other));
      const [gone, come] = ["-", "+"].map((sign) => lines.filter((line) => line.startsWith(sign)).length);
      if (lines.length === 0) assert.deepEqual(one, other);
      else assert.ok(gone! + come! > 0);
      for (const [key, value] of Object.entries(other)) {
        if (one[key] !== value) assert.ok(lines.includes(`+   ${key}: "${value}"`), lines.join("\n"));
      }
    }),
  );
});
