/** The documented examples of werf and KOTS, deployed unchanged; only cluster-scoped names are replaced. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeNamespace, makeObject, quick, makeSecret, makeStatefulSet } from "../objects.ts";
import { applyInTurn } from "../third-party-client.ts";
import type { Act, ReleaseScenario } from "../scenario.ts";

type Deploy = Omit<Extract<Act, { do: "deploy" }>, "do" | "manifests">;

const root = join(import.meta.dirname, "..", "..", "..", "examples");

function textOf(folder: string): string {
  const files = globSync(join(root, folder, "*.yaml")).toSorted();
  return files
    .map((file) => readFileSync(file, "utf8"))
    .join("\n---\n")
    .replaceAll("my-namespace", "$NS-my")
    .replaceAll("example.com", "$NS.example.com")
    .replaceAll("example.org", "$NS.example.org");
}

const tasks = (done: object) => makeObject("$NS.example.com/v1", "MyResource", "my-resource", {}, { status: { tasks: done } });
const vault = { group: "", version: "v1", kind: "Secret" };
const sets = { group: "apps", version: "v1", kind: "StatefulSet" };

/** What each example must show, by its documentation. */
const shows: Readonly<Record<string, Deploy>> = {
  "werf/crds": {
    expect: {
      order: [
        "customresourcedefinition/crontabs.$NS.example.org created < customresourcedefinition/crontabs.$NS.example.org ready < crontab/daily created",
      ],
    },
  },
  "werf/weights": {
    expect: {
      order: [
        "statefulset/database ready < job/database-migrations created < job/database-migrations ready < deployment/app1 created, deployment/app2 created < deployment/app1 ready, deployment/app2 ready",
      ],
    },
  },
  "werf/hook": {
    expect: { order: ["job/database-initialization created < job/database-initialization ready < deployment/myapp created"] },
  },
  "werf/hook-weights": {
    expect: {
      order: ["job/first created < job/first ready < job/second created < job/second ready < job/third created < job/third ready"],
    },
  },
  "werf/external-dependency": {
    meanwhile: [
      {
        onProgress: /^waiting await secret\/my-dynamic-vault-secret: /,
        afterMs: 300,
        work: ({ apply }) => apply(makeSecret("my-dynamic-vault-secret")),
      },
    ],
    expect: { order: ["secret/my-dynamic-vault-secret created < deployment/myapp created"] },
  },
  "werf/external-dependencies": {
    meanwhile: [
      {
        onProgress: /^waiting await statefulset\/my-database: /,
        work: async ({ apply, pause }) => {
          await apply(makeSecret("my-dynamic-vault-secret"));
          await pause(500);
          await apply(makeStatefulSet("my-database", {}, { image: quick }));
        },
      },
    ],
    expect: {
      order: [
        "secret/my-dynamic-vault-secret created < statefulset/my-database created < statefulset/my-database ready < deployment/myapp created",
      ],
    },
  },
  "werf/external-namespace": {
    meanwhile: [
      {
        onProgress: /^waiting await secret\/my-dynamic-vault-secret: /,
        afterMs: 300,
        work: ({ apply }) => apply(makeNamespace("$NS-my"), makeSecret("my-dynamic-vault-secret", {}, { namespace: "$NS-my" })),
      },
    ],
    expect: { order: ["secret/my-dynamic-vault-secret in $NS-my created < deployment/myapp created"] },
  },
  "kots/phases": {
    expect: {
      order: [
        "customresourcedefinition/myresources.$NS.example.com created < customresourcedefinition/myresources.$NS.example.com ready < myresource/my-resource created",
      ],
    },
  },
  "kots/wait-for-ready": {
    expect: { order: ["service/postgresql created < statefulset/postgresql created < statefulset/postgresql ready < job/seed created"] },
  },
  "kots/wait-for-properties": {
    meanwhile: [
      {
        onChange: "myresource/my-resource created",
        afterMs: 300,
        work: applyInTurn(
          tasks({ extract: true, transform: true, load: false }),
          makeSecret("marker"),
          tasks({ extract: true, transform: true, load: true }),
        ),
      },
    ],
    expect: { order: ["myresource/my-resource created < secret/marker created < deployment/report created"] },
  },
};

/** KOTS deletes the CRD after the default phase; everything else goes in reverse order. */
const deleted: Readonly<Record<string, readonly string[]>> = {
  "kots/phases": ["myresource/my-resource gone < customresourcedefinition/myresources.$NS.example.com going"],
  "werf/weights": [
    "deployment/app1 gone, deployment/app2 gone < job/database-migrations going < job/database-migrations gone < statefulset/database going",
  ],
};

export const documented = Object.keys(shows);

export const exampleScenarios: readonly ReleaseScenario[] = Object.entries(shows).map(([folder, act]) => ({
  name: `examples/${folder} is deployed as its documentation says, again without a change, and deleted`,
  also: [vault, sets],
  acts: [
    { do: "deploy", manifests: textOf(folder), ...act },
    { do: "deploy", manifests: textOf(folder), expect: { status: "unchanged", records: ["1 deployed"] } },
    { do: "delete", expect: { order: deleted[folder] ?? [], records: [] } },
  ],
}));
