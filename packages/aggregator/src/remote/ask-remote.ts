import type { IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { goErrorText, identityHeaders } from '@kubechain/apiserver';
import type { UserInfo } from '@kubechain/apiserver';
import { aggregatorUser } from './remote-identity.ts';
import type { RemoteService } from './remote-service.ts';

/** Documents of extension API servers are read up to this size: a server that sends without end must not fill the memory. */
const maxBodyBytes = 32 << 20;

/** An extension API server did not answer; the message is in Go's words. */
export class RemoteAskError extends Error {
  override readonly name = 'RemoteAskError';
}

export interface RemoteAnswer { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }

/** How to ask. */
export interface RemoteQuestion {
  readonly address: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Who asks; default the aggregator itself. */
  readonly user?: UserInfo;
  /** Until the whole answer is there. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** GETs a document of an extension API server on this process's own account. @throws RemoteAskError */
export function askRemote(remote: RemoteService, { address, path, headers = {}, user = aggregatorUser, timeoutMs, signal }: RemoteQuestion): Promise<RemoteAnswer> {
  const timeout = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      const text = timeout.aborted ? 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)' : goErrorText(error, address);
      reject(new RemoteAskError(`Get ${JSON.stringify(`https://${address}${path}`)}: ${text}`, { cause: error }));
    };
    const url = new URL(`https://${address}`);
    const outgoing = httpsRequest({
      host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? 443 : Number(url.port), path, agent: remote.agent,
      headers: { host: address, ...headers, ...identityHeaders(user) },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > maxBodyBytes) response.destroy(new RemoteAskError('the document is too large'));
      });
      response.on('end', () => { resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() }); });
      response.on('error', fail);
    });
    outgoing.on('error', fail);
    outgoing.end();
  });
}
