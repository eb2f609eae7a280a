/**
 * Leaves of contradicting variables the one that counts: `NO_COLOR` before `FORCE_COLOR`, and that before Node's own. Node
 * would say on standard error that the others are ignored, and has it the other way round.
 */
export function settleColorVariables(env: NodeJS.ProcessEnv): void {
  if (env.FORCE_COLOR === undefined) return;
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") delete env.FORCE_COLOR;
  else delete env.NODE_DISABLE_COLORS;
}
