import type { Command } from "commander";
import type { RunCommand } from "../interrupt.ts";
import { parseRevision } from "../parse-argument.ts";
import {
  addReleasePlaceOptions,
  addDeletionOptions,
  addPlanOptions,
  addPlanOutputOptions,
  addReleaseArgument,
  revisionHelp,
} from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import { TypedCommand, type OptionsOf } from "../typed-command.ts";

/** Adds `plan delete` and `plan rollback` below `plan`, which is about a deploy. */
export function addPlanOperations(plan: Command, terminal: Terminal, runCommand: RunCommand): void {
  declarePlanDelete(plan).action((name, options) =>
    runCommand(async (signal) => (await import("../command/plan-operation.ts")).planDelete(name, options, terminal, signal)),
  );
  declarePlanRollback(plan).action((name, to, options) =>
    runCommand(async (signal) => (await import("../command/plan-operation.ts")).planRollback(name, to, options, terminal, signal)),
  );
}

export type PlanDeleteFlags = OptionsOf<typeof declarePlanDelete>;

function declarePlanDelete(plan: Command) {
  const command = addReleaseArgument(new TypedCommand(plan.command("delete").alias("uninstall")));
  return addPlanOutputOptions(addDeletionOptions(addReleasePlaceOptions(command, "the namespace of the release"))).description(
    "show what a deletion would remove, in which order, and what would stay",
  );
}

export type PlanRollbackFlags = OptionsOf<typeof declarePlanRollback>;

function declarePlanRollback(plan: Command) {
  const command = addReleaseArgument(new TypedCommand(plan.command("rollback"))).parsedArgument("[revision]", revisionHelp, parseRevision);
  return addPlanOutputOptions(addPlanOptions(addReleasePlaceOptions(command, "the namespace of the release"))).description(
    "show what a rollback would change, in which order and what waits for what",
  );
}
