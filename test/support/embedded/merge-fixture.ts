/** Types and short notations for the tests of this folder. */
import { pathsOf, setOf, type FieldSet } from "../../../src/embedded/merge/field-set.ts";
import { objectMeta, objectMetaTypes } from "../../../src/embedded/merge/object-meta.ts";
import { pathText } from "../../../src/embedded/merge/path-element.ts";
import type { FieldDef, Schema, TypeRef } from "../../../src/embedded/merge/schema.ts";
import { resolverOf, type Type } from "../../../src/embedded/merge/type.ts";

const text: TypeRef = { scalar: "string" };
const number: TypeRef = { scalar: "numeric" };

function fields(types: Readonly<Record<string, TypeRef>>): FieldDef[] {
  return Object.entries(types).map(([name, type]) => ({ name, type }));
}

/** A workload with one of each sort of thing: a keyed list with a default key, a set, maps and lists of both sorts. */
export const workloadSchema: Schema = {
  types: [
    ...objectMetaTypes,
    {
      name: "Workload",
      map: {
        fields: fields({
          apiVersion: text,
          kind: text,
          metadata: { namedType: objectMeta },
          spec: { namedType: "Spec" },
          status: { map: { fields: fields({ phase: text, ready: number }) } },
          data: { map: { elementType: text } },
        }),
      },
    },
    {
      name: "Spec",
      map: {
        fields: fields({
          replicas: number,
          paused: { scalar: "boolean" },
          selector: { map: { elementType: text, elementRelationship: "atomic" } },
          args: { list: { elementType: text, elementRelationship: "atomic" } },
          tags: { list: { elementType: text, elementRelationship: "associative" } },
          containers: { list: { elementType: { namedType: "Container" }, elementRelationship: "associative", keys: ["name"] } },
          free: { namedType: "__untyped_deduced_" },
        }),
      },
    },
    {
      name: "Container",
      map: {
        fields: fields({
          name: text,
          image: text,
          env: { map: { elementType: text } },
          ports: { list: { elementType: { namedType: "Port" }, elementRelationship: "associative", keys: ["port", "protocol"] } },
        }),
      },
    },
    { name: "Port", map: { fields: [...fields({ port: number, label: text }), { name: "protocol", type: text, default: "TCP" }] } },
  ],
};

export const workload: Type = resolverOf(workloadSchema).named("Workload")!;

/** `spec.replicas` and the like, each a path of plain field names, as a set. */
export function set(...paths: readonly string[]): FieldSet {
  return setOf(...paths.map((path) => path.split(".")));
}

/** The members of a set as messages print them, in order. */
export function shown(fieldSet: FieldSet): string {
  return pathsOf(fieldSet).map(pathText).sort().join(" ");
}
