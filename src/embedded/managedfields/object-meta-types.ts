import { commonTypes, type FieldDef, type TypeDef, type TypeRef } from "./merge-schema.ts";

const prefix = "io.k8s.apimachinery.pkg.apis.meta.v1.";

/** The type of `metadata`. */
export const objectMetaTypeName = `${prefix}ObjectMeta`;

const text: TypeRef = { scalar: "string" };
const time: TypeRef = { scalar: "untyped" };
const texts: TypeRef = { map: { elementType: text } };

function fields(types: Readonly<Record<string, TypeRef>>): FieldDef[] {
  return Object.entries(types).map(([name, type]) => ({ name, type }));
}

/** The types of metadata, as the OpenAPI of every server has them. Models apimachinery pkg/apis/meta/v1/types.go */
export const objectMetaTypes: readonly TypeDef[] = [
  ...commonTypes,
  {
    name: objectMetaTypeName,
    map: {
      fields: fields({
        annotations: texts,
        creationTimestamp: time,
        deletionGracePeriodSeconds: { scalar: "numeric" },
        deletionTimestamp: time,
        finalizers: { list: { elementType: text, elementRelationship: "associative" } },
        generateName: text,
        generation: { scalar: "numeric" },
        labels: texts,
        managedFields: { list: { elementType: { namedType: `${prefix}ManagedFieldsEntry` }, elementRelationship: "atomic" } },
        name: text,
        namespace: text,
        ownerReferences: {
          list: { elementType: { namedType: `${prefix}OwnerReference` }, elementRelationship: "associative", keys: ["uid"] },
        },
        resourceVersion: text,
        selfLink: text,
        uid: text,
      }),
    },
  },
  {
    name: `${prefix}ManagedFieldsEntry`,
    map: {
      fields: fields({
        apiVersion: text,
        fieldsType: text,
        fieldsV1: { map: { elementType: { namedType: "__untyped_deduced_" } } },
        manager: text,
        operation: text,
        subresource: text,
        time,
      }),
    },
  },
  {
    name: `${prefix}OwnerReference`,
    map: {
      fields: [
        ...["apiVersion", "kind", "name", "uid"].map((name) => ({ name, type: text, default: "" })),
        ...fields({ blockOwnerDeletion: { scalar: "boolean" }, controller: { scalar: "boolean" } }),
      ],
      elementRelationship: "atomic",
    },
  },
];
