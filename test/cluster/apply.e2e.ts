import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { openCluster } from "../../src/kube/index.ts";
import { environmentVariables } from "./run-end-to-end.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";
import { runSluiceProcess } from "./run-program.ts";

const kubeconfig = process.env[environmentVariables.kubeconfig] ?? "";
/** Set where the test kubelet runs. */
const hasKubelet = process.env[environmentVariables.hasKubelet] === "yes";
const folder = makeTemporaryFolder();
const opened = await openCluster({ kubeconfig });

after(async () => {
  await opened.cluster.delete({ group: "", version: "v1", kind: "Namespace", namespace: "", name: "hello" });
  opened.close();
  rmSync(folder, { recursive: true, force: true });
});

const sluice = (...args: string[]) => runSluiceProcess(kubeconfig, args);

function file(name: string, manifest: object): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(manifest));
  return path;
}

const ready = ["persistentvolumeclaim/uploads", "statefulset/db", "job/migrate", "deployment/web"];

test(
  "examples/hello becomes ready on a real cluster, and stays so when it is applied again",
  { skip: hasKubelet ? false : "the test kubelet does not run here" },
  async () => {
    const first = await sluice("apply", "examples/hello", "--timeout", "180s");
    assert.equal(first.code, 0, first.out + first.err);
    for (const title of ready) assert.match(first.out, new RegExp(`^\\S+ +\\S+ +ready +${title} in hello`, "m"));
    const again = await sluice("apply", "examples/hello", "--timeout", "60s");
    assert.equal(again.code, 0, again.out + again.err);
    const checked = await sluice("check", "examples/hello");
    assert.equal(checked.code, 0, checked.out);
    assert.match(checked.out, /^deployment\/web +hello +ready$/m);
  },
);

test(
  "an image that cannot be pulled is named with its pod",
  { skip: hasKubelet ? false : "the test kubelet does not run here" },
  async () => {
    const labels = { app: "broken" };
    const spec = { containers: [{ name: "c", image: "example.com/missing:1" }] };
    const broken = file("broken.json", {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "broken", namespace: "hello" },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    });
    const { code, out, err } = await sluice("apply", broken, "--timeout", "60s");
    assert.equal(code, 1, out + err);
    assert.match(err, /deployment\/broken: .*pod broken-.*(ErrImagePull|ImagePullBackOff)/);
  },
);

test("refusals of the cluster and conflicts with other field managers are reported before anything is applied", async () => {
  const namespace = "default";
  const name = `e2e-owned-${process.pid}`;
  const ours = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: { a: "1" } };
  await opened.cluster.apply(ours, { manager: "somebody" });
  try {
    const conflict = await sluice("apply", file("conflict.json", { ...ours, data: { a: "2" } }));
    assert.equal(conflict.code, 1);
    assert.match(conflict.err, /\.data\.a belongs to somebody: leave the field out, or take it over with --force-conflicts/);
    assert.equal((await sluice("apply", join(folder, "conflict.json"), "--force-conflicts")).code, 0);
    const refused = await sluice("apply", file("refused.json", { ...ours, metadata: { name: "Not_Good", namespace } }));
    assert.equal(refused.code, 1);
    assert.match(refused.err, /refused\.json:1: configmap\/Not_Good: .*RFC 1123/);
  } finally {
    await opened.cluster.delete({ group: "", version: "v1", kind: "ConfigMap", namespace, name });
  }
});
