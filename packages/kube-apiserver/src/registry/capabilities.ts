import { builtinRelease } from '@kubechain/apimachinery';
import type { Release } from '@kubechain/apimachinery';
import { FeatureGates } from '@kubechain/apiserver/options';
import type { FeatureGate } from '@kubechain/apiserver/options';
import { InternalTypes } from './internal-types.ts';

/** A mistake of pods and templates that was none when some were written: updates of those that have it keep it. */
export type KeptMistake =
  | 'affinity selectors'
  | 'deletion cost'
  | 'devices without users of the host'
  | 'node affinity values'
  | 'parts of huge pages'
  | 'resize of init containers'
  | 'selector values'
  | 'spread keys'
  | 'spread selectors'
  | 'sysctls of the host'
  | 'token paths';

/** What the server lets pods and other objects ask for (pkg/capabilities, 1.36). */
export interface Capabilities {
  /** Containers may be privileged, and Windows ones may be of their host (--allow-privileged). */
  readonly allowPrivileged: boolean;
  /** Whether a feature is on, as `--feature-gates` or else the release says. */
  readonly enabled: (gate: FeatureGate) => boolean;
  /** Whether the server is of this release or a later one: for rules that came without a gate. */
  readonly since: (version: string) => boolean;
  /** Whether the object that is updated has this mistake already. */
  readonly forgives: (mistake: KeptMistake) => boolean;
  /** What texts show of objects. */
  readonly internalTypes: InternalTypes;
}

/** Of what is new, and of what is updated and had none of the mistakes. */
export const unforgiving: Pick<Capabilities, 'forgives'> = { forgives: () => false };

/** Those of a server; of one with default gates, of the checked-in tables' release, where nothing else is said. */
export function capabilitiesOf({
  allowPrivileged,
  gates = new FeatureGates(),
  release = builtinRelease,
}: {
  readonly allowPrivileged: boolean;
  readonly gates?: FeatureGates;
  readonly release?: Release;
}): Capabilities {
  return {
    allowPrivileged,
    enabled: (gate) => gates.enabled(gate),
    since: (version) => release.since(version),
    ...unforgiving,
    internalTypes: InternalTypes.of(release),
  };
}
