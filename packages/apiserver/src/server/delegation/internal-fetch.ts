import { StringDecoder } from 'node:string_decoder';
import type { HopClient } from './hop-client.ts';
import { stampIdentity } from './identity-headers.ts';

/** The user that a process is when it asks the next one on its own account (upstream's loopback user). */
const loopbackUser = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };

/** GETs a small text from the next process; rejects when it does not answer until `signal` aborts. */
export async function fetchText(
  client: HopClient,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal },
): Promise<{ readonly status: number; readonly body: string }> {
  const chunks: Buffer[] = [];
  const status = await fetchStream(client, {
    path,
    signal,
    onData: (chunk) => {
      chunks.push(chunk);
    },
  });
  return { status, body: Buffer.concat(chunks).toString() };
}

/**
 * GETs lines of text as they come; resolves to the status when the stream ends, rejects when it breaks or `signal`
 * aborts. Lines of answers other than 200 are dropped.
 */
export async function fetchLines(
  client: HopClient,
  {
    path,
    signal,
    onLine,
  }: { readonly path: string; readonly signal: AbortSignal; readonly onLine: (line: string) => void },
): Promise<number> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return fetchStream(client, {
    path,
    signal,
    onData: (chunk, status) => {
      if (status !== 200) return;
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') onLine(line);
    },
  });
}

interface StreamRequest {
  readonly path: string;
  readonly signal: AbortSignal;
  readonly onData: (chunk: Buffer, status: number) => void;
}

function fetchStream(client: HopClient, { path, signal, onData }: StreamRequest): Promise<number> {
  const fields: string[] = ['Accept', 'application/json, text/plain'];
  stampIdentity(fields, { user: loopbackUser });
  return new Promise((resolve, reject) => {
    const reason = (): Error => (signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    if (signal.aborted) {
      reject(reason());
      return;
    }
    const outgoing = client.request({ method: 'GET', path, fields, hasBody: false });
    const onAbort = (): void => void outgoing.destroy(reason());
    signal.addEventListener('abort', onAbort, { once: true });
    const failed = (error: Error): void => {
      signal.removeEventListener('abort', onAbort);
      reject(signal.aborted ? reason() : error);
    };
    outgoing.on('error', failed);
    outgoing.on('response', (answer) => {
      const status = answer.statusCode ?? 0;
      answer.on('error', failed);
      answer.on('data', (chunk: Buffer) => onData(chunk, status));
      answer.once('end', () => {
        signal.removeEventListener('abort', onAbort);
        resolve(status);
      });
    });
    outgoing.end();
  });
}
