import { metricCatalogue, type MetricDescription } from "./metric-catalogue.ts";

type MetricLabels = Readonly<Record<string, string>>;

type Series = { readonly labels: MetricLabels; value: number; readonly buckets: number[]; sum: number };

/** One value of a metric. */
export type Sample = { readonly labels?: MetricLabels; readonly value: number };

/** Label values come from users: this limits the series of one metric. */
const maxSeries = 10_000;

/**
 * Metrics in Prometheus' text format. Counters and histograms are stored here, gauges are read on every scrape. Metrics that
 * are not in the catalogue are ignored, so that each has a description.
 */
export class Metrics {
  readonly #series = new Map<string, Map<string, Series>>();
  readonly #gauges = new Map<string, () => Iterable<Sample>>();

  /** Adds to a counter. */
  count(name: string, labels: MetricLabels = {}, by = 1): void {
    const series = this.#seriesOf(name, labels);
    if (series !== undefined) series.value += by;
  }

  /** Adds a value to a histogram; durations are in seconds. */
  observe(name: string, value: number, labels: MetricLabels = {}): void {
    const series = this.#seriesOf(name, labels);
    if (series === undefined) return;
    series.value++;
    series.sum += value;
    const { buckets = [] } = metricCatalogue[name] ?? {};
    const index = buckets.findIndex((limit) => value <= limit);
    if (index >= 0) series.buckets[index] = (series.buckets[index] ?? 0) + 1;
  }

  /** Registers a gauge, or a counter that is stored elsewhere, to be read on every scrape. */
  register(name: string, samples: () => Iterable<Sample>): void {
    this.#gauges.set(name, samples);
  }

  /** All metrics, sorted by name. */
  text(): string {
    const names = [...new Set([...this.#series.keys(), ...this.#gauges.keys()])].toSorted();
    return names.map((name) => this.#page(name)).join("");
  }

  #seriesOf(name: string, labels: MetricLabels): Series | undefined {
    if (metricCatalogue[name] === undefined) return undefined;
    let all = this.#series.get(name);
    if (all === undefined) this.#series.set(name, (all = new Map()));
    const key = labelText(labels);
    const known = all.get(key);
    if (known !== undefined || all.size >= maxSeries) return known;
    const series: Series = { labels, value: 0, buckets: [], sum: 0 };
    all.set(key, series);
    return series;
  }

  #page(name: string): string {
    const description = metricCatalogue[name];
    if (description === undefined) return "";
    const stored = [...(this.#series.get(name)?.values() ?? [])].flatMap((series) => linesOf(name, description, series));
    const read = [...(this.#gauges.get(name)?.() ?? [])].map(({ labels = {}, value }) => line(name, labels, value));
    return [`# HELP ${name} ${description.help}`, `# TYPE ${name} ${description.type}`, ...stored, ...read, ""].join("\n");
  }
}

function linesOf(name: string, description: MetricDescription, { labels, value, buckets, sum }: Series): readonly string[] {
  if (description.type !== "histogram") return [line(name, labels, value)];
  let below = 0;
  const limits = (description.buckets ?? []).map((limit, index) => {
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
