import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openCluster } from "../../src/kube/index.ts";
import type { KubeObject } from "../../src/core/object/index.ts";
import { storageName } from "../../src/release/record/index.ts";
import { environmentVariables } from "./run-end-to-end.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";
import { runHelmProcess, runSluiceProcess } from "./run-program.ts";
import { buildHelm } from "./toolchain.ts";

const kubeconfig = process.env[environmentVariables.kubeconfig] ?? "";
const folder = makeTemporaryFolder();
const namespace = `e2e-get-${process.pid}`;
const { cluster, close } = await openCluster({ kubeconfig });
const helmProgram = await buildHelm(() => {});
const fixture = join(import.meta.dirname, "..", "..", "src", "release", "inspect", "recorded", "helm-get.json");

const chart = {
  "Chart.yaml": `apiVersion: v2
name: tiny
version: 1.2.3
appVersion: '4.5'
annotations: {b.example.com/x: "<1 & 2>", a: "2"}
dependencies:
- {name: kid, version: 0.1.0, repository: "", alias: zoe, condition: zoe.enabled, tags: [back], import-values: [{child: part, parent: taken}]}
- {name: ant, version: "", repository: "", condition: ant.enabled}
`,
  "values.yaml": `colour: red
big: 12345678901234567890
mid: 123456789012
small: 0.0000001
huge: 1e30
gone: 1
"10": ten
"9": nine
-x: dash
a10: 1
a9: 2
yes: "no"
text: |
  a
  b
list: [1, 2, {a: b}]
html: "<a&b>"
z: "y\\n\\n"
`,
  "charts/kid/Chart.yaml": "apiVersion: v2\nname: kid\nversion: 0.1.0\n",
  "charts/kid/values.yaml": "enabled: true\nsize: 5\npart: {a: 1}\nglobal: {g: 1}\n",
  "charts/ant/Chart.yaml": "apiVersion: v2\nname: ant\nversion: 0.1.0\n",
  "charts/ant/values.yaml": "enabled: false\n",
  "templates/all.yaml": `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-settings
data:
  colour: {{ .Values.colour }}
---
apiVersion: v1
kind: Secret
metadata:
  name: {{ .Release.Name }}-login
stringData:
  password: hunter22
`,
  "templates/hooks.yaml": `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-hook
  annotations:
    helm.sh/hook: pre-install,post-upgrade
    helm.sh/hook-weight: '-3'
---
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-test
  annotations: {helm.sh/hook: test}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}
`,
  "templates/NOTES.txt": "It is {{ .Values.colour }}.\n\nDone.\n",
};

const plain = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: plain}\ndata: {sign: '<&>'}\n";
const values = "colour=blue,gone=null,n=12345678901234567890,f=1.50,kid.size=7";

async function helm(command: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const args = [...command.split(" "), "--kubeconfig", kubeconfig, "-n", namespace];
  const { code, out, err } = await runHelmProcess(helmProgram, folder, args, env);
  assert.equal(code, 0, `helm ${command}: ${err}`);
  return out;
}

async function sluice(command: string): Promise<string> {
  const { code, out, err } = await runSluiceProcess(kubeconfig, [...command.split(" "), "-n", namespace]);
  assert.equal(code, 0, `sluice ${command}: ${err}`);
  return out;
}

before(async () => {
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  for (const [name, text] of Object.entries(chart)) {
    mkdirSync(dirname(join(folder, "tiny", name)), { recursive: true });
    writeFileSync(join(folder, "tiny", name), text);
  }
  writeFileSync(join(folder, "plain.yaml"), plain);
});
after(async () => {
  await cluster.delete({ group: "", version: "v1", kind: "Namespace", namespace: "", name: namespace });
  close();
  rmSync(folder, { recursive: true, force: true });
});

const queries = [
  "values",
  "values --all",
  "values -o json",
  "values -a -o json",
  "values -o yaml",
  "values -a -o yaml",
  "manifest",
  "notes",
  "hooks",
  "metadata",
  "metadata -o json",
  "metadata -o yaml",
  "all",
];

type Release = {
  readonly name: string;
  readonly make: () => Promise<unknown>;
  readonly revisions: readonly number[];
  /** Helm reads one kind of storage at a time. */
  readonly env?: Readonly<Record<string, string>>;
};

const releases: readonly Release[] = [
  {
    name: "theirs",
    revisions: [0, 1, 3],
    make: async () => {
      await helm(`install theirs tiny --set ${values} --labels team=red,a=b`);
      await helm("upgrade theirs tiny --set colour=green");
      await helm("upgrade theirs tiny --reset-values");
      await helm("test theirs");
    },
  },
  {
    name: "in-configmaps",
    revisions: [0, 1],
    env: { HELM_DRIVER: "configmap" },
    make: () => helm("install in-configmaps tiny --server-side=false", { HELM_DRIVER: "configmap" }),
  },
  {
    name: "ours",
    revisions: [0, 1, 2],
    make: async () => {
      await sluice(`deploy ours ${join(folder, "tiny")} --set ${values}`);
      await sluice(`deploy ours ${join(folder, "tiny")} --set colour=green`);
      await sluice("test ours");
    },
  },
  { name: "bare", revisions: [0, 1], make: () => sluice(`deploy bare ${join(folder, "plain.yaml")}`) },
];

const recorded: { readonly name: string; readonly records: KubeObject[]; readonly outputs: Record<string, string> }[] = [];

for (const { name, make, revisions, env } of releases) {
  describe(`sluice get prints what helm get prints, of ${name}`, () => {
    before(make);
    const entry = { name, records: [] as KubeObject[], outputs: {} as Record<string, string> };
    recorded.push(entry);

    for (const query of queries) {
      test(query, async () => {
        for (const revision of revisions) {
          const command = `get ${query} ${name}${revision === 0 ? "" : ` --revision ${revision}`}`;
          const [theirs, ours] = await Promise.all([helm(command, env), sluice(command)]);
          assert.equal(ours, theirs, command);
          entry.outputs[command] = theirs;
        }
      });
    }

    after(async () => {
      for (const revision of revisions.filter((number) => number > 0)) {
        const kind = env === undefined ? "Secret" : "ConfigMap";
        const ref = { group: "", version: "v1", kind, namespace, name: storageName(name, revision) };
        const { metadata, ...object } = await cluster.get(ref);
        entry.records.push({ ...object, metadata: { name: ref.name, namespace, labels: metadata.labels ?? {} } });
      }
      if (process.env["UPDATE_GOLDEN"] === "1" && recorded.length === releases.length)
        writeFileSync(fixture, `${JSON.stringify(recorded, undefined, 1)}\n`);
    });
  });
}
