import type { KubeObject } from "../../../object/index.ts";

/** Looks at other objects of the cluster. `namespace` is empty for objects without one. */
export type Reader = {
  read(group: string, kind: string, namespace: string, name: string): KubeObject | undefined;
  list(group: string, kind: string, namespace: string): readonly KubeObject[];
};

/** A write as admission sees it: the object is the one that would be stored, or on a delete the one that is. */
export type AdmissionRequest = {
  readonly operation: "create" | "update" | "delete";
  readonly group: string;
  /** The plural that the URL names: `deployments`. */
  readonly resource: string;
  readonly subresource?: string;
  readonly object: KubeObject;
  readonly live?: KubeObject;
  readonly reader: Reader;
  /** A random suffix of five letters for names that admission makes up. */
  readonly suffix: () => string;
};

/** Why a write is not let in: the parts of the Status that the answer needs. */
export type Refusal = {
  readonly code: number;
  readonly reason: "Forbidden" | "NotFound";
  readonly message: string;
  readonly causes?: readonly { readonly reason: string; readonly message: string; readonly field: string }[];
};

export type Admission = { readonly object: KubeObject } | { readonly refused: Refusal };

/** One plugin: the object as it lets it in, or why not. */
export type Plugin = (request: AdmissionRequest) => Admission;

/** Models apiserver pkg/admission/errors.go NewForbidden */
export function refuse({ group, resource, object }: AdmissionRequest, why: string): Admission {
  const { name, generateName } = object.metadata;
  const shown = name === undefined || name === "" ? (generateName === undefined ? "Unknown" : `${generateName}[generated]`) : name;
  const plural = group === "" ? resource : `${resource}.${group}`;
  return { refused: { code: 403, reason: "Forbidden", message: `${plural} ${JSON.stringify(shown)} is forbidden: ${why}` } };
}

export function isKind({ group, object }: AdmissionRequest, wantedGroup: string, kind: string): boolean {
  return group === wantedGroup && object.kind === kind;
}

export function isWriteOf(request: AdmissionRequest, group: string, kind: string): boolean {
  return isKind(request, group, kind) && request.subresource === undefined;
}
