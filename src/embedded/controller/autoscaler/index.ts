/** HorizontalPodAutoscalers: keeps replicas within limits, and says why it cannot do more: nobody measures anything here. */
export { autoscalerController } from "./autoscaler-controller.ts";
