import type { ClockState, JournalEntry } from '@kubechain/apiserver/control';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call, get } from './calls.ts';
import { Faults, type Acting } from './faults-card.tsx';
import { milliseconds, statusClass } from './format.ts';
import { useLoaded } from './use-model.ts';

/** Drives what only tests may: snapshots, faults, the clock; and reads the journal. */
export function ControlView(): JSX.Element {
  const [said, setSaid] = useState('');
  const act = async (what: string, done: () => Promise<unknown>): Promise<void> => {
    try {
      await done();
      setSaid(`${what}: done`);
    } catch (error) {
      setSaid(`${what}: ${(error as Error).message}`);
    }
  };
  return (
    <section class="fill">
      <p role="status" class="said">
        {said}
      </p>
      <div class="cards large">
        <Snapshots act={act} />
        <Clock act={act} />
        <Faults act={act} />
        <Journal />
      </div>
    </section>
  );
}

function Snapshots({ act }: Acting): JSX.Element {
  const { again, value } = useLoaded('s', () => get<{ readonly snapshots: readonly string[] }>('/v1/snapshots'), 3_000);
  const [name, setName] = useState('');
  const path = (snapshot: string): string => `/v1/snapshots/${encodeURIComponent(snapshot)}`;
  const run = (what: string, method: string, to: string): void => void act(what, () => call(method, to).then(again));
  return (
    <article class="card">
      <h2>Snapshots</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          run(`save ${name}`, 'PUT', path(name));
        }}
      >
        <label>
          Name <input required value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <button type="submit">Save the state of now</button>
      </form>
      <ul class="rows">
        {value?.snapshots.map((snapshot) => (
          <li key={snapshot}>
            <b>{snapshot}</b>
            <button type="button" onClick={() => run(`restore ${snapshot}`, 'POST', `${path(snapshot)}/restore`)}>
              Restore
            </button>
            <button type="button" onClick={() => run(`delete ${snapshot}`, 'DELETE', path(snapshot))}>
              Delete
            </button>
          </li>
        ))}
      </ul>
    </article>
  );
}

function Clock({ act }: Acting): JSX.Element {
  const { again, value } = useLoaded('c', () => get<ClockState>('/v1/clock'), 1_000);
  const [duration, setDuration] = useState('1h');
  const change = (what: string, body: object): void =>
    void act(what, () => call('POST', '/v1/clock', body).then(again));
  return (
    <article class="card">
      <h2>Clock</h2>
      <p class="clock">{value?.now ?? '–'}</p>
      <p class="dim">
        {value === undefined
          ? ''
          : `${value.frozen ? 'stands still, ' : ''}${value.offsetMs === 0 ? "the machine's" : `${value.offsetMs / 1_000} s off the machine's`}`}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change(`advance ${duration}`, { advance: duration });
        }}
      >
        <label>
          By <input required size={8} value={duration} onInput={(event) => setDuration(event.currentTarget.value)} />
        </label>
        <button type="submit">Advance</button>
        <button type="button" onClick={() => change('freeze', { freeze: value?.frozen !== true })}>
          {value?.frozen === true ? 'Resume' : 'Freeze'}
        </button>
        <button type="button" onClick={() => change('reset', { reset: true })}>
          Reset
        </button>
      </form>
    </article>
  );
}

function Journal(): JSX.Element {
  const [verb, setVerb] = useState('');
  const [resource, setResource] = useState('');
  const query = new URLSearchParams({ ...(verb === '' ? {} : { verb }), ...(resource === '' ? {} : { resource }) });
  const { again, value } = useLoaded(query.toString(), () =>
    get<{ readonly entries: readonly JournalEntry[] }>(`/v1/journal?${query.toString()}`),
  );
  const entries = (value?.entries ?? [])
    .filter(({ userAgent }) => userAgent !== 'kubechain-page')
    .slice(-200)
    .toReversed();
  return (
    <article class="card">
      <h2>Journal</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          again();
        }}
      >
        <label>
          Verb <input size={8} value={verb} onInput={(event) => setVerb(event.currentTarget.value.trim())} />
        </label>
        <label>
          Resource{' '}
          <input size={14} value={resource} onInput={(event) => setResource(event.currentTarget.value.trim())} />
        </label>
        <button type="submit">Look again</button>
      </form>
      <div class="table journal" role="region" aria-label="Journal" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>Status</th>
              <th>Request</th>
              <th>Who</th>
              <th>Took</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={entry.id}>
                <td>
                  <b class={`code ${statusClass(entry.code)}`}>{entry.code}</b>
                </td>
                <td>
                  <span class={`verb ${entry.verb}`}>{entry.verb}</span> {entry.uri}
                </td>
                <td class="dim">{entry.user}</td>
                <td class="dim">{milliseconds(entry.durationMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </article>
  );
}
