import type { KubeObject } from "../../core/object/index.ts";
import type { ObjectChange } from "../../kube/index.ts";
import { gvkOf } from "../../sveltos/api/index.ts";
import type { FleetView } from "../api/index.ts";
import { followKinds } from "../follow-kinds.ts";
import type { ViewContext } from "../view-context.ts";
import { FleetMatrix } from "./fleet-matrix.ts";
import { capiClusterKind, clusterItemOf } from "./fleet-reading.ts";
import { GeneratedColumns } from "./generated-columns.ts";
import { cellIn, columnIn, reduceFleetObject } from "./reduce-fleet-object.ts";

/** Said where the kinds of a fleet are not served. */
const noFleet =
  "this cluster does not serve Sveltos' kinds, so that it manages no fleet: sluice controller --install-definitions makes it a management cluster";

/** Shows clusters by profiles. */
export async function runFleet(_view: FleetView, context: ViewContext): Promise<void> {
  const matrix = new FleetMatrix();
  const generated = new GeneratedColumns(matrix);
  const onCluster = put(
    (object) => matrix.putCluster(clusterItemOf(object)),
    (object) => matrix.dropCluster(clusterItemOf(object).key),
  );
  const onProfile = put(
    (object) => generated.put(object.metadata.name, columnIn(object)),
    (object) => generated.drop(object.metadata.name, columnIn(object)),
  );
  const onSummary = put(
    (object) => {
      const cell = cellIn(object);
      if (cell === undefined) matrix.dropCell(nameOf(object));
      else matrix.putCell(nameOf(object), cell);
    },
    (object) => matrix.dropCell(nameOf(object)),
  );
  const capi = await capiClusterKind(context.cluster);
  const transform = reduceFleetObject;
  const onRead = matrix.setReading.bind(matrix);
  await followKinds(
    [
      { target: gvkOf("SveltosCluster"), transform, onChange: onCluster, unserved: noFleet },
      { target: capi, transform, onChange: onCluster },
      { target: gvkOf("ClusterProfile"), transform, onChange: onProfile },
      { target: gvkOf("Profile"), transform, onChange: onProfile },
      { target: gvkOf("ClusterSummary"), transform, onChange: onSummary, isShownByPage: true, onRead },
    ],
    context,
    () => context.publish(matrix.takeChanges()),
  );
}

function put(set: (object: KubeObject) => void, remove: (object: KubeObject) => void): (change: ObjectChange) => void {
  return ({ type, object }) => (type === "deleted" ? remove(object) : set(object));
}

function nameOf({ metadata: { namespace = "", name } }: KubeObject): string {
  return `${namespace}/${name}`;
}
