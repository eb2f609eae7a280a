import type { Chart } from "../../chart/index.ts";
import type { RepositoryAccess } from "../repository-access.ts";
import type { RepositoryEnvironment } from "../repository-environment.ts";

/** What dependencies are gathered with, and for which chart. */
export type DependencyContext = {
  /** The chart's folder. */
  readonly folder: string;
  /** The kept indexes will do. */
  readonly skipRefresh?: boolean;
  /** How registries are reached. Repositories are reached as it was said when they were added. */
  readonly access: RepositoryAccess;
  /** Loads a chart from a folder or an archive. */
  readonly load: (path: string) => Chart;
  /** Hears what is being done. */
  readonly tell: (line: string) => void;
  readonly outside: RepositoryEnvironment;
};
