/** One thing of a column: where it would like to be, how strongly, and how far below the one above it has to be. */
type Wish = { readonly centre: number; readonly weight: number; readonly distance: number };

/**
 * The centres that are nearest to the wishes, by their squares, in the order and with the distances that are asked for. Models
 * isotonic regression: wishes that are in each other's way are met by their mean.
 */
export function placeLayer(wishes: readonly Wish[]): readonly number[] {
  const pools: { weight: number; sum: number; count: number }[] = [];
  let offset = 0;
  const offsets = wishes.map(({ distance }, at) => (offset += at === 0 ? 0 : distance));
  for (const [at, { centre, weight }] of wishes.entries()) {
    let pool = { weight, sum: weight * (centre - offsets[at]!), count: 1 };
    for (let last = pools.at(-1); last !== undefined && last.sum / last.weight >= pool.sum / pool.weight; last = pools.at(-1)) {
      pools.pop();
      pool = { weight: last.weight + pool.weight, sum: last.sum + pool.sum, count: last.count + pool.count };
    }
    pools.push(pool);
  }
  const centres: number[] = [];
  for (const { weight, sum, count } of pools)
    for (let each = 0; each < count; each++) centres.push(sum / weight + offsets[centres.length]!);
  return centres;
}
