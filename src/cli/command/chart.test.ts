import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { runSluice } from "../../../test/support/command-line.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-chart-"));
after(() => rmSync(folder, { recursive: true, force: true }));

let charts = 0;

/** The path of a chart of these files; without a `Chart.yaml` it is web 0.1.0. */
function chart(files: Readonly<Record<string, string>>): string {
  const home = join(folder, `chart-${++charts}`);
  for (const [name, text] of Object.entries({ "Chart.yaml": "apiVersion: v2\nname: web\nversion: 0.1.0\n", ...files }))
    file(join(home, name), text);
  return home;
}

function file(path: string, text: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\ndata: {a: "{{ .Values.a }}"}\n';
const good = chart({ "values.yaml": "a: 1\n", "templates/a.yaml": configMap });

test("render prints the chart with its values", async () => {
  const values = file(join(folder, "values.yaml"), "a: 2\n");
  const { code, out } = await runSluice("render", good, "-f", values, "--release", "shop");
  assert.equal(code, 0);
  assert.equal(out, '---\n# Source: web/templates/a.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: "shop"}\ndata: {a: "2"}');
  assert.match((await runSluice("render", good, "-f", values, "--set", "a=3")).out, /a: "3"/);
  const content = file(join(folder, "content.txt"), "text");
  assert.match((await runSluice("render", good, "--set-file", `a=${content}`)).out, /a: "text"/);
  assert.match((await runSluice("render", good, "--set-json", '{"a": 7}', "--set-literal", "a=x,y")).out, /a: "x,y"/);
});

test("what the cluster is to be can be said", async () => {
  const asking = chart({
    "templates/a.yaml":
      'a: {{ .Capabilities.KubeVersion }} {{ .Capabilities.APIVersions.Has "example.com/v1" }} {{ .Release.IsUpgrade }} {{ .Release.Namespace }}\n',
  });
  assert.match((await runSluice("render", asking)).out, /a: v1\.36\.0 false false default/);
  const flags = ["--kube-version", "1.30.2", "-a", "example.com/v1", "--is-upgrade", "-n", "shop"];
  assert.match((await runSluice("render", asking, ...flags)).out, /a: v1\.30\.2 true true shop/);
});

test("a post-renderer has the last word", async () => {
  const program = file(join(folder, "post.sh"), '#!/bin/sh\nsed "s/a: \\"1\\"/a: $1/"\n');
  chmodSync(program, 0o755);
  const { out, code } = await runSluice("render", good, "--post-renderer", program, "--post-renderer-args", "after");
  assert.equal(code, 0);
  assert.match(out, /^---\n# Source: web\/templates\/a\.yaml\n[^]*a: after/);
});

/** A tar of one entry, which `name` may lead anywhere with. */
function tar(name: string, text: string, type = "0", link = ""): Uint8Array {
  const header = Buffer.alloc(512);
  const body = Buffer.alloc(Math.ceil(text.length / 512) * 512);
  body.write(text);
  header.write(name);
  header.write("0000644\0", 100);
  header.write(text.length.toString(8).padStart(11, "0"), 124);
  header.write("        ", 148);
  header.write(type, 156);
  header.write(link, 157);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([header, body]);
}

function packed(name: string, ...entries: readonly Uint8Array[]): string {
  return file(join(folder, name), gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)])));
}

const chartFile = tar("web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 0.1.0\n");

/** Bad input: Helm's words where it has some. Nothing of it is deployed. */
const refusals: readonly { readonly what: string; readonly args: () => readonly string[]; readonly message: RegExp }[] = [
  {
    what: "a missing dependency",
    args: () => [
      chart({
        "Chart.yaml":
          "apiVersion: v2\nname: web\nversion: 0.1.0\ndependencies: [{name: db, version: 1.x.x, repository: 'https://x.example'}]\n",
      }),
    ],
    message: /found in Chart\.yaml, but missing in charts\/ directory: db$/,
  },
  {
    what: "a broken template",
    args: () => [chart({ "templates/a.yaml": "a\n{{ end }}" })],
    message: /^error: parse error at \(web\/templates\/a\.yaml:2\): unexpected \{\{end\}\}$/,
  },
  {
    what: "a values file that is no map",
    args: () => [good, "-f", file(join(folder, "list.yaml"), "- a\n")],
    message:
      /failed to parse .*list\.yaml: cannot unmarshal yaml document: .*cannot unmarshal array into Go value of type map\[string\]interface \{\}/,
  },
  {
    what: "a values file that is not there",
    args: () => [good, "-f", join(folder, "none.yaml")],
    message: /open .*none\.yaml: no such file or directory$/,
  },
  { what: "an assignment that is none", args: () => [good, "--set", "a"], message: /failed parsing --set data: key "a" has no value$/ },
  {
    what: "a schema violation",
    args: () => [chart({ "values.schema.json": '{"properties":{"port":{"type":"integer"}}}' }), "--set", "port=x"],
    message:
      /values don't meet the specifications of the schema\(s\) in the following chart\(s\):\nweb:\n- at '\/port': got string, want integer/,
  },
  {
    what: "a chart without metadata",
    args: () => [chart({ "Chart.yaml": "description: nothing\n" })],
    message: /chart\.metadata\.name is required/,
  },
  {
    what: "an archive that is none",
    args: () => [file(join(folder, "text.tgz"), "text")],
    message: /does not appear to be a gzipped archive; got 'text\/plain; charset=utf-8'$/,
  },
  {
    what: "an archive that leads out of itself",
    args: () => [packed("out.tgz", chartFile, tar("web/../../etc/passwd", "x"))],
    message: /chart illegally references parent directory$/,
  },
  { what: "an archive without a chart", args: () => [packed("empty.tgz")], message: /no files in chart archive$/ },
  {
    what: "an archive that unpacks without end",
    args: () => [file(join(folder, "bomb.tgz"), gzipSync(Buffer.alloc(101 * 2 ** 20)))],
    message: /decompressed chart is larger than the maximum size 104857600$/,
  },
  { what: "a path that is not there", args: () => ["./none"], message: /path "\.\/none" not found$/ },
  {
    what: "a post-renderer that fails",
    args: () => [good, "--post-renderer", "false"],
    message: /error while running command false\. error output:\n: exit status 1$/,
  },
  {
    what: "a post-renderer that is not there",
    args: () => [good, "--post-renderer", join(folder, "nothing")],
    message: /there is no such program$/,
  },
  { what: "a post-renderer without output", args: () => [good, "--post-renderer", "true"], message: /produced empty output$/ },
  {
    what: "a manifest that is no YAML",
    args: () => [chart({ "templates/a.yaml": "a: b: c\n" })],
    message: /^error: YAML parse error on web\/templates\/a\.yaml: error converting YAML to JSON: yaml: mapping values/,
  },
];

