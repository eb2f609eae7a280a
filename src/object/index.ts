/**
 * Kubernetes objects as values: what they are, how they are named, read, selected, patched and compared.
 *
 * Pure. It knows no cluster, no file and no schema beyond what is handed to it.
 */
export * from "./field.ts";
export * from "./object.ts";
export * from "./ref.ts";
