import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";

/**
 * What each module may import beside itself; a folder of modules stands for all of them. A module that is not listed may
 * not exist. Every module is listed below the ones that it imports, so no two can import each other.
 */
const modules: Readonly<Record<string, readonly string[]>> = {
  "core/cache": [],
  "core/cost": [],
  "core/clock": [],
  "core/exchange": [],
  "core/fault": [],
  "core/file": [],
  "core/graph": [],
  "core/recursion": [],
  "core/object": ["core/fault", "core/recursion"],

  "lang/der": [],
  "lang/ip": [],
  "lang/lua": ["core/cache"],
  "lang/re2": ["core/cache", "core/cost"],
  "lang/semver": [],
  "lang/template": ["core/cache", "core/cost"],
  "lang/cel": ["lang/ip", "lang/re2"],
  "lang/openpgp": ["lang/der"],
  "lang/x509": ["lang/der"],
  "lang/sprig": ["core/cache", "core/cost", "lang/der", "lang/re2", "lang/semver", "lang/template"],
  "lang/toml": ["core/cost", "lang/sprig", "lang/template"],
  "lang/yaml": ["core/cost", "core/fault", "core/object"],

  http: ["core/clock", "core/exchange", "core/fault"],
  health: ["core/object"],
  chart: ["core/cache", "core/cost", "core/fault", "core/object", "lang/re2", "lang/semver", "lang/template", "lang/yaml"],
  repository: ["core", "lang/openpgp", "lang/semver", "lang/template", "lang/yaml", "http", "chart"],
  kube: ["core", "lang/yaml", "http"],
  reconcile: ["core", "kube"],
  server: ["core/clock", "core/exchange", "core/fault", "lang/x509"],
  wal: ["core/clock", "core/fault", "core/file"],
  // Meets kube only through the exchange.
  embedded: ["core", "lang/cel", "lang/ip", "lang/re2", "lang/x509", "lang/yaml"],

  worker: ["core/cache", "core/clock", "core/fault", "core/object"],

  "release/load": ["core/fault", "core/file", "http", "lang/template", "lang/yaml", "chart"],
  "release/order": ["core", "lang/cel", "lang/re2", "lang/yaml"],
  "release/record": ["core", "lang/yaml", "kube", "reconcile"],
  "release/render": ["core", "lang", "chart", "release/order", "release/record"],
  "release/chart": ["core", "lang", "chart", "kube", "release/record", "release/render"],
  "release/inspect": ["core/object", "lang", "chart", "release/record", "release/render"],
  "release/lint": ["core", "lang", "chart", "release/render"],
  "release/refusal": ["core/fault", "core/object"],
  "release/plan": ["core", "release/order", "release/record", "release/refusal"],
  "release/conceal": ["core/object", "release/order"],
  "release/live": ["core/object", "health", "kube", "release/conceal", "release/plan", "release/record", "release/refusal"],
  "release/prepare": ["core", "lang/yaml", "kube", "release/live", "release/order", "release/plan", "release/record"],
  "release/track": ["core", "lang/cel", "lang/re2", "health", "kube", "release/order"],
  release: ["core/object", "release/order", "release/plan", "release/track"],
  "release/recording": ["core", "kube", "release", "release/conceal", "release/order", "release/plan", "release/track"],
  "release/apply": [
    "core",
    "kube",
    "release",
    "release/conceal",
    "release/live",
    "release/plan",
    "release/prepare",
    "release/refusal",
    "release/track",
  ],
  "release/deploy": [
    "core",
    "lang/yaml",
    "kube",
    "release",
    "release/apply",
    "release/conceal",
    "release/live",
    "release/order",
    "release/plan",
    "release/prepare",
    "release/record",
    "release/recording",
  ],
  "release/rights": ["core/object", "kube", "release/deploy", "release/record", "release/track"],
  "release/trace": ["core/clock", "core/object", "http", "release/recording"],
  "release/rehearse": [
    "core",
    "embedded",
    "kube",
    "release",
    "release/conceal",
    "release/deploy",
    "release/order",
    "release/plan",
    "release/record",
    "release/recording",
    "release/rights",
    "release/track",
  ],
  "release/why": ["core/object", "release/plan", "release/record"],
  "release/status": [
    "core",
    "health",
    "kube",
    "release/live",
    "release/order",
    "release/plan",
    "release/prepare",
    "release/record",
    "release/track",
    "release/why",
  ],

  "release/diff": [
    "core",
    "kube",
    "release/conceal",
    "release/deploy",
    "release/live",
    "release/order",
    "release/plan",
    "release/prepare",
    "release/record",
    "release/status",
  ],

  "sveltos/api": ["core"],
  "sveltos/tenant": ["core", "lang/yaml", "sveltos/api"],
  "sveltos/script": ["core/fault", "lang"],
  "sveltos/evaluate": ["core/cache", "core/object", "lang/cel", "sveltos/api", "sveltos/script"],
  "sveltos/report": ["core", "kube", "sveltos/api", "sveltos/evaluate"],
  "sveltos/watch": ["core", "kube", "reconcile", "sveltos/api", "sveltos/evaluate", "worker"],
  "sveltos/instantiate": [
    "core",
    "lang",
    "release/render",
    "sveltos/api",
    "sveltos/evaluate",
    "sveltos/report",
    "sveltos/tenant",
    "worker",
  ],
  "sveltos/deploy": [
    "core",
    "lang",
    "chart",
    "kube",
    "release",
    "repository",
    "worker",
    "sveltos/api",
    "sveltos/instantiate",
    "sveltos/script",
    "sveltos/tenant",
  ],
  "sveltos/lint": ["core", "lang/yaml", "sveltos/api", "sveltos/deploy", "sveltos/evaluate", "sveltos/instantiate", "sveltos/script"],
  "sveltos/fleet": ["core", "lang/yaml", "kube", "reconcile", "release/order", "sveltos/api"],
  "sveltos/telemetry": ["core", "kube", "reconcile"],
  "sveltos/controllers/context": [
    "core",
    "lang/sprig",
    "kube",
    "release/recording",
    "sveltos/api",
    "sveltos/deploy",
    "sveltos/fleet",
    "sveltos/telemetry",
    "sveltos/tenant",
    "worker",
  ],
  "sveltos/controllers/event-source": [
    "core",
    "lang/sprig",
    "kube",
    "reconcile",
    "sveltos/api",
    "sveltos/controllers/context",
    "sveltos/evaluate",
    "sveltos/fleet",
    "sveltos/instantiate",
    "sveltos/report",
    "sveltos/watch",
    "sveltos/tenant",
  ],
  "sveltos/controllers/event-trigger": [
    "core",
    "kube",
    "reconcile",
    "sveltos/api",
    "sveltos/controllers/context",
    "sveltos/fleet",
    "sveltos/instantiate",
    "sveltos/report",
    "sveltos/tenant",
  ],
  "sveltos/controllers/profile": [
    "core",
    "kube",
    "reconcile",
    "sveltos/api",
    "sveltos/controllers/context",
    "sveltos/deploy",
    "sveltos/fleet",
    "sveltos/tenant",
  ],
  "sveltos/controllers/cluster-summary": [
    "core",
    "kube",
    "reconcile",
    "worker",
    "sveltos/api",
    "sveltos/controllers/context",
    "sveltos/deploy",
    "sveltos/fleet",
    "sveltos/tenant",
  ],
  "sveltos/controllers/role-request": [
    "core",
    "kube",
    "reconcile",
    "sveltos/api",
    "sveltos/controllers/context",
    "sveltos/fleet",
    "sveltos/tenant",
  ],
  "sveltos/controllers/run": [
    "core",
    "lang/sprig",
    "kube",
    "reconcile",
    "release/recording",
    "sveltos/api",
    "sveltos/controllers/cluster-summary",
    "sveltos/controllers/context",
    "sveltos/controllers/event-source",
    "sveltos/controllers/event-trigger",
    "sveltos/controllers/profile",
    "sveltos/controllers/role-request",
    "sveltos/deploy",
    "sveltos/fleet",
    "sveltos/telemetry",
    "worker",
  ],
  "sveltos/controllers": ["sveltos/controllers"],
  "sveltos/agent": [
    "core",
    "kube",
    "reconcile",
    "sveltos/api",
    "sveltos/controllers/event-source",
    "sveltos/evaluate",
    "sveltos/report",
    "sveltos/telemetry",
    "sveltos/watch",
    "sveltos/tenant",
    "worker",
  ],

  view: ["core", "lang/yaml", "health", "release"],
  // Its results are what view shows.
  "sveltos/inspect": [
    "core",
    "health",
    "kube",
    "release/plan",
    "release/status",
    "release/track",
    "sveltos/api",
    "sveltos/deploy",
    "sveltos/evaluate",
    "sveltos/fleet",
    "sveltos/instantiate",
    "sveltos/report",
    "view",
  ],
  "sveltos/redeploy": ["core/object", "kube", "sveltos/deploy", "sveltos/inspect", "view"],
  // The page is bundled with it.
  "dashboard/api": [],
  dashboard: ["core", "lang/yaml", "health", "kube", "release", "sveltos", "view", "worker", "dashboard/api"],
  cli: [
    "core",
    "dashboard",
    "lang",
    "http",
    "chart",
    "embedded",
    "health",
    "kube",
    "release",
    "repository",
    "server",
    "sveltos",
    "view",
    "wal",
    "worker",
  ],
};

