import type { DeployedFeature } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import type { ObjectRef } from "../../core/object/index.ts";
import type { ProfileRef } from "./tier-conflict.ts";

/** Another profile owns some of the objects and keeps them. The others are deployed. */
export class ResourceConflict extends Fault {
  override readonly name = "ResourceConflict";
  /** The part of the feature that is deployed. */
  readonly feature: DeployedFeature;
  readonly refs: readonly ObjectRef[];
  /** The profiles that have lost objects to this one. */
  readonly displaced: readonly ProfileRef[];

  constructor(message: string, feature: DeployedFeature, refs: readonly ObjectRef[], displaced: readonly ProfileRef[]) {
    super(message);
    this.feature = feature;
    this.refs = refs;
    this.displaced = displaced;
  }
}
