import {
  pathOf,
  type CellDetail,
  type CellReading,
  type CellState,
  type FleetClusterItem,
  type FleetProfileItem,
} from "../../../src/dashboard/api/index.ts";
import { StateBadge } from "../../component/state-badge.tsx";
import { DeploymentDetail } from "../cluster/deployment-detail.tsx";
import { columnPath } from "./matrix-head.tsx";
import { useRequest } from "../release/use-request.ts";

type Props = {
  readonly cluster: FleetClusterItem;
  readonly column: FleetProfileItem;
  readonly state: CellState | undefined;
  readonly reason: string;
  readonly reading: CellReading;
  readonly context: string;
  readonly onClose: () => void;
};

const absentTexts: Readonly<Record<CellReading, string>> = {
  read: "The profile does not match the cluster.",
  reading: "It has not been read yet.",
  refused: "You may not read how it is doing.",
};

/** One profile in one cluster: its state, why, each of its features, and commands that say more. */
export function CellDetails({ cluster, column, state, reason, reading, context, onClose }: Props) {
  const query = new URLSearchParams({ cluster: cluster.key, column: column.key });
  const answer = useRequest<CellDetail>(`/api/c/${encodeURIComponent(context)}/cell?${query}`, `${state} ${reason}`);
  const { kind, namespace, name } = cluster;
  return (
    <aside class="cell-details" aria-label={`${column.name} in ${name}`}>
      <header>
        <h2>
          <a href={columnPath(column, context)}>{column.name}</a> <span class="quiet">in</span>{" "}
          <a href={pathOf({ type: "cluster", context, kind, namespace, name })}>
            {namespace}/{name}
          </a>
        </h2>
        <button type="button" class="plain" onClick={onClose} aria-label="Close the details">
          ✕
        </button>
      </header>
      {state === undefined ? <p class="quiet">{absentTexts[reading]}</p> : <StateBadge state={state} />}
      {reason === "" ? null : <p class="reason">{reason}</p>}
      {answer.problem === undefined ? null : <p class="notice bad">{answer.problem}</p>}
      {answer.content?.deployments.map((deployment) => (
        <DeploymentDetail key={deployment.summary?.name ?? ""} deployment={deployment} context={context} isReasonKnown />
      ))}
    </aside>
  );
}
