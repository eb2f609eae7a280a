import type { KubeObject, ObjectRef } from "../../core/object/index.ts";

/** A change of another object that may cure a refusal. Survives JSON. */
export type Cure =
  /** An object is applied, or with `deleted` also when it is deleted. Without a name any of its kind. */
  | {
      readonly by: "object";
      readonly group: string;
      readonly kind: string;
      readonly namespace: string;
      readonly name?: string;
      readonly deleted?: true;
    }
  /** The CustomResourceDefinition of a kind is applied. */
  | { readonly by: "definition"; readonly group: string; readonly kind: string }
  /** Something in the namespace is deleted, which makes room in its quota. */
  | { readonly by: "deletion"; readonly namespace: string }
  /** The configuration of an admission webhook, or what serves the webhook, is changed. */
  | { readonly by: "webhook"; readonly name: string }
  /** What answers behind a Service is changed: the Service, pods, certificates. */
  | { readonly by: "backend"; readonly namespace: string; readonly name: string }
  /** Whoever deploys is granted rights. */
  | { readonly by: "grant"; readonly user: string; readonly groups: readonly string[] };

/** A change of an object. Without a verb it is not known whether it is applied or deleted. */
export type ChangedObject = { readonly ref: ObjectRef; readonly verb?: "apply" | "delete"; readonly manifest?: KubeObject };
