/**
 * Reads manifests from where people keep them: files, folders, URLs, standard input.
 *
 * It knows files and text. It does not know clusters, or what the manifests are for.
 */
export { load, type Surroundings } from "./load.ts";
