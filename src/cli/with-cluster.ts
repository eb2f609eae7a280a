import { openClusterSession, type ClusterSession } from "./cluster-session.ts";
import type { ClusterFlags } from "./shared-options.ts";
import type { Terminal } from "./terminal.ts";

/** Opens the cluster that the flags name while `read` runs. Prints the server's warnings to standard error. */
export async function withCluster<T>(
  options: ClusterFlags,
  { err, paint }: Terminal,
  read: (session: ClusterSession) => Promise<T>,
): Promise<T> {
  const session = await openClusterSession(options, (warning) => err(paint.warn(`warning: ${warning}`)));
  try {
    return await read(session);
  } finally {
    session.close();
  }
}
