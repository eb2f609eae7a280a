/**
 * Where charts come from: HTTP repositories and OCI registries, the names that people give to repositories, and what other
 * charts a chart is made with.
 *
 * It keeps everything in Helm's own places and forms, so that Helm and Sluice see each other's. The web, Helm's places, time
 * and whoever hears warnings are in an `Outside`, made once by whoever runs a command. It renders no chart and knows no cluster.
 */
export type { RepositoryAccess } from "./repository-access.ts";
export { listDependencies, type DependencyList } from "./dependency/list-dependencies.ts";
export { buildDependencies, updateDependencies, updateText } from "./dependency/update-dependencies.ts";
export type { DependencyContext } from "./dependency/dependency-context.ts";
export { fetchChart, locateChart, type ChartPathOptions, type LocatedChart } from "./locate-chart.ts";
export { openRepositoryEnvironment, type RepositoryEnvironment, type RepositoryEnvironmentOptions } from "./repository-environment.ts";
export { packageChart } from "./package-chart.ts";
export { helmPathsIn, type HelmPaths } from "./helm-paths.ts";
export type { Repository } from "./repositories-file.ts";
export { showChart, type ShowOutputFormat } from "./show-chart.ts";
export { addRepository, listRepositories, removeRepositories, updateRepositories, type RepositoryUpdate } from "./store/repositories.ts";
export { saveArchive, saveUnpacked } from "./store/save-chart.ts";
