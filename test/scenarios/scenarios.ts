import { deferralScenarios } from "./case/deferral.ts";
import { deletionScenarios } from "./case/deletion.ts";
import { dependencyScenarios } from "./case/dependency.ts";
import { dependentScenarios } from "./case/dependents.ts";
import { exampleScenarios } from "./case/examples.ts";
import { externalScenarios } from "./case/external.ts";
import { failureScenarios } from "./case/failure.ts";
import { hookPolicyScenarios } from "./case/hook-policies.ts";
import { hookScenarios } from "./case/hooks.ts";
import { impliedScenarios } from "./case/implied.ts";
import { kotsScenarios } from "./case/kots.ts";
import { lifeScenarios } from "./case/life.ts";
import { lifecycleScenarios } from "./case/lifecycle.ts";
import { mixedScenarios } from "./case/mixed.ts";
import { ownershipScenarios } from "./case/ownership.ts";
import { recordScenarios } from "./case/records.ts";
import { refusalScenarios } from "./case/refusal.ts";
import { removalScenarios } from "./case/removal.ts";
import { trackingScenarios } from "./case/tracking.ts";
import { vanishedScenarios } from "./case/vanished.ts";
import { weightScenarios } from "./case/weights.ts";
import type { ReleaseScenario } from "./scenario.ts";

/** All scenarios. */
export const scenarios: readonly ReleaseScenario[] = [
  ...hookScenarios,
  ...hookPolicyScenarios,
  ...weightScenarios,
  ...externalScenarios,
  ...dependencyScenarios,
  ...kotsScenarios,
  ...mixedScenarios,
  ...impliedScenarios,
  ...removalScenarios,
  ...failureScenarios,
  ...lifecycleScenarios,
  ...dependentScenarios,
  ...trackingScenarios,
  ...lifeScenarios,
  ...vanishedScenarios,
  ...deletionScenarios,
  ...ownershipScenarios,
  ...recordScenarios,
  ...refusalScenarios,
  ...deferralScenarios,
  ...exampleScenarios,
];
