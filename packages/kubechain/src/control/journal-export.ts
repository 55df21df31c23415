import type { JournalEntry } from '@kubechain/apiserver/control';

/** How a journal is written for other tools. */
export type JournalFormat = 'har' | 'jsonl';

export const JOURNAL_FORMATS: readonly JournalFormat[] = ['har', 'jsonl'];

/**
 * Entries as text: an HTTP archive (HAR 1.2), which browsers and traffic tools open, or an entry in each line. Neither
 * has bodies, headers but User-Agent, or sizes (-1, as HAR says for unknown).
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

const creator = { name: 'kubechain', version: '0.1.0' };

const unknownSizes = { headersSize: -1, bodySize: -1 };

/** What HAR has no place for has names that begin with an underscore, as it asks for. */
function harEntry(entry: JournalEntry): object {
  const { code, durationMs, method, queuedMs, receivedAt, uri, userAgent } = entry;
  // The host is nobody's: only the server's part of an address is known.
  const { href, searchParams } = new URL(uri, 'https://kubernetes.default.svc');
  const common = { httpVersion: 'HTTP', cookies: [], ...unknownSizes };
  return {
    startedDateTime: receivedAt,
    time: durationMs,
    request: {
      ...common,
      method,
      url: href,
      headers: userAgent === '' ? [] : [{ name: 'User-Agent', value: userAgent }],
      queryString: [...searchParams].map(([name, value]) => ({ name, value })),
    },
    response: {
      ...common,
      status: code,
      statusText: '',
      headers: [],
      content: { size: -1, mimeType: '' },
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
    ...(entry.fault === undefined ? {} : { _fault: entry.fault }),
  };
}
