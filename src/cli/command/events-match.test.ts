import assert from "node:assert/strict";
import { before, test } from "node:test";
import { testFolder, serveClusters } from "../../../test/support/command-line.ts";

const folder = testFolder("events-match");
const { file } = folder;
const { sluice } = await serveClusters(folder);

before(async () => {
  const objects = [secret("web", "{tier: a}"), secret("db", "{tier: b}"), secret("bare", "{}"), secret("bad", "{tier: bad}")];
  const { code, err } = await sluice("apply", file("objects.yaml", objects.join("---\n")), "-n", "default");
  assert.equal(code, 0, err);
});

function secret(name: string, labels: string): string {
  return `apiVersion: v1\nkind: Secret\nmetadata: {name: ${name}, labels: ${labels}}\ndata: {key: dmFsdWU=}\n`;
}

function source(spec: string): string {
  return file("source.yaml", `apiVersion: lib.projectsveltos.io/v1beta1\nkind: EventSource\nmetadata: {name: es}\nspec:\n${spec}`);
}

const byLabel = `  resourceSelectors:
  - {group: "", version: v1, kind: Secret, labelFilters: [{key: tier, operation: Equal, value: a}]}
`;
const byLua = `  resourceSelectors:
  - group: ""
    version: v1
    kind: Secret
    labelFilters: [{key: tier, operation: Has}]
    evaluate: |
      function evaluate()
        if obj.metadata.labels.tier == "bad" then return 5 end
        return {matching = obj.data.key == "dmFsdWU=" and obj.metadata.name == "web", message = "looked at " .. obj.metadata.name}
      end
`;

test("prints what would match, and of the others why not", async () => {
  const { code, out } = await sluice("events", "match", source(byLabel), "-n", "default");
  assert.equal(code, 0);
  assert.equal(
    out,
    [
      "OBJECT       NAMESPACE  VERDICT         REASON",
      "secret/web   default    matches",
      "secret/bad   default    does not match  its labels do not satisfy tier in (a) (found tier=bad)",
      "secret/bare  default    does not match  its labels do not satisfy tier in (a)",
      "secret/db    default    does not match  its labels do not satisfy tier in (a) (found tier=b)",
      "1 of 4 objects match",
    ].join("\n"),
  );
});

test("a misspelt field is told with its line and the name that was meant", async () => {
  const { code, err } = await sluice("events", "match", source(byLabel.replace("labelFilters", "labelFilter")), "-n", "default");
  assert.equal(code, 1);
  assert.match(err, /source\.yaml:6(:\d+)?: spec\.resourceSelectors\[0\]\.labelFilter: unknown field: did you mean labelFilters\?/);
});

test("an object that a script fails on is exit code 1, with the reason", async () => {
  const { code, out } = await sluice("events", "match", source(byLua), "-n", "default", "-o", "json");
  assert.equal(code, 1);
  const { objects } = JSON.parse(out) as { objects: { name: string; verdict: string; because: string }[] };
  assert.deepEqual(
    objects.map(({ name, verdict, because }) => `${name} ${verdict}: ${because}`),
    [
      "web matching: looked at web",
      "bad failed: evaluate returned the number 5; expected a table",
      "bare different: its labels do not satisfy tier",
      "db different: looked at db",
    ],
  );
});

test("a kind that the cluster does not know matches nothing, and that is said", async () => {
  const widgets = "  resourceSelectors:\n  - {group: example.com, version: v1, kind: Widget}\n";
  const { code, out, err } = await sluice("events", "match", source(widgets));
  assert.deepEqual({ code, out }, { code: 0, out: "0 of 0 objects match" });
  assert.match(err, /^warning: the cluster knows no kind example\.com\/v1 Widget/);
});

test("an EventSource that cannot be read is refused with file and line", async () => {
  const { code, err } = await sluice("events", "match", source("  resourceSelectors:\n  - {group: '', version: v1}\n"));
  assert.equal(code, 1);
  assert.match(err, /^error: .*source\.yaml:6: spec\.resourceSelectors\[0\]/);
});
