import { knownReleases, minorOf } from '@kubechain/apimachinery';
import { effectiveVersions } from './component-versions.ts';
import type { EffectiveVersions, VersionFlags } from './component-versions.ts';
import table from './generated/feature-gates.json' with { type: 'json' };

/** How far a feature has come; PRE-ALPHA: it is of a later release than the one that is emulated. */
export type GateStage = 'PRE-ALPHA' | 'ALPHA' | 'BETA' | 'GA' | 'DEPRECATED';

/** A feature gate of kube-apiserver. */
export interface KnownGate {
  readonly stage: GateStage;
  readonly byDefault: boolean;
  /** Cannot be set to anything else. */
  readonly locked: boolean;
}

/** What a gate is since a release; the release alone where it has gone. */
type GateSpec =
  | readonly [since: string]
  | readonly [since: string, stage: GateStage, byDefault: boolean, locked?: 'locked' | '', minCompatible?: string];

/** What every gate has been since which release, oldest first, those of other components included. */
const history: ReadonlyMap<string, readonly GateSpec[]> = new Map(
  Object.entries(table as unknown as Readonly<Record<string, readonly GateSpec[]>>),
);
const preAlpha: KnownGate = { stage: 'PRE-ALPHA', byDefault: false, locked: false };

/** Gates that something here depends on. All others are accepted, shown, and change nothing. */
export const effectiveGates = [
  'APIServerIdentity',
  'AllowUnsafeMalformedObjectDeletion',
  'AuthorizePodWebsocketUpgradeCreatePermission',
  'CBORServingAndStorage',
  'CSIServiceAccountTokenSecrets',
  'CSIVolumeHealth',
  'ClusterTrustBundle',
  'ClusterTrustBundleProjection',
  'ComponentFlagz',
  'ComponentStatusz',
  'CompositePodGroup',
  'ContainerRestartRules',
  'ContainerStopSignals',
  'CoordinatedLeaderElection',
  'CrossNamespaceVolumeDataSource',
  'DRAConsumableCapacity',
  'DRADeviceBindingConditions',
  'DRADeviceTaintRules',
  'DRADeviceTaints',
  'DRAExtendedResource',
  'DRAPartitionableDevices',
  'DRAResourceClaimGranularStatusAuthorization',
  'DRAResourcePoolStatus',
  'DRAWorkloadResourceClaims',
  'DetectCacheInconsistency',
  'EnvFiles',
  'EvictionRequestAPI',
  'ExtendWebSocketsToKubelet',
  'GenericWorkload',
  'HPAConfigurableTolerance',
  'HPAScaleToZero',
  'HostnameOverride',
  'ImageVolume',
  'InPlacePodLevelResourcesVerticalScaling',
  'InPlacePodVerticalScalingInitContainers',
  'KMSv1',
  'KubeletServiceAccountTokenForCredentialProviders',
  'LoggingAlphaOptions',
  'ManifestBasedAdmissionControlConfig',
  'MaxUnavailableStatefulSet',
  'MutableCSINodeAllocatableCount',
  'MutablePVNodeAffinity',
  'NodeDeclaredFeatures',
  'PodCertificateRequest',
  'PodGroupPreemptionPolicy',
  'PodLogsQuerySplitStreams',
  'PodTopologyLabelsAdmission',
  'PortForwardWebsockets',
  'RelaxedServiceNameValidation',
  'ResourceHealthStatus',
  'SELinuxMount',
  'ServiceAccountNodeAudienceRestriction',
  'ServiceCIDRStatusFieldWiping',
  'ShardedListAndWatch',
  'StorageVersionAPI',
  'StorageVersionMigrator',
  'StrictIPCIDRValidation',
  'TaintTolerationComparisonOperators',
  'TopologyAwareWorkloadScheduling',
  'TranslateStreamCloseWebsocketRequests',
  'UnknownVersionInteroperabilityProxy',
  'UserNamespacesHostNetworkSupport',
  'VolumeLimitScaling',
  'WorkloadAwarePreemption',
  'WorkloadWithJob',
] as const;

/** A gate that changes something here. */
export type FeatureGate = (typeof effectiveGates)[number];

/** Turn whole stages on or off. */
const stageGates = { ALPHA: 'AllAlpha', BETA: 'AllBeta' } as const;
/** Component-qualified names: this is the only component that there is. */
const component = 'kube:';

/** Every gate that a server of these versions knows, in the order of their names. */
export function knownGates(versions: EffectiveVersions = effectiveVersions({})): ReadonlyMap<string, KnownGate> {
  const gates = new Map<string, KnownGate>();
  for (const name of history.keys()) {
    const gate = gateAt(name, versions);
    if (gate !== undefined) gates.set(name, gate);
  }
  return gates;
}

/**
 * A gate as it was in the emulated release; undefined when the server's own does not have it. Source:
 * component-base/featuregate/feature_gate.go featureSpecAtEmulationAndMinCompatVersion, 1.36.
 */
function gateAt(name: string, { emulated, minCompatible, release }: EffectiveVersions): KnownGate | undefined {
  const isSince = (spec: GateSpec, version: string): boolean => minorOf(spec[0]) <= minorOf(version);
  const specs = (history.get(name) ?? []).filter((spec) => isSince(spec, release));
  if (specs.length === 0 || specs.at(-1)?.length === 1) return undefined;
  const spec = specs.findLast(
    (candidate) => isSince(candidate, emulated) && minorOf(candidate[4] ?? minCompatible) <= minorOf(minCompatible),
  );
  if (spec?.[1] === undefined) return preAlpha;
  const [, stage, byDefault = false] = spec;
  return { stage, byDefault, locked: spec[3] === 'locked' };
}

