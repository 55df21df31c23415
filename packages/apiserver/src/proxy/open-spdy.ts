import { parseJSON } from '@kubechain/apimachinery';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { goErrorText } from '../services/go-error-text.ts';
import { SpdyClient } from '../streaming/spdy-client.ts';
import { dialAddress, endSlowDial, paced, requestOptions, targetOf, urlOf, type Backend } from './backend.ts';
import { boundInformation } from '../request/bound-information.ts';
import { ProxyError } from './proxy-error.ts';
import { nodeHTTPS } from '../certificates/node-tls.ts';

// Not imported: an import reads all exports of node:http, and one of them loads undici (90 ms of a start).
const { request: httpRequest } = process.getBuiltinModule('node:http');

/** Of a refusal this much is read. */
const maxRefusalBytes = 64 << 10;

/** A SPDY connection with the protocol that the peer has chosen, '' when it has chosen none. */
export interface OpenedSpdy {
  readonly client: SpdyClient;
  readonly socket: Duplex;
  readonly protocol: string;
}

/**
 * Opens a SPDY/3.1 connection on this server's own account, offering `protocols` (client-go transport/spdy, 1.36).
 * @throws ProxyError `error sending request: …`, `unable to upgrade connection: …`
 */
export function openSpdy(
  backend: Backend,
  { protocols, signal }: { readonly protocols: readonly string[]; readonly signal: AbortSignal },
): Promise<OpenedSpdy> {
  return new Promise((resolve, reject) => {
    const fail = (text: string, cause?: Error): void => {
      reject(new ProxyError(text, { cause }));
    };
    const notSent = (text: string, cause?: Error): void => {
      fail(`error sending request: Post ${JSON.stringify(urlOf(backend))}: ${text}`, cause);
    };
    const options = {
      ...requestOptions(backend),
      method: 'POST',
      path: targetOf(backend),
      signal,
      headers: {
        host: backend.host,
        'content-length': 0,
        connection: 'Upgrade',
        upgrade: 'SPDY/3.1',
        'x-stream-protocol-version': [...protocols],
      },
    };
    const outgoing = backend.scheme === 'https' ? nodeHTTPS().request(options) : httpRequest(options);
    outgoing.on('socket', endSlowDial);
    boundInformation(outgoing);
    outgoing.on('error', (error) => {
      notSent(goErrorText(error, dialAddress(backend)), error);
    });
    outgoing.on('upgrade', (answer: IncomingMessage, socket, head: Buffer) => {
      if (!/spdy\/3\.1/i.test(answer.headers.upgrade ?? '')) {
        socket.destroy();
        fail('unable to upgrade connection: empty server response');
        return;
      }
      const connection = paced(socket, backend);
      resolve({
        client: new SpdyClient(connection, head),
        socket: connection,
        protocol: String(answer.headers['x-stream-protocol-version'] ?? ''),
      });
    });
    outgoing.on('response', (answer) => {
      if ((answer.statusCode ?? 0) >= 300 && (answer.statusCode ?? 0) < 400 && answer.headers.location !== undefined) {
        answer.destroy();
        notSent('redirect not allowed');
        return;
      }
      refusalText(answer).then(
        (text) => {
          fail(`unable to upgrade connection: ${text}`);
        },
        () => {
          fail('unable to upgrade connection: unable to read error from server response');
        },
      );
    });
    outgoing.end();
  });
}

/** What a refusal says: the message of a Status or the like, or all of it. */
async function refusalText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxRefusalBytes) break;
  }
  const text = Buffer.concat(chunks).toString().trim();
  try {
    const { error = '', message = '' } = parseJSON(text) as { readonly message?: string; readonly error?: string };
    if (message.trim() !== '') return message.trim();
    if (error.trim() !== '') return error.trim();
  } catch {
    // Text, then.
  }
  return text === '' ? 'empty server response' : text;
}
