/**
 * Looks at a cluster before anything is touched: what is there, how it is doing, and what it would make of what is wanted.
 *
 * It reads, and asks for dry runs. It decides nothing.
 */
export { withReplicasOf } from "./replicas.ts";
export { contentIn, survey, type Survey, type Surveyed, type SurveyOptions } from "./survey.ts";
