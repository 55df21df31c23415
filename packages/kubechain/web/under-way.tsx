import type { OpenRequest } from '@kubechain/apiserver/observe';
import type { JSX } from 'preact';
import { milliseconds, subjectOf } from './format.ts';
import { Hops } from './hops.tsx';
import type { Model } from './model.ts';

/** A request that has not been answered, as the process that has it now sees it. */
interface RequestUnderWay {
  readonly request: OpenRequest;
  readonly process: string;
  /** Since the first process had it. */
  readonly forMs: number;
}

/** Requests on their way: where each is, and what it waits for. Nothing while all are answered at once. */
export function UnderWay({ model, search }: { readonly model: Model; readonly search: string }): JSX.Element | null {
  const servers = model.facts?.servers ?? [];
  const { more, rows } = underWay(model, servers);
  const shown = rows.filter(({ request }) =>
    `${request.verb} ${request.uri} ${request.user} ${request.auditID}`.toLowerCase().includes(search.toLowerCase()),
  );
  if (shown.length === 0) return null;
  return (
    <section class="under-way" aria-label="Under way">
      <h2>{shown.length + more} under way</h2>
      <div class="table" role="region" aria-label="Requests under way" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>Verb</th>
              <th>What</th>
              <th class="wide">Who</th>
              <th>Where</th>
              <th>Waits for</th>
              <th>Since</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ forMs, process, request }) => (
              <tr key={request.auditID}>
                <td>
                  <span class={`verb ${request.verb}`}>{request.verb}</span>
                </td>
                <td class="what">{subjectOf(request)}</td>
                <td class="wide dim">{request.user}</td>
                <td>
                  <Hops servers={servers} process={process}>
                    <span>{process}</span>
                  </Hops>
                </td>
                <td class="text">{request.doing === '' ? 'its handler' : request.doing}</td>
                <td class="took">{milliseconds(forMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Those that have been on their way for the longest time come first; each is where the last process has it. */
function underWay(
  { open }: Model,
  servers: readonly string[],
): { readonly rows: readonly RequestUnderWay[]; readonly more: number } {
  const rows = new Map<string, RequestUnderWay>();
  let more = 0;
  for (const process of servers) {
    const told = open.get(process);
    more = Math.max(more, told?.more ?? 0);
    for (const request of told?.requests ?? []) {
      const before = rows.get(request.auditID);
      rows.set(request.auditID, {
        request,
        process,
        forMs: Math.max(request.forMs, before?.forMs ?? 0),
      });
    }
  }
  return { rows: [...rows.values()].toSorted((a, b) => b.forMs - a.forMs), more };
}
