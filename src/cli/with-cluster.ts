import { openClusterSession, type ClusterSession } from "./cluster-session.ts";
import type { ClusterFlags } from "./shared-options.ts";
import type { Terminal } from "./terminal.ts";
import { warningPrinter } from "./warning-printer.ts";

/** Opens the cluster that the flags name while `read` runs. Prints the server's warnings to standard error. */
export async function withCluster<T>(options: ClusterFlags, terminal: Terminal, read: (session: ClusterSession) => Promise<T>): Promise<T> {
  const session = await openClusterSession(options, warningPrinter(terminal));
  try {
    return await read(session);
  } finally {
    session.close();
  }
}
