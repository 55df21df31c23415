import type { Namespace, Pod, PodAffinityTerm } from '@kubechain/apimachinery/types/core/v1';
import { compiledSelector } from '../controller/compiled-selector.ts';
import type { NodeInfo } from './node-info.ts';

/** Looks up what terms speak of. */
export interface AffinityView {
  readonly nodes: readonly NodeInfo[];
  readonly namespace: (name: string) => Namespace | undefined;
}

const missing = {
  affinity: "node(s) didn't match pod affinity rules",
  antiAffinity: "node(s) didn't match pod anti-affinity rules",
  existing: "node(s) didn't satisfy existing pods anti-affinity rules",
} as const;

/** Whether a term of `owner` speaks of `pod`. */
export function speaksOf(
  term: PodAffinityTerm,
  { owner, pod, view }: { readonly owner: Pod; readonly pod: Pod; readonly view: AffinityView },
): boolean {
  const namespace = pod.metadata?.namespace ?? '';
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [], namespaceSelector, namespaces = [] } = term;
  const named =
    namespaces.length === 0 && namespaceSelector === undefined
      ? namespace === (owner.metadata?.namespace ?? '')
      : namespaces.includes(namespace) ||
        (namespaceSelector !== undefined &&
          compiledSelector(namespaceSelector).matches(view.namespace(namespace)?.metadata?.labels));
  if (!named || !compiledSelector(labelSelector).matches(pod.metadata?.labels)) return false;
  const [own, other] = [owner.metadata?.labels ?? {}, pod.metadata?.labels ?? {}];
  return (
    matchLabelKeys.every((key) => own[key] === undefined || own[key] === other[key]) &&
    mismatchLabelKeys.every((key) => own[key] === undefined || own[key] !== other[key])
  );
}

function domainOf({ node }: NodeInfo, key: string): string | undefined {
  return node.metadata?.labels?.[key];
}

/** Finds, once a pod, where required terms hold; then each node is a look-up. */
export class PodAffinityFilter {
  /** Where pods are that all required terms speak of. */
  readonly #terms: readonly { readonly key: string; readonly domains: ReadonlySet<string> }[];
  /** All terms speak of the pod itself. */
  readonly #self: boolean;
  readonly #antiTerms: readonly { readonly key: string; readonly domains: ReadonlySet<string> }[];
  /** `key\0value` of topology that pods that are there keep this one out of. */
  readonly #closed = new Set<string>();

  constructor(pod: Pod, view: AffinityView) {
    const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
    const domainsOf = (key: string, terms: readonly PodAffinityTerm[]): ReadonlySet<string> => {
      const domains = new Set<string>();
      for (const info of view.nodes) {
        const domain = domainOf(info, key);
        if (domain === undefined || domains.has(domain)) continue;
        for (const { pod: other } of info.pods)
          if (terms.every((term) => speaksOf(term, { owner: pod, pod: other, view }))) {
            domains.add(domain);
            break;
          }
      }
      return domains;
    };
    const required = podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    this.#terms = required.map(({ topologyKey: key }) => ({ key, domains: domainsOf(key, required) }));
    this.#self = required.every((term) => speaksOf(term, { owner: pod, pod, view }));
    this.#antiTerms = (podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map((term) => ({
      key: term.topologyKey,
      domains: domainsOf(term.topologyKey, [term]),
    }));
    for (const info of view.nodes)
      for (const other of info.hasRepellingPods ? info.repellingPods : [])
        for (const term of other.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ??
          []) {
          const domain = domainOf(info, term.topologyKey);
          if (domain !== undefined && speaksOf(term, { owner: other, pod, view }))
            this.#closed.add(`${term.topologyKey}\0${domain}`);
        }
  }

  /** Nothing is asked of any node. */
  get isEmpty(): boolean {
    return this.#terms.length === 0 && this.#antiTerms.length === 0 && this.#closed.size === 0;
  }

  /** Undefined where the pod may be. */
  problem(info: NodeInfo): { readonly reason: string; readonly resolvable: boolean } | undefined {
    if (!this.#hasCompany(info)) return { reason: missing.affinity, resolvable: false };
    for (const { domains, key } of this.#antiTerms) {
      const domain = domainOf(info, key);
      if (domain !== undefined && domains.has(domain)) return { reason: missing.antiAffinity, resolvable: true };
    }
    for (const closed of this.#closed) {
      const [key = '', domain] = closed.split('\0');
      if (domainOf(info, key) === domain) return { reason: missing.existing, resolvable: true };
    }
    return undefined;
  }

  #hasCompany(info: NodeInfo): boolean {
    const places = this.#terms.map(({ domains, key }) => ({ domains, domain: domainOf(info, key) }));
    if (places.some(({ domain }) => domain === undefined)) return false;
    // The first of a group that wants to be with itself has nobody to be with.
    return (
      places.every(({ domain, domains }) => domains.has(domain!)) ||
      (this.#self && places.every(({ domains }) => domains.size === 0))
    );
  }
}
