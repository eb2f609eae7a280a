import type { ConformanceCase } from "../conformance-case.ts";
import { admissionPolicyCases } from "./admission-policy.ts";
import { admissionCases } from "./admission.ts";
import { applyCases } from "./apply.ts";
import { authenticationCases } from "./authentication.ts";
import { authorizationCases } from "./authorization.ts";
import { autoscalerCases } from "./autoscaler.ts";
import { badInputCases } from "./bad-input.ts";
import { bootstrapCases } from "./bootstrap.ts";
import { certificatesCases } from "./certificates.ts";
import { componentStatusCases } from "./component-status.ts";
import { crdCases } from "./crd.ts";
import { cronJobCases } from "./cron-job.ts";
import { conversionCases } from "./conversion.ts";
import { crudCases } from "./crud.ts";
import { defaultClassCases } from "./default-class.ts";
import { defaultsCases } from "./defaults.ts";
import { deletionCases } from "./deletion.ts";
import { deploymentCases } from "./deployment.ts";
import { discoveryCases } from "./discovery.ts";
import { firstErrorCases } from "./first-error.ts";
import { jobCases } from "./job.ts";
import { listOptionsCases } from "./list-options.ts";
import { listCases } from "./list.ts";
import { metadataCases } from "./metadata.ts";
import { networkCases } from "./network.ts";
import { patchCases } from "./patch.ts";
import { podSecurityCases } from "./pod-security.ts";
import { podSubresourceCases } from "./pod-subresources.ts";
import { podConnectCases } from "./pod-connect.ts";
import { podResizeCases } from "./pod-resize.ts";
import { podCases } from "./pod.ts";
import { ruleCostCases } from "./rule-cost.ts";
import { scaleBodyCases } from "./scale-bodies.ts";
import { scaleCases } from "./scale.ts";
import { schemaCases } from "./schema.ts";
import { secondVersionCases } from "./second-versions.ts";
import { statusCases } from "./status.ts";
import { tableCases } from "./table.ts";
import { tokenSecretCases } from "./token-secret.ts";
import { warningCases } from "./warning.ts";
import { watchCases } from "./watch.ts";
import { webhookAnswerCases } from "./webhook-answer.ts";
import { webhookMatchCases } from "./webhook-match.ts";
import { webhookSubresourceCases } from "./webhook-subresource.ts";
import { webhookCases } from "./webhook.ts";
import { workloadCases } from "./workload.ts";

/** Cases that need the test kubelet to run pods, bind volumes and assign load balancers. */
const kubeletCases = [...deploymentCases, ...workloadCases, ...jobCases, ...networkCases, ...podCases].map((subject) => ({
  ...subject,
  moves: true,
}));

/** The whole suite. */
export const cases: readonly ConformanceCase[] = [
  ...crudCases,
  ...patchCases,
  ...applyCases,
  ...statusCases,
  ...listCases,
  ...listOptionsCases,
  ...badInputCases,
  ...warningCases,
  ...watchCases,
  ...tableCases,
  ...admissionCases,
  ...admissionPolicyCases,
  ...podSecurityCases,
  ...podSubresourceCases,
  ...podResizeCases,
  ...podConnectCases,
  ...metadataCases,
  ...deletionCases,
  ...defaultsCases,
  ...crdCases,
  ...conversionCases,
  ...scaleCases,
  ...firstErrorCases,
  ...scaleBodyCases,
  ...schemaCases,
  ...ruleCostCases,
  ...secondVersionCases,
  ...autoscalerCases,
  ...bootstrapCases,
  ...certificatesCases,
  ...cronJobCases,
  ...discoveryCases,
  ...authenticationCases,
  ...tokenSecretCases,
  ...authorizationCases,
  ...webhookCases,
  ...webhookMatchCases,
  ...webhookSubresourceCases,
  ...webhookAnswerCases,
  ...componentStatusCases,
  ...kubeletCases,
  ...defaultClassCases,
];
