import type { RequestMessage } from '@kubechain/apiserver/observe';
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { asCurl, asKubectl } from './copies.ts';
import { diffJSON } from './diff.ts';
import { Diff } from './diff-view.tsx';
import { bytes, milliseconds, statusClass, subjectOf } from './format.ts';
import { ManagedFields } from './managed-fields.tsx';
import { answerOf, frontOf, type Model, type SeenRequest } from './model.ts';
import { Waterfall } from './waterfall.tsx';

interface DetailOptions {
  readonly model: Model;
  readonly request: SeenRequest;
  readonly close: () => void;
}

/** One request, through all processes that it went through. */
export function RequestDetail({ close, model, request }: DetailOptions): JSX.Element {
  const servers = model.facts?.servers ?? [];
  const front = frontOf(request, model.first);
  const answer = answerOf(request, servers);
  const { observed } = front;
  return (
    <aside aria-label="Request" tabIndex={0} key={request.auditID}>
      <div class="title">
        <h2>
          <b class={`code ${statusClass(answer.code)}`}>{answer.code === 0 ? 'cut' : answer.code}</b>{' '}
          <span class={`verb ${answer.verb}`}>{answer.verb}</span> {subjectOf(answer)}
        </h2>
        <button type="button" onClick={close} aria-label="Close">
          ✕
        </button>
      </div>
      <p class="uri">
        {front.method} {front.uri}
      </p>
      <Copies front={front} answer={answer} model={model} />
      <Waterfall request={request} servers={servers} />
      <h3>Who, and why it was let through</h3>
      <dl>
        <Fact name="User">
          {front.user === '' ? '–' : front.user}
          {front.impersonator === undefined ? '' : `, impersonated by ${front.impersonator}`}
        </Fact>
        <Fact name="Groups">{front.groups.join(', ')}</Fact>
        <Fact name="Known by">{observed?.credential}</Fact>
        <Fact name="Decision">{observed?.decision === undefined ? undefined : decisionOf(front)}</Fact>
        <Fact name="Flow schema">
          {observed === undefined || observed.flowSchema === ''
            ? undefined
            : `${observed.flowSchema}, level ${observed.priorityLevel}, waited ${milliseconds(front.queuedMs)}`}
        </Fact>
        <Fact name="Agent">{front.userAgent}</Fact>
        <Fact name="Fault">{front.fault}</Fact>
      </dl>
      <h3>What was answered</h3>
      <dl>
        <Fact name="By">{servers.findLast((name) => request.parts.has(name))}</Fact>
        <Fact name="From">{sourceOf(answer)}</Fact>
        <Fact name="Bytes">
          {`${answer.requestBytes < 0 ? 'none' : bytes(answer.requestBytes)} in, ${bytes(observed?.responseBytes ?? -1)} out`}
        </Fact>
        <Fact name="Audit id">{request.auditID}</Fact>
      </dl>
      {observed === undefined && (
        <p class="note">There were too many requests at that moment to time this one step by step.</p>
      )}
      <Changes answer={answer} />
    </aside>
  );
}

function Fact({ children, name }: { readonly name: string; readonly children: ComponentChildren }): JSX.Element | null {
  if (children === undefined || children === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** What plugins changed, what was stored, and who owns its fields. */
function Changes({ answer }: { readonly answer: RequestMessage }): JSX.Element | null {
  const { observed } = answer;
  if (observed === undefined) return null;
  const { after, before, changes, spans } = observed;
  const webhooks = spans.filter(({ kind }) => kind === 'webhook');
  return (
    <>
      {(changes.length > 0 || webhooks.length > 0) && <h3>Admission</h3>}
      {webhooks.map(({ detail = '', durationMs, name }, index) => (
        <p key={index} class="note">
          Webhook <b>{name}</b> answered after {milliseconds(durationMs)}: <code>{detail}</code>
        </p>
      ))}
      {changes.map(({ after: now, before: then, by }, index) => (
        <details key={index} open={changes.length <= 3}>
          <summary>
            <b>{by}</b> changed the object
          </summary>
          <Diff lines={diffJSON(then, now)} />
        </details>
      ))}
      {after !== undefined && (
        <>
          <h3>{before === undefined ? 'The object' : 'The object, before and after'}</h3>
          <Diff lines={diffJSON(before ?? '', after)} />
          <ManagedFields text={after} />
        </>
      )}
      {after === undefined && before !== undefined && (
        <>
          <h3>The object that went</h3>
          <Diff lines={diffJSON(before, '')} />
        </>
      )}
    </>
  );
}

function Copies({
  answer,
  front,
  model,
}: {
  readonly answer: RequestMessage;
  readonly front: RequestMessage;
  readonly model: Model;
}): JSX.Element | null {
  const [copied, setCopied] = useState('');
  const { facts } = model;
  if (facts === undefined) return null;
  const copy = async (name: string, text: string): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(name);
  };
  const whole = answer.observed === undefined ? front : { ...front, observed: answer.observed };
  return (
    <p class="copies">
      <button type="button" onClick={() => void copy('curl', asCurl(whole, facts))}>
        Copy as curl
      </button>
      <button type="button" onClick={() => void copy('kubectl', asKubectl(whole, facts))}>
        Copy as kubectl
      </button>
      <span role="status">{copied === '' ? '' : `${copied} copied`}</span>
    </p>
  );
}

function decisionOf({ groups, observed }: RequestMessage): string {
  const { decision, reason } = observed!.decision!;
  const word = decision === 'Allow' ? 'allowed' : 'refused';
  if (reason !== '') return `${word}: ${reason}`;
  return groups.includes('system:masters') ? `${word}: members of system:masters may do everything` : word;
}

/** Where an answer of storage came from: of a read as it was seen, of others by what they are. */
function sourceOf({ observed, resource, uri, verb }: RequestMessage): string | undefined {
  if (resource === '') return undefined;
  switch (verb) {
    case 'get':
    case 'list': {
      if (observed?.source === undefined) return undefined;
      if (observed.source === 'store') return 'etcd';
      const query = new URLSearchParams(uri.split('?', 2)[1] ?? '');
      if (query.get('resourceVersionMatch') === 'Exact' || query.has('continue')) return 'snapshot of the watch cache';
      return query.get('resourceVersion') === '0'
        ? 'watch cache, as it was'
        : 'watch cache, once it was as new as the request';
    }
    case 'watch':
      return 'watch cache';
    case 'create':
    case 'update':
    case 'patch':
    case 'delete':
    case 'deletecollection':
      return 'etcd';
    default:
      return undefined;
  }
}
