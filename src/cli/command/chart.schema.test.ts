import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { runSluice, testFolder } from "../../../test/support/command-line.ts";
import { serveHttp } from "../../../test/support/loopback.ts";
import { parseHosts } from "../parse-argument.ts";

const folder = testFolder("chart-schema");
process.env["HELM_CACHE_HOME"] = join(folder.path, "cache");

/** A server with schemas, and a chart whose own schema and that of its subchart refer to it. */
async function chartWithRemoteSchemas(t: TestContext) {
  const server = await serveHttp(t, (request, response) => {
    if (request.url === "/port.json") response.end('{"$ref": "defs.json#/definitions/port"}');
    else if (request.url === "/defs.json") response.end('{"definitions": {"port": {"type": "integer", "maximum": 65535}}}');
    else response.writeHead(404).end();
  });
  const files = {
    "Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\ndependencies: [{name: db, version: 0.1.0}]\n",
    "values.yaml": "port: 80\ndb: {port: 5432}\n",
    "values.schema.json": JSON.stringify({ properties: { port: { $ref: `${server.url}/port.json` } } }),
    "templates/a.yaml": 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {port: "{{ .Values.port }}"}\n',
    "charts/db/Chart.yaml": "apiVersion: v2\nname: db\nversion: 0.1.0\n",
    "charts/db/values.schema.json": JSON.stringify({ properties: { port: { $ref: `${server.url}/port.json` } } }),
  };
  for (const [name, text] of Object.entries(files)) folder.file(`web/${name}`, text);
  rmSync(join(folder.path, "cache"), { recursive: true, force: true });
  return { ...server, chart: join(folder.path, "web") };
}

const preamble = "values don't meet the specifications of the schema(s) in the following chart(s):";

test("every command fetches what a chart's schema refers to", async (t) => {
  const { chart } = await chartWithRemoteSchemas(t);
  assert.match((await runSluice("render", chart)).out, /data: \{port: "80"\}/);
  assert.equal((await runSluice("lint", chart)).code, 0);
  assert.match((await runSluice("plan", "shop", chart, "--embedded")).out, /create configmap\/a/);
  assert.equal((await runSluice("deploy", "shop", chart, "--embedded")).code, 0);
});

test("values that do not meet a fetched schema are refused, in Helm's words", async (t) => {
  const { chart } = await chartWithRemoteSchemas(t);
  const wrong = ["--set", "port=70000,db.port=x"];
  const problem = `${preamble}\nweb:\n- at '/port': maximum: got 70,000, want 65,535\ndb:\n- at '/port': got string, want integer\n`;
  for (const args of [
    ["render", chart],
    ["deploy", "shop", chart, "--embedded"],
    ["plan", "shop", chart, "--embedded"],
  ]) {
    const { code, err, out } = await runSluice(...args, ...wrong);
    assert.deepEqual({ code, err, out }, { code: 1, err: `error: ${problem}`, out: "" });
    assert.equal((await runSluice(...args, ...wrong, "--skip-schema-validation")).code, 0);
  }
  const linted = await runSluice("lint", chart, ...wrong);
  assert.equal(linted.code, 1);
  assert.match(linted.out, /error: templates\/: values don't meet[^]*'\/port': maximum: got 70,000, want 65,535/);
});

test("without the network the last copy is used; without one it says what to do", async (t) => {
  const { chart, close, url } = await chartWithRemoteSchemas(t);
  await runSluice("render", chart);
  await close();
  const offline = await runSluice("render", chart);
  assert.equal(offline.code, 0);
  assert.match(
    offline.err,
    /^warning: nothing answers at .*\/port\.json \(connection refused\): check the address: the copy of .* is used\n/,
  );
  rmSync(join(folder.path, "cache"), { recursive: true, force: true });
  const { code, err } = await runSluice("render", chart);
  assert.equal(code, 1);
  const problem = `failing loading "${url}/port.json": HTTP request failed for ${url}/port.json: nothing answers at ${url}/port.json (connection refused): check the address; to do without it, skip the validation with --skip-schema-validation`;
  assert.equal(err, `error: ${preamble}\nweb:\n${problem}\ndb:\n${problem}`);
  assert.equal((await runSluice("render", chart, "--skip-schema-validation")).code, 0);
});

test("hosts are as URLs have them", () => {
  assert.deepEqual(parseHosts("Charts.Example, a.example:8443,b.example:443,[::1]:80"), [
    "charts.example",
    "a.example:8443",
    "b.example",
    "[::1]",
  ]);
  for (const text of ["", "https://a.example", "a.example/x", "*.example", "a,,b"]) assert.throws(() => parseHosts(text), /expected hosts/);
});

test("the chart of Sluice passes the hosts on", async () => {
  const { out } = await runSluice("render", "deploy", "--set", "controller.schemaHosts={a.example,b.example:8443}");
  assert.match(out, /--schema-hosts\n\s*- "?a\.example,b\.example:8443/);
  assert.doesNotMatch((await runSluice("render", "deploy")).out, /schema-hosts/);
});
