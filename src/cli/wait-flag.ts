/** How far a command waits, as its flags say: `--no-wait` is `false`, `--wait=hooks` is Helm's manner. */
export type WaitFlag = { readonly wait: boolean | "all" | "hooks" };

export function waitModeOf({ wait }: WaitFlag): "all" | "hooks" | "none" {
  if (wait === false) return "none";
  return wait === "hooks" ? "hooks" : "all";
}
