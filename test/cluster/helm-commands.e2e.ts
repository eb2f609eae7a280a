import assert from "node:assert/strict";
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openCluster } from "../../src/kube/index.ts";
import { storefrontChart } from "./chart/storefront.ts";
import { environmentVariables } from "./run-end-to-end.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";
import { projectRoot, runHelmProcess, runProgram, type ProgramResult } from "./run-program.ts";
import { buildHelm } from "./toolchain.ts";

const kubeconfig = process.env[environmentVariables.kubeconfig] ?? "";
const folder = makeTemporaryFolder();
const namespace = `e2e-helm-commands-${process.pid}`;
const { cluster, close } = await openCluster({ kubeconfig });
const helmProgram = await buildHelm(() => {});
const env = { KUBECONFIG: kubeconfig, HELM_NAMESPACE: "" };

before(async () => {
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  writeChart("storefront", storefrontChart);
  writeChart("plain", {
    "Chart.yaml": "apiVersion: v2\nname: plain\nversion: 1.0.0\n",
    "values.yaml": "a: 1\nb: 2\n",
    "templates/cm.yaml":
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\ndata: {a: "{{ .Values.a }}", b: "{{ .Values.b }}", up: "{{ .Release.IsUpgrade }}"}\n',
  });
  writeFileSync(join(folder, "more.yaml"), "a: file\n");
});
after(async () => {
  await cluster.delete({ group: "", version: "v1", kind: "Namespace", namespace: "", name: namespace });
  close();
  rmSync(folder, { recursive: true, force: true });
});

function writeChart(name: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true });
    writeFileSync(join(folder, name, path), text);
  }
}

const helm = (args: readonly string[]) => runHelmProcess(helmProgram, folder, args, env);
const sluice = (args: readonly string[]) =>
  runProgram(process.execPath, [join(projectRoot, "src", "cli", "main.ts"), ...args], { cwd: folder, env });
const programs: Readonly<Record<"helm" | "sluice", (args: readonly string[]) => Promise<ProgramResult>>> = { helm, sluice };

/** A release as Helm tells of it: every revision, the values of the user, the labels and what is in the cluster. */
async function tell(name: string): Promise<unknown> {
  const asked = await helm(["history", name, "-o", "json", "-n", namespace]);
  if (asked.code !== 0) return "no such release";
  const revisions = JSON.parse(asked.out) as { revision: number; status: string; description: string; chart: string }[];
  const history = revisions.map(({ revision, status, description, chart }, at) =>
    at < revisions.length - 1 && isDeleted(status, description) ? { revision, chart } : { revision, status, description, chart },
  );
  const values: unknown = JSON.parse((await helm(["get", "values", name, "-o", "json", "-n", namespace])).out);
  const metadata = JSON.parse((await helm(["get", "metadata", name, "-o", "json", "-n", namespace])).out) as { labels?: object };
  const object = await cluster.find({ group: "", version: "v1", kind: "ConfigMap", namespace, name });
  return { history, values, labels: userLabels(metadata.labels ?? {}), data: object?.["data"] };
}

/** A deleted revision before a new one stays `uninstalled`. Helm writes that it is superseded. */
function isDeleted(status: string, description: string): boolean {
  return status === "uninstalled" || description === "superseded by new release";
}

function userLabels(labels: object): object {
  const own = ["createdAt", "modifiedAt", "name", "owner", "status", "version"];
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !own.includes(key)));
}

/** Command lines as Helm's users type them; NAME is the name of the release. */
const stories: Readonly<Record<string, readonly string[]>> = {
  "install and upgrade": ["install NAME plain --set a=x", "upgrade NAME plain --set b=y"],
  "install of a name in use": ["install NAME plain", "install NAME plain --set a=2"],
  "upgrade of nothing": ["upgrade NAME plain"],
  "upgrade --install, twice": ["upgrade --install NAME plain -f more.yaml", "upgrade -i NAME plain --set a=2 --wait --timeout 1m0s"],
  "values of before without any now": ["install NAME plain --set a=x", "upgrade NAME plain --description again --labels x=y"],
  "--reuse-values": ["install NAME plain --set a=x", "upgrade NAME plain --reuse-values --set b=y"],
  "--reset-values": ["install NAME plain --set a=x", "upgrade NAME plain --reset-values"],
  "--reset-then-reuse-values": ["install NAME plain --set a=x", "upgrade NAME plain --reset-then-reuse-values --set b=y"],
  "all kinds of values": [
    'install NAME plain -f more.yaml --set-string b=7 --set-json c={"d":[1]} --set-literal e=1,2 --set-file f=more.yaml --set g=null',
  ],
  "labels and descriptions": [
    "install NAME plain --labels x=y,z=1 --description one",
    "upgrade NAME plain --set a=2 --labels x=null,w=2 --description two",
  ],
  "reserved labels": ["install NAME plain --labels owner=me"],
  "kept history": ["install NAME plain", "uninstall NAME --keep-history --description bye", "install NAME plain"],
  "kept history, upgraded": ["install NAME plain", "uninstall NAME --keep-history", "upgrade NAME plain"],
  "kept history, installed again": ["install NAME plain", "uninstall NAME --keep-history", "upgrade --install NAME plain --set a=2"],
  "kept history, replaced": ["install NAME plain --set a=1", "uninstall NAME --keep-history", "install NAME plain --replace --set a=2"],
  "kept history, purged": ["install NAME plain", "uninstall NAME --keep-history", "uninstall NAME"],
  "kept history, kept again": ["install NAME plain", "uninstall NAME --keep-history", "uninstall NAME --keep-history"],
  "uninstall of nothing": ["uninstall NAME"],
  "uninstall of nothing, ignored": ["uninstall NAME --ignore-not-found"],
  "a dry run": ["install NAME plain --dry-run=client", "install NAME plain --dry-run=server", "install NAME plain --dry-run=none"],
  "booleans with a value": ["install NAME plain --wait=false --rollback-on-failure=false --no-hooks=true"],
  "a limited history": ["install NAME plain", "upgrade NAME plain --set a=2", "upgrade NAME plain --set a=3 --history-max 2"],
  "rolled back on failure": ["install NAME plain", "upgrade NAME plain --set a=2 --rollback-on-failure --cleanup-on-fail"],
};

