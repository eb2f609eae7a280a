import assert from "node:assert/strict";
import { test } from "node:test";
import type { FleetClusterItem } from "../api/index.ts";
import { FleetMatrix, type MatrixCell } from "./fleet-matrix.ts";
import type { MatrixColumn } from "./matrix-column.ts";

const cluster = (key: string): FleetClusterItem => ({
  type: "cluster",
  key,
  kind: "SveltosCluster",
  namespace: "f",
  name: key,
  labels: {},
  state: "ready",
});
const column = (name: string, ...matching: string[]): MatrixColumn => ({
  key: `ClusterProfile//${name}`,
  kind: "ClusterProfile",
  namespace: "",
  name,
  matching: new Set(matching),
});
const cell = (row: string, name: string, state: MatrixCell["state"], reason?: string): MatrixCell => ({
  cluster: row,
  column: `ClusterProfile//${name}`,
  state,
  ...(reason === undefined ? {} : { reason }),
});

/** `row/east=rf 1:0` for changes of rows, and the keys of others. */
function changes(matrix: FleetMatrix): string {
  const { set = [], remove = [] } = matrix.takeChanges();
  const texts = set
    .filter(([key]) => key !== "known")
    .map(([key, item]) => {
      const { cells, reasons, text, counts } = item as { cells?: string; reasons?: object; text?: string; counts?: object };
      return `${key}${cells === undefined ? "" : `=${cells}`}${reasons === undefined ? "" : JSON.stringify(reasons)}${text ?? ""}${counts === undefined ? "" : JSON.stringify(counts)}`;
    });
  return [...texts, ...remove.map((key) => `-${key}`)].join(" ");
}

/** A matrix all of whose cells have been put. */
function readMatrix(): FleetMatrix {
  const matrix = new FleetMatrix();
  matrix.setReading("read");
  return matrix;
}

test("rows have a letter for each column and say why", () => {
  const matrix = readMatrix();
  matrix.putCluster(cluster("east"));
  matrix.putColumn(column("a", "east"));
  matrix.putColumn(column("b", "east"));
  matrix.putCell("f/a-east", cell("east", "a", "ready"));
  matrix.putCell("f/b-east", cell("east", "b", "failed", "no"));
  assert.equal(
    changes(matrix),
    'row/east=rf{"1":0} cluster/east profile/ClusterProfile//a{"ready":1} profile/ClusterProfile//b{"failed":1} reason/0no',
  );
  assert.equal(changes(matrix), "");

  matrix.putCell("f/b-east", cell("east", "b", "failed", "no"));
  assert.equal(changes(matrix), 'row/east=rf{"1":0}', "a reason that stays keeps its number");

  matrix.putCell("f/b-east", cell("east", "b", "ready"));
  assert.equal(changes(matrix), 'row/east=rr profile/ClusterProfile//b{"ready":1} -reason/0');
});

test("a cluster that a profile matches without a ClusterSummary waits", () => {
  const matrix = readMatrix();
  matrix.putCluster(cluster("east"));
  matrix.putColumn(column("a", "east", "west"));
  assert.match(
    changes(matrix),
    /^row\/east=w\{"0":0\} cluster\/east profile\/ClusterProfile\/\/a\{"waiting":1\} reason\/0there is no ClusterSummary yet/,
  );
  matrix.putColumn(column("a"));
  assert.equal(changes(matrix), "row/east= profile/ClusterProfile//a{} -reason/0");
});

test("a column whose profile may not be read is there while it has cells, and its number is used again", () => {
  const matrix = readMatrix();
  matrix.putCluster(cluster("east"));
  matrix.putCell("f/a-east", cell("east", "a", "ready"));
  matrix.putCell("f/b-east", cell("east", "b", "ready"));
  changes(matrix);
  matrix.dropCell("f/a-east");
  assert.equal(changes(matrix), "row/east=.r -profile/ClusterProfile//a");
  matrix.putColumn(column("c", "east"));
  assert.match(changes(matrix), /^row\/east=wr/);
});

test("of several summaries in one cell the most urgent is shown; a cluster that goes takes its row with it", () => {
  const matrix = readMatrix();
  matrix.putCluster(cluster("east"));
  matrix.putCell("f/1", cell("east", "a", "ready"));
  matrix.putCell("f/2", cell("east", "a", "progressing", "soon"));
  assert.match(changes(matrix), /row\/east=p\{"0":0\}/);
  matrix.dropCluster("east");
  assert.equal(
    changes(matrix),
    "-row/east -cluster/east profile/ClusterProfile//a{} -reason/0".replace(
      "-row/east -cluster/east profile/ClusterProfile//a{}",
      "profile/ClusterProfile//a{} -row/east -cluster/east",
    ),
  );
});

test("while cells are being read, what is missing is not said to wait, and refused ones never are", () => {
  const matrix = new FleetMatrix();
  const knownCells = () => matrix.takeChanges().set?.flatMap(([, item]) => (item.type === "known" ? [item] : []));
  assert.deepEqual(knownCells(), [{ type: "known", cells: "reading" }]);
  matrix.putCluster(cluster("east"));
  matrix.putColumn(column("a", "east"));
  matrix.putColumn(column("b", "east"));
  matrix.putCell("f/b-east", cell("east", "b", "ready"));
  assert.match(changes(matrix), /^row\/east=\.r /);
  matrix.setReading("read");
  assert.match(changes(matrix), /^row\/east=wr\{"0":0\} /);
  matrix.setReading("refused");
  matrix.dropCell("f/b-east");
  assert.match(changes(matrix), /^row\/east= /);
  assert.deepEqual(knownCells(), [{ type: "known", cells: "refused" }]);
});

test("a trigger may have several ClusterSummaries in a cell: while they are being read only the worst state is certain", () => {
  const matrix = new FleetMatrix();
  const own = (name: string, state: MatrixCell["state"]) => matrix.putCell(name, { cluster: "east", column: "EventTrigger//t", state });
  matrix.putCluster(cluster("east"));
  own("f/1", "ready");
  assert.match(changes(matrix), /^row\/east= /);
  own("f/2", "failed");
  assert.match(changes(matrix), /^row\/east=f /);
  own("f/2", "waiting");
  assert.match(changes(matrix), /^row\/east= /);
  matrix.setReading("read");
  assert.match(changes(matrix), /^row\/east=w /);
});
