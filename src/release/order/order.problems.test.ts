import assert from "node:assert/strict";
import { test } from "node:test";
import { lineOfObject, orderFromNotation } from "../../../test/support/order/notation.ts";

/** Each annotation on a Deployment `d`, and the message after `app.yaml:3: deployment/d: <key> is "<value>"; `. */
const refused: readonly (readonly [string, string, RegExp])[] = [
  ["werf.io/weight", "heavy", /expected an integer in quotes, for example "1"/],
  ["werf.io/weight", "1.5", /expected an integer/],
  ["werf.io/weight", "", /expected an integer/],
  ["kots.io/creation-phase", "10000", /expected an integer from -9999 to 9999/],
  ["kots.io/creation-phase", " 1", /expected an integer from -9999 to 9999/],
  ["kots.io/deletion-phase", "-10000", /expected an integer from -9999 to 9999/],
  ["kots.io/wait-for-ready", "True", /expected true or false/],
  ["kots.io/wait-for-ready", "yes", /expected true or false/],
  ["kots.io/keep", "1", /expected true or false/],
  ["kots.io/wait-for-properties", "", /expected <jsonpath>=<value> pairs/],
  ["kots.io/wait-for-properties", ".status.ready", /"\.status\.ready" is none/],
  ["kots.io/wait-for-properties", ".a=1,", /"" is none/],
  ["kots.io/wait-for-properties", ".a=", /"\.a=" is none/],
  ["kots.io/wait-for-properties", "=1", /"=1" is none/],
  ["kots.io/wait-for-properties", ".a[?(@.b)=1", /expected a JSONPath before the equals sign/],
  [
    "kots.io/wait-for-properties",
    ".status.phase!=Pending",
    /".status.phase!=Pending" compares with "!=".* only for equality.*sluice\.dev\/health/,
  ],
  ["kots.io/wait-for-properties", ".a=1,.status.n >= 3", /".status.n >= 3" compares with ">="/],
  ["kots.io/wait-for-properties", ".status.n<=3", /compares with "<="/],
  ["kots.io/wait-for-properties", ".status.phase==Up", /compares with "==".*begins with an equals sign is written \\=/],
  ["kots.io/hook-delete-policy", "always", /before-hook-creation, hook-succeeded or hook-failed/],
  ["helm.sh/hook", "pre-instal", /expected a list, parted by commas, of pre-install, post-install/],
  ["helm.sh/hook", "", /expected a list/],
  ["helm.sh/hook", "crd-install", /expected a list/],
  ["werf.io/delete-policy", "hook-succeeded", /before-creation, before-creation-if-immutable, succeeded or failed/],
  ["werf.io/resource-policy", "skip", /skip-create, skip-update, skip-recreate, skip-delete or keep/],
  ["werf.io/deploy-on", "sometimes", /expected a list/],
  ["werf.io/ownership", "me", /anyone or release/],
  ["werf.io/delete-propagation", "foreground", /Foreground, Background or Orphan/],
  ["werf.io/replicas-on-creation", "-1", /expected an integer of at least 0/],
  ["werf.io/fail-mode", "fail", /FailWholeDeployProcessImmediately/],
  ["werf.io/track-termination-mode", "never", /WaitUntilResourceReady or NonBlocking/],
  ["werf.io/no-activity-timeout", "4", /a duration 0 or more such as 90s/],
  ["werf.io/no-activity-timeout", "-1s", /a duration 0 or more/],
  ["werf.io/log-regex", "(", /a regular expression as Go takes it/],
  ["werf.io/log-regex", "(?=x)", /a regular expression as Go takes it/],
  ["werf.io/skip-logs", "yes", /"true" or "false"/],
  ["werf.io/skip-logs-for-containers", "a,,b", /none of them empty/],
  ["werf.io/sensitive-paths", "$.a,", /none of them empty/],
  ["werf.io/sensitive-paths", "$.a[", /JSONPaths, parted by commas/],
  ["werf.io/deploy-dependency-x", "kind=Job", /expected state=present or state=ready, for example state=ready,kind=Job,name=migrate/],
  ["werf.io/deploy-dependency-x", "state=absent,kind=Job", /state=present or state=ready/],
  ["werf.io/deploy-dependency-x", "state=ready", /what to wait for/],
  ["werf.io/deploy-dependency-x", "state=ready,kind", /a value for the property kind/],
  ["werf.io/deploy-dependency-x", "state=ready,group=,kind=Job", /a value for the property group/],
  ["werf.io/deploy-dependency-x", "state=ready,nmae=web", /"nmae" is none of them/],
  ["werf.io/delete-dependency-x", "state=ready,kind=Job", /expected state=absent/],
  ["x.dependency.werf.io", "v1:Secret", /apiVersion:kind:name or apiVersion:kind:namespace:name/],
  ["x.external-dependency.werf.io", "", /apiVersion:kind:name/],
  ["x.external-dependency.werf.io/resource", "secret", /expected type\/name/],
  ["x.external-dependency.werf.io/resource", "secret/a/b", /expected type\/name/],
  ["x.external-dependency.werf.io/resource", "all/a", /expected type\/name/],
  ["x.external-dependency.werf.io/resource", "/a", /expected type\/name/],
  ["x.external-dependency.werf.io/namespace", "shop", /the annotation x\.external-dependency\.werf\.io\/resource beside it/],
  ["external-dependency.werf.io/resource", "secret/a", /a name of your choice before the key/],
  ["sluice.dev/timeout", "0s", /a duration above 0/],
  ["sluice.dev/gate", "done", /applied, present, ready or completed/],
  ["sluice.dev/remove", "never", /before, after or keep/],
  ["sluice.dev/wait-for-kind", "maybe", /true or false/],
  ["sluice.dev/health", "self.", /a CEL rule over self/],
  ["sluice.dev/health", "other.status == 1", /a CEL rule over self/],
  ["sluice.dev/health", "'text'", /gives true or false, and this one gives string/],
];

