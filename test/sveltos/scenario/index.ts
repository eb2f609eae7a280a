/** The scenarios beside the documented examples, by theme, for any fleet fixture. */
import type { FleetScenario } from "../fleet-fixture.ts";
import { cleanUpScenarios } from "./clean-up.ts";
import { conditionScenarios } from "./conditions.ts";
import { errorScenarios } from "./errors.ts";
import { eventScenarios } from "./events.ts";
import { ownershipScenarios } from "./ownership.ts";
import { patchScenarios } from "./patches.ts";
import { profileScenarios } from "./profiles.ts";
import { replicaScenarios } from "./replicas.ts";
import { sizeScenarios } from "./sizes.ts";
import { longTenantScenarios, tenantScenarios } from "./tenants.ts";
import { triggerScenarios } from "./triggers.ts";

export const scenariosByTheme: Readonly<Record<string, readonly FleetScenario[]>> = {
  events: [...eventScenarios, ...sizeScenarios],
  triggers: triggerScenarios,
  profiles: [...profileScenarios, ...patchScenarios],
  ownership: ownershipScenarios,
  "clean-up": cleanUpScenarios,
  errors: errorScenarios,
  conditions: conditionScenarios,
  tenants: tenantScenarios,
  running: replicaScenarios,
};

/** Those that take too long for every run of the tests. */
export const longScenarios: readonly FleetScenario[] = longTenantScenarios;
