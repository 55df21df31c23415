import { formatTime } from '@kubechain/apimachinery';
import type { Lease } from '@kubechain/apimachinery/types/coordination/v1';
import type { Node, NodeCondition } from '@kubechain/apimachinery/types/core/v1';

/** How long a node may be silent, ms. */
export interface GracePeriods {
  /** Before its first status. */
  readonly startupMs: number;
  readonly monitorMs: number;
}

/** A sign of life of a node, as it was seen last. */
interface Seen {
  readonly atMs: number;
  readonly ready: NodeCondition | undefined;
  readonly renewMs: number | undefined;
}

/** What was found when a node was looked at. */
export interface NodeHealth {
  /** The status of its Ready condition before. */
  readonly before: string;
  /** The status of its Ready condition now; undefined for a new node that has not said anything yet. */
  readonly ready: string | undefined;
  /** Its conditions, when it has been silent for too long and they do not say so yet. */
  readonly conditions?: readonly NodeCondition[];
}

/** Those that a kubelet keeps. */
const types = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'] as const;

/**
 * Tells living nodes from silent ones, by their statuses and leases and the times at which these were seen to change,
 * not by the times that they name: clocks differ (tryUpdateNodeHealth, 1.36).
 */
export class NodeHealths {
  readonly #grace: GracePeriods;
  readonly #seen = new Map<string, Seen>();

  constructor(grace: GracePeriods) {
    this.#grace = grace;
  }

  /** The status of a node's Ready condition when it was last looked at; undefined where there was none. */
  readyOf(name: string): string | undefined {
    return this.#seen.get(name)?.ready?.status;
  }

  forget(name: string): void {
    this.#seen.delete(name);
  }

  /** All nodes have shown life now: nobody could see it before. */
  renewAll(nowMs: number): void {
    for (const [name, seen] of this.#seen) this.#seen.set(name, { ...seen, atMs: nowMs });
  }

  /** The clock was set back: nodes are alive, and what their leases say of the time since counts for nothing. */
  startAnew(nowMs: number): void {
    for (const [name, { ready }] of this.#seen) this.#seen.set(name, { ready, renewMs: undefined, atMs: nowMs });
  }

  look(node: Node, lease: Lease | undefined, nowMs: number): NodeHealth {
    const name = node.metadata?.name ?? '';
    const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
    const seen = this.#see(node, ready, { lease, nowMs });
    this.#seen.set(name, seen);
    const graceMs = ready === undefined ? this.#grace.startupMs : this.#grace.monitorMs;
    const before = ready?.status ?? 'Unknown';
    if (nowMs <= seen.atMs + graceMs || ready?.status === 'Unknown') return { before, ready: ready?.status };
    return { before, ready: 'Unknown', conditions: silentConditions(node, nowMs) };
  }

  /** What `look` said was written. */
  wrote(name: string, conditions: readonly NodeCondition[]): void {
    const seen = this.#seen.get(name);
    if (seen !== undefined) this.#seen.set(name, { ...seen, ready: conditions.find(({ type }) => type === 'Ready') });
  }

  #see(
    node: Node,
    ready: NodeCondition | undefined,
    { lease, nowMs }: { readonly lease: Lease | undefined; readonly nowMs: number },
  ): Seen {
    const known = this.#seen.get(node.metadata?.name ?? '');
    const renewTime = lease?.spec?.renewTime;
    const renewMs = renewTime === undefined ? undefined : Date.parse(renewTime);
    const renewed = renewMs !== undefined && (known?.renewMs === undefined || known.renewMs < renewMs);
    const first = ready === undefined ? createdMs(node, nowMs) : nowMs;
    const spoke = known !== undefined && known.ready?.lastHeartbeatTime !== ready?.lastHeartbeatTime;
    return {
      atMs: renewed || spoke ? nowMs : (known?.atMs ?? first),
      ready,
      renewMs: renewed ? renewMs : known?.renewMs,
    };
  }
}

function silentConditions({ metadata, status }: Node, nowMs: number): readonly NodeCondition[] {
  const now = formatTime(nowMs);
  const known = (status?.conditions ?? []).map((condition) =>
    types.some((type) => type === condition.type) && condition.status !== 'Unknown'
      ? {
          ...condition,
          status: 'Unknown',
          reason: 'NodeStatusUnknown',
          message: 'Kubelet stopped posting node status.',
          lastTransitionTime: now,
        }
      : condition,
  );
  const created = metadata?.creationTimestamp;
  const never = types
    .filter((type) => !known.some((condition) => condition.type === type))
    .map((type) => ({
      type,
      status: 'Unknown',
      ...(typeof created === 'string' ? { lastHeartbeatTime: created } : {}),
      lastTransitionTime: now,
      reason: 'NodeStatusNeverUpdated',
      message: 'Kubelet never posted node status.',
    }));
  return [...known, ...never];
}

function createdMs({ metadata }: Node, nowMs: number): number {
  const created = metadata?.creationTimestamp;
  return typeof created === 'string' ? Date.parse(created) : nowMs;
}
