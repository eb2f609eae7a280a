/** Marks the beginning and the end of lines that the log viewer of a CI system can fold. */
export type LogGroups = {
  readonly start: (title: string, atMs: number) => string;
  readonly end: (startedAtMs: number, atMs: number) => string;
};

/** GitHub Actions ends a group by itself when the next one starts. */
const gitHubActions: LogGroups = { start: (title) => `::group::${title}`, end: () => "::endgroup::" };

const eraseLine = "\u001B[0K";
const section = (startedAtMs: number) => `sluice_${startedAtMs}`;
const seconds = (ms: number) => Math.floor(ms / 1000);

/** A section is known by its name, so each has one of its own. */
const gitLab: LogGroups = {
  start: (title, atMs) => `${eraseLine}section_start:${seconds(atMs)}:${section(atMs)}\r${eraseLine}${title}`,
  end: (startedAtMs, atMs) => `${eraseLine}section_end:${seconds(atMs)}:${section(startedAtMs)}\r${eraseLine}`,
};

/** The log groups of the CI system that this environment belongs to. */
export function logGroupsOf(env: NodeJS.ProcessEnv): LogGroups | undefined {
  if (env.GITHUB_ACTIONS === "true") return gitHubActions;
  return env.GITLAB_CI === "true" ? gitLab : undefined;
}
