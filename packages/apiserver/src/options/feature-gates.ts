/**
 * Feature gates that something here depends on, as they are in 1.36 (apiserver/pkg/features, 1.36). All others are
 * accepted and do nothing.
 */
const gates = {
  AuthorizePodWebsocketUpgradeCreatePermission: { stage: 'Beta', byDefault: true },
  ExtendWebSocketsToKubelet: { stage: 'Beta', byDefault: true },
  NodeDeclaredFeatures: { stage: 'Beta', byDefault: true },
  PodLogsQuerySplitStreams: { stage: 'Alpha', byDefault: false },
  PortForwardWebsockets: { stage: 'Beta', byDefault: true },
  TranslateStreamCloseWebsocketRequests: { stage: 'Beta', byDefault: true },
  AllowUnsafeMalformedObjectDeletion: { stage: 'Alpha', byDefault: false },
  DetectCacheInconsistency: { stage: 'Beta', byDefault: true },
} as const satisfies Readonly<Record<string, { readonly stage: 'Alpha' | 'Beta'; readonly byDefault: boolean }>>;

export type FeatureGate = keyof typeof gates;

/**
 * Whether `--feature-gates` turns a feature on: by its own name, else with its whole stage (`AllAlpha`), else its
 * default.
 */
export function featureEnabled(pairs: ReadonlyMap<string, string>, gate: FeatureGate): boolean {
  const { byDefault, stage } = gates[gate];
  const given = pairs.get(gate) ?? pairs.get(`All${stage}`);
  return given === undefined ? byDefault : given === 'true';
}
