import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { messageOf } from '@kubechain/apimachinery/message-of';
import type { ClientAddress } from './client-address.ts';

const ANSWER_TIMEOUT_MS = 5_000;
/** More than the lines of all checks. */
const MAX_ANSWER_CHARACTERS = 1 << 16;

/** What a server says of itself. `failing` are the checks that do not hold, or why nobody has answered. */
export type Readyz = { readonly kind: 'ready' } | { readonly kind: 'unready'; readonly failing: string };

/** Asks whether a server is ready, as anybody may. `caFile` holds the authority of its certificate. Never rejects. */
export function askReadyz({ server, serverName }: ClientAddress, caFile: string): Promise<Readyz> {
  return new Promise((resolve) => {
    const unready = (failing: string): void => {
      resolve({ kind: 'unready', failing });
    };
    const call = request(
      new URL('/readyz', server),
      {
        agent: false,
        ca: readFileSync(caFile),
        timeout: ANSWER_TIMEOUT_MS,
        ...(serverName === undefined ? {} : { servername: serverName }),
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          if (text.length < MAX_ANSWER_CHARACTERS) text += piece;
        });
        response.once('error', (error) => {
          unready(error.message);
        });
        response.once('end', () => {
          if (response.statusCode === 200) resolve({ kind: 'ready' });
          else unready(failingChecks(text) || `readyz answers ${response.statusCode}`);
        });
      },
    );
    call.once('timeout', () => call.destroy(new TypeError(`no answer within ${ANSWER_TIMEOUT_MS / 1000} s`)));
    call.once('error', (error) => {
      unready(messageOf(error));
    });
    call.end();
  });
}

/** `etcd, informer-sync`, of the lines that begin with `[-]`. */
function failingChecks(text: string): string {
  return [...text.matchAll(/^\[-\](\S+)/gm)].map(([, name]) => name).join(', ');
}
