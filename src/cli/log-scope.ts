import type { LogScope } from "../release/apply/index.ts";
import type { OptionsOf } from "./typed-command.ts";
import type { addRunOptions } from "./shared-options.ts";

/** Whose logs are shown. */
export function logScopeOf({ logs, followLogs }: Pick<OptionsOf<typeof addRunOptions>, "logs" | "followLogs">): LogScope {
  if (!logs) return "none";
  return followLogs ? "workloads" : "jobs";
}
