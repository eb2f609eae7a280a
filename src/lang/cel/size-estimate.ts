/** How large a string, list or map can be: the number of characters, elements or entries. */
export type SizeEstimate = { readonly min: number; readonly max: number };

/** Stands for the largest number of cel-go's arithmetic, which sums and products do not exceed. */
export const unlimited = 2 ** 64;

export const unknownSize: SizeEstimate = { min: 0, max: unlimited };

export function fixedSize(size: number): SizeEstimate {
  return { min: size, max: size };
}

export function plus(a: number, b: number): number {
  return Math.min(a + b, unlimited);
}

export function times(a: number, b: number): number {
  return Math.min(a * b, unlimited);
}

/** A product with a factor that is not an integer, rounded up. */
export function scaled(size: number, factor: number): number {
  return Math.min(Math.ceil(size * factor), unlimited);
}

export function addSizes(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { min: plus(a.min, b.min), max: plus(a.max, b.max) };
}

export function multiplySizes(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { min: times(a.min, b.min), max: times(a.max, b.max) };
}

/** The estimate that covers both. */
export function uniteSizes(a: SizeEstimate, b: SizeEstimate): SizeEstimate {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}
