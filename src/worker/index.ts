/**
 * Runs what others have written (templates, scripts) in worker processes, with limits of time and memory that are enforced from
 * outside, by fair turns. What nobody thought of costs its owner a failure, and nobody else anything.
 *
 * It knows neither what tasks do nor how processes are started: the process that has a pool hands it workers, and each worker
 * gets its handlers.
 */
export { BatchRunner, maxBatchItems, type BatchOutcome } from "./batch-runner.ts";
export { Quarantine } from "./quarantine.ts";
export { serveTasks, type TaskHandlers } from "./serve-tasks.ts";
export { ownedBy, TaskEnded, type IsolatedTask, type TaskRequest, type TaskRunner } from "./task.ts";
export { WorkerPool, type WorkerProcess, type WorkerUsage } from "./worker-pool.ts";
