import type { Pod, Taint, Volume } from '@kubechain/apimachinery/types/core/v1';
import type { Cause } from './cause.ts';
import type { NodeInfo } from './node-info.ts';
import { allowsNode, tolerates, untolerated } from '../placement/node-selection.ts';
import { isDeviceRefusal, type PodDevices } from './pod-devices.ts';
import { disksClash, inlineDisksOf } from './inline-disks.ts';
import { neededFeatures } from './needed-features.ts';
import { PodAffinityFilter, type AffinityView } from './pod-affinity.ts';
import { demandOf, hostPortsOf, portsClash, type Demand, type HostPort } from './pod-demand.ts';
import { isRefusal, type PodVolumes } from './pod-volumes.ts';
import { TopologySpreadFilter } from './topology-spread.ts';

/** Why a node does not do. */
export interface Misfit {
  /** In the reference's words; several where several resources lack. */
  readonly reasons: readonly string[];
  /** Whether it could do if other pods went. */
  readonly resolvable: boolean;
  readonly cause: Cause;
}

/** What filters look at besides a node. */
export interface FilterView extends AffinityView {
  /** What the pod's claims say. Absent: it has none. */
  readonly volumes?: PodVolumes;
  /** What the pod's claims for devices say. Absent: it has none. */
  readonly devices?: PodDevices;
}

const unschedulableTaint: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/**
 * Whether nodes can take one pod: the reference's filter plugins in their order, the first that refuses tells why.
 * What is the same for all nodes is found once.
 */
export class PodFilters {
  readonly #pod: Pod;
  readonly #view: FilterView;
  readonly #demand: Demand;
  readonly #ports: readonly HostPort[];
  readonly #disks: readonly Volume[];
  readonly #features: readonly string[];
  readonly #spread: TopologySpreadFilter;
  readonly #affinity: PodAffinityFilter;

  private constructor(pod: Pod, view: FilterView, affinity: PodAffinityFilter) {
    this.#pod = pod;
    this.#view = view;
    this.#demand = demandOf(pod);
    this.#ports = hostPortsOf(pod);
    this.#disks = inlineDisksOf(pod);
    this.#features = neededFeatures(pod);
    this.#spread = new TopologySpreadFilter(pod, view.nodes);
    this.#affinity = affinity;
  }

  /** Others have the thread meanwhile, so what is found may be of a moment ago. */
  static async of(pod: Pod, view: FilterView): Promise<PodFilters> {
    return new PodFilters(pod, view, await PodAffinityFilter.of(pod, view));
  }

  /** Undefined where the pod fits. */
  misfit(info: NodeInfo): Misfit | undefined {
    const fixed = this.#fixedProblem(info);
    if (fixed !== undefined) return { reasons: [fixed], resolvable: false, cause: 'node' };
    if (this.#ports.length > 0 && this.#hasPortClash(info))
      return {
        reasons: ["node(s) didn't have free ports for the requested pod ports"],
        resolvable: true,
        cause: 'ports',
      };
    const lacking = this.#lacking(info);
    if (lacking.length > 0) return { reasons: lacking, resolvable: this.#fitsEmpty(info), cause: 'resources' };
    if (this.#disks.length > 0 && this.#hasDiskClash(info))
      return { reasons: ['node(s) had no available disk'], resolvable: true, cause: 'volumes' };
    const crowding = this.#view.volumes?.crowding(info);
    if (crowding !== undefined) return { reasons: [crowding], resolvable: true, cause: 'volumes' };
    const plan = this.#view.volumes?.planFor(info.node);
    if (plan !== undefined && isRefusal(plan)) return { reasons: plan, resolvable: false, cause: 'volumes' };
    const spread = this.#spread.problem(info);
    if (spread !== undefined) return { reasons: [spread.reason], resolvable: spread.resolvable, cause: 'spread' };
    const affinity = this.#affinity.problem(info);
    if (affinity !== undefined)
      return { reasons: [affinity.reason], resolvable: affinity.resolvable, cause: 'affinity' };
    const devices = this.#view.devices?.planFor(info.node);
    if (devices !== undefined && isDeviceRefusal(devices))
      return { reasons: [devices], resolvable: false, cause: 'devices' };
    if (!this.#lacksFeatures(info)) return undefined;
    return { reasons: ["node(s) didn't match Pod's required features"], resolvable: false, cause: 'node' };
  }

  /** Whether what a node says depends on the pods of that node alone, but for those on other nodes. */
  get isLocal(): boolean {
    return this.#spread.isEmpty && this.#affinity.isEmpty;
  }

  #fixedProblem({ name, node }: NodeInfo): string | undefined {
    const { spec } = this.#pod;
    if (node.spec?.unschedulable === true && !tolerates(spec?.tolerations ?? [], unschedulableTaint))
      return 'node(s) were unschedulable';
    if ((spec?.nodeName ?? '') !== '' && spec?.nodeName !== name) return "node(s) didn't match the requested node name";
    if (untolerated(this.#pod, node, ['NoSchedule', 'NoExecute']) !== undefined)
      return 'node(s) had untolerated taint(s)';
    if (!allowsNode(this.#pod, node)) return "node(s) didn't match Pod's node affinity/selector";
    return undefined;
  }

  #hasPortClash(info: NodeInfo): boolean {
    for (const { ports } of info.pods)
      if (ports.some((taken) => this.#ports.some((wanted) => portsClash(taken, wanted)))) return true;
    return false;
  }

  #hasDiskClash(info: NodeInfo): boolean {
    for (const { pod } of info.pods)
      if (inlineDisksOf(pod).some((used) => this.#disks.some((wanted) => disksClash(wanted, used)))) return true;
    return false;
  }

  #lacking(info: NodeInfo): readonly string[] {
    const reasons: string[] = [];
    if (info.podCount + 1 > (info.allocatable.get('pods') ?? 0)) reasons.push('Too many pods');
    for (const [name, amount] of this.#demand)
      if (amount > 0 && amount > (info.allocatable.get(name) ?? 0) - info.used(name) && !this.#hasDevices(info, name))
        reasons.push(`Insufficient ${name}`);
    return reasons;
  }

  #fitsEmpty(info: NodeInfo): boolean {
    return [...this.#demand].every(
      ([name, amount]) => amount <= (info.allocatable.get(name) ?? 0) || this.#hasDevices(info, name),
    );
  }

  /** A resource that a node has not itself may be met by devices, of which others decide. */
  #hasDevices({ allocatable }: NodeInfo, resource: string): boolean {
    return this.#view.devices?.standsFor(resource, allocatable.get(resource) ?? 0) === true;
  }

  #lacksFeatures({ node }: NodeInfo): boolean {
    return !this.#features.every((feature) => node.status?.declaredFeatures?.includes(feature) === true);
  }
}
