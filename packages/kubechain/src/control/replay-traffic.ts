import { isPlainObject, parseQuery } from '@kubechain/apimachinery';
import type { JournalBody, JournalEntry } from '@kubechain/apiserver/control';
import { parse } from 'yaml';
import type { APIAnswer, JSONClient, APIRequest } from '../testing/json-client.ts';
import { AnswerComparison, type ValueDifference } from './answer-comparison.ts';

/** A request that was answered otherwise than in the recording. */
export interface ReplayDifference {
  readonly entry: JournalEntry;
  /** Of the new answer. */
  readonly code: number;
  /** Of the bodies; empty where the codes differ, or one of the bodies is not there. */
  readonly differences: readonly ValueDifference[];
}

/** What came of a replay. */
export interface ReplayResult {
  /** Requests that were sent. */
  readonly sent: number;
  readonly differences: readonly ReplayDifference[];
  /** Requests that could not be sent again, and why. */
  readonly skipped: readonly { readonly entry: JournalEntry; readonly why: string }[];
}

/**
 * Sends the requests of a recording one after the other, in the order of their ends, and compares what is answered.
 * Ids, revisions and generated names of the recording become those that the server here has given.
 */
export async function replayTraffic(client: JSONClient, entries: readonly JournalEntry[]): Promise<ReplayResult> {
  const comparison = new AnswerComparison();
  const differences: ReplayDifference[] = [];
  const skipped: { readonly entry: JournalEntry; readonly why: string }[] = [];
  let sent = 0;
  for (const entry of entries) {
    const why = whyNot(entry);
    if (why !== undefined) {
      skipped.push({ entry, why });
      continue;
    }
    const answer = await client.ask(await requestOf(client, entry, comparison));
    sent++;
    const found = compareAnswers(entry, answer, comparison);
    if (answer.status !== entry.code || found.length > 0)
      differences.push({ entry, code: answer.status, differences: found });
  }
  return { sent, differences, skipped };
}

const writes: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

function whyNot({
  answerBody,
  code,
  complete,
  fault,
  method,
  requestBody,
  resource,
  verb,
}: JournalEntry): string | undefined {
  if (resource === '') return 'is no request for a resource';
  if (verb === 'watch' || verb === 'connect') return 'is a stream';
  if (fault !== undefined) return 'met a fault';
  if (!complete || code === 0) return 'was not answered';
  if (code === 401 || code === 429 || (code === 403 && answerBody === undefined))
    return 'was refused for who had sent it, or when';
  if (requestBody === undefined) return writes.has(method) ? 'has no body in the recording' : undefined;
  if (requestBody.omitted !== undefined) return `has no body in the recording: ${requestBody.omitted}`;
  return isText(requestBody) ? undefined : 'has a body that is neither JSON nor YAML';
}

function isText({ contentType, text }: JournalBody): boolean {
  return text !== undefined && /json|yaml/.test(contentType);
}

async function requestOf(client: JSONClient, entry: JournalEntry, comparison: AnswerComparison): Promise<APIRequest> {
  const { method, requestBody, userAgent } = entry;
  const path = replacedPath(entry.uri, comparison);
  // Field managers have its name.
  const request = { method: method as APIRequest['method'], path, userAgent };
  if (requestBody === undefined) return request;
  const body = replacedIn(parse(requestBody.text ?? ''), comparison);
  return {
    ...request,
    body: await withRevision(client, { entry, path, body }, comparison),
    contentType: requestBody.contentType,
  };
}

/**
 * A revision that the controller had from a watch is in no answer of the recording: what it wrote with success then,
 * was the latest, and what met a conflict was not.
 */
async function withRevision(
  client: JSONClient,
  { body, entry, path }: { readonly entry: JournalEntry; readonly path: string; readonly body: unknown },
  comparison: AnswerComparison,
): Promise<unknown> {
  const recorded = revisionOf(JSON.stringify(parse(entry.requestBody?.text ?? '')));
  if (
    entry.method === 'POST' ||
    recorded === undefined ||
    comparison.revision(recorded) !== undefined ||
    !isPlainObject(body)
  )
    return body;
  const metadata = isPlainObject(body['metadata']) ? body['metadata'] : {};
  const latest =
    entry.code === 409
      ? '1'
      : revisionOf((await client.ask({ method: 'GET', path: path.split('?', 1)[0] ?? path })).text);
  return { ...body, metadata: { ...metadata, resourceVersion: latest ?? recorded } };
}

function revisionOf(text: string): string | undefined {
  const value = json(text);
  const metadata = isPlainObject(value) ? value['metadata'] : undefined;
  const revision = isPlainObject(metadata) ? metadata['resourceVersion'] : undefined;
  return typeof revision === 'string' && revision !== '' ? revision : undefined;
}

function replacedPath(uri: string, comparison: AnswerComparison): string {
  const [path = '', search] = uri.split('?', 2);
  const named = path
    .split('/')
    .map((part) => encodeURIComponent(comparison.replaced(decodeURIComponent(part))))
    .join('/');
  if (search === undefined) return named;
  const query = parseQuery(search);
  for (const name of ['resourceVersion', 'continue']) {
    const value = query.get(name);
    if (value !== null && value !== '' && value !== '0') {
      const here = comparison.revision(value);
      if (here !== undefined) query.set(name, here);
      // A revision of the other server means nothing here; the latest has all that was seen then.
      else if (name === 'resourceVersion') {
        query.delete(name);
        query.delete('resourceVersionMatch');
      }
    }
  }
  return `${named}?${query.toString()}`;
}

function replacedIn(value: unknown, comparison: AnswerComparison): unknown {
  if (typeof value === 'string') return comparison.replaced(value);
  if (Array.isArray(value)) return value.map((item) => replacedIn(item, comparison));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'resourceVersion' && typeof member === 'string'
        ? (comparison.revision(member) ?? member)
        : replacedIn(member, comparison),
    ]),
  );
}

function compareAnswers(
  { answerBody, code }: JournalEntry,
  { status, text }: APIAnswer,
  comparison: AnswerComparison,
): readonly ValueDifference[] {
  if (code !== status || answerBody?.text === undefined) return [];
  const [recorded, replayed] = [json(answerBody.text), json(text)];
  return recorded === undefined || replayed === undefined ? [] : comparison.compare(recorded, replayed);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
