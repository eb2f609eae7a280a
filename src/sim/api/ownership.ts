import type { KubeObject } from "../../object/index.ts";
import type { Decoded, FieldValidation } from "./decode.ts";
import type { Resource } from "./resource.ts";
import type { WriteOptions } from "./server.ts";

export function takeOwnership(_resource: Resource, _live: KubeObject | undefined, next: KubeObject, _options: WriteOptions, _time: string): KubeObject {
  return next;
}

export function applyOwned(
  _resource: Resource,
  live: KubeObject | undefined,
  config: KubeObject,
  _options: WriteOptions & { force: boolean; fieldValidation: FieldValidation },
  _time: string,
): Decoded {
  return { object: { ...live, ...config }, warnings: [] };
}
