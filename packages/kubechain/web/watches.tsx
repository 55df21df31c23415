import type { WatchState } from '@kubechain/apiserver/control';
import type { JSX } from 'preact';
import { call, get } from './calls.ts';
import { bytes, milliseconds, seconds } from './format.ts';
import { useLoaded } from './use-model.ts';

/** Watches that are open, those that are behind first. */
export function Watches({ search }: { readonly search: string }): JSX.Element {
  const { error, value } = useLoaded(
    'watches',
    () => get<{ readonly watches: readonly WatchState[] }>('/v1/watches'),
    1_000,
  );
  const watches = (value?.watches ?? [])
    .filter(({ uri, user, userAgent }) => `${uri} ${user} ${userAgent}`.toLowerCase().includes(search.toLowerCase()))
    .toSorted((a, b) => b.unreadBytes - a.unreadBytes || b.sent - a.sent);
  return (
    <section class="fill">
      <div class="title">
        <h2>{watches.length} open watches</h2>
        <button type="button" onClick={() => void call('POST', '/v1/watches/expire')}>
          End all with 410
        </button>
      </div>
      {error !== '' && <p class="error">{error}</p>}
      <div class="table" role="region" aria-label="Watches" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>What</th>
              <th>Who</th>
              <th class="wide">Agent</th>
              <th class="wide">Answered by</th>
              <th class="middling">Open for</th>
              <th>Sent</th>
              <th class="wide">Bytes</th>
              <th>Behind</th>
              <th class="wide">Last</th>
            </tr>
          </thead>
          <tbody>
            {watches.map((watch) => (
              <tr key={watch.auditID}>
                <td class="text">
                  {watch.resource}
                  {watch.group === '' ? '' : `.${watch.group}`}
                  {watch.namespace === '' ? '' : ` in ${watch.namespace}`}
                </td>
                <td class="text dim">{watch.user}</td>
                <td class="text wide dim">{watch.userAgent.slice(0, 60)}</td>
                <td class="wide dim">{watch.server === '' ? 'aggregator' : watch.server}</td>
                <td class="middling">{seconds(watch.openMs / 1_000)}</td>
                <td>{watch.sent}</td>
                <td class="wide">{bytes(watch.bytes)}</td>
                <td>
                  {watch.unreadBytes === 0 ? (
                    <span class="good">nothing</span>
                  ) : (
                    <b class="poor">{bytes(watch.unreadBytes)}</b>
                  )}
                </td>
                <td class="wide dim">{watch.quietMs < 0 ? 'nothing yet' : `${milliseconds(watch.quietMs)} ago`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
