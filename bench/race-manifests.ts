import type { KubeObject } from "../src/core/object/index.ts";

/** A release of the race: so many ranks, each of so many ConfigMaps and as many Deployments. */
export type RaceSize = {
  readonly ranks: number;
  readonly ofEachKind: number;
  /** Ranks are KOTS' deletion phases, in which the objects of one kind go one by one, and creation has no order. Default false. */
  readonly phased?: boolean;
};

/** The annotations that give an object its rank, in the dialect of one tool. */
export type OrderAnnotations = (rank: number) => Readonly<Record<string, string>>;

export const werfAnnotations: OrderAnnotations = (rank) => ({ "werf.io/weight": String(rank) });

/** The last rank is deleted first. */
export const kotsAnnotations: OrderAnnotations = (rank) => ({ "kots.io/deletion-phase": String(-rank) });

/** A rank is applied after the rank before it, and deleted before that one. */
export const kappAnnotations: OrderAnnotations = (rank) => ({
  "kapp.k14s.io/change-group": groupOf(rank),
  ...(rank === 0
    ? {}
    : {
        "kapp.k14s.io/change-rule.come": `upsert after upserting ${groupOf(rank - 1)}`,
        "kapp.k14s.io/change-rule.go": `delete before deleting ${groupOf(rank - 1)}`,
      }),
});

export const noAnnotations: OrderAnnotations = () => ({});

function groupOf(rank: number): string {
  return `bench.sluice.dev/rank-${rank}`;
}

/** The objects of a release, rank by rank. */
export function raceRanks(
  namespace: string,
  annotationsOf: OrderAnnotations,
  { ranks, ofEachKind }: RaceSize,
): readonly (readonly KubeObject[])[] {
  return Array.from({ length: ranks }, (_, rank) => {
    const annotations = ranks === 1 ? {} : annotationsOf(rank);
    const names = Array.from({ length: ofEachKind }, (__, at) => `app-${rank}-${at}`);
    return [
      ...names.map((name) => ({
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name, namespace, annotations },
        data: { greeting: "hello" },
      })),
      ...names.map((name) => deployment(name, namespace, annotations)),
    ];
  });
}

function deployment(name: string, namespace: string, annotations: Readonly<Record<string, string>>): KubeObject {
  const labels = { app: name };
  const containers = [{ name: "app", image: "registry.example/app:1", ports: [{ containerPort: 8080 }] }];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace, annotations, labels },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}
