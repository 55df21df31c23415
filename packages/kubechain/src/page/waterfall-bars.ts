import type { RequestMessage } from '@kubechain/apiserver/observe';

/** A bar of the waterfall; times in ms since the request came to the first process. */
export interface Bar {
  readonly kind: string;
  readonly name: string;
  readonly startMs: number;
  readonly durationMs: number;
  readonly depth: number;
  readonly detail: string;
}

/** Filters that took less than this are told as one. */
const shortestMs = 0.02;

/**
 * Where the time of a request went: in each process its filters, admission, storage and the hop to the next.
 * @param parts what each process has told of it
 * @param servers processes, the first of the chain first
 */
export function barsOf(parts: ReadonlyMap<string, RequestMessage>, servers: readonly string[]): Bar[] {
  const there = servers.filter((name) => parts.has(name));
  const zero = Math.min(...there.map((name) => parts.get(name)!.startedMs));
  return there.flatMap((process, depth) => {
    const { durationMs, observed, startedMs } = parts.get(process)!;
    const startMs = startedMs - zero;
    const bars: Bar[] = [{ kind: 'process', name: process, startMs, durationMs, depth, detail: '' }];
    let short = 0;
    for (const span of observed?.spans ?? [])
      if (span.kind === 'filter' && span.durationMs < shortestMs) short += span.durationMs;
      else
        bars.push({
          kind: span.kind === 'phase' ? span.name : span.kind,
          name: span.kind === 'plugin' ? `plugin ${span.name}` : span.name,
          startMs: startMs + span.startMs,
          durationMs: span.durationMs,
          depth: depth + 1 + (span.kind === 'plugin' ? 1 : span.kind === 'webhook' || span.kind === 'policy' ? 2 : 0),
          detail: span.detail ?? '',
        });
    if (short > 0)
      bars.push({ kind: 'filter', name: 'other filters', startMs, durationMs: short, depth: depth + 1, detail: '' });
    const [own, ...inside] = bars;
    // What holds others comes before them.
    return [own!, ...inside.sort((a, b) => a.startMs - b.startMs || b.durationMs - a.durationMs)];
  });
}
