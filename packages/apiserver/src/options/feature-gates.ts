import table from './generated/feature-gates.json' with { type: 'json' };

/** How far a feature has come. */
export type GateStage = 'ALPHA' | 'BETA' | 'GA' | 'DEPRECATED';

/** A feature gate of kube-apiserver 1.36. */
export interface KnownGate {
  readonly stage: GateStage;
  readonly byDefault: boolean;
  /** Cannot be set to anything else. */
  readonly locked: boolean;
}

/** Every gate that kube-apiserver 1.36.2 knows, those of other components included. */
export const knownGates: ReadonlyMap<string, KnownGate> = new Map(
  Object.entries(table as unknown as Readonly<Record<string, readonly [GateStage, boolean, boolean]>>).map(
    ([name, [stage, byDefault, locked]]) => [name, { stage, byDefault, locked }],
  ),
);

/** Gates that something here depends on. All others are accepted, shown, and change nothing. */
export const effectiveGates = [
  'APIServerIdentity',
  'AllowUnsafeMalformedObjectDeletion',
  'AuthorizePodWebsocketUpgradeCreatePermission',
  'ComponentFlagz',
  'ComponentStatusz',
  'DetectCacheInconsistency',
  'ExtendWebSocketsToKubelet',
  'NodeDeclaredFeatures',
  'PodLogsQuerySplitStreams',
  'PortForwardWebsockets',
  'TranslateStreamCloseWebsocketRequests',
] as const;

export type FeatureGate = (typeof effectiveGates)[number];

/** Turn whole stages on or off. */
const stageGates = { ALPHA: 'AllAlpha', BETA: 'AllBeta' } as const;
/** Component-qualified names: this is the only component that there is. */
const component = 'kube:';

/**
 * Why `--feature-gates` cannot be had; undefined when it can. Source: component-base/featuregate/feature_gate.go and
 * compatibility/registry.go, 1.36.
 */
export function gatesProblem(pairs: ReadonlyMap<string, string>): string | undefined {
  const names = [...pairs.keys()];
  const qualified = names.filter((name) => name.includes(':'));
  const foreign = qualified.find((name) => !name.startsWith(component));
  if (foreign !== undefined) return `component not registered: ${foreign.split(':', 1)[0]}`;
  if (qualified.length > 0 && qualified.length < names.length)
    return 'set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use';
  for (const [key, text] of pairs) {
    const name = key.startsWith(component) ? key.slice(component.length) : key;
    const value = parseBool(text);
    if (value === undefined)
      return (
        `invalid value of ${name}=${text}, err: strconv.ParseBool: parsing ${JSON.stringify(text)}: ` + `invalid syntax`
      );
    const gate = knownGates.get(name);
    if (gate === undefined) return `unrecognized feature gate: ${name}`;
    if (gate.locked && gate.byDefault !== value)
      return `cannot set feature gate ${name} to ${value}, feature is locked to ${gate.byDefault}`;
  }
  return undefined;
}

/**
 * Whether `--feature-gates` turns a feature on: by its own name, else with its whole stage (`AllAlpha`), else its
 * default.
 */
export function featureEnabled(pairs: ReadonlyMap<string, string>, gate: FeatureGate): boolean {
  return gateEnabled(pairs, gate);
}

/** Every gate with its stage, and whether it is on: what `kubernetes_feature_enabled` shows. */
export function enabledGates(
  pairs: ReadonlyMap<string, string>,
): readonly { readonly name: string; readonly stage: GateStage; readonly enabled: boolean }[] {
  return [...knownGates].map(([name, { stage }]) => ({ name, stage, enabled: gateEnabled(pairs, name) }));
}

/** What operators should be told of the gates that they set. */
export function gateWarnings(pairs: ReadonlyMap<string, string>): readonly string[] {
  const effective: ReadonlySet<string> = new Set([...effectiveGates, ...Object.values(stageGates)]);
  return [...pairs].flatMap(([key, text]) => {
    const name = key.startsWith(component) ? key.slice(component.length) : key;
    const gate = knownGates.get(name);
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

function gateEnabled(pairs: ReadonlyMap<string, string>, name: string): boolean {
  const { byDefault, stage } = knownGates.get(name) ?? { byDefault: false, stage: 'ALPHA' };
  const ofStage = stage === 'ALPHA' || stage === 'BETA' ? given(pairs, stageGates[stage]) : undefined;
  return parseBool(given(pairs, name) ?? ofStage) ?? byDefault;
}

function given(pairs: ReadonlyMap<string, string>, name: string): string | undefined {
  return pairs.get(name) ?? pairs.get(`${component}${name}`);
}

/** As Go's strconv.ParseBool. */
function parseBool(text: string | undefined): boolean | undefined {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text ?? '')) return true;
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text ?? '')) return false;
  return undefined;
}
