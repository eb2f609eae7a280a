import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What a build calls itself. */
export type BuildVersion = {
  readonly version: string;
  /** The commit it was built of; none without git. */
  readonly commit: string | undefined;
  /** When that was committed, in seconds since 1970: what is made of it says that it is of this time. Without git it is 0. */
  readonly seconds: number;
};

/**
 * The version of what lies in a folder. At a tag it is the tag's: `v0.1.0` gives 0.1.0. Elsewhere it says which version comes
 * next, how many commits there are since the last tag, and the commit: 0.2.0-next.12+g1a2b3c4. Without git it is that of
 * package.json.
 */
export function readBuildVersion(root: string): BuildVersion {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const git = (...args: readonly string[]) => answerOf(root, args);
  // A folder inside of somebody else's repository has no commit of its own.
  const commit = git("rev-parse", "--show-prefix") === "" ? git("rev-parse", "HEAD") : undefined;
  if (commit === undefined) return { version, commit, seconds: 0 };
  const seconds = Number(git("show", "--no-patch", "--format=%ct", "HEAD"));
  const state = git("status", "--porcelain", "--untracked-files=no") === "" ? "" : ".dirty";
  const [, last, count = ""] = /^v(.+)-(\d+)-g[0-9a-f]+$/.exec(git("describe", "--tags", "--long", "--match", "v[0-9]*") ?? "") ?? [];
  if (last !== undefined && count === "0" && state === "") return { version: last, commit, seconds };
  const next = last === version ? patchAfter(version) : version;
  const commits = last === undefined ? git("rev-list", "--count", "HEAD") : count;
  return { version: `${next}-next.${commits}+g${commit.slice(0, 7)}${state}`, commit, seconds };
}

/** The version after one that is out already. */
function patchAfter(version: string): string {
  return version.replace(/^(\d+\.\d+\.)(\d+).*$/, (_, start: string, patch: string) => `${start}${Number(patch) + 1}`);
}

function answerOf(cwd: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync("git", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return status === 0 ? stdout.trim() : undefined;
}