for (const [key, value, expected] of refused) {
  test(`${key}: ${JSON.stringify(value)} is refused`, () => {
    const { problems } = orderFromNotation(`Deployment d {${key}: ${JSON.stringify(value)}}`);
    assert.equal(problems.length, 1);
    assert.equal(problems[0]!.at, "app.yaml:3");
    const start = `deployment/d: ${key} is ${JSON.stringify(value)}; expected `;
    assert.equal(problems[0]!.message.slice(0, start.length), start);
    assert.match(problems[0]!.message, expected);
  });
}

/** Objects that contradict each other: the index of the object with the problem, and the problem. */
const together: Readonly<Record<string, readonly [string, number, RegExp]>> = {
  "two ranks on one object": [
    'Deployment d {werf.io/weight: "1", kots.io/creation-phase: "2"}',
    0,
    /deployment\/d: kots\.io\/creation-phase is "2", but werf\.io\/weight is "1"; expected one place for one object: leave one of them out/,
  ],
  "kept and removed": [
    "ConfigMap c {helm.sh/resource-policy: keep, sluice.dev/remove: before}",
    0,
    /configmap\/c: sluice\.dev\/remove is "before", but another annotation keeps configmap\/c: leave one of them out/,
  ],
  "one identity twice": [
    "ConfigMap a\nConfigMap default/a",
    1,
    /configmap\/a is there twice, first at app\.yaml:1: remove or rename one of them/,
  ],
  "a dependency on what is not there": [
    "Deployment d {werf.io/deploy-dependency-x: 'state=ready,kind=Job,name=gone'}",
    0,
    /deployment\/d: werf\.io\/deploy-dependency-x is "state=ready,kind=Job,name=gone", and no object of the release fits that; expected one: check kind and name/,
  ],
  "a delete dependency on what is not there": [
    "Deployment d {werf.io/delete-dependency-x: 'state=absent,kind=Job,name=gone'}",
    0,
    /no object of the release fits that/,
  ],
  "a dependency on an object of another namespace": [
    "Job other/j\nDeployment d {werf.io/deploy-dependency-x: 'state=ready,name=j,namespace=default'}",
    1,
    /no object of the release fits that/,
  ],
  "an external dependency on the release itself": [
    "Secret s\nDeployment d {x.external-dependency.werf.io/resource: secrets/s}",
    1,
    /x\.external-dependency\.werf\.io\/resource is "secrets\/s", and secret\/s belongs to the release itself; expected an object from outside: use werf\.io\/deploy-dependency-<id>: state=ready,kind=Secret,name=s/,
  ],
  "a cycle of two": [
    "Job a {werf.io/deploy-dependency-x: 'state=ready,kind=Job,name=b'}\nJob b {werf.io/deploy-dependency-y: 'state=present,kind=Job,name=a'}",
    0,
    /job\/a: werf\.io\/deploy-dependency-x closes a cycle: job\/a waits for job\/b \(werf\.io\/deploy-dependency-x at app\.yaml:3\); job\/b waits for job\/a \(werf\.io\/deploy-dependency-y at app\.yaml:8\): take one of these away/,
  ],
  "a cycle of one": [
    "Job a {werf.io/deploy-dependency-x: 'state=ready,name=a'}",
    0,
    /closes a cycle: job\/a waits for itself \(werf\.io\/deploy-dependency-x at app\.yaml:3\)/,
  ],
  "a cycle of deletions": [
    "Job a {werf.io/delete-dependency-x: 'state=absent,name=b'}\nJob b {werf.io/delete-dependency-x: 'state=absent,name=a'}",
    0,
    /job\/a waits for job\/b \(werf\.io\/delete-dependency-x at app\.yaml:3\); job\/b waits for job\/a/,
  ],
  "a cycle through ranks": [
    "Job a {werf.io/deploy-dependency-x: 'state=ready,name=late'}\nJob late {werf.io/weight: '5', }\nJob early {werf.io/weight: '1', werf.io/deploy-dependency-y: 'state=ready,name=late'}\nJob mid {werf.io/weight: '3'}",
    -1,
    /^$/,
  ],
  "a cycle through hooks": [
    "Job h {helm.sh/hook: pre-install, werf.io/deploy-dependency-x: 'state=ready,kind=Deployment,name=d'}\nDeployment d",
    0,
    /job\/h waits for deployment\/d \(werf\.io\/deploy-dependency-x at app\.yaml:3\); deployment\/d comes after job\/h \(main resources come after pre hooks \(helm\.sh\/hook pre-install\)\)/,
  ],
  "a cycle through a barrier": [
    "ConfigMap c {kots.io/wait-for-ready: 'true'}\nService s\nJob j {werf.io/deploy-dependency-x: 'state=ready,name=s'}",
    -1,
    /^$/,
  ],
};

for (const [what, [objects, at, expected]] of Object.entries(together)) {
  test(at < 0 ? `${what} that is none` : `${what} is refused`, () => {
    const { problems } = orderFromNotation(objects);
    if (at < 0) return assert.deepEqual(problems, []);
    const line = Number(lineOfObject(at).split(":")[1]);
    assert.equal(problems.length, 1, JSON.stringify(problems));
    assert.ok([line, line + 2].map((number) => `app.yaml:${number}`).includes(problems[0]!.at), problems[0]!.at);
    assert.match(problems[0]!.message, expected);
  });
}

test("all problems are reported at once, in file order", () => {
  const { problems } = orderFromNotation(`
    Job a {werf.io/deploy-dependency-x: "state=ready,name=b"}
    Job b {werf.io/deploy-dependency-x: "state=ready,name=a"}
    Job c {werf.io/weight: x, kots.io/keep: x}
    Job d {werf.io/deploy-dependency-x: "state=ready,name=gone"}
    Job d`);
  assert.deepEqual(
    problems.map(({ at }) => at),
    ["app.yaml:3", "app.yaml:13", "app.yaml:13", "app.yaml:18", "app.yaml:21"],
  );
});