/** What a gate was that the server's release has no more: it goes where nobody may set it otherwise. */
function lastOf(name: string, { release }: EffectiveVersions): KnownGate {
  const last = (history.get(name) ?? []).findLast((spec) => spec.length > 1 && minorOf(spec[0]) <= minorOf(release));
  return last?.[1] === undefined ? preAlpha : { stage: last[1], byDefault: last[2] === true, locked: true };
}

/**
 * What can be said against `--feature-gates` before it is known for which release: undefined when one of them takes it
 * Source: component-base/featuregate/feature_gate.go and compatibility/registry.go, 1.36.
 */
export function gatesProblem(pairs: ReadonlyMap<string, string>): string | undefined {
  const names = [...pairs.keys()];
  const qualified = names.filter((name) => name.includes(':'));
  const foreign = qualified.find((name) => !name.startsWith(component));
  if (foreign !== undefined) return `component not registered: ${foreign.split(':', 1)[0]}`;
  if (qualified.length > 0 && qualified.length < names.length)
    return 'set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use';
  for (const [key, text] of pairs) {
    const name = bareName(key);
    if (parseBool(text) === undefined)
      return (
        `invalid value of ${name}=${text}, err: strconv.ParseBool: parsing ${JSON.stringify(text)}: ` + `invalid syntax`
      );
  }
  // Releases that a server can be of, each made to behave as those before it.
  const problems = knownReleases.flatMap(({ version }) =>
    [0, 1, 2, 3].map((back) => {
      const emulated = `1.${minorOf(version) - back}`;
      const flags = { 'kubernetes-version': version, 'emulated-version': [emulated] };
      return new FeatureGates(pairs, effectiveVersions(flags)).problem();
    }),
  );
  return problems.includes(undefined) ? undefined : new FeatureGates(pairs).problem();
}

/** The gates of one server: as it is told by `--feature-gates`, else as they were by default in the emulated release. */
export class FeatureGates {
  readonly #pairs: ReadonlyMap<string, string>;
  readonly #versions: EffectiveVersions;
  /** What was found out: it never changes. */
  readonly #known = new Map<FeatureGate, boolean>();

  constructor(pairs: ReadonlyMap<string, string> = new Map(), versions: EffectiveVersions = effectiveVersions({})) {
    this.#pairs = pairs;
    this.#versions = versions;
  }

  /** Whether a feature is on: by its own name, else with its whole stage (`AllAlpha`), else by its default. */
  enabled(gate: FeatureGate): boolean {
    let enabled = this.#known.get(gate);
    if (enabled === undefined)
      this.#known.set(
        gate,
        (enabled = this.#enabled(gate, gateAt(gate, this.#versions) ?? lastOf(gate, this.#versions))),
      );
    return enabled;
  }

  /** Every gate with its stage, and whether it is on: what `kubernetes_feature_enabled` shows. */
  all(): readonly { readonly name: string; readonly stage: GateStage; readonly enabled: boolean }[] {
    return [...knownGates(this.#versions)]
      .filter(([, { stage }]) => stage !== 'PRE-ALPHA')
      .map(([name, gate]) => ({ name, stage: gate.stage, enabled: this.#enabled(name, gate) }));
  }

  /** Why the gates cannot be set so in this release; undefined when they can. */
  problem(): string | undefined {
    for (const [key, text] of this.#pairs) {
      const name = bareName(key);
      const gate = gateAt(name, this.#versions);
      if (gate === undefined) return `unrecognized feature gate: ${name}`;
      const value = parseBool(text);
      if (gate.locked && gate.byDefault !== value)
        return `cannot set feature gate ${name} to ${String(value)}, feature is locked to ${gate.byDefault}`;
      const { emulated, minCompatible } = this.#versions;
      if (gate.stage === 'PRE-ALPHA')
        return (
          `cannot set feature gate ${name} to ${String(value)}, feature is PreAlpha at emulated version ${emulated}, ` +
          `min compatibility version ${minCompatible}`
        );
    }
    return undefined;
  }

  /** What operators should be told of the gates that they set. */
  warnings(): readonly string[] {
    const effective: ReadonlySet<string> = new Set([...effectiveGates, ...Object.values(stageGates)]);
    return [...this.#pairs].flatMap(([key, text]) => {
      const name = bareName(key);
      const gate = gateAt(name, this.#versions);
      if (gate === undefined) return [];
      const stage =
        gate.stage === 'GA' || gate.stage === 'DEPRECATED'
          ? [
              `setting ${gate.stage === 'GA' ? 'GA' : 'deprecated'} feature gate ${name}=${text}. It will be ` +
                `removed in a future release.`,
            ]
          : [];
      return parseBool(text) === gate.byDefault || effective.has(name)
        ? stage
        : [...stage, `feature gate ${name}=${text} changes nothing in this server.`];
    });
  }

  #enabled(name: string, { byDefault, stage }: KnownGate): boolean {
    const ofStage = stage === 'ALPHA' || stage === 'BETA' ? this.#given(stageGates[stage]) : undefined;
    return parseBool(this.#given(name) ?? ofStage) ?? byDefault;
  }

  #given(name: string): string | undefined {
    return this.#pairs.get(name) ?? this.#pairs.get(`${component}${name}`);
  }
}

/** The gates of a server by its flags. */
export function featureGatesOf({
  features,
  generic = {},
}: {
  readonly features: { readonly 'feature-gates': ReadonlyMap<string, string> };
  readonly generic?: VersionFlags;
}): FeatureGates {
  return new FeatureGates(features['feature-gates'], effectiveVersions(generic));
}

function bareName(key: string): string {
  return key.startsWith(component) ? key.slice(component.length) : key;
}

/** As Go's strconv.ParseBool. */
function parseBool(text: string | undefined): boolean | undefined {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text ?? '')) return true;
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text ?? '')) return false;
  return undefined;
}
