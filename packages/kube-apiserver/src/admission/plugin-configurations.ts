import {
  FieldPath,
  aggregateMessage,
  formatDuration,
  invalidValue,
  messageOf,
  notSupported,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import { KubeClient, configurationError, webhookTimeoutMs } from '@kubechain/apiserver/resources';
import type { PluginConfigurations } from '@kubechain/apiserver/resources';
import type { Toleration } from '@kubechain/apimachinery/types/core/v1';
import { validateTolerations } from '../registry/core/pod/validation/pod-spec.ts';
import type { ImagePolicyWebhookOptions } from './image-policy-webhook.ts';
import type { EventLimit } from './event-rate-limit.ts';
import { podSecurityConfigurationType, readPodSecurityConfiguration } from './pod-security/configuration.ts';
import type { PodSecurityConfiguration } from './pod-security/configuration.ts';
import type { PodTolerationRestrictionOptions } from './pod-toleration-restriction.ts';

/*
 * The configurations that plugins take from --admission-control-config-file, 1.36. Each throws an OptionsError in one
 * line that names the plugin.
 */

type LimitFields = Partial<Record<keyof EventLimit, unknown>>;

const limitTypes: readonly unknown[] = ['Server', 'Namespace', 'User', 'SourceAndObject'];

/** Limits of EventRateLimit, which does nothing without one. */
export function eventLimits(configurations: PluginConfigurations): readonly EventLimit[] {
  const { limits } = configurations.fieldsOf('EventRateLimit', {
    group: 'eventratelimit.admission.k8s.io',
    versions: ['v1alpha1'],
    kind: 'Configuration',
    fields: ['limits'],
  });
  const given = (limits ?? []) as readonly LimitFields[];
  const path = FieldPath.of('limits');
  const errors: FieldError[] = [];
  if (given.length === 0) errors.push(invalidValue(path, null, 'must not be empty'));
  for (const [i, { burst = 0, cacheSize = 0, qps = 0, type = '' }] of given.entries()) {
    const at = path.index(i);
    if (!limitTypes.includes(type)) errors.push(notSupported(at.child('type'), type, limitTypes as readonly string[]));
    if (!(Number(burst) > 0)) errors.push(invalidValue(at.child('burst'), burst, 'must be positive'));
    if (!(Number(qps) > 0)) errors.push(invalidValue(at.child('qps'), qps, 'must be positive'));
    if (type !== 'Server' && !(Number(cacheSize) >= 0))
      errors.push(invalidValue(at.child('cacheSize'), cacheSize, 'must not be negative'));
  }
  refuse('EventRateLimit', errors);
  return given as readonly EventLimit[];
}

/** Selectors of PodNodeSelector by namespace, and `clusterDefaultNodeSelector`. */
export function nodeSelectors(configurations: PluginConfigurations): Readonly<Record<string, string>> {
  const { podNodeSelectorPluginConfig = {} } = configurations.unversioned('PodNodeSelector') ?? {};
  return podNodeSelectorPluginConfig as Readonly<Record<string, string>>;
}

/** What PodTolerationRestriction adds and allows where namespaces say nothing. */
export function clusterTolerations(
  configurations: PluginConfigurations,
): Pick<PodTolerationRestrictionOptions, 'defaults' | 'allowed'> {
  const fields = configurations.fieldsOf('PodTolerationRestriction', {
    group: 'podtolerationrestriction.admission.k8s.io',
    versions: ['v1alpha1'],
    kind: 'Configuration',
    fields: ['default', 'whitelist'],
  });
  const path = FieldPath.of('podtolerationrestriction');
  const tolerations = (name: string): readonly Toleration[] => (fields[name] ?? []) as readonly Toleration[];
  refuse('PodTolerationRestriction', [
    ...validateTolerations(tolerations('default'), path.child('default')),
    ...validateTolerations(tolerations('whitelist'), path.child('whitelist')),
  ]);
  return { defaults: tolerations('default'), allowed: tolerations('whitelist') };
}

/** Defaults and exemptions of PodSecurity. */
export function podSecurityConfiguration(configurations: PluginConfigurations): PodSecurityConfiguration {
  const fields = configurations.fieldsOf('PodSecurity', podSecurityConfigurationType);
  try {
    return readPodSecurityConfiguration(fields);
  } catch (error) {
    throw configurationError(`PodSecurity: ${messageOf(error)}`);
  }
}

/** Where ImagePolicyWebhook asks, and for how long it believes what it is told; all in milliseconds. */
export function imagePolicy(
  configurations: PluginConfigurations,
): Pick<ImagePolicyWebhookOptions, 'client' | 'allowTTLMs' | 'denyTTLMs' | 'retryBackoffMs' | 'defaultAllow'> {
  const document = configurations.unversioned('ImagePolicyWebhook');
  if (document === undefined) throw configurationError('ImagePolicyWebhook: no config specified');
  const policy = (document['imagePolicy'] ?? {}) as Readonly<Record<string, unknown>>;
  const duration = (field: string, { scaleMs, minMs, maxMs, defaultMs }: DurationRange): number => {
    const given = policy[field] ?? 0;
    if (given === -1) return 0;
    if (given === 0) return defaultMs;
    const valueMs = Number(given) * scaleMs;
    if (valueMs >= minMs && valueMs <= maxMs) return valueMs;
    const text = (ms: number): string =>
      Number.isFinite(ms) ? formatDuration(BigInt(Math.round(ms * 1e6))) : JSON.stringify(given);
    throw configurationError(
      `ImagePolicyWebhook: valid value is between ${text(minMs)} and ${text(maxMs)}, got ${text(valueMs)}`,
    );
  };
  const ttl = { scaleMs: 1_000, minMs: 1_000, maxMs: 1_800_000 };
  const retryBackoffMs = duration('retryBackoff', { scaleMs: 1, minMs: 1e-6, maxMs: 300_000, defaultMs: 500 });
  const allowTTLMs = duration('allowTTL', { ...ttl, defaultMs: 300_000 });
  const denyTTLMs = duration('denyTTL', { ...ttl, defaultMs: 30_000 });
  const client = KubeClient.fromKubeconfig((policy['kubeConfigFile'] ?? '') as string, {
    flag: 'admission-control-config-file',
    timeoutMs: webhookTimeoutMs,
  });
  return { client, allowTTLMs, denyTTLMs, retryBackoffMs, defaultAllow: policy['defaultAllow'] === true };
}

interface DurationRange {
  readonly scaleMs: number;
  readonly minMs: number;
  readonly maxMs: number;
  readonly defaultMs: number;
}

function refuse(plugin: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw configurationError(`${plugin}: ${aggregateMessage(errors)}`);
}
