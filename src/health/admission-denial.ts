/** How admission says no. Models apiserver pkg/admission/errors.go NewForbidden, and the webhooks' own words. */
const denials = /is forbidden:|exceeded quota|denied the request/;
/** What is said while something else is still being made: a ServiceAccount, or the first count of a quota. */
const transient = /error looking up service account|no API token found|status unknown for quota/;

/** Tells whether what a controller was told when it wanted to make a pod is a no that stands until somebody changes something. */
export function isAdmissionDenial(message: string): boolean {
  return denials.test(message) && !transient.test(message);
}
