import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { limits } from '@kubechain/apimachinery';
import { boundInformation, GatheredBody, goErrorText, identityHeaders } from '@kubechain/apiserver/proxies';
import { Turns, type UserInfo } from '@kubechain/apiserver/resources';
import { ArrivingValues } from './arriving-values.ts';
import { aggregatorUser } from './remote-identity.ts';
import type { RemoteService } from './remote-service.ts';

/**
 * Documents of extension API servers are read up to this size: a server that sends without end must not fill the
 * memory.
 */
const maxBodyBytes = limits.extensionDocument.value;

/** Of an answer whose status alone counts, so much is read, in bytes, so that its connection can be used again. */
const unreadBytes = 64 * 1024;

/** What Go's client calls itself. */
const userAgent = 'Go-http-client/1.1';

/** An extension API server did not answer; the message is in Go's words. */
export class RemoteAskError extends Error {
  override readonly name = 'RemoteAskError';
}

export interface RemoteAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Members and items of the body. */
  readonly values: number;
}

/** How to ask. */
export interface RemoteQuestion {
  readonly address: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Who asks; default the aggregator itself. */
  readonly user?: UserInfo;
  /**
   * The reference asks for most documents through its own proxy, which says so; not when it looks whether a server is
   * there. Default true.
   */
  readonly proxied?: boolean;
  /** The status is what is asked for: the answer is there with its headers, and has no body. Default false. */
  readonly statusOnly?: boolean;
  /** From the turn to ask until the whole answer is there. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * GETs a document of an extension API server on this process's own account, when it is its turn to ask.
 * @throws RemoteAskError
 */
export async function askRemote(remote: RemoteService, question: RemoteQuestion): Promise<RemoteAnswer> {
  const { address, path, signal, timeoutMs } = question;
  await remote.turnToAsk();
  const timeout = new AbortController();
  // Ended with the question: a signal that is aborted later costs as much as one that somebody listens to.
  const timer = setTimeout(() => {
    timeout.abort();
  }, timeoutMs);
  const bounded = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]);
  try {
    // The turn may have come long after the question was given up.
    bounded.throwIfAborted();
    const faulty = await remote.meetFault(bounded);
    if (faulty !== undefined)
      return { status: faulty.status, headers: { 'content-type': faulty.contentType }, body: faulty.body, values: 0 };
    return await ask(remote, question, bounded);
  } catch (error) {
    const text = timeout.signal.aborted
      ? 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'
      : goErrorText(error as Error, address);
    throw new RemoteAskError(`Get ${JSON.stringify(`https://${address}${path}`)}: ${text}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function ask(
  remote: RemoteService,
  { address, path, headers = {}, user = aggregatorUser, proxied = true, statusOnly = false }: RemoteQuestion,
  signal: AbortSignal,
): Promise<RemoteAnswer> {
  return new Promise((resolve, fail) => {
    const url = new URL(`https://${address}`);
    const outgoing = httpsRequest(
      {
        host: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port === '' ? 443 : Number(url.port),
        path,
        agent: proxied ? remote.agent : remote.lookingAgent,
        headers: {
          host: address,
          'accept-encoding': 'gzip',
          ...(proxied
            ? { 'x-forwarded-host': address, 'x-forwarded-proto': 'https', 'x-forwarded-uri': path }
            : { 'user-agent': userAgent }),
          ...headers,
          ...identityHeaders(user),
        },
        signal,
      },
      (response) => {
        const { headers: fields, statusCode: status = 0 } = response;
        if (statusOnly) {
          leave(response);
          resolve({ status, headers: fields, body: '', values: 0 });
          return;
        }
        const chunks: Buffer[] = [];
        let size = 0;
        let count = 0;
        const values = new ArrivingValues();
        const packed = fields['content-encoding']?.toLowerCase() === 'gzip' && fields['content-length'] !== '0';
        const whole = new GatheredBody(response, new Turns()).on('error', fail);
        const body: Readable = packed ? whole.pipe(createGunzip()).on('error', fail) : whole;
        body.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          count = values.add(chunk);
          const many = count > limits.extensionValues.value;
          if (size <= maxBodyBytes && !many) return;
          fail(new RemoteAskError(many ? 'the document has too many values' : 'the document is too large'));
          // What is packed may have come whole long before it is unpacked.
          body.destroy();
          response.destroy();
        });
        body.on('end', () => {
          resolve({ status, headers: fields, body: Buffer.concat(chunks).toString(), values: count });
        });
      },
    );
    boundInformation(outgoing);
    outgoing.on('error', fail);
    outgoing.end();
  });
}

/** Reads what comes of a short answer, and no more of a long one than that. */
function leave(response: IncomingMessage): void {
  let size = 0;
  response.on('error', () => undefined);
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > unreadBytes) response.destroy();
  });
}
