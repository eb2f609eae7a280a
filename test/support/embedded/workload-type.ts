/** A merge type and short notations for tests. */
import { memberPathsOf, fieldSetOf, type FieldSet } from "../../../src/embedded/managedfields/field-set.ts";
import { objectMetaTypeName, objectMetaTypes } from "../../../src/embedded/managedfields/object-meta-types.ts";
import { elementPathText } from "../../../src/embedded/managedfields/path-element.ts";
import type { FieldDef, MergeSchema, TypeRef } from "../../../src/embedded/managedfields/merge-schema.ts";
import { resolverOf, type MergeType } from "../../../src/embedded/managedfields/merge-type.ts";

const text: TypeRef = { scalar: "string" };
const number: TypeRef = { scalar: "numeric" };

function fields(types: Readonly<Record<string, TypeRef>>): FieldDef[] {
  return Object.entries(types).map(([name, type]) => ({ name, type }));
}

/** A workload with each sort of field: a keyed list with a default key, a set, maps and lists of both sorts. */
export const workloadSchema: MergeSchema = {
  types: [
    ...objectMetaTypes,
    {
      name: "Workload",
      map: {
        fields: fields({
          apiVersion: text,
          kind: text,
          metadata: { namedType: objectMetaTypeName },
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

export const workloadType: MergeType = resolverOf(workloadSchema).named("Workload")!;

/** The set of dotted paths such as `spec.replicas`. */
export function fieldSetAt(...paths: readonly string[]): FieldSet {
  return fieldSetOf(...paths.map((path) => path.split(".")));
}

/** The members of a set as messages print them, in order. */
export function fieldSetText(fieldSet: FieldSet): string {
  return memberPathsOf(fieldSet).map(elementPathText).sort().join(" ");
}
