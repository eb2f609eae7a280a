/** Says that a visitor lacks a right, which is named as `delete configmaps in shop`. */
export function missingRightText(right: string): string {
  return `You may not ${right}: ask for that right, and try again. Nothing was done.`;
}
