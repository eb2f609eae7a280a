import assert from "node:assert/strict";
import { test } from "node:test";
import { testFolder, serveClusters } from "../../../test/support/command-line.ts";

const folder = testFolder("logs");
const rules = folder.file(
  "rules.yaml",
  '- { match: { image: "bad:*" }, fail: { exitCode: 3, at: 100ms }, logs: ["panic: no database"] }\n',
);
const { sluice } = await serveClusters(folder, "--behaviour", rules, "--speed", "20");

const job = (name: string, annotations: Readonly<Record<string, string>>) =>
  JSON.stringify({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name, annotations },
    spec: { backoffLimit: 0, template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "bad:1" }] } } },
  });

const policies: readonly Readonly<Record<string, string>>[] = [
  { "helm.sh/hook": "pre-install", "helm.sh/hook-delete-policy": "hook-failed" },
  { "werf.io/delete-policy": "failed" },
  { "kots.io/hook-delete-policy": "hook-failed" },
];

for (const [at, annotations] of policies.entries()) {
  test(`a failed Job with ${Object.values(annotations).join(" ")} is deleted, and its last lines are in the summary`, async () => {
    const { code, out, err } = await sluice("deploy", `r${at}`, folder.file(`${at}.yaml`, job(`bad-${at}`, annotations)));
    assert.equal(code, 1);
    assert.match(out, /deleted +job\/bad-\d/);
    assert.match(
      err,
      /Failed:\n {2}job\/bad-\d: .*BackoffLimitExceeded.*\n(?: {4}warning: .*\n)* {4}last lines of bad-\S+, container c:\n {6}panic: no database/,
    );
  });
}
