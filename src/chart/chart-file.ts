/** A file of a chart and its path inside the chart. */
export type ChartFile = { readonly name: string; readonly data: Uint8Array };

/** The maximum size of one file and of a whole chart. Models helm pkg/chart/loader/archive */
export const maxFileBytes = 5 * 2 ** 20;
export const maxChartBytes = 100 * 2 ** 20;

/** Removes the byte order mark that some editors write before UTF-8. */
export function withoutByteOrderMark(data: Uint8Array): Uint8Array {
  return data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf ? data.subarray(3) : data;
}

/** Decodes a file as text. Invalid UTF-8 is replaced. */
export function fileText(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("utf8");
}
