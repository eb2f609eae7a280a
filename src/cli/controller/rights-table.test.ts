import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { listAt, stringsAt } from "../../core/object/index.ts";
import { readManifests } from "../../lang/yaml/index.ts";
import { renderInstallManifests } from "./install-manifests.ts";

/** The rights that the chart gives with these values, a line each: `role: verb resource.group`. */
function rightsWith(values: Readonly<Record<string, unknown>>): readonly string[] {
  const { manifests } = readManifests(renderInstallManifests({ namespace: "projectsveltos", values, includeCrd: () => false }), "chart");
  return manifests.flatMap(({ object }) =>
    listAt(object, "rules").flatMap((rule) =>
      stringsAt(rule, "apiGroups").flatMap((group) =>
        stringsAt(rule, "resources").flatMap((resource) =>
          stringsAt(rule, "verbs").map((verb) => `${object.metadata.name}: ${verb} ${resource}${group === "" ? "" : `.${group}`}`),
        ),
      ),
    ),
  );
}

/** The same of the table in docs/security.md. */
function documentedRights(): readonly string[] {
  const text = readFileSync(new URL("../../../docs/security.md", import.meta.url), "utf8");
  const [, section = ""] = /^## Rights$(.*?)^## /ms.exec(text) ?? [];
  const rows = [...section.matchAll(/^\| `([\w-]+)` \| (`.*?) \| ([\w, ]+) \| (.+) \|$/gm)];
  return rows.flatMap(([, role = "", resources = "", verbs = ""]) => {
    const [names = "", group] = resources.split(" of ");
    const suffix = group === undefined ? "" : `.${group.replaceAll("`", "")}`;
    return verbs
      .split(", ")
      .flatMap((verb) => [...names.matchAll(/`([^`]+)`/g)].map(([, resource]) => `${role}: ${verb} ${resource}${suffix}`));
  });
}

test("docs/security.md says of every right of the chart what it is for, and of no other", () => {
  const given = [
    ...rightsWith({ controller: { installDefinitions: true } }),
    ...rightsWith({ controller: { enabled: false }, agent: { enabled: true } }),
  ];
  assert.ok(given.length > 80);
  assert.deepEqual(documentedRights().toSorted(), given.toSorted());
});

test("nothing in the chart may do everything", () => {
  for (const values of [{}, { controller: { enabled: false }, agent: { enabled: true } }])
    assert.deepEqual(
      rightsWith(values).filter((right) => right.includes("*")),
      [],
    );
});
