import type { DeployedFeature } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import type { ObjectRef } from "../../core/object/index.ts";

/** Another profile owns some of the objects and keeps them. The others are deployed. */
export class ResourceConflict extends Fault {
  override readonly name = "ResourceConflict";
  /** The part of the feature that is deployed. */
  readonly feature: DeployedFeature;
  readonly refs: readonly ObjectRef[];

  constructor(message: string, feature: DeployedFeature, refs: readonly ObjectRef[]) {
    super(message);
    this.feature = feature;
    this.refs = refs;
  }
}
