import type { JSX } from 'preact';
import { barsOf } from '../src/page/waterfall-bars.ts';
import { milliseconds } from './format.ts';
import type { SeenRequest } from './model.ts';

/** Where the time of a request went: in each process its filters, admission, storage and the hop to the next. */
export function Waterfall({
  request,
  servers,
}: {
  readonly request: SeenRequest;
  readonly servers: readonly string[];
}): JSX.Element {
  const bars = barsOf(request.parts, servers);
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
            <span class={`name depth${depth}`}>{kind === 'plugin' ? name.replace(/^plugin /, '') : name}</span>
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
