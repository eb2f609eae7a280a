import { compileRe2 } from "../../lang/re2/index.ts";
import type { LogFilter } from "../order/index.ts";

/**
 * A filter for the log lines of a container; undefined when none is shown. Models werf: first skip-logs, then
 * show-logs-only, then log-regex-skip, then log-regex, of which every pattern must match.
 */
export function lineFilterOf(filter: LogFilter, container: string): ((line: string) => boolean) | undefined {
  if (filter.skip || filter.skipContainers.includes(container)) return undefined;
  if (filter.onlyContainers.length > 0 && !filter.onlyContainers.includes(container)) return undefined;
  const of = (patterns: LogFilter["keep"]) =>
    patterns.filter((each) => each.container === undefined || each.container === container).map(({ pattern }) => compileRe2(pattern));
  const [drop, keep] = [of(filter.drop), of(filter.keep)];
  return (line) => !drop.some((pattern) => pattern.matcher(line).find()) && keep.every((pattern) => pattern.matcher(line).find());
}
