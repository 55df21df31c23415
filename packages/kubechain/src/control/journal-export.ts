import { isPlainObject, parseQuery } from '@kubechain/apimachinery';
import type { JournalBody, JournalEntry } from '@kubechain/apiserver/control';
import { LaunchError } from '../launch-error.ts';

/** How a journal is written for other tools. */
export type JournalFormat = 'har' | 'jsonl';

export const JOURNAL_FORMATS: readonly JournalFormat[] = ['har', 'jsonl'];

/**
 * Entries as text: an HTTP archive (HAR 1.2), which browsers and traffic tools open, or an entry in each line, with the
 * bodies that entries have. Neither has headers but User-Agent, nor sizes of what was not recorded (-1, as HAR says).
 */
export function journalText(entries: readonly JournalEntry[], format: JournalFormat): string {
  switch (format) {
    case 'jsonl':
      return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    case 'har':
      return `${JSON.stringify({ log: { version: '1.2', creator, entries: entries.map(harEntry) } }, undefined, 2)}\n`;
    default:
      return format satisfies never;
  }
}

/** The entries of a recording: a journal in JSON lines. @throws LaunchError that names the line */
export function readRecording(text: string): JournalEntry[] {
  return text
    .split('\n')
    .map((line, i) => ({ line, number: i + 1 }))
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => {
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch (error) {
        throw new LaunchError('Usage', `line ${number} of the recording is no JSON`, { cause: error });
      }
      if (!isPlainObject(value) || typeof value['uri'] !== 'string' || typeof value['method'] !== 'string')
        throw new LaunchError('Usage', `line ${number} of the recording is no entry of a journal`);
      return value as unknown as JournalEntry;
    });
}

const creator = { name: 'kubechain', version: '0.1.0' };

const unknownSizes = { headersSize: -1, bodySize: -1 };

/** What HAR has no place for has names that begin with an underscore, as it asks for. */
function harEntry(entry: JournalEntry): object {
  const { answerBody, code, durationMs, method, queuedMs, receivedAt, requestBody, uri, userAgent } = entry;
  // The host is nobody's: only the server's part of an address is known.
  const { href, search } = new URL(uri, 'https://kubernetes.default.svc');
  const common = { httpVersion: 'HTTP', cookies: [], ...unknownSizes };
  return {
    startedDateTime: receivedAt,
    time: durationMs,
    request: {
      ...common,
      method,
      url: href,
      headers: userAgent === '' ? [] : [{ name: 'User-Agent', value: userAgent }],
      queryString: [...parseQuery(search.slice(1))].map(([name, value]) => ({ name, value })),
      ...(requestBody === undefined ? {} : { bodySize: requestBody.bytes, postData: contentOf(requestBody) }),
    },
    response: {
      ...common,
      status: code,
      statusText: '',
      headers: [],
      ...(answerBody === undefined ? {} : { bodySize: answerBody.bytes }),
      content:
        answerBody === undefined ? { size: -1, mimeType: '' } : { size: answerBody.bytes, ...contentOf(answerBody) },
      redirectURL: '',
    },
    cache: {},
    timings: { blocked: queuedMs, send: 0, wait: Math.max(0, durationMs - queuedMs), receive: 0 },
    _id: entry.id,
    _user: entry.user,
    _verb: entry.verb,
    _resource: entry.resource,
    _server: entry.server,
    _auditID: entry.auditID,
    _complete: entry.complete,
    ...(entry.decision === undefined ? {} : { _decision: entry.decision }),
    _flowSchema: entry.flowSchema,
    _priorityLevel: entry.priorityLevel,
    ...(entry.fault === undefined ? {} : { _fault: entry.fault }),
  };
}

function contentOf({ base64, contentType, omitted, text }: JournalBody): object {
  return {
    mimeType: contentType,
    ...(text === undefined ? {} : { text }),
    ...(base64 === undefined ? {} : { text: base64, encoding: 'base64' }),
    ...(omitted === undefined ? {} : { comment: `left out: ${omitted}` }),
  };
}
