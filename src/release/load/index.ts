/**
 * Reads manifests from where people keep them (files, folders, URLs, standard input), and charts from folders and archives.
 *
 * It knows files and text. It does not know clusters, or what the manifests are for.
 */
export { loadChartAt, readChartFolder } from "./chart-folder.ts";
export { load, type SourceReaders } from "./load.ts";
