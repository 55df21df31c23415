import { messageOf, sleep, type Randomness, type TimerClock } from '@kubechain/apimachinery';
import type { KubeClient } from '../rest-client/kube-client.ts';
import type { AuditMetrics } from './audit-metrics.ts';
import {
  eventText,
  textPieces,
  textSize,
  type EventText,
  type AuditBackend,
  type AuditEvent,
  type AuditHold,
} from './audit-event.ts';

/** Of one list of events (apiserver/pkg/util/webhook, DefaultRetryBackoffWithInitialDelay, 1.36). */
const attempts = 5;
const factor = 1.5;
const jitter = 0.2;

export interface AuditWebhookOptions {
  readonly client: Pick<KubeClient, 'post' | 'close'>;
  readonly holds: AuditHold;
  readonly initialBackoffMs: number;
  readonly clock: TimerClock;
  readonly metrics: AuditMetrics;
  readonly random: Randomness['random'];
}

/**
 * Posts events as an EventList, and again whatever goes wrong, before they are given up (plugin/pkg/audit/webhook,
 * 1.36).
 */
export class AuditWebhook implements AuditBackend {
  readonly holds: AuditHold;
  readonly #options: AuditWebhookOptions;

  constructor(options: AuditWebhookOptions) {
    this.holds = options.holds;
    this.#options = options;
  }

  async process(events: readonly AuditEvent[]): Promise<boolean> {
    const { client, clock, initialBackoffMs, random } = this.#options;
    const text: EventText = [
      '{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[',
      ...events.flatMap((event, i) => (i === 0 ? eventText(event) : [',', ...eventText(event)])),
      ']}',
    ];
    const body = { size: textSize(text), pieces: () => textPieces(text) };
    for (let attempt = 1, delayMs = initialBackoffMs; ; attempt++, delayMs *= factor) {
      try {
        await client.post('', body);
        return true;
      } catch (error) {
        if (attempt === attempts) {
          this.#options.metrics.lost('webhook', messageOf(error), events);
          return false;
        }
      }
      await sleep(clock, delayMs * (1 + random() * jitter));
    }
  }

  close(): Promise<void> {
    this.#options.client.close();
    return Promise.resolve();
  }
}
