import { formatMicroTime } from '@kubechain/apimachinery';
import type { Lease } from '@kubechain/apimachinery/types/coordination/v1';
import { isLeaseExpired } from './election.ts';
import type { ElectionStep } from './election.ts';

/** A leader that has not taken its lease within this time has lost it. */
const leaseDurationSeconds = 5;

type Election = Pick<Extract<ElectionStep, { kind: 'elect' }>, 'holder' | 'strategy'>;

/** The lease of the first election. `nowMs`: milliseconds since the epoch. */
export function newLease(
  { holder, strategy }: Election,
  { name, namespace, nowMs }: { readonly namespace: string; readonly name: string; readonly nowMs: number },
): Lease {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace },
    spec: {
      strategy,
      leaseDurationSeconds,
      renewTime: formatMicroTime(nowMs),
      ...(holder === undefined ? {} : { holderIdentity: holder }),
    },
  };
}

/**
 * A lease after an election: who is elected gets it when nobody has it; somebody who has it is asked to make way.
 * undefined: it is so already.
 */
export function electedLease(lease: Lease, { holder, strategy }: Election, nowMs: number): Lease | undefined {
  const { acquireTime: _acquired, preferredHolder: _preferred, ...spec } = lease.spec ?? {};
  const current = spec.holderIdentity ?? '';
  const isFree = current === '' || (isLeaseExpired(lease, nowMs) && current !== holder);
  if (holder !== undefined && isFree)
    return {
      ...lease,
      spec: { ...spec, strategy, holderIdentity: holder, renewTime: formatMicroTime(nowMs), leaseDurationSeconds },
    };
  const makesWay = holder !== undefined && holder !== current && lease.spec?.preferredHolder !== holder;
  if (!makesWay && lease.spec?.strategy === strategy) return undefined;
  return { ...lease, spec: { ...lease.spec, strategy, ...(makesWay ? { preferredHolder: holder } : {}) } };
}
