import type { Pod, TopologySpreadConstraint } from '@kubechain/apimachinery/types/core/v1';
import { compiledSelector } from '../controller/compiled-selector.ts';
import { GroupCounter } from './label-groups.ts';
import type { NodeInfo } from './node-info.ts';
import { allowsNode, untolerated } from '../placement/node-selection.ts';

const notMet = "node(s) didn't match pod topology spread constraints";
const noLabel = `${notMet} (missing required label)`;

interface Constraint {
  readonly key: string;
  readonly maxSkew: number;
  readonly self: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly minimum: number;
}

/** The constraints with DoNotSchedule, counted once a pod (podtopologyspread, 1.36). */
export class TopologySpreadFilter {
  readonly #constraints: readonly Constraint[];

  constructor(pod: Pod, nodes: readonly NodeInfo[]) {
    const hard = (pod.spec?.topologySpreadConstraints ?? []).filter(
      ({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule',
    );
    // Nodes that lack a place of any constraint count for none.
    const counted = nodes.filter(({ node }) =>
      hard.every(({ topologyKey }) => node.metadata?.labels?.[topologyKey] !== undefined),
    );
    this.#constraints = hard.map((constraint) => countOf(constraint, pod, counted));
  }

  /** Nothing is asked of any node. */
  get isEmpty(): boolean {
    return this.#constraints.length === 0;
  }

  /** Undefined where the pod may be. */
  problem({ node }: NodeInfo): { readonly reason: string; readonly resolvable: boolean } | undefined {
    for (const { counts, key, maxSkew, minimum, self } of this.#constraints) {
      const domain = node.metadata?.labels?.[key];
      if (domain === undefined) return { reason: noLabel, resolvable: false };
      if ((counts.get(domain) ?? 0) + self - minimum > maxSkew) return { reason: notMet, resolvable: true };
    }
    return undefined;
  }
}

function countOf(constraint: TopologySpreadConstraint, pod: Pod, nodes: readonly NodeInfo[]): Constraint {
  const { maxSkew, minDomains = 1, topologyKey: key } = constraint;
  const matches = podMatcher(constraint, pod);
  const pods = new GroupCounter(pod.metadata?.namespace ?? '', matches);
  const counts = new Map<string, number>();
  for (const info of nodes) {
    const domain = info.node.metadata?.labels?.[key];
    if (domain === undefined || !isEligible(constraint, pod, info)) continue;
    counts.set(domain, (counts.get(domain) ?? 0) + pods.count(info.groups));
  }
  const minimum = counts.size === 0 || counts.size < minDomains ? 0 : Math.min(...counts.values());
  return { key, maxSkew, self: matches(pod.metadata?.labels ?? {}) ? 1 : 0, counts, minimum };
}

/** Tells by labels which pods of its namespace a constraint of a pod counts. */
export function podMatcher(
  { labelSelector, matchLabelKeys = [] }: TopologySpreadConstraint,
  pod: Pod,
): (labels: Readonly<Record<string, string>>) => boolean {
  const selector = compiledSelector(labelSelector);
  const own = pod.metadata?.labels ?? {};
  return (labels) =>
    selector.matches(labels) && matchLabelKeys.every((name) => own[name] === undefined || own[name] === labels[name]);
}

/** Whether pods on a node count for a constraint. */
export function isEligible(
  { nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' }: TopologySpreadConstraint,
  pod: Pod,
  { node }: NodeInfo,
): boolean {
  if (nodeAffinityPolicy === 'Honor' && !allowsNode(pod, node)) return false;
  return nodeTaintsPolicy !== 'Honor' || untolerated(pod, node, ['NoSchedule', 'NoExecute']) === undefined;
}