/** Where each part of the world outside may be touched; everything else is handed what it needs. */
const edges: readonly { readonly what: string; readonly pattern: RegExp; readonly allowed: RegExp }[] = [
  {
    what: "files, processes and the network",
    pattern: /from "node:(fs|fs\/promises|child_process|net|tls|http|https|http2|os)"/,
    allowed:
      /^src\/(cli|core\/file|http|server|wal)\/|^src\/kube\/(config|transport)\/|^src\/release\/load\/|^src\/repository\/store\/|^src\/repository\/oci\/credential-helper\.ts$|^src\/embedded\/data\/packed-file\.ts$/,
  },
  {
    what: "files through core/file",
    pattern: /from "[./]+\/core\/file\/index\.ts"/,
    allowed: /^src\/(cli|wal)\/|^src\/kube\/config\/|^src\/release\/load\/|^src\/repository\/store\//,
  },
  {
    what: "the environment",
    pattern: /\bprocess\.(env|argv|stdin|stdout|stderr|exit)\b/,
    allowed: /^src\/cli\/|^src\/kube\/config\/machine\.ts$/,
  },
  {
    what: "the machine's time",
    pattern: /\b(Date\.now\(|new Date\(\)|setTimeout\(|setInterval\(|performance\.now\()/,
    allowed: /^src\/core\/clock\//,
  },
  { what: "chance", pattern: /\bMath\.random\b|\brandomUUID\b/, allowed: /^src\/cli\// },
];

const programs = ["src/cli/main.ts", "src/cli/program.ts", "src/cli/render-program.ts"];
const importing = /^(?:import|export)\b[^;]*?from "(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm;
const texts = new Map(
  globSync("src/**/*.ts")
    .filter((file) => !file.endsWith(".test.ts"))
    .toSorted()
    .map((file) => [file, readFileSync(file, "utf8")]),
);
const names = Object.keys(modules).toSorted((a, b) => b.length - a.length);

/** The most specific module that a file is in; nothing when it is in none. */
function moduleOf(path: string): string | undefined {
  return names.find((name) => path.startsWith(`src/${name}/`));
}

function importsOf(file: string): string[] {
  const found = [...(texts.get(file) ?? "").matchAll(importing)];
  return found.map(([, path, lazy]) => normalize(join(dirname(file), path ?? lazy ?? "")));
}

function isWithin(module: string, allowed: string): boolean {
  return module === allowed || module.startsWith(`${allowed}/`);
}

test("every file is in a module", () => {
  assert.deepEqual(
    [...texts.keys()].filter((file) => moduleOf(file) === undefined),
    [],
  );
});

for (const [place, [name, allowed]] of Object.entries(modules).entries()) {
  test(`${name} imports only modules that it may know, through their front doors`, () => {
    const own = [...texts.keys()].filter((file) => moduleOf(file) === name);
    assert.ok(own.length > 0, "there is no such module");
    const strays: string[] = [];
    for (const file of own) {
      for (const path of importsOf(file)) {
        const reached = moduleOf(path) ?? "";
        const known = reached === name || allowed.some((each) => isWithin(reached, each));
        if (!known) strays.push(`${file} imports ${path}, of a module that it may not know`);
        else if (reached !== name && path !== `src/${reached}/index.ts`) strays.push(`${file} goes past a front door: ${path}`);
      }
    }
    assert.deepEqual(strays, []);
    const later = Object.keys(modules).slice(place + 1);
    assert.deepEqual(
      allowed.filter((each) => later.includes(each)),
      [],
      "is listed above what it imports",
    );
  });

  if (name !== "cli") {
    test(`${name} has a front door that says what it is`, () => {
      assert.match(texts.get(`src/${name}/index.ts`) ?? "", /^\/\*\*\n \* \S/);
    });
  }
}

for (const { what, pattern, allowed } of edges) {
  test(`only the edges touch ${what}`, () => {
    const strays = [...texts].filter(([file, text]) => pattern.test(text) && !allowed.test(file)).map(([file]) => file);
    assert.deepEqual(strays, []);
  });
}

test("every file is part of a program: what only tests use is in test/support", () => {
  const reached = new Set(programs);
  for (const file of reached) for (const path of importsOf(file)) reached.add(path);
  assert.deepEqual(
    [...texts.keys()].filter((file) => !reached.has(file)),
    [],
  );
});

test("no module beneath the Sveltos side knows it, and the embedded cluster does not know the client", () => {
  assert.equal(moduleOf("src/sveltos/controllers/profile/profile-status.ts"), "sveltos/controllers/profile");
  const release = Object.entries(modules).filter(([name]) => isWithin(name, "release"));
  assert.ok(release.every(([, allowed]) => !allowed.some((each) => isWithin(each, "sveltos"))));
  assert.ok(!modules["embedded"]!.includes("kube"));
});
