import type { AuditMetrics } from './audit-metrics.ts';
import {
  eventText,
  textSize,
  writtenEvent,
  type AuditBackend,
  type AuditEvent,
  type AuditHold,
} from './audit-event.ts';

export interface TruncateOptions {
  readonly maxEventBytes: number;
  readonly maxBatchBytes: number;
  readonly metrics: AuditMetrics;
}

/**
 * Cuts what is too large: an event loses its request and response, and is dropped when that is not enough; a batch
 * becomes several (plugin/pkg/audit/truncate, 1.36).
 */
export class TruncatingBackend implements AuditBackend {
  readonly holds: AuditHold;
  readonly #next: AuditBackend;
  readonly #options: TruncateOptions;

  constructor(next: AuditBackend, options: TruncateOptions) {
    this.#next = next;
    this.#options = options;
    this.holds = next.holds ?? 'nothing';
  }

  process(events: readonly AuditEvent[]): boolean | Promise<boolean> {
    const { maxBatchBytes, maxEventBytes } = this.#options;
    const batches: AuditEvent[][] = [];
    let bytes = Infinity;
    for (const each of events) {
      const given = writtenEvent(each);
      const large = given.level === 'Request' || given.level === 'RequestResponse';
      const event = large && sizeOf(given) > maxEventBytes ? writtenEvent(withoutObjects(given)) : given;
      const size = sizeOf(event);
      if (size > maxEventBytes) {
        this.#options.metrics.lost('truncate', 'event is too large even after truncating', [event]);
        continue;
      }
      if (bytes + size > maxBatchBytes) {
        batches.push([]);
        bytes = 0;
      }
      bytes += size;
      batches.at(-1)?.push(event);
    }
    const taken = batches.map((batch) => this.#next.process(batch));
    return taken.some((each) => each instanceof Promise)
      ? Promise.all(taken.map((each) => Promise.resolve(each))).then((all) => all.every(Boolean))
      : taken.every(Boolean);
  }

  close(): Promise<void> {
    return this.#next.close();
  }
}

/** Go's encoder ends an object with a newline. */
function sizeOf(event: AuditEvent): number {
  return textSize(eventText(event)) + 1;
}

/** Of one that is written: its objects are in its text alone. */
function withoutObjects({ text: _text, ...event }: AuditEvent): AuditEvent {
  return { ...event, annotations: { ...event.annotations, 'audit.k8s.io/truncated': 'true' } };
}
