import { selectorFromObject } from '@kubechain/apimachinery';
import type { Pod, TopologySpreadConstraint } from '@kubechain/apimachinery/types/core/v1';
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
    this.#constraints = hard.map((constraint) => countOf(constraint, pod, nodes));
  }

  /** Nothing is asked of any node. */
  get isEmpty(): boolean {
    return this.#constraints.length === 0;
  }

  /** Undefined where the pod may be. */
  problem({ node }: NodeInfo): string | undefined {
    for (const { counts, key, maxSkew, minimum, self } of this.#constraints) {
      const domain = node.metadata?.labels?.[key];
      if (domain === undefined) return noLabel;
      if ((counts.get(domain) ?? 0) + self - minimum > maxSkew) return notMet;
    }
    return undefined;
  }
}

function countOf(constraint: TopologySpreadConstraint, pod: Pod, nodes: readonly NodeInfo[]): Constraint {
  const { labelSelector, matchLabelKeys = [], maxSkew, minDomains = 1, topologyKey: key } = constraint;
  const selector = selectorFromObject(labelSelector);
  const own = pod.metadata?.labels ?? {};
  const counted = (labels: Readonly<Record<string, string>> | undefined): boolean =>
    selector.matches(labels) && matchLabelKeys.every((name) => own[name] === undefined || own[name] === labels?.[name]);
  const counts = new Map<string, number>();
  for (const info of nodes) {
    const domain = info.node.metadata?.labels?.[key];
    if (domain === undefined || !isEligible(constraint, pod, info)) continue;
    let count = counts.get(domain) ?? 0;
    for (const { pod: other } of info.pods)
      if (
        other.metadata?.namespace === pod.metadata?.namespace &&
        other.metadata?.deletionTimestamp === undefined &&
        counted(other.metadata?.labels)
      )
        count++;
    counts.set(domain, count);
  }
  const minimum = counts.size < minDomains ? 0 : Math.min(...counts.values(), Number.MAX_SAFE_INTEGER);
  return { key, maxSkew, self: counted(own) ? 1 : 0, counts, minimum: counts.size === 0 ? 0 : minimum };
}

function isEligible(
  { nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' }: TopologySpreadConstraint,
  pod: Pod,
  { node }: NodeInfo,
): boolean {
  if (nodeAffinityPolicy === 'Honor' && !allowsNode(pod, node)) return false;
  return nodeTaintsPolicy !== 'Honor' || untolerated(pod, node, ['NoSchedule', 'NoExecute']) === undefined;
}
