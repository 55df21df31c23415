import { Backoff, parseJSON } from '@kubechain/apimachinery';
import { setTimeout as delay } from 'node:timers/promises';
import { discoveryFeedPath, type DiscoveryUpdate } from '../../endpoints/discovery/discovery-feed.ts';
import type { ExchangeTermination } from '../../metrics/exchange-terminations.ts';
import type { HopClient } from './hop-client.ts';
import { fetchLines } from './internal-fetch.ts';

/** First and longest pause before a broken stream is opened again: short, since the next process may be restarting. */
const pausesAfterBreak = { firstMs: 20, longestMs: 1_000 };
/** The same before the first answer: this server is not ready before it knows what the next one serves. */
const pausesAtStart = { firstMs: 20, longestMs: 50 };

/** Whose discovery is followed, and who is told of it. */
export interface FollowDiscoveryOptions {
  readonly client: HopClient;
  readonly onUpdate: (update: DiscoveryUpdate) => void;
  /** Called with each line of the stream, before the update. */
  readonly onAnswer: () => void;
  /** Called with the end of each stream. */
  readonly ended: (reason: ExchangeTermination, servedMs: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Follows what the next process and those behind it serve until `signal` aborts; a broken stream is opened again. The
 * last known state stays good meanwhile: that the target does not answer is said by the answers to its requests.
 */
export async function followDiscovery({
  client,
  ended,
  onAnswer,
  onUpdate,
  signal,
}: FollowDiscoveryOptions): Promise<void> {
  let pauses = new Backoff(pausesAtStart);
  let everAnswered = false;
  while (!signal.aborted) {
    const startedAt = performance.now();
    let reason: ExchangeTermination = { kind: 'completed' };
    let answered = false;
    try {
      await fetchLines(client, {
        path: discoveryFeedPath,
        signal,
        onLine: (line) => {
          if (everAnswered) pauses.reset();
          else pauses = new Backoff(pausesAfterBreak);
          answered = everAnswered = true;
          onAnswer();
          onUpdate(parseJSON(line) as DiscoveryUpdate);
        },
      });
    } catch (error) {
      if (signal.aborted) reason = { kind: 'shutting_down' };
      else reason = { kind: answered ? 'broken' : 'unreachable', error };
    }
    ended(reason, performance.now() - startedAt);
    await delay(pauses.next(), undefined, { ref: false });
  }
}
