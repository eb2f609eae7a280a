import type { Json, KubeObject } from "../../core/object/index.ts";
import type { Schema, Shape } from "./shape/index.ts";

/** One column of `kubectl get`. */
export type Column = {
  readonly name: string;
  readonly type: "string" | "integer" | "boolean" | "date";
  readonly jsonPath: string;
  /** Shown by `-o wide` only. */
  readonly wide?: boolean;
};

/** A custom resource of Sluice: its names, the shapes of spec and status, and its printer columns. */
export type Kind = {
  readonly group: "lib.projectsveltos.io" | "config.projectsveltos.io";
  readonly kind: string;
  readonly plural: string;
  readonly scope: "Cluster" | "Namespaced";
  readonly description: string;
  readonly spec?: Shape<unknown>;
  readonly status: Shape<unknown>;
  readonly columns?: readonly Column[];
};

/** The served versions. The last one is the storage version. */
export const servedVersions = ["v1alpha1", "v1beta1"] as const;

/**
 * The CustomResourceDefinition of a kind. Both versions have the same schema: without a conversion webhook the API server
 * validates and prunes an object by the schema of the version in which it is read.
 */
export function crdOf(kind: Kind): KubeObject {
  const { group, plural, scope } = kind;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind: kind.kind, listKind: `${kind.kind}List`, plural, singular: kind.kind.toLowerCase() },
      scope,
      versions: servedVersions.map((name) => crdVersion(name, kind)),
    },
  };
}

const age: Column = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" };

function crdVersion(name: string, { columns = [], ...kind }: Kind): { readonly [key: string]: Json } {
  const shown = columns.some(({ name: column }) => column === age.name) ? columns : [...columns, age];
  return {
    name,
    served: true,
    storage: name === servedVersions.at(-1),
    schema: { openAPIV3Schema: schemaOf(kind) },
    subresources: { status: {} },
    additionalPrinterColumns: shown.map(({ wide = false, ...column }) => ({ ...column, ...(wide && { priority: 1 }) })),
  };
}

function schemaOf({ description, spec, status }: Kind): Schema {
  return {
    type: "object",
    description,
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { type: "object" },
      ...(spec !== undefined && { spec: spec.schema }),
      status: status.schema,
    },
  };
}
