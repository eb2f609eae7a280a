import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { readManifests } from "../../lang/yaml/index.ts";
import { needText, placeTexts } from "../../../test/support/order/notation.ts";
import { order } from "./order.ts";

const external = "in the release's namespace ready, external";
const secret = `secret/my-dynamic-vault-secret ${external} (secret.external-dependency.werf.io/resource)`;

/** The order of each example's objects; what follows `<` is an external need. */
const expected: Readonly<Record<string, readonly string[]>> = {
  "kots/phases": ["main -1 customresourcedefinition/myresources.example.com until applied", "main 0 myresource/my-resource until applied"],
  "kots/wait-for-ready": [
    "main 0 service/postgresql until applied",
    "main 0 statefulset/postgresql until kots-ready, barrier",
    "main 0 job/seed until applied",
  ],
  "kots/wait-for-properties": [
    "crds 0 customresourcedefinition/myresources.example.com until ready",
    "main 0 myresource/my-resource until .status.tasks.extract=true & .status.tasks.transform=true & .status.tasks.load=true, barrier",
    "main 1 deployment/report until applied",
  ],
  "werf/crds": ["crds 0 customresourcedefinition/crontabs.example.org until ready", "main 0 crontab/daily until ready"],
  "werf/weights": [
    "main -1 statefulset/database until ready",
    "main 0 job/database-migrations until ready",
    "main 1 deployment/app1 until ready",
    "main 1 deployment/app2 until ready",
  ],
  "werf/hook": ["pre-install 0 job/database-initialization until completed", "main 0 deployment/myapp until ready"],
  "werf/hook-weights": [
    "pre-install -1 job/first until completed",
    "pre-install 0 job/second until completed",
    "pre-install 1 job/third until completed",
  ],
  "werf/external-dependency": [`main 0 deployment/myapp until ready < ${secret}`],
  "werf/external-dependencies": [
    `main 0 deployment/myapp until ready < ${secret} < statefulset/my-database ${external} (database.external-dependency.werf.io/resource)`,
  ],
  "werf/external-namespace": [`main 0 deployment/myapp until ready < ${secret.replace("the release's namespace", "my-namespace")}`],
};

for (const [name, lines] of Object.entries(expected)) {
  test(`examples/${name}`, () => {
    const files = globSync(`examples/${name}/*.yaml`).toSorted();
    const manifests = files.flatMap((file) => readManifests(readFileSync(file, "utf8"), file).manifests);
    const found = order(manifests, { namespace: "default" });
    assert.deepEqual([found.problems, found.warnings], [[], []]);
    const needs = found.ordered.map(({ constraints }) =>
      constraints.needs.filter(({ external }) => external).map((need) => ` < ${needText(need)}`),
    );
    assert.deepEqual(
      placeTexts(found).map((line, at) => line + needs[at]!.join("")),
      lines,
    );
  });
}

test("every example of a dialect is tried", () => {
  const folders = globSync("examples/{kots,werf}/*").map((folder) => folder.replaceAll("\\", "/").replace("examples/", ""));
  assert.deepEqual(folders.toSorted(), Object.keys(expected).toSorted());
});
