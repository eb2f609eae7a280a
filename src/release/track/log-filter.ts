import { compileRe2 } from "../../lang/re2/index.ts";
import type { LogFilter } from "../order/index.ts";

/**
 * Which lines of a container are worth showing; undefined when none of them is. Models werf: first who is left out, then
 * who alone is shown, then the lines to drop, then those to keep, of which every pattern must match.
 */
export function lineFilterOf(filter: LogFilter, container: string): ((line: string) => boolean) | undefined {
  if (filter.skip || filter.skipContainers.includes(container)) return undefined;
  if (filter.onlyContainers.length > 0 && !filter.onlyContainers.includes(container)) return undefined;
  const of = (patterns: LogFilter["keep"]) =>
    patterns.filter((each) => each.container === undefined || each.container === container).map(({ pattern }) => compileRe2(pattern));
  const [drop, keep] = [of(filter.drop), of(filter.keep)];
  return (line) => !drop.some((pattern) => pattern.matcher(line).find()) && keep.every((pattern) => pattern.matcher(line).find());
}
