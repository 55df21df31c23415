import type { Dial } from '../egress/dial.ts';
import type { Randomness, TimerClock } from '@kubechain/apimachinery';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { auditFlags, AuditMode } from '../options/audit-flags.ts';
import type { FlagValues } from '../options/flag-set.ts';
import { OptionsError } from '../options/options-error.ts';
import type { AuditBackend, AuditHold } from './audit-event.ts';
import { allBackends, strictest } from './all-backends.ts';
import { AuditMetrics } from './audit-metrics.ts';
import { Auditor } from './auditor.ts';

type AuditFlagValues = FlagValues<typeof auditFlags>;
type Prefix = 'audit-log' | 'audit-webhook';

interface AuditSurroundings {
  readonly clock: TimerClock;
  readonly randomness: Randomness;
  /** Where events are counted. */
  readonly metrics: MetricRegistry;
  /** Makes connections to the webhook. Default: directly. */
  readonly dial?: Dial | undefined;
  /** Makes what takes the events in place of log and webhook, which are another thread's. */
  readonly relay?: ((holds: AuditHold) => AuditBackend) | undefined;
}

/**
 * The audit log and webhook by --audit-policy-file, --audit-log-* and --audit-webhook-*; undefined without a policy,
 * and without both. @throws OptionsError
 */
export async function auditorFromFlags(
  flags: AuditFlagValues,
  { clock, dial, metrics: registry, randomness, relay }: AuditSurroundings,
): Promise<Auditor | undefined> {
  for (const prefix of ['audit-log', 'audit-webhook'] as const) checkDelivery(flags, prefix);
  const metrics = new AuditMetrics(registry);
  if (flags['audit-policy-file'] === '') return undefined;
  const { loadAuditPolicy } = await import('./load-audit-policy.ts');
  const policy = loadAuditPolicy(flags['audit-policy-file']);
  if (relay !== undefined) {
    const holds = holdOfAll(flags);
    return holds === undefined ? undefined : new Auditor({ policy, backend: relay(holds), clock, metrics });
  }
  const backends: AuditBackend[] = [];
  if (flags['audit-log-path'] !== '')
    backends.push(await delivered(await logFile(flags, metrics), { flags, prefix: 'audit-log', clock, metrics }));
  if (flags['audit-webhook-config-file'] !== '')
    backends.push(
      await delivered(await webhook(flags, { clock, dial, randomness, metrics }), {
        flags,
        prefix: 'audit-webhook',
        clock,
        metrics,
      }),
    );
  if (backends.length === 0) return undefined;
  return new Auditor({ policy, backend: allBackends(backends), clock, metrics });
}

async function logFile(flags: AuditFlagValues, metrics: AuditMetrics): Promise<AuditBackend> {
  const { AuditLogFile } = await import('./audit-log-file.ts');
  return new AuditLogFile({
    path: flags['audit-log-path'],
    format: flags['audit-log-format'],
    maxSizeMegabytes: flags['audit-log-maxsize'],
    maxBackups: flags['audit-log-maxbackup'],
    maxAgeDays: flags['audit-log-maxage'],
    compress: flags['audit-log-compress'],
    metrics,
    holds: holdOf(flags['audit-log-mode']),
  });
}

async function webhook(
  flags: AuditFlagValues,
  { clock, dial, metrics, randomness }: Omit<AuditSurroundings, 'metrics'> & { readonly metrics: AuditMetrics },
): Promise<AuditBackend> {
  const [{ AuditWebhook }, { KubeClient, webhookTimeoutMs }] = await Promise.all([
    import('./audit-webhook.ts'),
    import('../rest-client/kube-client.ts'),
  ]);
  return new AuditWebhook({
    client: KubeClient.fromKubeconfig(flags['audit-webhook-config-file'], {
      flag: 'audit-webhook-config-file',
      timeoutMs: webhookTimeoutMs,
      dial,
    }),
    holds: holdOf(flags['audit-webhook-mode']),
    initialBackoffMs: flags['audit-webhook-initial-backoff'],
    clock,
    metrics,
    random: randomness.random,
  });
}

/** As strict as the strictest; undefined where there is neither log nor webhook. */
function holdOfAll(flags: AuditFlagValues): AuditHold | undefined {
  const all = [
    ...(flags['audit-log-path'] === '' ? [] : [holdOf(flags['audit-log-mode'])]),
    ...(flags['audit-webhook-config-file'] === '' ? [] : [holdOf(flags['audit-webhook-mode'])]),
  ];
  return all.length === 0 ? undefined : strictest(all);
}

function holdOf(mode: AuditMode): AuditHold {
  return mode === 'blocking' ? 'answers' : mode === 'blocking-strict' ? 'requests' : 'nothing';
}

interface Delivery {
  readonly flags: AuditFlagValues;
  readonly prefix: Prefix;
  readonly clock: TimerClock;
  readonly metrics: AuditMetrics;
}

/** Batching and cutting before a backend, as the flags want them. */
async function delivered(backend: AuditBackend, { clock, flags, metrics, prefix }: Delivery): Promise<AuditBackend> {
  let result = backend;
  if (flags[`${prefix}-mode`] === 'batch') {
    const { BufferingBackend } = await import('./buffering-backend.ts');
    result = new BufferingBackend(result, {
      bufferSize: flags[`${prefix}-batch-buffer-size`],
      maxBatchSize: flags[`${prefix}-batch-max-size`],
      maxBatchWaitMs: flags[`${prefix}-batch-max-wait`],
      throttle: flags[`${prefix}-batch-throttle-enable`]
        ? { perSecond: flags[`${prefix}-batch-throttle-qps`], burst: flags[`${prefix}-batch-throttle-burst`] }
        : undefined,
      sideBySide: prefix === 'audit-webhook',
      clock,
      metrics,
    });
  }
  if (flags[`${prefix}-truncate-enabled`]) {
    const { TruncatingBackend } = await import('./truncating-backend.ts');
    result = new TruncatingBackend(result, {
      maxEventBytes: flags[`${prefix}-truncate-max-event-size`],
      maxBatchBytes: flags[`${prefix}-truncate-max-batch-size`],
      metrics,
    });
  }
  return result;
}

/** Source: apiserver/pkg/server/options/audit.go validateBackendBatchOptions and TruncateOptions.Validate, 1.36. */
function checkDelivery(flags: AuditFlagValues, prefix: Prefix): void {
  const plugin = prefix.slice('audit-'.length);
  const positive = (value: number, what: string): void => {
    if (!(value > 0))
      throw new OptionsError('InvalidValue', `invalid audit ${what} ${value}, must be a positive number`);
  };
  if (flags[`${prefix}-mode`] === 'batch') {
    positive(flags[`${prefix}-batch-buffer-size`], `batch ${plugin} buffer size`);
    positive(flags[`${prefix}-batch-max-size`], `batch ${plugin} max batch size`);
    if (flags[`${prefix}-batch-throttle-enable`]) {
      positive(flags[`${prefix}-batch-throttle-qps`], `batch ${plugin} throttle QPS`);
      positive(flags[`${prefix}-batch-throttle-burst`], `batch ${plugin} throttle burst`);
    }
  }
  if (!flags[`${prefix}-truncate-enabled`]) return;
  const maxEvent = flags[`${prefix}-truncate-max-event-size`];
  const maxBatch = flags[`${prefix}-truncate-max-batch-size`];
  positive(maxEvent, `truncate ${plugin} max event size`);
  if (maxBatch < maxEvent)
    throw new OptionsError(
      'InvalidValue',
      `invalid audit truncate ${plugin} max batch size ${maxBatch}, must be greater than max event size (${maxEvent})`,
    );
}
