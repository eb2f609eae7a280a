import { object, optional, text, type ValueOf } from "../shape/index.ts";

/** A core/v1 ObjectReference. */
export const objectReference = object(
  {
    apiVersion: optional(text()),
    fieldPath: optional(text()),
    kind: optional(text()),
    name: optional(text()),
    namespace: optional(text()),
    resourceVersion: optional(text()),
    uid: optional(text()),
  },
  { atomic: true },
);
export type ObjectReference = ValueOf<typeof objectReference>;

/** A core/v1 SecretReference. */
export const secretReference = object({ name: optional(text()), namespace: optional(text()) }, { atomic: true });
