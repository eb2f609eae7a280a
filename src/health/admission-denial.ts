/** The messages of admission denials. Models apiserver pkg/admission/errors.go NewForbidden, and the webhooks' own words. */
const denials = /is forbidden:|exceeded quota|denied the request/;
/** Denials that pass once something else exists: a ServiceAccount, or the first count of a quota. */
const transient = /error looking up service account|no API token found|status unknown for quota/;

/** Whether an error of pod creation is a denial that stays until somebody changes something. */
export function isAdmissionDenial(message: string): boolean {
  return denials.test(message) && !transient.test(message);
}
