/**
 * What the record of a release says, in the words and to the byte of `helm get`: values, hooks, notes, metadata and all of them.
 *
 * Pure: a Revision goes in and text comes out, without the line break that ends it. It knows no cluster and hides nothing:
 * who may read the record has its secrets.
 */
export { hooksText, notesText } from "./hooks-text.ts";
export { metadataText } from "./metadata-text.ts";
export { valuesText, type RecordFormat } from "./values-text.ts";
export { wholeText } from "./whole-text.ts";
