import type { DeviceTaint, ResourceClaim, ResourceSlice } from '@kubechain/apimachinery/types/resource/v1';
import { toleratesTaint } from '../devices/device-taints.ts';

/** Finds the NoExecute taints of a device, as the newest generation of its pool has it. */
export type TaintLookup = (device: {
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
}) => readonly DeviceTaint[];

/**
 * When pods that use a claim have to go, by the clock: the earliest time of all taints of its devices, each put off by
 * what is tolerated. Undefined: they may stay (claimEvictionTime, 1.36).
 */
export function evictionTimeOf({ status }: ResourceClaim, taintsOf: TaintLookup): number | undefined {
  const times = (status?.allocation?.devices?.results ?? []).flatMap(({ device, driver, pool, tolerations = [] }) =>
    taintsOf({ device, driver, pool }).flatMap((taint): number[] => {
      const used = tolerations.filter((each) => each.effect === 'NoExecute' && toleratesTaint(each, taint));
      if (used.some(({ tolerationSeconds }) => tolerationSeconds === undefined)) return [];
      const seconds = used.map(({ tolerationSeconds = 0 }) => Math.max(0, tolerationSeconds));
      const since = Date.parse(taint.timeAdded ?? '');
      return [since + (seconds.length === 0 ? 0 : Math.min(...seconds) * 1_000)];
    }),
  );
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Taints by device, of slices of the newest generation of their pool. */
export function noExecuteTaintsIn(slices: readonly ResourceSlice[]): TaintLookup {
  const byPool = Map.groupBy(slices, ({ spec }) => `${spec.driver}/${spec.pool.name}`);
  return ({ device, driver, pool }) => {
    const all = byPool.get(`${driver}/${pool}`) ?? [];
    const newest = Math.max(...all.map(({ spec }) => spec.pool.generation));
    const found = all
      .filter(({ spec }) => spec.pool.generation === newest)
      .flatMap(({ spec }) => spec.devices ?? [])
      .find(({ name }) => name === device);
    return (found?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
  };
}
