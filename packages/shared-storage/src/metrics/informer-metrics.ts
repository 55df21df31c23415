import type { InformerEnds } from '../storage/informer-ends.ts';
import type { WatchEnd } from '../storage/watch-end.ts';
import type { ValueFamily } from './metric-family.ts';
import type { MetricRegistry } from './metric-registry.ts';

/** Why the watches that informers live on have ended, of all informers of a server. */
export class InformerMetrics implements InformerEnds {
  readonly #terminations: ValueFamily;

  constructor(registry: MetricRegistry) {
    this.#terminations = registry.counter(
      'apiserver_informer_watch_terminations_total',
      'Number of watches that informers of this server have lived on and that have ended, by key root and reason.',
      ['key_root', 'reason'],
    );
  }

  ended(keyRoot: string, { kind }: WatchEnd): void {
    this.#terminations.cell(keyRoot, kind).inc();
  }
}
