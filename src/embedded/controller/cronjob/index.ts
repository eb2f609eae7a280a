/** CronJobs: starts Jobs on their schedules, and keeps a few that have ended. It knows no Pods. */
export { cronJobController } from "./cron-job-controller.ts";
