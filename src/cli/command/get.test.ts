import assert from "node:assert/strict";
import { before, test } from "node:test";
import { serveClusters, testFolder } from "../../../test/support/command-line.ts";
import { openCluster } from "../../kube/index.ts";

const folder = testFolder("get");
const { kubeconfig, sluice } = await serveClusters(folder, "--speed", "20");

const manifest = (colour: string) => `apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {colour: ${colour}}
---
apiVersion: v1
kind: Secret
metadata: {name: login}
stringData: {password: hunter22}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: first, annotations: {helm.sh/hook: pre-install}}
`;

const chart = {
  "Chart.yaml": "apiVersion: v2\nname: tiny\nversion: 1.2.3\nappVersion: v4\n",
  "values.yaml": "colour: red\nsize: 3\n",
  "templates/settings.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: tiny}\ndata: {colour: {{ .Values.colour }}}\n",
  "templates/NOTES.txt": "It is {{ .Values.colour }}.\n",
};

before(async () => {
  for (const colour of ["red", "blue"]) assert.equal((await sluice("deploy", "web", folder.file("web.yaml", manifest(colour)))).code, 0);
  for (const [name, text] of Object.entries(chart)) folder.file(`tiny/${name}`, text);
  assert.equal((await sluice("deploy", "tiny", `${folder.path}/tiny`, "--set", "colour=blue")).code, 0);
});

const printed: Readonly<Record<string, string>> = {
  "get values web": "USER-SUPPLIED VALUES:\nnull",
  "get values web -o json": "null",
  "get values tiny": "USER-SUPPLIED VALUES:\ncolour: blue",
  "get values tiny --all": "COMPUTED VALUES:\ncolour: blue\nsize: 3",
  "get values tiny -a -o json": '{"colour":"blue","size":3}',
  "get notes web": "",
  "get notes tiny": "NOTES:\nIt is blue.\n",
  "get hooks tiny": "",
};

for (const [command, expected] of Object.entries(printed)) {
  test(`sluice ${command}`, async () => assert.deepEqual(await sluice(...command.split(" ")), { code: 0, out: expected, err: "" }));
}

test("get manifest prints what is stored, secrets included, and hooks apart", async () => {
  const { out } = await sluice("get", "manifest", "web");
  assert.match(out, /colour: blue/);
  assert.match(out, /password: hunter22/);
  assert.doesNotMatch(out, /helm\.sh\/hook/);
  assert.match((await sluice("get", "hooks", "web")).out, /^---\n# Source: .*web\.yaml\n[^]*name: first/);
  assert.match((await sluice("get", "manifest", "web", "--revision", "1")).out, /colour: red/);
  assert.equal((await sluice("get", "manifest", "web", "--revision", "0")).out, out);
});

test("get metadata of a revision that is named has the user's labels alone", async () => {
  const latest = JSON.parse((await sluice("get", "metadata", "tiny", "-o", "json")).out) as { labels: object };
  assert.deepEqual(Object.keys(latest.labels), ["createdAt", "modifiedAt", "name", "owner", "status", "version"]);
  const named = JSON.parse((await sluice("get", "metadata", "tiny", "--revision", "1", "-o", "json")).out) as object;
  assert.ok(!("labels" in named));
  assert.match((await sluice("get", "metadata", "tiny")).out, /^NAME: tiny\nCHART: tiny\nVERSION: 1\.2\.3\nAPP_VERSION: v4\n/);
});

test("get all", async () => {
  assert.match(
    (await sluice("get", "all", "tiny")).out,
    /^NAME: tiny\nLAST DEPLOYED: [^]*\nHOOKS:\nMANIFEST:\n---\n[^]*\nNOTES:\nIt is blue\.$/,
  );
});

test("a revision that is not there, and one that cannot be read", async () => {
  assert.deepEqual(await sluice("get", "values", "web", "--revision", "7"), {
    code: 1,
    out: "",
    err: "error: read revision 7 of release web in default: there is none of that number: expected one of 1, 2; sluice history web shows them",
  });
  const { cluster, close } = await openCluster({ kubeconfig });
  const ref = { group: "", version: "v1", kind: "Secret", namespace: "default", name: "sh.helm.release.v1.web.v1" };
  await cluster.patch(ref, { type: "merge", patch: { data: { release: Buffer.from("bad").toString("base64") } } });
  close();
  const broken = await sluice("get", "manifest", "web", "--revision", "1");
  assert.equal(broken.code, 1);
  assert.match(broken.err, /^error: read revision 1 of release web in default: the record sh\.helm\.release\.v1\.web\.v1 cannot be read: /);
  assert.equal((await sluice("get", "manifest", "web")).code, 0);
});

test("a release that is not there", async () => {
  const { code, err } = await sluice("get", "values", "nobody");
  assert.equal(code, 1);
  assert.match(err, /^error: find release nobody in default: there is no such release/);
});
