import type { Chart } from "../../chart/index.ts";
import type { RepositoryAccess } from "../repository-access.ts";
import type { RepositoryEnvironment } from "../repository-environment.ts";

/** The chart whose dependencies are managed, and how. */
export type DependencyContext = {
  /** The chart's folder. */
  readonly folder: string;
  /** Use the cached indexes. */
  readonly skipRefresh?: boolean;
  /** Access to registries. Repositories have the access that they were added with. */
  readonly access: RepositoryAccess;
  /** Loads a chart from a folder or an archive. */
  readonly load: (path: string) => Chart;
  /** Receives progress messages. */
  readonly report: (line: string) => void;
  /**
   * Verify what is downloaded: `always`, or `if possible`, which takes a chart without a provenance file with a warning. Default: not.
   * Models helm pkg/downloader VerificationStrategy
   */
  readonly verify?: "always" | "if possible" | undefined;
  /** The file with the public keys. Default: GnuPG's. */
  readonly keyring?: string | undefined;
  readonly environment: RepositoryEnvironment;
};
