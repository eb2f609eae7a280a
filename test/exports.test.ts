import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";

/** The programs' own files export what a bundle's entry calls. */
const entries = new Set(["src/cli/program.ts", "src/cli/render-program.ts"]);

const declaring = /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|type) ([\w$]+)/gm;
const importing = /^(import|export)\b(?: type)? (\{[^}]*\}|\*(?: as \w+)?|[\w$]+)(?:, (\{[^}]*\}))? from "(\.[^"]+)"/gm;
const lazy = /import\("(\.[^"]+)"\)/g;

const texts = new Map(
  globSync(["src/**/*.ts", "test/**/*.ts", "bench/**/*.ts", "tools/**/*.ts", "dashboard/**/*.{ts,tsx}"]).map((file) => [
    file,
    readFileSync(file, "utf8"),
  ]),
);

/** The names in braces: as they are called where they come from, and as they are called from here on. */
function namesIn(list: string): readonly { readonly name: string; readonly alias: string }[] {
  const items = list.replaceAll(/[{}]/g, "").split(",");
  return items.flatMap((item) => {
    const [name = "", alias = name] = item
      .trim()
      .replace(/^type /, "")
      .split(" as ");
    return name === "" ? [] : [{ name, alias }];
  });
}

/** What each file exports, declared there or passed on. */
const exported = new Map<string, Set<string>>();
/** What is imported of each file, by name; `*` for all of it. */
const imported = new Map<string, Set<string>>();

for (const [file, text] of texts) {
  const own = new Set([...text.matchAll(declaring)].map(([, name = ""]) => name));
  const use = (path: string, name: string) => {
    const target = normalize(join(dirname(file), path));
    imported.set(target, (imported.get(target) ?? new Set()).add(name));
  };
  for (const [, verb, list = "", more = "", path = ""] of text.matchAll(importing)) {
    if (list.startsWith("*")) use(path, "*");
    for (const { name, alias } of namesIn(list.startsWith("{") ? list : more)) {
      use(path, name);
      if (verb === "export") own.add(alias);
    }
  }
  // What is loaded lazily is used by name after it: every name in the file counts.
  for (const [, path = ""] of text.matchAll(lazy)) {
    const target = normalize(join(dirname(file), path));
    for (const name of exported.get(target) ?? namesDeclaredIn(target)) if (new RegExp(`\\b${name}\\b`).test(text)) use(path, name);
  }
  exported.set(file, own);
}

function namesDeclaredIn(file: string): readonly string[] {
  const text = texts.get(file) ?? "";
  const passed = [...text.matchAll(importing)].flatMap(([, verb, list = ""]) => (verb === "export" ? namesIn(list) : []));
  return [...[...text.matchAll(declaring)].map(([, name = ""]) => name), ...passed.map(({ alias }) => alias)];
}

test("every export of src is imported somewhere", () => {
  const unused = [...exported].flatMap(([file, names]) => {
    if (!file.startsWith("src/") || entries.has(file)) return [];
    const used = imported.get(file) ?? new Set();
    return used.has("*") ? [] : [...names].filter((name) => !used.has(name)).map((name) => `${file}: ${name}`);
  });
  assert.deepEqual(unused, []);
});
