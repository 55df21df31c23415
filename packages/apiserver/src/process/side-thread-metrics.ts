import type { MetricRegistry, MetricSample } from '@kubechain/shared-storage/metrics';
import type { ExchangeTermination } from '../metrics/exchange-terminations.ts';

/** Why a side server is gone; values of the metric's label `reason` (docs/debugging.md). */
export type SideThreadEnd =
  /** Nobody asked it anything for a while. */
  | 'idle'
  /** Its thread has ended by itself: it was out of memory, or had a mistake. */
  | 'failed'
  /** The process ends. */
  | 'shutdown';

/** What the side servers of a process have done. */
export class SideThreadMetrics {
  readonly #begun = new Map<'begun' | 'failed', number>();
  readonly #requests = new Map<ExchangeTermination['kind'], number>();
  readonly #ended = new Map<SideThreadEnd, number>();

  began(result: 'begun' | 'failed'): void {
    add(this.#begun, result);
  }

  answered({ kind }: ExchangeTermination): void {
    add(this.#requests, kind);
  }

  ended(reason: SideThreadEnd): void {
    add(this.#ended, reason);
  }

  /** Makes the counts part of /metrics. */
  register(registry: MetricRegistry): void {
    const counter = (name: string, help: string): { name: string; help: string; type: 'counter' } => ({
      name: `kubechain_side_server_${name}`,
      help,
      type: 'counter',
    });
    registry.collected(counter('begins_total', 'Number of side servers that were begun, or could not be.'), () =>
      samples('result', this.#begun),
    );
    registry.collected(
      counter('requests_total', 'Number of requests that the side server was given and that have ended, by reason.'),
      () => samples('reason', this.#requests),
    );
    registry.collected(counter('ends_total', 'Number of side servers that have ended, by reason.'), () =>
      samples('reason', this.#ended),
    );
  }
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function samples(label: string, counts: ReadonlyMap<string, number>): MetricSample[] {
  return [...counts].map(([key, value]) => ({ value, labels: { [label]: key } }));
}
