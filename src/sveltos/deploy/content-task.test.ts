import assert from "node:assert/strict";
import { test } from "node:test";
import { channelTasks } from "../../../test/support/deploy/channel-tasks.ts";
import { summaryScope } from "../../../test/support/deploy/release-text.ts";
import { lineFor } from "../../core/fault/index.ts";
import { integerOf } from "../../core/object/index.ts";
import { positionText } from "../../lang/yaml/index.ts";
import type { TaskRunner } from "../../worker/index.ts";
import { ContentRenderer } from "./content-task.ts";
import { OwnedTasks } from "./owned-tasks.ts";

const environment = { now: () => 0, randomBytes: (count: number) => new Uint8Array(count) };
const cluster = { apiVersion: "v1", kind: "Cluster", metadata: { name: "c1" }, count: integerOf(2n ** 63n - 1n) };
const data = { cluster, infrastructureProvider: undefined, controlPlane: undefined, resources: new Map() };
const { signal } = new AbortController();
const here = () => new ContentRenderer(data, { environment, tasks: undefined });

/** Renders in workers, and counts the tasks by handler. */
function elsewhere(): { readonly renderer: ContentRenderer; readonly handlers: readonly string[] } {
  const pool = channelTasks(environment);
  const handlers: string[] = [];
  const counted: TaskRunner = { run: (task, options) => (handlers.push(task.handler), pool.run(task, options)) };
  return { renderer: new ContentRenderer(data, { environment, tasks: new OwnedTasks(counted, summaryScope, signal) }), handlers };
}

const map = (name: string, more = "") => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${more}`;
const padding = `# ${"x".repeat(40_000)}\n`;

const at = "ConfigMap a/b c.yaml";

async function read(renderer: ContentRenderer, text: string, processing: "as it is" | "by template" | "by script"): Promise<object> {
  const { manifests, problems } = await renderer.manifests(at, text, processing);
  const positions = manifests.map(({ at: position, object, positionOf }) =>
    [position, ...Object.keys(object.metadata.annotations ?? {}).map((key) => positionOf(`metadata.annotations["${key}"]`))].map(
      positionText,
    ),
  );
  assert.ok(manifests.length + problems.length > 0);
  return { objects: manifests.map(({ object }) => object), positions, problems };
}

/** Each is read by a worker as it is read here. */
const cases = {
  "a template": ["by template", `${map("'{{ .Cluster.metadata.name }}'")}data: {n: "{{ .Cluster.count }}"}\n`],
  "a script": ["by script", `function evaluate() return {resources = {"${map("a").replaceAll("\n", "\\n")}"}} end`],
  "a long text": ["as it is", `${padding}${map("a", '  annotations:\n    x: "1"\n    werf.io/weight: "5"\n')}n: 9223372036854775807\n`],
  "a List": [
    "as it is",
    `${padding}apiVersion: v1\nkind: List\nitems:\n- ${map("a").replaceAll("\n", "\n  ")}\n- ${map("b").replaceAll("\n", "\n  ")}`,
  ],
  "a list of texts": ["as it is", `${padding}- ${JSON.stringify(map("a"))}\n- ${JSON.stringify(map("b"))}\n`],
  problems: ["as it is", `${padding}${map("1")}---\na: b\n---\n{`],
  "a long text that could be a template": ["by template", `${padding}${map("a")}`],
} as const;

for (const [what, [processing, text]] of Object.entries(cases))
  test(`${what} is read by a worker as it is here`, async () => {
    const { renderer, handlers } = elsewhere();
    const expected = await read(here(), text, processing);
    assert.deepEqual(await read(renderer, text, processing), expected);
    assert.deepEqual(handlers, ["manifests"]);
  });

test("short texts are read here, until there are many of them", async () => {
  const { renderer, handlers } = elsewhere();
  const text = `# ${"x".repeat(8000)}\n${map("a")}`;
  for (let count = 1; count <= 6; count++) await renderer.manifests("a", text, "as it is");
  assert.equal(handlers.length, 2);
});

test("of thousands of problems a worker tells the first hundred", async () => {
  const { problems } = await elsewhere().renderer.manifests(at, "---\na: b\n".repeat(10_000), "as it is");
  assert.equal(problems.length, 101);
  assert.equal(lineFor(problems[100]!), "ConfigMap a/b c.yaml: 29900 more problems of this kind");
});

test("manifests that aliases make too large do not leave the worker", async () => {
  const long = "x".repeat(100_000);
  await assert.rejects(read(elsewhere().renderer, `x: &a "${long}"\ndata: [${"*a,".repeat(32)}]\n${map("a")}`, "as it is"), {
    message: "ConfigMap a/b c.yaml:1: configmap/a has more than 3 MiB as JSON, and no API server accepts it",
  });
  const document = `---\nx: &a "${long}"\ndata: [${"*a,".repeat(28)}]\n`;
  const many = Array.from({ length: 12 }, (_, at) => `${document}${map(`a${at}`)}`).join("");
  await assert.rejects(read(elsewhere().renderer, many, "as it is"), {
    message: /^ConfigMap a\/b c.yaml:\d+: configmap\/a11 and the manifests before it have more than 32 MiB as JSON$/,
  });
});
