import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { runSluice, serveClusters, testFolder } from "../../../test/support/command-line.ts";
import { sveltosCrds } from "../../sveltos/api/index.ts";

const folder = testFolder("complete");
const { kubeconfig, sluice } = await serveClusters(folder, "--clusters", "2");

const configMap = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

before(async () => {
  const objects = [...sveltosCrds(), { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } }];
  const fleet = [
    { apiVersion: "lib.projectsveltos.io/v1beta1", kind: "SveltosCluster", metadata: { name: "east", namespace: "shop" }, spec: {} },
    { apiVersion: "config.projectsveltos.io/v1beta1", kind: "ClusterProfile", metadata: { name: "web" }, spec: {} },
    { apiVersion: "config.projectsveltos.io/v1beta1", kind: "Profile", metadata: { name: "api", namespace: "shop" }, spec: {} },
  ];
  const lines = [
    ["apply", folder.file("base.json", objects.map((object) => JSON.stringify(object)).join("\n---\n"))],
    ["apply", folder.file("fleet.yaml", fleet.map((object) => JSON.stringify(object)).join("\n---\n")), "--no-wait"],
    ["deploy", "web", folder.file("a.yaml", configMap("a"))],
    ["deploy", "web", folder.file("b.yaml", configMap("b")), "--description", "second"],
    ["deploy", "api", folder.file("c.yaml", configMap("c")), "-n", "shop"],
    ["deploy", "other", folder.file("d.yaml", configMap("d")), "--context", "sluice-2"],
  ];
  for (const line of lines) {
    const { code, err } = await sluice(...line);
    assert.equal(code, 0, `${line.join(" ")}: ${err}`);
  }
});

/** What completes the last word of a line, with ages taken out. */
async function completed(line: string, config = kubeconfig): Promise<readonly string[]> {
  const words = line.split(" ").map((word) => word.replace("KC", config));
  const word = words.pop() ?? "";
  const { code, out, err } = await runSluice("__complete", `--word=${word}`, "--", ...words);
  assert.deepEqual([code, err], [0, ""]);
  return out === ""
    ? []
    : out
        .replaceAll(/, \d+\w+(?=,|$)/gm, "")
        .replaceAll(/\t\d+\w+$/gm, "")
        .split("\n");
}

const lines: readonly (readonly [line: string, ...offered: readonly string[]])[] = [
  ["deploy --kubeconfig KC ", "web\tdeployed, web-0.0.0, revision 2"],
  ["deploy --kubeconfig=KC -n shop ", "api\tdeployed, api-0.0.0, revision 1"],
  ["delete --kubeconfig KC --kube-context sluice-2 ", "other\tdeployed, other-0.0.0, revision 1"],
  ["delete --kubeconfig KC --context=sluice-2 x"],
  ["uninstall web --kubeconfig KC "],
  ["rollback --kubeconfig KC web ", "2\tdeployed, web-0.0.0, second", "1\tsuperseded, web-0.0.0, Install complete"],
  [
    "get values web --kubeconfig KC --revision=",
    "--revision=2\tdeployed, web-0.0.0, second",
    "--revision=1\tsuperseded, web-0.0.0, Install complete",
  ],
  ["diff revision --kubeconfig KC web 2 ", "1\tsuperseded, web-0.0.0, Install complete"],
  ["list --kubeconfig KC --context ", "sluice-1\tsluice-1, current", "sluice-2\tsluice-2"],
  ["list --kubeconfig KC -n sh", "shop"],
  ["deregister cluster --kubeconfig KC -n shop ", "east\tshop/east, Sveltos, not ready"],
  ["deregister cluster --kubeconfig KC "],
  ["register cluster east --kubeconfig KC --fleet-cluster-context ", "sluice-1\tsluice-1, current", "sluice-2\tsluice-2"],
  ["show addons --kubeconfig KC --cluster ", "east\tshop/east, Sveltos, not ready"],
  ["show addons --kubeconfig KC --profile ", "ClusterProfile/web", "Profile/api\tshop"],
];

for (const [line, ...expected] of lines) test(`sluice ${line}|`, async () => assert.deepEqual(await completed(line), expected));

test("the names of repositories are those of Helm's file", async () => {
  const repositories = folder.file(
    "repositories.yaml",
    "apiVersion: ''\nrepositories: [{name: shop, url: 'https://charts.example.com'}]\n",
  );
  process.env["HELM_REPOSITORY_CONFIG"] = repositories;
  try {
    assert.deepEqual(await completed("repo remove "), ["shop\thttps://charts.example.com"]);
  } finally {
    delete process.env["HELM_REPOSITORY_CONFIG"];
  }
});

test("a kubeconfig that is not there, or is none, is silence", async () => {
  assert.deepEqual(await completed("deploy --kubeconfig /nowhere/at/all "), []);
  assert.deepEqual(await completed("list --kubeconfig KC --context ", folder.file("broken", ": [")), []);
  assert.deepEqual(await completed("deploy --kubeconfig KC ", folder.file("broken", ": [")), []);
});

/** A server that takes connections and never answers. */
const mute = createServer(() => {});
after(() => mute.close());

test("a cluster that does not answer, or credentials that do not come, are given up soon", { timeout: 60_000 }, async () => {
  await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
  const address = mute.address();
  const port = typeof address === "object" ? address?.port : 0;
  const slow = { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "sleep", args: ["120"], interactiveMode: "Never" } };
  for (const user of [{}, slow]) {
    const config = folder.file(
      "slow",
      JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        "current-context": "x",
        contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
        clusters: [{ name: "c", cluster: { server: `https://127.0.0.1:${port}` } }],
        users: [{ name: "u", user }],
      }),
    );
    const main = join(import.meta.dirname, "..", "main.ts");
    const args = [main, "__complete", "--word=", "--", "delete", "--kubeconfig", config];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 25_000 });
    assert.deepEqual([status, stdout, stderr], [0, "", ""]);
  }
});
