import type { ObservedSpan, RequestMessage } from '@kubechain/apiserver/observe';
import type { JSX } from 'preact';
import { statusClass } from './format.ts';
import { answerOf, frontOf, type Model, type SeenRequest } from './model.ts';

interface Group {
  readonly code: number;
  readonly verb: string;
  readonly resource: string;
  readonly user: string;
  readonly requests: SeenRequest[];
}

/** Requests that failed, those that are alike together, most frequent first. */
export function Failures({
  model,
  open,
  search,
}: {
  readonly model: Model;
  readonly search: string;
  readonly open: (auditID: string) => void;
}): JSX.Element {
  const groups = groupsOf(model).filter(({ code, resource, user, verb }) =>
    `${code} ${verb} ${resource} ${user}`.toLowerCase().includes(search.toLowerCase()),
  );
  return (
    <section class="fill">
      <h2>Failed requests</h2>
      {groups.length === 0 && <p class="empty">No request has failed since the page was opened.</p>}
      <div class="table" role="region" aria-label="Failed requests" tabIndex={0}>
        {groups.length > 0 && (
          <table>
            <thead>
              <tr>
                <th>Times</th>
                <th>Status</th>
                <th>Verb</th>
                <th>What</th>
                <th class="wide">Who</th>
                <th>Why</th>
                <th>Last</th>
              </tr>
            </thead>
            <tbody>
              {groups.map(({ code, requests, resource, user, verb }) => (
                <tr key={`${code} ${verb} ${resource} ${user}`}>
                  <td>{requests.length}</td>
                  <td>
                    <b class={`code ${statusClass(code)}`}>{code === 0 ? 'cut' : code}</b>
                  </td>
                  <td>
                    <span class={`verb ${verb}`}>{verb}</span>
                  </td>
                  <td class="text">{resource}</td>
                  <td class="wide dim">{user}</td>
                  <td class="text dim">{reasonOf(requests[0]!, model)}</td>
                  <td>
                    <button type="button" class="link" onClick={() => open(requests[0]!.auditID)}>
                      {new Date(requests[0]!.atMs).toLocaleTimeString('en-GB')}
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </section>
  );
}

function groupsOf(model: Model): Group[] {
  const groups = new Map<string, Group>();
  const servers = model.facts?.servers ?? [];
  for (const request of model.requests) {
    const { code, complete, resource, uri, user, verb } = {
      ...frontOf(request, model.first),
      code: answerOf(request, servers).code,
    };
    if (code < 400 && complete && code !== 0) continue;
    // A watch that the client ends is no failure.
    if (verb === 'watch' && code === 200) continue;
    const what = resource === '' ? uri.split('?', 1)[0]! : resource;
    const key = JSON.stringify([code, verb, what, user]);
    const group = groups.get(key) ?? { code: complete ? code : 0, verb, resource: what, user, requests: [] };
    groups.set(key, group);
    group.requests.push(request);
  }
  return [...groups.values()].sort((a, b) => b.requests.length - a.requests.length);
}

/** A plugin has refused it, or a webhook, or a policy. */
function refusedBehind({ observed }: RequestMessage): boolean {
  return observed?.spans.some(isRefusal) === true;
}

function isRefusal({ detail }: ObservedSpan): boolean {
  return detail === 'refused' || detail?.startsWith('denied') === true;
}

function reasonOf(request: SeenRequest, model: Model): string {
  const { code, complete, fault, observed } = frontOf(request, model.first);
  const answer = answerOf(request, model.facts?.servers ?? []);
  if (fault !== undefined) return `fault ${fault}`;
  if (!complete) return 'the client did not get the whole answer';
  const reason = observed?.decision?.reason ?? '';
  if (code === 403 && answer.delegate === '' && !refusedBehind(answer))
    return reason === '' ? 'no rule allows it' : reason;
  const refused = answer.observed?.spans.find(isRefusal);
  if (refused !== undefined) return `refused by ${refused.name}`;
  return { 401: 'not known', 404: 'not there', 409: 'conflict', 429: 'too many requests' }[code] ?? '';
}
