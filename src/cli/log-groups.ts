import { harmlessText } from "./harmless-text.ts";

/** Marks the beginning and the end of lines that the log viewer of a CI system can fold. */
export type LogGroups = {
  readonly start: (title: string, atMs: number) => string;
  readonly end: (startedAtMs: number, atMs: number) => string;
  /** The line without anything in it that the CI system would take for a command. */
  readonly plain: (line: string) => string;
};

/** GitHub Actions ends a group by itself when the next one starts. It obeys `::…` at the beginning of a line, and `##[…]` anywhere. */
const gitHubActions: LogGroups = {
  start: (title) => `::group::${title}`,
  end: () => "::endgroup::",
  plain: (line) => line.replace(/^(\s*)::/, "$1: :").replaceAll("##[", "# #["),
};

const eraseLine = "\u001B[0K";
const section = (startedAtMs: number) => `sluice_${startedAtMs}`;
const seconds = (ms: number) => Math.floor(ms / 1000);

/** A section is known by its name, so each has one of its own. */
const gitLab: LogGroups = {
  start: (title, atMs) => `${eraseLine}section_start:${seconds(atMs)}:${section(atMs)}\r${eraseLine}${title}`,
  end: (startedAtMs, atMs) => `${eraseLine}section_end:${seconds(atMs)}:${section(startedAtMs)}\r${eraseLine}`,
  plain: harmlessText,
};

/** The log groups of the CI system that this environment belongs to. */
export function logGroupsOf(env: NodeJS.ProcessEnv): LogGroups | undefined {
  if (env.GITHUB_ACTIONS === "true") return gitHubActions;
  return env.GITLAB_CI === "true" ? gitLab : undefined;
}
