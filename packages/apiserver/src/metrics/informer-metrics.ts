import { registerCollected } from './collected-metric.ts';

/** By key root and reason. */
let terminations: Map<string, Map<string, number>> | undefined;

/**
 * Counts a watch of an informer that has ended. Registered with the first.
 * @param keyRoot what the informer follows
 * @param reason a kind of WatchEnd
 */
export function informerWatchTerminated(keyRoot: string, reason: string): void {
  const all = (terminations ??= registered());
  let reasons = all.get(keyRoot);
  if (reasons === undefined) all.set(keyRoot, (reasons = new Map()));
  reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
}

function registered(): Map<string, Map<string, number>> {
  const all = new Map<string, Map<string, number>>();
  registerCollected(
    {
      name: 'apiserver_informer_watch_terminations_total',
      type: 'counter',
      help: 'Number of watches of informers of this process that have ended, by reason.',
    },
    function* () {
      for (const [prefix, reasons] of all)
        for (const [reason, value] of reasons) yield { value, labels: { prefix, reason } };
    },
  );
  return all;
}
