import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import test from "node:test";

/** What each module may import beside itself. One that is not listed may not exist. */
const layers: Readonly<Record<string, readonly string[]>> = {
  clock: [],
  fault: [],
  exchange: [],
  graph: [],
  der: [],
  semver: [],
  re2: [],
  template: [],
  sprig: ["der", "re2", "semver", "template"],
  toml: ["sprig", "template"],
  cel: ["re2"],
  lua: [],
  object: ["fault"],
  yaml: ["fault", "object"],
  chart: ["fault", "object", "re2", "semver", "template", "yaml"],
  repository: ["chart", "clock", "fault", "object", "semver", "template", "yaml"],
  health: ["object"],
  api: ["fault", "object", "yaml"],
  kube: ["clock", "exchange", "fault", "object", "yaml"],
  reconcile: ["clock", "fault", "kube", "object"],
  fleet: ["api", "clock", "fault", "kube", "object", "reconcile", "yaml"],
  // Meets kube only through the exchange.
  sim: ["cel", "clock", "exchange", "fault", "object", "re2", "yaml"],
  server: ["der", "exchange", "fault"],
  release: [
    "cel",
    "chart",
    "clock",
    "fault",
    "graph",
    "health",
    "kube",
    "object",
    "re2",
    "reconcile",
    "repository",
    "semver",
    "sprig",
    "template",
    "toml",
    "yaml",
  ],
  addon: [
    "api",
    "cel",
    "chart",
    "clock",
    "fault",
    "fleet",
    "health",
    "kube",
    "lua",
    "object",
    "re2",
    "reconcile",
    "release",
    "repository",
    "sprig",
    "template",
    "yaml",
  ],
  controller: ["addon", "api", "clock", "fault", "fleet", "kube", "object", "reconcile", "release", "repository", "sprig", "yaml"],
  view: ["fault", "health", "object", "release", "yaml"],
  cli: [
    "addon",
    "api",
    "chart",
    "clock",
    "controller",
    "exchange",
    "fault",
    "fleet",
    "health",
    "kube",
    "object",
    "release",
    "repository",
    "server",
    "sim",
    "template",
    "view",
    "yaml",
  ],
};

/** Where each part of the world outside may be touched; everything else is handed what it needs. */
const edges: readonly { readonly what: string; readonly pattern: RegExp; readonly allowed: RegExp }[] = [
  {
    what: "files, processes and the network",
    pattern: /from "node:(fs|fs\/promises|child_process|net|tls|http|https|http2|os)"/,
    allowed:
      /^src\/(cli|server)\/|^src\/kube\/(config|transport)\/|^src\/release\/load\/|^src\/repository\/(web|store)\/|^src\/repository\/oci\/credential-helper\.ts$|^src\/sim\/data\/file\.ts$/,
  },
  {
    what: "the environment",
    pattern: /\bprocess\.(env|argv|stdin|stdout|stderr|exit)\b/,
    allowed: /^src\/cli\/|^src\/kube\/config\/machine\.ts$/,
  },
  {
    what: "the machine's time",
    pattern: /\b(Date\.now\(|new Date\(\)|setTimeout\(|setInterval\(|performance\.now\()/,
    allowed: /^src\/clock\//,
  },
  { what: "chance", pattern: /\bMath\.random\b|\brandomUUID\b/, allowed: /^src\/cli\// },
];

const imports = /^(?:import|export)\b[^;]*?from "(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm;
const sources = globSync("src/**/*.ts").toSorted();

for (const file of sources.filter((name) => !name.endsWith(".test.ts"))) {
  test(`${file} keeps to its layer`, () => {
    const own = moduleOf(file);
    assert.ok(own in layers, `module ${own} is not listed in test/architecture.test.ts`);
    const reached = [...readFileSync(file, "utf8").matchAll(imports)].map(([, path, lazy]) =>
      normalize(join(file, "..", path ?? lazy ?? "")),
    );
    const foreign = reached.filter((path) => moduleOf(path) !== own);
    assert.deepEqual(
      foreign.filter((path) => !layers[own]!.includes(moduleOf(path))),
      [],
      "imports from a module that it may not know",
    );
    assert.deepEqual(
      foreign.filter((path) => !/^src\/[^/]+\/index\.ts$/.test(path) && !isStage(path)),
      [],
      "goes past a front door",
    );
    assert.deepEqual(
      reached.filter((path) => stageOf(path) !== undefined && stageOf(path) !== stageOf(file) && !isStage(path)),
      [],
      "goes past the front door of a stage",
    );
  });

  test(`${file} leaves the world outside to the edges`, () => {
    const text = readFileSync(file, "utf8");
    const strays = edges.filter(({ pattern, allowed }) => pattern.test(text) && !allowed.test(file)).map(({ what }) => what);
    assert.deepEqual(strays, []);
  });
}

test("every module has a front door that says what it is", () => {
  for (const name of Object.keys(layers)) {
    const door = `src/${name}/index.ts`;
    if (name === "cli" || !sources.some((file) => file.startsWith(`src/${name}/`))) continue;
    assert.match(readFileSync(door, "utf8"), /^\/\*\*\n \* \S/, `${door} opens with a paragraph`);
  }
});

test("a test would notice an import that goes up", () => {
  assert.equal(moduleOf("src/sim/store/store.ts"), "sim");
  assert.ok(!layers["sim"]!.includes("kube"));
});

function moduleOf(path: string): string {
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? "";
}

/** The stages of the two roads are modules of their own, each with its front door. */
/** The stage of a road that a file belongs to. */
function stageOf(path: string): string | undefined {
  return /^src\/(?:release|addon)\/([^/]+)\//.exec(path)?.[1];
}

function isStage(path: string): boolean {
  return /^src\/(release|addon)\/[^/]+\/index\.ts$/.test(path);
}
