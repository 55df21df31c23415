import type { Node, NodeSelector } from '@kubechain/apimachinery/types/core/v1';
import type { Device, ResourceSlice } from '@kubechain/apimachinery/types/resource/v1';
import { matchesTerm } from '../placement/node-selection.ts';

/** A device that a node can use. */
export interface OfferedDevice {
  /** `driver/pool/name`. */
  readonly id: string;
  readonly device: Device;
  readonly slice: ResourceSlice;
  readonly pool: DevicePool;
}

/** Devices of one driver that belong together. */
export interface DevicePool {
  /** `driver/pool`. */
  readonly id: string;
  /** Why nothing can be taken from it; undefined: it is whole. */
  readonly problem: 'incomplete' | 'invalid' | undefined;
  /** All slices of its newest generation, those for other nodes too. */
  readonly slices: readonly ResourceSlice[];
  readonly devices: readonly OfferedDevice[];
}

export function deviceID(driver: string, pool: string, device: string): string {
  return `${driver}/${pool}/${device}`;
}

/** The pools with devices for a node, by name (structured.GatherPools, 1.36). */
export function poolsFor(node: Node, slices: readonly ResourceSlice[]): readonly DevicePool[] {
  const byPool = Map.groupBy(slices, ({ spec }) => `${spec.driver}/${spec.pool.name}`);
  return [...byPool]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([id, all]) => {
      const newest = Math.max(...all.map(({ spec }) => spec.pool.generation));
      const current = all
        .filter(({ spec }) => spec.pool.generation === newest)
        .toSorted((a, b) => ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1));
      const pool = poolOf(id, current, node);
      return pool.devices.length === 0 && pool.problem === undefined ? [] : [pool];
    });
}

function poolOf(id: string, slices: readonly ResourceSlice[], node: Node): DevicePool {
  const offered = slices.flatMap((slice) =>
    (slice.spec.devices ?? []).filter((device) => isFor(node, slice, device)).map((device) => ({ device, slice })),
  );
  const names = offered.map(({ device }) => device.name);
  const isWhole = slices.length === slices[0]?.spec.pool.resourceSliceCount;
  const isSound = new Set(names).size === names.length && slices.every((slice) => countersAreKnown(slice, slices));
  const devices: OfferedDevice[] = [];
  const problem = isWhole ? (isSound ? undefined : 'invalid') : 'incomplete';
  const pool: DevicePool = { id, problem: names.length === 0 ? undefined : problem, slices, devices };
  if (problem === undefined)
    for (const each of offered) devices.push({ ...each, id: `${id}/${each.device.name}`, pool });
  return pool;
}

function isFor(node: Node, { spec }: ResourceSlice, device: Device): boolean {
  const { allNodes, nodeName, nodeSelector } = spec.perDeviceNodeSelection === true ? device : spec;
  if (allNodes === true) return true;
  if (nodeName !== undefined) return nodeName === node.metadata?.name;
  return nodeSelector !== undefined && selectsNode(nodeSelector, node);
}

export function selectsNode({ nodeSelectorTerms }: NodeSelector, node: Node): boolean {
  return nodeSelectorTerms.some((term) => matchesTerm(term, node));
}

function countersAreKnown({ spec }: ResourceSlice, slices: readonly ResourceSlice[]): boolean {
  const sets = slices.flatMap((slice) => slice.spec.sharedCounters ?? []);
  return (spec.devices ?? []).every(({ consumesCounters = [] }) =>
    consumesCounters.every(({ counterSet, counters }) => {
      const known = sets.find(({ name }) => name === counterSet);
      return known !== undefined && Object.keys(counters).every((name) => known.counters[name] !== undefined);
    }),
  );
}
