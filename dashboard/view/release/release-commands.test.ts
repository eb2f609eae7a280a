import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import * as fc from "fast-check";
import { comparisonCommands, objectCommands, releaseCommands } from "./release-commands.ts";
import { shellWord } from "../../component/shell-word.ts";

const target = { context: "prod", namespace: "shop" };
const job = { group: "batch", version: "v1", kind: "Job", namespace: "shop", name: "migrate" };

test("commands about a release name its namespace and its context", () => {
  assert.deepEqual(releaseCommands("web", 7, target), [
    "sluice why web -n shop --context prod",
    "sluice status web -n shop --context prod",
    "sluice timeline web 7 -n shop --context prod",
    "sluice history web -n shop --context prod",
  ]);
  assert.deepEqual(comparisonCommands("web", 6, 7, { ...target, context: "" }), [
    "sluice diff revision web 6 7 -n shop",
    "sluice timeline web 7 --compare 6 -n shop",
  ]);
});

test("commands about an object name it as kubectl does", () => {
  assert.deepEqual(objectCommands("web", job, [{ pod: "migrate-x", container: "c", lines: [] }], target), [
    "sluice why web job/migrate -n shop --context prod",
    "kubectl describe job.batch/migrate -n shop --context prod",
    "kubectl get job.batch/migrate -o yaml -n shop --context prod",
    "kubectl logs migrate-x -c c --tail=100 -n shop --context prod",
  ]);
  const node = { group: "", version: "v1", kind: "Node", namespace: "", name: "n" };
  assert.equal(objectCommands("web", node, [], target)[1], "kubectl describe node/n --context prod");
  const secret = { group: "", version: "v1", kind: "Secret", namespace: "shop", name: "creds" };
  assert.doesNotMatch(objectCommands("web", secret, [], target).join("\n"), /yaml/);
});

test("a shell reads every word as it was", () => {
  const words = fc.array(
    fc.string({ unit: "grapheme", maxLength: 12 }).filter((word) => !word.includes("\0")),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(words, (list) => {
      const script = `for word in ${list.map(shellWord).join(" ")}; do printf '%s\\0' "$word"; done`;
      const out = execFileSync("sh", ["-c", script], { encoding: "utf8" });
      assert.deepEqual(out.split("\0").slice(0, -1), list);
    }),
    { numRuns: 25 },
  );
  assert.equal(shellWord("gke_a:b/c@d"), "gke_a:b/c@d");
  assert.equal(shellWord("$(reboot)'s"), `'$(reboot)'\\''s'`);
});
