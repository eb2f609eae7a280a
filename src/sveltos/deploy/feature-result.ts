import type { DeployedFeature } from "../api/index.ts";
import type { Fault } from "../../core/fault/index.ts";
import type { ProfileRef } from "./tier-conflict.ts";

/** The result of deploying or withdrawing a feature. */
export type FeatureResult = {
  /** For the ClusterConfiguration; undefined when its entry stays as it is. */
  readonly feature: DeployedFeature | undefined;
  /** It has failed; the reason is in the status of the ClusterSummary. */
  readonly failed: boolean;
  /** What has failed while a part of it is deployed. It still has to be written to the status. Default: nothing. */
  readonly fault?: Fault;
  /** The profiles that have lost objects to this one. Default: none. */
  readonly displaced?: readonly ProfileRef[];
};
