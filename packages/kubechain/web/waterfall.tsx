import type { JSX } from 'preact';
import { milliseconds } from './format.ts';
import type { SeenRequest } from './model.ts';

/** A bar of the waterfall; times in ms since the request came to the first process. */
interface Bar {
  readonly kind: string;
  readonly name: string;
  readonly startMs: number;
  readonly durationMs: number;
  readonly depth: number;
  readonly detail: string;
}

/** Filters that took less than this are told as one. */
const shortestMs = 0.02;

/** Where the time of a request went: in each process its filters, admission, storage and the hop to the next. */
export function Waterfall({
  request,
  servers,
}: {
  readonly request: SeenRequest;
  readonly servers: readonly string[];
}): JSX.Element {
  const bars = barsOf(request, servers);
  const total = Math.max(0.001, ...bars.map(({ durationMs, startMs }) => startMs + durationMs));
  return (
    <figure class="waterfall">
      <figcaption class="scale" aria-hidden="true">
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <span key={share}>{share === 0 ? '0' : milliseconds(total * share)}</span>
        ))}
      </figcaption>
      <ol>
        {bars.map(({ depth, detail, durationMs, kind, name, startMs }, index) => (
          <li key={index} title={`${name}: ${milliseconds(durationMs)} ${detail}`}>
            <span class={`name depth${depth}`}>{name}</span>
            <svg class="track" viewBox="0 0 1000 14" preserveAspectRatio="none" aria-hidden="true">
              <rect
                class={kind}
                x={(startMs / total) * 1_000}
                y={2}
                width={Math.max(3, (durationMs / total) * 1_000)}
                height={10}
              />
            </svg>
            <span class="time">{milliseconds(durationMs)}</span>
          </li>
        ))}
      </ol>
    </figure>
  );
}

function barsOf({ parts }: SeenRequest, servers: readonly string[]): Bar[] {
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
