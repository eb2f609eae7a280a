import type { DeployedFeature } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import type { ObjectRef } from "../../core/object/index.ts";

/** Some objects are another profile's and stay so. The others are deployed all the same, now or from before. */
export class ResourceConflict extends Fault {
  override readonly name = "Disputed";
  /** What of the feature is in the cluster. */
  readonly feature: DeployedFeature;
  readonly refs: readonly ObjectRef[];

  constructor(message: string, feature: DeployedFeature, refs: readonly ObjectRef[]) {
    super(message);
    this.feature = feature;
    this.refs = refs;
  }
}
