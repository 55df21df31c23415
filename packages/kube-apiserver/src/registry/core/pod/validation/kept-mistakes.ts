import { FieldPath, Quantity, validateLabelSelector } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { Container, EphemeralContainer, PodAffinityTerm, PodSpec } from '@kubechain/apimachinery/types/core/v1';
import type { FeatureGate } from '@kubechain/apiserver/options';
import type { Capabilities, KeptMistake } from '../../../capabilities.ts';
import { validateLabelKeys, validateTermSelectors } from './affinity.ts';
import { isDeletionCost } from './annotations.ts';
import { allContainers } from './container.ts';
import { hasUnlabelableValue } from './node-selector.ts';
import { sharedWithHost } from './security-context.ts';
import { fileInVolume } from './volume-files.ts';
import { isHugePages, isWholePages } from '../../resource-name.ts';

/** A stored pod, or a template of a stored workload. */
export interface StoredPod {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: Partial<PodSpec>;
}

/**
 * What `validate` finds in an update: where that is anything, looked at again with what the stored pod or template has
 * of mistakes that once were none, and of features that are off by now (GetValidationOptionsFromPodSpecAndMeta of
 * pkg/api/pod, 1.36). Updates without mistakes, which most are, cost nothing more, nor do those whose mistakes have
 * nothing to do with what is kept.
 */
export function forgiving(
  capabilities: Capabilities,
  old: StoredPod | undefined,
  validate: (capabilities: Capabilities) => readonly FieldError[],
): readonly FieldError[] {
  if (old === undefined) return validate(capabilities);
  const strict = new Strict(capabilities);
  const errors = validate(strict.capabilities);
  if (errors.length === 0) return errors;
  const lenient = capabilitiesTowards(old, capabilities);
  return strict.differs(lenient) ? validate(lenient) : errors;
}

/** Capabilities, and what of them was asked for and not given. */
class Strict {
  readonly capabilities: Capabilities;
  readonly #mistakes = new Set<KeptMistake>();
  readonly #gates = new Set<FeatureGate>();

  constructor(capabilities: Capabilities) {
    this.capabilities = {
      ...capabilities,
      forgives: (mistake) => {
        const forgives = capabilities.forgives(mistake);
        if (!forgives) this.#mistakes.add(mistake);
        return forgives;
      },
      enabled: (gate) => {
        const enabled = capabilities.enabled(gate);
        if (!enabled) this.#gates.add(gate);
        return enabled;
      },
    };
  }

  /** Whether others give any of that: nothing that asks for the rest only could come out otherwise with them. */
  differs({ enabled, forgives }: Capabilities): boolean {
    return [...this.#mistakes].some(forgives) || [...this.#gates].some(enabled);
  }
}

/** `capabilities` for updates of `old`. */
export function capabilitiesTowards(old: StoredPod, capabilities: Capabilities): Capabilities {
  const { spec = {} } = old;
  // Asked for each container and each amount, and looked for once.
  const forgives = remembered<KeptMistake>((mistake) => mistakes[mistake]?.(spec, old) === true);
  const inUse = remembered<string>((gate) => featuresInUse[gate]?.(spec) === true);
  return {
    ...capabilities,
    forgives: (mistake) => capabilities.forgives(mistake) || forgives(mistake),
    enabled: (gate) => capabilities.enabled(gate) || inUse(gate),
  };
}

function remembered<K>(find: (key: K) => boolean): (key: K) => boolean {
  const found = new Map<K, boolean>();
  return (key) => {
    let is = found.get(key);
    if (is === undefined) found.set(key, (is = find(key)));
    return is;
  };
}

const nowhere = FieldPath.root;

/** Whether a stored pod has it. Those of selectors of workloads are asked for elsewhere. */
const mistakes: { readonly [K in KeptMistake]?: (spec: Partial<PodSpec>, pod: StoredPod) => boolean } = {
  'affinity selectors': (spec) => affinityTerms(spec).some((term) => validateTermSelectors(term, nowhere).length > 0),
  'deletion cost': (_spec, { metadata }) => !isDeletionCost(metadata?.annotations ?? {}),
  'devices without users of the host': (spec) =>
    spec.hostUsers === false && containers(spec).some(({ volumeDevices = [] }) => volumeDevices.length > 0),
  'node affinity values': ({ affinity }) =>
    hasUnlabelableValue(
      affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [],
    ),
  'parts of huge pages': (spec) =>
    [...containers(spec).flatMap(({ resources }) => [resources?.limits, resources?.requests]), spec.overhead].some(
      hasPartOfHugePage,
    ),
  'resize of init containers': ({ initContainers = [] }) =>
    initContainers.some(
      ({ resizePolicy = [], restartPolicy }) =>
        restartPolicy !== 'Always' && resizePolicy.some((policy) => policy.restartPolicy === 'RestartContainer'),
    ),
  'spread keys': ({ topologySpreadConstraints = [] }) =>
    topologySpreadConstraints.some((constraint) => validateLabelKeys(constraint, nowhere).length > 0),
  'spread selectors': ({ topologySpreadConstraints = [] }) =>
    topologySpreadConstraints.some(({ labelSelector }) => validateLabelSelector(labelSelector, nowhere).length > 0),
  'sysctls of the host': ({ hostIPC = false, hostNetwork = false, securityContext }) =>
    (securityContext?.sysctls ?? []).some(
      ({ name }) => sharedWithHost(name || '', { hostIPC, hostNetwork }) !== undefined,
    ),
  'token paths': ({ volumes = [] }) =>
    volumes
      .flatMap(({ projected }) => projected?.sources ?? [])
      .some(({ serviceAccountToken }) => fileInVolume(serviceAccountToken?.path, nowhere).length > 0),
};

/** Whether a stored pod uses what validation looks for a gate for. */
const featuresInUse: { readonly [gate: string]: ((spec: Partial<PodSpec>) => boolean) | undefined } = {
  SELinuxMount: ({ securityContext }) => securityContext?.seLinuxChangePolicy !== undefined,
  TaintTolerationComparisonOperators: ({ tolerations = [] }) =>
    tolerations.some(({ operator }) => operator === 'Lt' || operator === 'Gt'),
  UserNamespacesHostNetworkSupport: ({ hostNetwork, hostUsers }) => hostNetwork === true && hostUsers === false,
};

function hasPartOfHugePage(amounts: Readonly<Record<string, string>> | undefined): boolean {
  return Object.entries(amounts ?? {}).some(
    ([name, text]) => isHugePages(name) && !isWholePages(name, Quantity.parse(text)),
  );
}

function affinityTerms({ affinity }: Partial<PodSpec>): readonly Partial<PodAffinityTerm>[] {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((side) => [
    ...(side?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(side?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      ({ podAffinityTerm }: { readonly podAffinityTerm?: PodAffinityTerm }) => podAffinityTerm ?? {},
    ),
  ]);
}

function containers(spec: Partial<PodSpec>): readonly (Container | EphemeralContainer)[] {
  return allContainers(spec, nowhere).map(([container]) => container);
}
