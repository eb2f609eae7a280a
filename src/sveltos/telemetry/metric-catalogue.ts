/** Describes a metric. `buckets` are the upper limits of a histogram, in seconds. */
export type MetricDescription = {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly buckets?: readonly number[];
};

export const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

const counter = (help: string): MetricDescription => ({ type: "counter", help });
const gauge = (help: string): MetricDescription => ({ type: "gauge", help });
const histogram = (help: string): MetricDescription => ({ type: "histogram", help, buckets: durationBuckets });

/** Every metric of the controllers, by name. docs/controller.md lists the same. */
export const metricCatalogue: Readonly<Record<string, MetricDescription>> = {
  sluice_failures_total: counter("Failures of a controller's work, by controller and whether it is tried again."),
  sluice_events_written_total: counter("Kubernetes Events that were created or counted up."),
  sluice_events_dropped_total: counter("Kubernetes Events that were not written, by reason."),
  sluice_evaluations_total: counter("EventSources that were evaluated in a cluster."),
  sluice_evaluation_failures_total: counter("Evaluations in which an object could not be judged."),
  sluice_events_total: counter("Reports of clusters that a trigger has answered, by trigger."),
  sluice_trigger_failures_total: counter("What has gone wrong with a trigger, by trigger and reason."),
  sluice_records_written_total: counter("ClusterSummaries that were written, by kind and verb."),
  sluice_objections_total: counter("Profiles that are refused, by kind and reason."),
  sluice_deploys_total: counter("Deploys and withdrawals of a profile in a cluster that have ended, by outcome."),
  sluice_deploy_seconds: histogram("How long a deploy of a profile to a cluster took."),
  sluice_queue_depth: gauge("Keys that wait for a worker, by controller."),
  sluice_queue_running: gauge("Keys that are worked on, by controller."),
  sluice_queue_delayed: gauge("Keys that wait for their time: a retry, or a look to be taken later."),
  sluice_queue_oldest_seconds: gauge("For how long the key that has waited longest has waited for a worker."),
  sluice_queue_longest_run_seconds: gauge("For how long the work has gone on that takes longest."),
  sluice_queue_added_total: counter("Keys that were added to a queue."),
  sluice_queue_worked_total: counter("Keys that were worked on, failures included."),
  sluice_queue_retried_total: counter("Failures that are tried again."),
  sluice_clusters: gauge("Clusters of the fleet as this replica knows them, by state."),
  sluice_clusters_owned: gauge("Clusters that this replica works for."),
  sluice_replicas: gauge("Replicas that share the clusters, as far as they are known here."),
  sluice_leader: gauge("1 where this replica leads, 0 where it does not."),
  sluice_ready: gauge("1 when this replica's copies of the management cluster are complete."),
};
