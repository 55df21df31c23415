import { builtinRelease } from '@kubechain/apimachinery';
import type { Release } from '@kubechain/apimachinery';
import { FeatureGates } from '@kubechain/apiserver/options';
import type { FeatureGate } from '@kubechain/apiserver/options';
import { InternalTypes } from './internal-types.ts';

/** What the server lets pods and other objects ask for (pkg/capabilities, 1.36). */
export interface Capabilities {
  /** Containers may be privileged, and Windows ones may be of their host (--allow-privileged). */
  readonly allowPrivileged: boolean;
  /** Whether a feature is on, as `--feature-gates` or else the release says. */
  readonly enabled: (gate: FeatureGate) => boolean;
  /** Whether the server is of this release or a later one: for rules that came without a gate. */
  readonly since: (version: string) => boolean;
  /** What texts show of objects. */
  readonly internalTypes: InternalTypes;
}

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
    internalTypes: InternalTypes.of(release),
  };
}
