import type { KubeObject } from "../../core/object/index.ts";
import { once, readPacked } from "./packed-file.ts";

/** The roles and bindings of role-based access control that a new cluster has, as the server creates them. */
export const bootstrapPolicy: () => readonly KubeObject[] = once(
  () => JSON.parse(readPacked("bootstrap-policy.json.br")) as readonly KubeObject[],
);

/** The other objects that a server creates when it starts, with their managed fields, but without uids and times. */
export const recordedBootstrapObjects: () => readonly KubeObject[] = once(
  () => JSON.parse(readPacked("bootstrap-objects.json.br")) as readonly KubeObject[],
);
