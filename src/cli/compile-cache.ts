import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** A user of this machine. `uid` is undefined on Windows, where a home is its user's alone. */
export type CacheOwner = { readonly env: Environment; readonly home: string; readonly platform: string; readonly uid: number | undefined };

/**
 * The folder for compiled code. The code in it is run, so it is the user's alone; where that cannot be had, there is none. Node's
 * own choice is a folder of one name in the temporary folder, which anybody can make first.
 */
export function compileCacheFolder(owner: CacheOwner): string | undefined {
  const folder = join(cacheHome(owner), "sluice", "compile");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return [dirname(folder), folder].every((each) => isPrivate(each, owner.uid)) ? folder : undefined;
  } catch {
    return undefined; // as in a container whose files cannot be written: compiling again costs a moment
  }
}

function cacheHome({ env, home, platform }: CacheOwner): string {
  if (platform === "win32") return env["LOCALAPPDATA"] || home;
  return env["XDG_CACHE_HOME"] || (platform === "darwin" ? join(home, "Library", "Caches") : join(home, ".cache"));
}

/** Whether a folder is no link, the user's own, and after this closed to everybody else. */
function isPrivate(folder: string, uid: number | undefined): boolean {
  const found = lstatSync(folder);
  if (!found.isDirectory()) return false;
  if (uid === undefined) return true;
  if (found.uid !== uid) return false;
  if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  return true;
}
