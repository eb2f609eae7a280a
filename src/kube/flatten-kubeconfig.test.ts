import assert from "node:assert/strict";
import { test } from "node:test";
import { readYaml } from "../lang/yaml/index.ts";
import { flattenKubeconfig, thisMachine, type Machine } from "./index.ts";

const many = `kind: Config
current-context: east
clusters:
- { name: e, cluster: { server: "https://e:1", certificate-authority: ca.crt, tls-server-name: e.local } }
- { name: w, cluster: { server: "https://w:1", insecure-skip-tls-verify: true, proxy-url: "http://p:1" } }
users:
- { name: files, user: { client-certificate: me.crt, client-key-data: S0VZ, tokenFile: /run/token, token: old } }
- { name: jane, user: { username: u, password: p, as: bob, as-groups: [ops] } }
- { name: aws, user: { exec: { command: aws, apiVersion: client.authentication.k8s.io/v1 } } }
contexts:
- { name: east, context: { cluster: e, user: files, namespace: shop } }
- { name: west, context: { cluster: w, user: jane } }
- { name: cloud, context: { cluster: w, user: aws } }
- { name: lost, context: { cluster: gone, user: jane } }
`;

const files: Readonly<Record<string, string>> = {
  "/k/many.yaml": many,
  "/k/none.yaml": many.replace("current-context: east\n", ""),
  "/k/ca.crt": "CA",
  "/k/me.crt": "ME",
  "/run/token": "fresh\n",
  "/a/contexts.yaml": "kind: Config\ncontexts: [{ name: split, context: { cluster: c, user: u } }]\n",
  "/b/rest.yaml":
    'kind: Config\nclusters: [{ name: c, cluster: { server: "https://c:1", certificate-authority: ca.crt } }]\nusers: [{ name: u, user: { token: t } }]\n',
  "/b/ca.crt": "OTHER",
};

const machine = (env: Record<string, string> = {}): Machine => ({
  ...thisMachine(),
  env,
  home: "/nobody",
  folder: "/k",
  read: async (path) => files[path] ?? Promise.reject(Object.assign(new Error("no such file"), { code: "ENOENT" })),
});

const flatten = async (kubeconfig: string | undefined, context?: string, env: Record<string, string> = {}) =>
  readYaml(
    await flattenKubeconfig(
      {
        machine: machine(env),
        ...(kubeconfig === undefined ? {} : { kubeconfig }),
        ...(context === undefined ? {} : { context }),
      },
      "--fleet-cluster-context",
    ),
    "flat",
  );

const base64 = (text: string) => Buffer.from(text).toString("base64");

test("a context is alone in its kubeconfig, with what its files hold", async () => {
  const cluster = { server: "https://e:1", "tls-server-name": "e.local", "certificate-authority-data": base64("CA") };
  const user = { "client-certificate-data": base64("ME"), "client-key-data": "S0VZ", token: "fresh" };
  const east = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "east",
    clusters: [{ name: "e", cluster }],
    users: [{ name: "files", user }],
    contexts: [{ name: "east", context: { cluster: "e", user: "files", namespace: "shop" } }],
  };
  assert.deepEqual(await flatten("many.yaml", "east"), east);
  assert.deepEqual(await flatten("many.yaml"), east);
  assert.deepEqual(await flatten(undefined, "west", { KUBECONFIG: "/k/many.yaml" }), {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "west",
    clusters: [{ name: "w", cluster: { server: "https://w:1", "insecure-skip-tls-verify": true, "proxy-url": "http://p:1" } }],
    users: [{ name: "jane", user: { username: "u", password: "p", as: "bob", "as-groups": ["ops"] } }],
    contexts: [{ name: "west", context: { cluster: "w", user: "jane" } }],
  });
});

test("a context whose cluster and user are in another file of KUBECONFIG is found there, with its files", async () => {
  const split = await flatten(undefined, "split", { KUBECONFIG: "/a/contexts.yaml:/b/rest.yaml" });
  assert.partialDeepStrictEqual(split, {
    clusters: [{ name: "c", cluster: { server: "https://c:1", "certificate-authority-data": base64("OTHER") } }],
    users: [{ name: "u", user: { token: "t" } }],
  });
});

const refusals: readonly [kubeconfig: string | undefined, context: string | undefined, expected: string][] = [
  ["many.yaml", "nowhere", 'there is no context "nowhere" in /k/many.yaml: the contexts there are east, west, cloud, lost'],
  [
    "none.yaml",
    undefined,
    "no context is current in /k/none.yaml: choose one with --fleet-cluster-context; the contexts there are east, west, cloud, lost",
  ],
  [
    "many.yaml",
    "cloud",
    'user "aws" in /k/many.yaml gets its credentials from a program, aws, which is on this machine alone: make a kubeconfig that needs none with sluice generate kubeconfig --create --kubeconfig /k/many.yaml --context cloud',
  ],
  ["many.yaml", "lost", 'context "lost" in /k/many.yaml names the cluster "gone", which is not there: the clusters there are e, w'],
  ["gone.yaml", undefined, "there is no kubeconfig /k/gone.yaml: check the path given with --kubeconfig"],
  [undefined, "east", "there is no /nobody/.kube/config, and KUBECONFIG is not set; name a file with --kubeconfig"],
];

for (const [kubeconfig, context, message] of refusals) {
  test(`refused: ${message.slice(0, 60)}`, () => assert.rejects(flatten(kubeconfig, context), { message }));
}
