import { dependency } from "./case/dependency.ts";
import { examples } from "./case/examples.ts";
import { external } from "./case/external.ts";
import { failure } from "./case/failure.ts";
import { hooks } from "./case/hooks.ts";
import { implied } from "./case/implied.ts";
import { kots } from "./case/kots.ts";
import { life } from "./case/life.ts";
import { lifecycle } from "./case/lifecycle.ts";
import { mixed } from "./case/mixed.ts";
import { records } from "./case/records.ts";
import { refusal } from "./case/refusal.ts";
import { removal } from "./case/removal.ts";
import { weights } from "./case/weights.ts";
import type { Scenario } from "./scenario.ts";

/** Every scenario there is. */
export const scenarios: readonly Scenario[] = [
  ...hooks,
  ...weights,
  ...external,
  ...dependency,
  ...kots,
  ...mixed,
  ...implied,
  ...removal,
  ...failure,
  ...lifecycle,
  ...life,
  ...records,
  ...refusal,
  ...examples,
];
