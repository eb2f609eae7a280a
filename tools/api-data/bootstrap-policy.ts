import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isFields, listAt, type Fields } from "../../src/core/object/index.ts";
import { readYaml } from "../../src/lang/yaml/index.ts";

const files = [
  "cluster-roles",
  "controller-roles",
  "cluster-role-bindings",
  "controller-role-bindings",
  "namespace-roles",
  "namespace-role-bindings",
];

/** The roles and bindings that a server creates when it starts, in that order. */
export function bootstrapPolicyOf(kubernetes: string): readonly unknown[] {
  const folder = join(kubernetes, "plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata");
  return files.flatMap((name) => listAt(readYaml(readFileSync(join(folder, `${name}.yaml`), "utf8"), name), "items").map(withoutNulls));
}

function withoutNulls(object: Fields): unknown {
  const { metadata } = object;
  return given({ ...object, metadata: isFields(metadata) ? given(metadata) : metadata });
}

function given(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
