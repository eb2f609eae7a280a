import { metricCatalogue, type MetricDescription } from "./metric-catalogue.ts";

export type MetricLabels = Readonly<Record<string, string>>;

type Series = { readonly labels: MetricLabels; value: number; readonly buckets: number[]; sum: number };

/** What a gauge shows now. */
export type Sample = { readonly labels?: MetricLabels; readonly value: number };

/** Names of clusters and objects come from users: whatever they do, a metric has no more series than this. */
const maxSeries = 10_000;

/**
 * Numbers for monitoring, printed in Prometheus' text format. Counters and histograms are told; gauges are read when
 * somebody looks. Only what the catalogue knows is counted, so that every number has its meaning written down.
 */
export class Metrics {
  readonly #told = new Map<string, Map<string, Series>>();
  readonly #gauges = new Map<string, () => Iterable<Sample>>();

  /** One more of a counter. */
  count(name: string, labels: MetricLabels = {}, by = 1): void {
    const series = this.#seriesOf(name, labels);
    if (series !== undefined) series.value += by;
  }

  /** Puts a value into a histogram; times are in seconds. */
  observe(name: string, value: number, labels: MetricLabels = {}): void {
    const series = this.#seriesOf(name, labels);
    if (series === undefined) return;
    series.value++;
    series.sum += value;
    const { buckets = [] } = metricCatalogue[name] ?? {};
    const index = buckets.findIndex((limit) => value <= limit);
    if (index >= 0) series.buckets[index] = (series.buckets[index] ?? 0) + 1;
  }

  /** Reads a gauge, or a counter that somebody else keeps, whenever somebody looks. */
  register(name: string, readings: () => Iterable<Sample>): void {
    this.#gauges.set(name, readings);
  }

  /** All that is known, in the order of names. */
  text(): string {
    const names = [...new Set([...this.#told.keys(), ...this.#gauges.keys()])].toSorted();
    return names.map((name) => this.#page(name)).join("");
  }

  #seriesOf(name: string, labels: MetricLabels): Series | undefined {
    if (metricCatalogue[name] === undefined) return undefined;
    let all = this.#told.get(name);
    if (all === undefined) this.#told.set(name, (all = new Map()));
    const key = labelText(labels);
    const known = all.get(key);
    if (known !== undefined || all.size >= maxSeries) return known;
    const series: Series = { labels, value: 0, buckets: [], sum: 0 };
    all.set(key, series);
    return series;
  }

  #page(name: string): string {
    const facts = metricCatalogue[name];
    if (facts === undefined) return "";
    const told = [...(this.#told.get(name)?.values() ?? [])].flatMap((series) => linesOf(name, facts, series));
    const read = [...(this.#gauges.get(name)?.() ?? [])].map(({ labels = {}, value }) => line(name, labels, value));
    return [`# HELP ${name} ${facts.help}`, `# TYPE ${name} ${facts.type}`, ...told, ...read, ""].join("\n");
  }
}

function linesOf(name: string, facts: MetricDescription, { labels, value, buckets, sum }: Series): readonly string[] {
  if (facts.type !== "histogram") return [line(name, labels, value)];
  let below = 0;
  const limits = (facts.buckets ?? []).map((limit, index) => {
    below += buckets[index] ?? 0;
    return line(`${name}_bucket`, { ...labels, le: String(limit) }, below);
  });
  return [
    ...limits,
    line(`${name}_bucket`, { ...labels, le: "+Inf" }, value),
    line(`${name}_sum`, labels, sum),
    line(`${name}_count`, labels, value),
  ];
}

function line(name: string, labels: MetricLabels, value: number): string {
  return `${name}${labelText(labels)} ${value}`;
}

function labelText(labels: MetricLabels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

/** Models github.com/prometheus/common expfmt/text_create.go writeEscapedString */
function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
