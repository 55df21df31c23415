import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { milliseconds, statusClass, subjectOf } from './format.ts';
import { Hops } from './hops.tsx';
import { answerOf, frontOf, type Model, type SeenRequest } from './model.ts';

interface RequestsOptions {
  readonly model: Model;
  readonly search: string;
  readonly opened: string;
  readonly open: (auditID: string) => void;
  /** Rows at most. */
  readonly most: number;
  readonly filters?: boolean;
}

const kinds = {
  all: () => true,
  writes: (verb: string) => ['create', 'update', 'patch', 'delete', 'deletecollection'].includes(verb),
  reads: (verb: string) => ['get', 'list'].includes(verb),
  watches: (verb: string) => verb === 'watch',
} as const;
type Kind = keyof typeof kinds;

/** Requests as they come, newest first. */
export function Requests({ filters = false, model, most, open, opened, search }: RequestsOptions): JSX.Element {
  const [kind, setKind] = useState<Kind>('all');
  const [failed, setFailed] = useState(false);
  const [system, setSystem] = useState(true);
  const servers = model.facts?.servers ?? [];
  const shown: SeenRequest[] = [];
  for (const request of model.requests) {
    const front = frontOf(request, model.first);
    if (!kinds[kind](front.verb) || (failed && front.code < 400 && front.complete)) continue;
    if (!system && front.user.startsWith('system:') && !front.user.startsWith('system:serviceaccount:')) continue;
    if (search !== '' && !matches(request, front, search)) continue;
    if (shown.push(request) === most) break;
  }
  const slowest = Math.max(1, ...shown.map((request) => durationOf(request, model.first)));
  return (
    <>
      {filters && (
        <div class="filters" role="group" aria-label="Which requests">
          {(Object.keys(kinds) as Kind[]).map((name) => (
            <button key={name} type="button" aria-pressed={kind === name} onClick={() => setKind(name)}>
              {name}
            </button>
          ))}
          <label>
            <input type="checkbox" checked={failed} onChange={() => setFailed(!failed)} /> failed only
          </label>
          <label>
            <input type="checkbox" checked={system} onChange={() => setSystem(!system)} /> of the control plane
          </label>
          <span class="hint">
            <kbd>j</kbd> <kbd>k</kbd> from one to the next, <kbd>Esc</kbd> closes
          </span>
        </div>
      )}
      <div class="table requests" role="region" aria-label="Requests" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>Time</th>
              <th>Status</th>
              <th>Verb</th>
              <th>What</th>
              <th class="wide">Who</th>
              <th class="middling">Answered by</th>
              <th>Took</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((request) => {
              const front = frontOf(request, model.first);
              const answer = answerOf(request, servers);
              const process = front.delegate === '' ? model.first : nameOf(request, servers, front.delegate);
              const took = durationOf(request, model.first);
              return (
                <tr
                  key={request.auditID}
                  class={opened === request.auditID ? 'opened' : ''}
                  onClick={() => open(request.auditID)}
                >
                  <td class="dim">{new Date(request.atMs).toLocaleTimeString('en-GB')}</td>
                  <td>
                    <b class={`code ${statusClass(answer.code)}`}>{answer.code === 0 ? 'cut' : answer.code}</b>
                  </td>
                  <td>
                    <span class={`verb ${answer.verb}`}>{answer.verb}</span>
                  </td>
                  <td class="what">
                    <button type="button" class="link" onClick={() => open(request.auditID)}>
                      {subjectOf(answer)}
                    </button>
                    {front.fault === undefined ? null : <span class="tag bad">fault</span>}
                  </td>
                  <td class="wide dim">{front.user}</td>
                  <td class="middling">
                    <Hops servers={servers} process={process}>
                      <span class="wide">{process}</span>
                    </Hops>
                  </td>
                  <td class="took">
                    <span>{milliseconds(took)}</span>
                    <meter min={0} max={Math.log1p(slowest)} value={Math.log1p(took)} aria-hidden="true" />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
        {shown.length === 0 && (
          <p class="empty">
            {search === '' ? 'No requests yet. Try: kubectl get pods -A' : 'Nothing fits the search.'}
          </p>
        )}
      </div>
    </>
  );
}

function durationOf(request: SeenRequest, first: string): number {
  return frontOf(request, first).durationMs;
}

function nameOf(request: SeenRequest, servers: readonly string[], delegate: string): string {
  return servers.findLast((name) => request.parts.has(name)) ?? delegate;
}

/** Each word of the search is somewhere in the request. */
function matches(request: SeenRequest, front: ReturnType<typeof frontOf>, search: string): boolean {
  const text =
    `${front.code} ${front.verb} ${front.uri} ${front.resource} ${front.user} ${front.userAgent} ${request.auditID}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
