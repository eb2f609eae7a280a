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
  readonly environment: RepositoryEnvironment;
};
