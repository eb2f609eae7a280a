import assert from "node:assert/strict";
import { test } from "node:test";
import { chartOf } from "../../../test/support/chart-of.ts";
import type { RemoteSchema } from "../../chart/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { Engine, GoMap } from "../../lang/template/index.ts";
import { helmFunctions, render, resolveSchemas } from "./index.ts";

const environment = { now: () => 0, randomBytes: () => new Uint8Array() };

/** Renders a chart whose template counts, with these remote schemas. */
async function rendering(files: Readonly<Record<string, string>>, documents: Readonly<Record<string, RemoteSchema | string>>) {
  const [fetched, executed]: [string[], string[]] = [[], []];
  const engine = new Engine(helmFunctions(environment, { onRequired: (message) => void executed.push(message) }));
  const chart = chartOf({ "values.yaml": "a: 1\n", "templates/a.yaml": '{{ required "a template" "" }}', ...files });
  const load = async (url: string): Promise<RemoteSchema> => {
    fetched.push(url);
    const found = documents[url] ?? { problem: "there is none", isTransient: false };
    return typeof found === "string" ? { text: found, digest: found } : found;
  };
  const work = resolveSchemas(load, (schemas) =>
    render(chart, new GoMap(), { engine, release: { name: "web", namespace: "default" }, ...schemas }),
  );
  const error: unknown = await work.then(
    () => undefined,
    (fault: unknown) => fault,
  );
  return { fetched, executed, error };
}

const refersTo = (url: string) => `{"$ref": "${url}"}`;

test("schemas are fetched before any template is executed, each once", async () => {
  const files = {
    "values.schema.json": '{"properties": {"a": {"$ref": "http://x/a"}, "b": {"$ref": "http://x/b"}}}',
    "charts/db/Chart.yaml": "apiVersion: v2\nname: db\nversion: 0.1.0\n",
    "charts/db/values.schema.json": refersTo("http://x/c"),
    "charts/cache/Chart.yaml": "apiVersion: v2\nname: cache\nversion: 0.1.0\n",
    "charts/cache/values.schema.json": refersTo("http://x/cache"),
    "Chart.yaml":
      "apiVersion: v2\nname: web\nversion: 0.1.0\ndependencies: [{name: db, version: 0.1.0}, {name: cache, version: 0.1.0, condition: cache.enabled}]\n",
    "values.yaml": "a: 1\ncache: {enabled: false}\n",
  };
  const documents = { "http://x/a": refersTo("c"), "http://x/b": "true", "http://x/c": "true" };
  assert.deepEqual(await rendering(files, documents), {
    fetched: ["http://x/a", "http://x/b", "http://x/c"],
    executed: ["a template"],
    error: undefined,
  });
});

test("values that do not meet a remote schema are final, also in a chart inside", async () => {
  const files = {
    "charts/db/Chart.yaml": "apiVersion: v2\nname: db\nversion: 0.1.0\n",
    "charts/db/values.schema.json": refersTo("http://x/a"),
  };
  const { error, executed } = await rendering(files, { "http://x/a": '{"required": ["size"]}' });
  assert.ok(error instanceof Fault && error.final);
  assert.match(error.message, /^values don't meet .*\ndb:\n- at '': missing property 'size'\n$/);
  assert.deepEqual(executed, []);
});

test("a schema that could not be fetched may be there the next time", async () => {
  for (const isTransient of [true, false]) {
    const { error } = await rendering({ "values.schema.json": refersTo("http://x/a") }, { "http://x/a": { problem: "down", isTransient } });
    assert.ok(error instanceof Fault);
    assert.equal(
      error.message,
      `values don't meet the specifications of the schema(s) in the following chart(s):\nweb:\nfailing loading "http://x/a": down`,
    );
    assert.equal(error.final, !isTransient);
  }
});

test("an endless chain of schemas is refused", async () => {
  const documents = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`http://x/${index}`, refersTo(`${index + 1}`)]));
  const { error, fetched } = await rendering({ "values.schema.json": refersTo("http://x/0") }, documents);
  assert.match(String(error), /refer to one another more than 100 deep/);
  assert.equal(fetched.length, 100);
});

test("without a loader nothing is fetched", async () => {
  const chart = chartOf({ "values.schema.json": refersTo("http://x/a") });
  const engine = new Engine(helmFunctions(environment));
  const work = resolveSchemas(undefined, (schemas) =>
    render(chart, new GoMap(), { engine, release: { name: "web", namespace: "default" }, ...schemas }),
  );
  await assert.rejects(work, /schemas are not fetched from the network/);
});
