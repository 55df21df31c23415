import { fileFlag } from './file-flag.ts';
import { booleanFlag, durationFlag, enumFlag, floatFlag, intFlag, stringFlag, type Flag } from './flag.ts';
import { flagSet } from './flag-set.ts';

const modes = ['batch', 'blocking', 'blocking-strict'] as const;
export type AuditMode = (typeof modes)[number];

/** What both backends have, under names of their own. */
interface DeliveryFlags {
  readonly mode: Flag<AuditMode>;
  readonly 'batch-buffer-size': Flag<number>;
  readonly 'batch-max-size': Flag<number>;
  readonly 'batch-max-wait': Flag<number>;
  readonly 'batch-throttle-enable': Flag<boolean>;
  readonly 'batch-throttle-qps': Flag<number>;
  readonly 'batch-throttle-burst': Flag<number>;
  readonly 'truncate-enabled': Flag<boolean>;
  readonly 'truncate-max-batch-size': Flag<number>;
  readonly 'truncate-max-event-size': Flag<number>;
  readonly version: Flag<string>;
}

interface DeliveryDefaults {
  readonly mode: AuditMode;
  readonly batchMaxSize: number;
  readonly batchMaxWaitMs: number;
  readonly throttle: { readonly enabled: boolean; readonly perSecond: number; readonly burst: number };
}

/** Source: apiserver/pkg/server/options/audit.go, 1.36. */
function deliveryFlags<const P extends string>(
  prefix: P,
  { batchMaxSize, batchMaxWaitMs, mode, throttle }: DeliveryDefaults,
): { readonly [K in keyof DeliveryFlags as `${P}-${K}`]: DeliveryFlags[K] } {
  const flags: DeliveryFlags = {
    mode: enumFlag(
      'How events are handed over: batch buffers them, blocking makes answers wait for them, blocking-strict ' +
        'also fails requests whose arrival cannot be recorded.',
      mode,
      modes,
    ),
    'batch-buffer-size': intFlag('Events that may wait; more are dropped. For batch.', 10_000),
    'batch-max-size': intFlag('Most events of a batch. For batch.', batchMaxSize),
    'batch-max-wait': durationFlag('Longest that a batch that is not full waits. For batch.', batchMaxWaitMs),
    'batch-throttle-enable': booleanFlag('Limit the rate of batches. For batch.', throttle.enabled),
    'batch-throttle-qps': floatFlag('Batches per second on average. For batch.', throttle.perSecond),
    'batch-throttle-burst': intFlag('Batches that may go at once when none went before. For batch.', throttle.burst),
    'truncate-enabled': booleanFlag('Cut events and batches that are too large.'),
    'truncate-max-batch-size': intFlag('Bytes of a batch; larger ones are split.', 10 * 1024 * 1024),
    'truncate-max-event-size': intFlag(
      'Bytes of an event; larger ones lose their request and response, or are dropped if that is not enough.',
      100 * 1024,
    ),
    version: stringFlag('Version of events.', 'audit.k8s.io/v1', (text) =>
      text === 'audit.k8s.io/v1' ? undefined : `invalid audit version ${text}, allowed versions are "audit.k8s.io/v1"`,
    ),
  };
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [`${prefix}-${name}`, flag])) as {
    readonly [K in keyof DeliveryFlags as `${P}-${K}`]: DeliveryFlags[K];
  };
}

/** The audit log and the audit webhook. Turned into an Auditor by `auditorFromFlags`. */
export const auditFlags = flagSet('Auditing', {
  'audit-policy-file': fileFlag('File with the audit policy; without one nothing is recorded.'),
  'audit-log-path': stringFlag('File that events are appended to, one JSON object a line; `-` is standard output.'),
  'audit-log-format': enumFlag('Form of events.', 'json', ['json', 'legacy']),
  'audit-log-maxsize': intFlag('Megabytes after which the file is rotated; 0 never.', 100),
  'audit-log-maxbackup': intFlag('Rotated files that are kept; 0 keeps all.', 100),
  'audit-log-maxage': intFlag('Days for which rotated files are kept; 0 keeps all.', 366),
  'audit-log-compress': booleanFlag('Compress rotated files with gzip.'),
  ...deliveryFlags('audit-log', {
    mode: 'blocking',
    batchMaxSize: 1,
    batchMaxWaitMs: 0,
    throttle: { enabled: false, perSecond: 0, burst: 0 },
  }),
  'audit-webhook-config-file': fileFlag('Kubeconfig of a webhook that events are sent to.'),
  'audit-webhook-initial-backoff': durationFlag('How long a failed call waits before it is tried again.', 10_000),
  ...deliveryFlags('audit-webhook', {
    mode: 'batch',
    batchMaxSize: 400,
    batchMaxWaitMs: 30_000,
    throttle: { enabled: true, perSecond: 10, burst: 15 },
  }),
});
