import type { ApiGroup } from "./api-group.ts";
import { once, readPacked } from "./packed-file.ts";

/** The built-in groups in the order in which the API server lists them, the core group (without a name) first. */
export const builtInGroups: () => readonly ApiGroup[] = once(() => JSON.parse(readPacked("discovery.json.br")) as readonly ApiGroup[]);
