import { loopTurns } from '@kubechain/apimachinery';
import type { Namespace, Pod, PodAffinityTerm } from '@kubechain/apimachinery/types/core/v1';
import { inTurns } from '../clock/in-turns.ts';
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

/** Values of topology keys, by key. */
type Domains = Map<string, Set<string>>;

function add(domains: Domains, key: string, value: string): void {
  const values = domains.get(key);
  if (values === undefined) domains.set(key, new Set([value]));
  else values.add(value);
}

/** Of these keys those in which a node is in a place that is none of `domains`. */
function placesBeside(domains: Domains, keys: ReadonlySet<string>, info: NodeInfo): Map<string, string> {
  const places = new Map<string, string>();
  for (const key of keys) {
    const value = domainOf(info, key);
    if (value !== undefined && domains.get(key)?.has(value) !== true) places.set(key, value);
  }
  return places;
}

interface Places {
  /** Where pods are that all required terms speak of. */
  readonly company: Domains;
  /** Where pods are that a term of anti-affinity speaks of. */
  readonly avoided: Domains;
  /** Where pods are whose anti-affinity speaks of this one. */
  readonly closed: Domains;
}

/**
 * Finds, once a pod, where required terms hold; then each node is a look-up of what it is labelled with. Pods may have
 * thousands of terms, and all other pods are held against them: others have the thread between two pods.
 */
export class PodAffinityFilter {
  readonly #required: readonly PodAffinityTerm[];
  /** All terms speak of the pod itself. */
  readonly #self: boolean;
  readonly #places: Places;

  private constructor(required: readonly PodAffinityTerm[], self: boolean, places: Places) {
    this.#required = required;
    this.#self = self;
    this.#places = places;
  }

  static async of(pod: Pod, view: AffinityView): Promise<PodAffinityFilter> {
    const required = pod.spec?.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const repelled = antiTermsOf(pod);
    const { avoided, company } = await placesOfOthers(pod, { required, repelled, view });
    const self = required.every((term) => speaksOf(term, { owner: pod, pod, view }));
    return new PodAffinityFilter(required, self, { avoided, company, closed: await closedPlaces(pod, view) });
  }

  /** Nothing is asked of any node. */
  get isEmpty(): boolean {
    const { avoided, closed } = this.#places;
    return this.#required.length === 0 && avoided.size === 0 && closed.size === 0;
  }

  /** Undefined where the pod may be. */
  problem(info: NodeInfo): { readonly reason: string; readonly resolvable: boolean } | undefined {
    const { avoided, closed } = this.#places;
    if (!this.#hasCompany(info)) return { reason: missing.affinity, resolvable: false };
    if (isWithin(info, avoided)) return { reason: missing.antiAffinity, resolvable: true };
    return isWithin(info, closed) ? { reason: missing.existing, resolvable: true } : undefined;
  }

  #hasCompany(info: NodeInfo): boolean {
    const { company } = this.#places;
    if (this.#required.some(({ topologyKey }) => domainOf(info, topologyKey) === undefined)) return false;
    // The first of a group that wants to be with itself has nobody to be with.
    return (
      this.#required.every(({ topologyKey }) => company.get(topologyKey)?.has(domainOf(info, topologyKey)!) === true) ||
      (this.#self && company.size === 0)
    );
  }
}

function isWithin(info: NodeInfo, domains: Domains): boolean {
  for (const [key, values] of domains) {
    const value = domainOf(info, key);
    if (value !== undefined && values.has(value)) return true;
  }
  return false;
}

function antiTermsOf({ spec }: Pod): readonly PodAffinityTerm[] {
  return spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
}

/** Where pods are that a pod's own terms speak of. Pods in places that are known already are not looked at. */
async function placesOfOthers(
  pod: Pod,
  {
    repelled,
    required,
    view,
  }: {
    readonly required: readonly PodAffinityTerm[];
    readonly repelled: readonly PodAffinityTerm[];
    readonly view: AffinityView;
  },
): Promise<Pick<Places, 'avoided' | 'company'>> {
  const company: Domains = new Map();
  const avoided: Domains = new Map();
  if (required.length + repelled.length === 0) return { avoided, company };
  const requiredKeys = new Set(required.map(({ topologyKey }) => topologyKey));
  const repelledKeys = new Set(repelled.map(({ topologyKey }) => topologyKey));
  for (const info of view.nodes) {
    const wanted = placesBeside(company, requiredKeys, info);
    const open = placesBeside(avoided, repelledKeys, info);
    for (const { pod: other } of info.pods) {
      if (wanted.size === 0 && open.size === 0) break;
      if (wanted.size > 0 && required.every((term) => speaksOf(term, { owner: pod, pod: other, view }))) {
        for (const [key, value] of wanted) add(company, key, value);
        wanted.clear();
      }
      for (const term of repelled) {
        const value = open.get(term.topologyKey);
        if (value === undefined || !speaksOf(term, { owner: pod, pod: other, view })) continue;
        add(avoided, term.topologyKey, value);
        open.delete(term.topologyKey);
      }
      const turn = loopTurns.next();
      if (turn !== undefined) await turn;
    }
  }
  return { avoided, company };
}

/** Where pods are whose required anti-affinity speaks of a pod. */
async function closedPlaces(pod: Pod, view: AffinityView): Promise<Domains> {
  const closed: Domains = new Map();
  for (const info of view.nodes) {
    if (!info.hasRepellingPods) continue;
    await inTurns(info.repellingPods, (other) => {
      for (const term of antiTermsOf(other)) {
        const value = domainOf(info, term.topologyKey);
        if (value !== undefined && speaksOf(term, { owner: other, pod, view })) add(closed, term.topologyKey, value);
      }
    });
  }
  return closed;
}
