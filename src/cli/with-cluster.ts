import { openClusterSession, type ClusterSession, type SessionFlags } from "./cluster-session.ts";
import type { Terminal } from "./terminal.ts";
import { warningPrinter } from "./warning-printer.ts";

/** Opens the cluster that the flags name while `read` runs. Prints the server's warnings to standard error. */
export async function withCluster<T>(options: SessionFlags, terminal: Terminal, read: (session: ClusterSession) => Promise<T>): Promise<T> {
  const session = await openClusterSession(options, warningPrinter(terminal));
  try {
    return await read(session);
  } finally {
    session.close();
  }
}
