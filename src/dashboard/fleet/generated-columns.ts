import type { FleetMatrix } from "./fleet-matrix.ts";
import type { MatrixColumn } from "./matrix-column.ts";

/** The columns of a matrix by the profiles that they come from: one profile, or all that a trigger has generated. */
export class GeneratedColumns {
  readonly #matrix: FleetMatrix;
  readonly #profiles = new Map<string, Set<string>>();

  constructor(matrix: FleetMatrix) {
    this.#matrix = matrix;
  }

  put(profile: string, column: MatrixColumn): void {
    this.#profiles.set(column.key, (this.#profiles.get(column.key) ?? new Set()).add(profile));
    this.#matrix.putColumn(column);
  }

  drop(profile: string, { key }: MatrixColumn): void {
    const own = this.#profiles.get(key);
    if (own?.delete(profile) !== true || own.size > 0) return;
    this.#profiles.delete(key);
    this.#matrix.dropColumn(key);
  }
}
