import type { Dispatcher } from 'undici';
import type { HopPool } from './hop-pool.ts';
import { stampIdentity } from './identity-headers.ts';

/** The user that a process is when it asks the next one on its own account (upstream's loopback user). */
const loopbackUser = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };

/** GETs a small text from the next process; rejects when it does not answer until `signal` aborts. */
export function fetchText(pool: HopPool, { path, signal }: { readonly path: string; readonly signal: AbortSignal }): Promise<{ readonly status: number; readonly body: string }> {
  const headers: string[] = ['Accept', 'application/json, text/plain'];
  stampIdentity(headers, { user: loopbackUser });
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    const chunks: Buffer[] = [];
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
      onResponseStart(_controller, statusCode) { status = statusCode; },
      onResponseData(_controller, chunk) { chunks.push(chunk); },
      onResponseEnd() {
        signal.removeEventListener('abort', onAbort);
        resolve({ status, body: Buffer.concat(chunks).toString() });
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