describe("Helm's command lines do the same by both programs", () => {
  for (const [what, story] of Object.entries(stories))
    test(what, async () => {
      const name = `s${Object.keys(stories).indexOf(what)}`;
      const told: Record<string, unknown> = {};
      for (const [program, run] of Object.entries(programs)) {
        const codes: (number | null)[] = [];
        for (const line of story) {
          const args = line.split(" ").map((word) => (word === "NAME" ? name : word));
          const { code } = await run([...args, "-n", namespace]);
          codes.push(code === 0 ? 0 : 1);
        }
        told[program] = { codes, release: await tell(name) };
        // What one program deployed the other deletes.
        await programs[program === "helm" ? "sluice" : "helm"](["uninstall", name, "-n", namespace, "--ignore-not-found"]);
        assert.equal(await tell(name), "no such release");
      }
      assert.deepEqual(told["sluice"], told["helm"]);
    });
});

describe("template prints what Helm's prints", () => {
  const variants: readonly (readonly string[])[] = [
    ["shop", "storefront"],
    ["storefront"],
    ["storefront", "--generate-name"],
    ["storefront", "--name-template", '{{ "SHOP" | lower }}'],
    ["shop", "storefront", "-n", "elsewhere", "--is-upgrade", "--set", "port=9090"],
    ["shop", "storefront", "--include-crds", "--no-hooks"],
    ["shop", "storefront", "--include-crds", "--skip-tests", "--kube-version", "1.31.4", "-a", "shop.example.com/v1"],
    ["shop", "storefront", "-s", "templates/hooks.yaml", "-s", "templates/loops.yaml"],
    ["shop", "storefront", "--wait", "--create-namespace", "--timeout", "1m", "--debug", "--dry-run=client"],
  ];
  for (const variant of variants)
    test(variant.join(" "), async () => {
      const [theirs, ours] = [await helm(["template", ...variant]), await sluice(["template", ...variant])];
      assert.equal(theirs.code, 0, theirs.err);
      assert.equal(ours.out, theirs.out);
    });

  test("the same files with --output-dir", async () => {
    for (const [program, run] of Object.entries(programs)) {
      const { code, err } = await run(["template", "shop", "storefront", "--include-crds", "--output-dir", program]);
      assert.equal(code, 0, err);
    }
    const [theirs, ours] = ["helm", "sluice"].map((name) => treeOf(join(folder, name)));
    assert.ok(Object.keys(ours ?? {}).length > 5);
    assert.deepEqual(ours, theirs);
  });
});

function treeOf(root: string): Readonly<Record<string, string>> {
  const paths = globSync("**/*.*", { cwd: root }).toSorted();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

test("an upgrade that fails is undone by both", async () => {
  writeChart("failing", {
    "Chart.yaml": "apiVersion: v2\nname: plain\nversion: 2.0.0\n",
    "templates/cm.yaml":
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-new"}\n',
    "templates/hook.yaml":
      'apiVersion: batch/v1\nkind: Job\nmetadata: {name: "{{ .Release.Name }}-hook", annotations: {helm.sh/hook: post-upgrade}}\nspec: {backoffLimit: 0, activeDeadlineSeconds: 1, template: {spec: {restartPolicy: Never, nodeSelector: {none: such}, containers: [{name: c, image: nginx}]}}}\n',
  });
  const told: Record<string, unknown> = {};
  for (const [program, run] of Object.entries(programs)) {
    const name = `undone-${program}`;
    await run(["install", name, "plain", "--set", "a=before", "-n", namespace]);
    const { code } = await run(["upgrade", name, "failing", "--atomic", "--timeout", "40s", "-n", namespace].map(rollbackFlagOf(program)));
    const [object, added] = await Promise.all(
      [name, `${name}-new`].map((each) => cluster.find({ group: "", version: "v1", kind: "ConfigMap", namespace, name: each })),
    );
    const history = JSON.parse((await helm(["history", name, "-o", "json", "-n", namespace])).out) as { status: string }[];
    told[program] = { failed: code !== 0, data: object?.["data"], added: added !== undefined, states: history.map(({ status }) => status) };
    await sluice(["uninstall", name, "-n", namespace]);
  }
  assert.deepEqual(told["sluice"], told["helm"]);
});

/** Helm 4 no longer has `--atomic`. */
function rollbackFlagOf(program: string): (word: string) => string {
  return (word) => (word === "--atomic" && program === "helm" ? "--rollback-on-failure" : word);
}
