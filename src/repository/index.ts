/**
 * Sources of charts: HTTP repositories, OCI registries, named repositories and chart dependencies.
 *
 * It uses Helm's files and formats, so Helm and Sluice share them. The HTTP client, Helm's paths, the clock and the
 * receiver of warnings are in a RepositoryEnvironment, which each command creates once. It renders no chart and knows
 * no cluster.
 */
export type { RepositoryAccess } from "./repository-access.ts";
export { listDependencies } from "./dependency/list-dependencies.ts";
export { buildDependencies, updateDependencies, updateText } from "./dependency/update-dependencies.ts";
export type { DependencyContext } from "./dependency/dependency-context.ts";
export { fetchChart, locateChart, type ChartPathOptions } from "./locate-chart.ts";
export { openRepositoryEnvironment, type RepositoryEnvironment } from "./repository-environment.ts";
export { packageChart } from "./package-chart.ts";
export type { Repository } from "./repositories-file.ts";
export { verifyProvenance, type SignedChart, type Verification } from "./provenance.ts";
export { searchIndex, type IndexSearch, type IndexSearchResult } from "./search-index.ts";
export { openSchemaLoader } from "./schema/open-schema-loader.ts";
export { SchemaFetcher } from "./schema/schema-fetcher.ts";
export { showChart, type ShowOutputFormat } from "./show-chart.ts";
export { addRepository, listRepositories, removeRepositories, updateRepositories } from "./store/repositories.ts";
export { saveArchive, saveUnpacked } from "./store/save-chart.ts";
