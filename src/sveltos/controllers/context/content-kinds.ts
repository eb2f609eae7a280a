import type { GroupVersionKind } from "../../../core/object/index.ts";

/** The kinds that hold content of profiles and triggers. */
export const configMapKind: GroupVersionKind = { group: "", version: "v1", kind: "ConfigMap" };
export const secretKind: GroupVersionKind = { group: "", version: "v1", kind: "Secret" };