for (const { what, args, message } of refusals)
  test(`${what} is refused`, async () => {
    const { code, out, err } = await runSluice("render", ...args());
    assert.match(err, message);
    assert.equal(code, 1);
    assert.equal(out, "");
  });

test("problems in a chart are reported before anything is deployed", async () => {
  const bad = chart({ "templates/a.yaml": configMap, "templates/b.yaml": "{{ fail `no` }}" });
  const { code, out, err } = await runSluice("deploy", "web", bad, "--embedded");
  assert.deepEqual({ code, out, err }, { code: 1, out: "", err: "error: execution error at (web/templates/b.yaml:1:3): no" });
});

test("a link in an archive is an empty file, whatever it points to", async () => {
  const link = tar("web/templates/a.yaml", "", "2", "/etc/passwd");
  assert.equal((await runSluice("render", packed("link.tgz", chartFile, link))).out, "");
});

test("a link in a folder that leads back is refused", async () => {
  const home = chart({});
  symlinkSync(home, join(home, "loop"));
  const { code, err } = await runSluice("render", home);
  assert.equal(code, 1);
  assert.match(err, /too many links/);
});

test("a chart is a source of deploy and plan, and shows its notes", async () => {
  const home = chart({ "templates/a.yaml": configMap, "templates/NOTES.txt": "Welcome to {{ .Release.Name }}.\n" });
  const deployed = await runSluice("deploy", "shop", home, "--set", "a=1", "--embedded");
  assert.equal(deployed.code, 0, deployed.err);
  assert.match(deployed.out, /deployed: shop in default, revision 1\n\nNOTES:\nWelcome to shop\.$/);
  const planned = await runSluice("plan", "shop", home, "--embedded");
  assert.match(planned.out, /create configmap\/shop in default/);
  const both = await runSluice("deploy", "shop", home, good, "--embedded");
  assert.equal(both.code, 2);
  assert.match(both.err, /a chart is a source by itself/);
});

test("apply and check refuse a chart", async () => {
  for (const command of ["apply", "check"]) {
    const { code, err } = await runSluice(command, good, ...(command === "apply" ? ["--embedded"] : []));
    assert.equal(code, 1);
    assert.match(err, /it is a chart: deploy it with sluice deploy RELEASE CHART/);
  }
});

test("converge deploys .helm, also without a Chart.yaml", async () => {
  const project = join(folder, "shop");
  file(join(project, ".helm/templates/a.yaml"), configMap);
  file(join(project, "werf.yaml"), "project: shop\n");
  file(join(project, ".helm/secret-values.yaml"), "a: b\n");
  const before = process.cwd();
  process.chdir(project);
  try {
    const { code, out, err } = await runSluice("converge", "--embedded", "--set", "a=1");
    assert.equal(code, 0, err);
    assert.match(out, /deployed: shop in default, revision 1/);
    assert.match(err, /werf\.yaml is not read: Sluice builds no images/);
    assert.match(err, /\.helm\/secret-values\.yaml is not read: Sluice decrypts no secret values/);
    assert.match((await runSluice("converge", "--embedded", "--release", "other")).out, /deployed: other in default/);
    process.chdir(folder);
    const nowhere = await runSluice("converge", "--embedded");
    assert.equal(nowhere.code, 1);
    assert.match(nowhere.err, /there is no folder \.helm here/);
  } finally {
    process.chdir(before);
  }
});

test("lint looks a chart over, and is strict when asked", async () => {
  const home = chart({
    "Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.2\n",
    "templates/a.yaml": "kind: ConfigMap\napiVersion: v1\nmetadata: {name: A}\n",
  });
  const { code, out } = await runSluice("lint", home);
  assert.equal(code, 1);
  assert.match(
    out,
    /^error: Chart\.yaml: version should be of type string but it's of type float64\nwarning: Chart\.yaml: version '1\.2' is not a valid SemVerV2\n/,
  );
  const odd = chart({ "templates/a.yaml": "kind: ConfigMap\napiVersion: v1\nmetadata: {name: A}\n" });
  assert.equal((await runSluice("lint", odd)).code, 0);
  assert.equal((await runSluice("lint", odd, "--strict")).code, 1);
});
