/**
 * Carries out a deploy in an embedded cluster that was given what matters of the live one, in virtual time.
 *
 * The code that deploys is the code that is rehearsed: only the cluster is another one. The live cluster is read and never
 * changed.
 */
export { rehearseEveryFailure, type FailureConsequence } from "./every-failure.ts";
export { rehearseEveryKill, type KillConsequence } from "./every-kill.ts";
export { concealedSnapshot } from "./conceal-snapshot.ts";
export { withQuotesOf } from "./quotes-in-snapshot.ts";
export { findTarget } from "./find-target.ts";
export { learnBehaviour } from "./learn-behaviour.ts";
export { openRehearsal } from "./open-rehearsal.ts";
export { readForRehearsal, type RehearsalInput } from "./read-for-rehearsal.ts";
export { endOf, rehearse, type RehearsedRun } from "./rehearse.ts";
export { refusalReport, reportOf, type RehearsalReport } from "./rehearsal-report.ts";
export type { Snapshot } from "./snapshot.ts";
export { parseSnapshot, snapshotText } from "./snapshot-text.ts";
export { possibleFailures, type Failure, type WhatIf } from "./what-if.ts";
