/**
 * Where charts come from: HTTP repositories and OCI registries, the names that people give to repositories, and what other
 * charts a chart is made with.
 *
 * It keeps everything in Helm's own places and forms, so that Helm and Sluice see each other's. The web, Helm's places, time
 * and whoever hears warnings are in an `Outside`, made once by whoever runs a command. It renders no chart and knows no cluster.
 */
export type { Access } from "./access.ts";
export { listDependencies, type DependencyList } from "./dependency/list.ts";
export { buildDependencies, updateDependencies, updateText } from "./dependency/update.ts";
export type { Work } from "./dependency/work.ts";
export { fetchChart, locateChart, type ChartChoice, type Located } from "./locate.ts";
export { outsideOf, type Outside, type OutsideOptions } from "./outside.ts";
export { packChart } from "./pack.ts";
export { placesIn, type Places } from "./places.ts";
export type { Repository } from "./repositories-file.ts";
export { showChart, type Showing } from "./show.ts";
export { addRepository, listRepositories, removeRepositories, updateRepositories, type Updated } from "./store/repositories.ts";
export { saveArchive, saveUnpacked } from "./store/save.ts";
