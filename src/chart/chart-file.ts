/** A file of a chart, by its path inside it. */
export type ChartFile = { readonly name: string; readonly data: Uint8Array };

/** The most bytes that one file of a chart, and a whole chart, may have. Models helm pkg/chart/loader/archive */
export const maxFileBytes = 5 * 2 ** 20;
export const maxChartBytes = 100 * 2 ** 20;

/** A file without the mark that some editors put before UTF-8. */
export function withoutByteOrderMark(data: Uint8Array): Uint8Array {
  return data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf ? data.subarray(3) : data;
}

/** Text of a file. What is no UTF-8 in it is replaced, as in every text. */
export function fileText(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("utf8");
}
