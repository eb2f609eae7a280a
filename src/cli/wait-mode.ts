import type { WaitFlag } from "./shared-options.ts";

export function waitModeOf({ wait }: WaitFlag): "all" | "hooks" | "none" {
  if (wait === false) return "none";
  return wait === "hooks" ? "hooks" : "all";
}
