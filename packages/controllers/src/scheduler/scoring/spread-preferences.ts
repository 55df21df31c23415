import type { Pod, TopologySpreadConstraint } from '@kubechain/apimachinery/types/core/v1';
import type { LabelSelector } from '@kubechain/apimachinery/types/meta/v1';
import { GroupCounter } from '../label-groups.ts';
import type { NodeInfo } from '../node-info.ts';
import { isEligible, podMatcher } from '../topology-spread.ts';
import { maxNodeScore } from './normalize.ts';

const hostname = 'kubernetes.io/hostname';

/** For pods that say nothing themselves, where a selector of their Services and owners is known. */
const byDefault: readonly Omit<TopologySpreadConstraint, 'labelSelector'>[] = [
  { topologyKey: hostname, whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 3 },
  { topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 5 },
];

export interface SpreadView {
  readonly nodes: readonly NodeInfo[];
  /** What the pod's Services and its owner select; undefined: none do. */
  readonly defaultSelector: () => LabelSelector | undefined;
}

/**
 * Few pods of the same kind near by, as constraints with ScheduleAnyway ask, or for pods without constraints the
 * cluster's defaults (plugin PodTopologySpread, 1.36). Undefined: nothing is asked.
 */
export function spreadScores(pod: Pod, nodes: readonly NodeInfo[], view: SpreadView): readonly number[] | undefined {
  const own = pod.spec?.topologySpreadConstraints ?? [];
  const isDefault = own.length === 0;
  const labelSelector = isDefault ? view.defaultSelector() : undefined;
  if (isDefault && labelSelector === undefined) return undefined;
  const constraints = isDefault
    ? byDefault.map((constraint) => ({ ...constraint, labelSelector }) as TopologySpreadConstraint)
    : own.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway');
  if (constraints.length === 0) return undefined;
  // With the defaults, nodes without a zone still have names.
  const counts = (info: NodeInfo): boolean =>
    isDefault || constraints.every(({ topologyKey }) => labelOf(info, topologyKey) !== undefined);
  const weighed = nodes.filter(counts);
  const counted = constraints.map((constraint) => countOf(constraint, { pod, view, weighed, counts }));
  const raw = nodes.map((info) =>
    counts(info) ? Math.round(counted.reduce((sum, crowd) => sum + crowd(info), 0)) : undefined,
  );
  const crowds = raw.filter((crowd) => crowd !== undefined);
  const [least, most] = [Math.min(...crowds), Math.max(0, ...crowds)];
  return raw.map((crowd) => {
    if (crowd === undefined) return 0;
    return most === 0 ? maxNodeScore : Math.trunc((maxNodeScore * (most + least - crowd)) / most);
  });
}

/** How crowded a node's place is, as one constraint sees it. */
function countOf(
  constraint: TopologySpreadConstraint,
  {
    counts,
    pod,
    view,
    weighed,
  }: {
    readonly counts: (info: NodeInfo) => boolean;
    readonly pod: Pod;
    readonly view: SpreadView;
    readonly weighed: readonly NodeInfo[];
  },
): (info: NodeInfo) => number {
  const { maxSkew, topologyKey: key } = constraint;
  const pods = new GroupCounter(pod.metadata?.namespace ?? '', podMatcher(constraint, pod));
  const score = (count: number, places: number): number => count * Math.log(places + 2) + maxSkew - 1;
  if (key === hostname)
    return (info) => (labelOf(info, key) === undefined ? 0 : score(pods.count(info.groups), weighed.length));
  const places = new Map(weighed.map((info) => [labelOf(info, key) ?? '', 0]));
  for (const info of view.nodes) {
    const place = labelOf(info, key) ?? '';
    const before = places.get(place);
    if (before !== undefined && counts(info) && isEligible(constraint, pod, info))
      places.set(place, before + pods.count(info.groups));
  }
  return (info) => {
    const place = labelOf(info, key);
    return place === undefined ? 0 : score(places.get(place) ?? 0, places.size);
  };
}

function labelOf({ node }: NodeInfo, key: string): string | undefined {
  return node.metadata?.labels?.[key];
}
