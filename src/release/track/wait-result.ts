/** How a wait has ended. */
export type WaitResult = { readonly state: "open"; readonly note?: string } | { readonly state: "failed"; readonly because: string };

const missingLogs = "its logs are not shown, since you may not list pods in its namespace";

/** The result, which says why there are no logs. */
export function withoutLogs(result: WaitResult): WaitResult {
  if (result.state === "failed") return { ...result, because: `${result.because}; ${missingLogs}` };
  return { ...result, note: result.note === undefined ? missingLogs : `${result.note}; ${missingLogs}` };
}
