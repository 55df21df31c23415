import { StringDecoder } from 'node:string_decoder';
import type { Dispatcher } from 'undici';
import type { HopPool } from './hop-pool.ts';
import { stampIdentity } from './identity-headers.ts';

/** The user that a process is when it asks the next one on its own account (upstream's loopback user). */
const loopbackUser = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };

/** GETs a small text from the next process; rejects when it does not answer until `signal` aborts. */
export async function fetchText(
  pool: HopPool,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal },
): Promise<{ readonly status: number; readonly body: string }> {
  const chunks: Buffer[] = [];
  const status = await fetchStream(pool, {
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
  pool: HopPool,
  {
    path,
    signal,
    onLine,
  }: { readonly path: string; readonly signal: AbortSignal; readonly onLine: (line: string) => void },
): Promise<number> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return fetchStream(pool, {
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

function fetchStream(pool: HopPool, { path, signal, onData }: StreamRequest): Promise<number> {
  const headers: string[] = ['Accept', 'application/json, text/plain'];
  stampIdentity(headers, { user: loopbackUser });
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    const onAbort = (): void => {
      const reason = signal.reason instanceof Error ? signal.reason : new Error('aborted');
      controller?.abort(reason);
      reject(reason);
    };
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (signal.aborted) onAbort();
      },
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData(_controller, chunk) {
        onData(chunk, status);
      },
      onResponseEnd() {
        signal.removeEventListener('abort', onAbort);
        resolve(status);
      },
      onResponseError(_controller, error) {
        signal.removeEventListener('abort', onAbort);
        reject(error);
      },
    };
    try {
      pool.dispatch({ path, method: 'GET', headers, headersTimeout: 0, bodyTimeout: 0 }, handler);
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  });
}
