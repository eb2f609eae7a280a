import { cases } from "../conformance/index.ts";
import { describeOverSocket } from "../conformance/embedded-suites.ts";

// Connections to webhooks cost more than all the rest, so only cases about these have one.
describeOverSocket(cases.filter(({ needsWebhook }) => needsWebhook !== true));
