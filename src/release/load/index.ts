/**
 * Loads manifests from files, folders, URLs and standard input, and charts from folders and archives.
 *
 * It knows files and text. It does not know clusters, or what the manifests are for.
 */
export { loadChartAt, readChartFolder } from "./chart-folder.ts";
export { load, type SourceReaders } from "./load.ts";
