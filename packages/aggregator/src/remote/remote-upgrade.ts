import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';
import { getRequestContext, goErrorText, refuseUpgrade } from '@kubechain/apiserver';
import { outgoingHeaders } from './outgoing-headers.ts';
import { outgoingURL } from './outgoing-url.ts';
import type { RemoteService } from './remote-service.ts';

/** A server that accepts a connection and never answers the upgrade must not hold it for ever. */
const answerTimeoutMs = 30_000;
/** An answer's head is read up to this size, as Node's own parser would. */
const maxHeadBytes = 64 << 10;

/** An upgrade (SPDY, WebSocket) that the filters let through. */
export interface Upgrade { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer }

/**
 * Takes an upgrade to an extension API server over a connection of its own; once the server has switched protocols,
 * bytes go through untouched both ways. http-proxy-middleware upgrades WebSockets only, and kubectl speaks SPDY too.
 */
export class RemoteUpgrades {
  readonly #sockets = new Set<Duplex>();

  start({ request, socket, head }: Upgrade, { remote, address }: { readonly remote: RemoteService; readonly address: string }): void {
    const context = getRequestContext(request);
    const url = new URL(`https://${address}`);
    const target = connect({ ...remote.tls, host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? 443 : Number(url.port) });
    this.#sockets.add(target);
    target.setTimeout(answerTimeoutMs, () => { target.destroy(new DOMException('the server did not answer', 'TimeoutError')); });
    let answered = false;
    target.once('secureConnect', () => {
      target.write(requestHead(request, outgoingHeaders({ request, address, user: context.user, auditID: context.auditID, upgrade: true })));
      if (head.length > 0) target.write(head);
    });
    readHead(target, (status, bytes) => {
      answered = true;
      target.setTimeout(0);
      if (status !== 101 && status < 400) {
        refuse(socket, `invalid upgrade response: status code ${status}`);
        target.destroy();
        return;
      }
      socket.write(bytes);
      target.pipe(socket);
      // A refusal is read to its end; nothing goes the other way any more.
      if (status === 101) socket.pipe(target);
    });
    target.on('error', (error) => {
      if (answered) socket.destroy();
      else refuse(socket, goErrorText(error, address));
      answered = true;
    });
    target.once('close', () => {
      this.#sockets.delete(target);
      if (!answered) refuse(socket, 'unexpected EOF');
      else if (!socket.writableEnded) socket.end();
    });
    socket.on('error', () => { target.destroy(); });
    socket.once('close', () => { target.destroy(); });
  }

  /** Cuts all upgrades. */
  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Calls back once, with the status and every byte read so far, when the head of the answer is complete. */
function readHead(target: TLSSocket, onHead: (status: number, bytes: Buffer) => void): void {
  let bytes = Buffer.alloc(0);
  const onData = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.indexOf('\r\n\r\n') < 0) {
      if (bytes.length > maxHeadBytes) target.destroy(new RangeError('the answer has no end of headers'));
      return;
    }
    target.off('data', onData);
    target.pause();
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(bytes.toString('latin1', 0, 16))?.[1];
    if (status === undefined) target.destroy(new TypeError('malformed HTTP response'));
    else onHead(Number(status), bytes);
  };
  target.on('data', onData);
}

function requestHead(request: IncomingMessage, headers: OutgoingHttpHeaders): string {
  let text = `${request.method ?? 'GET'} ${outgoingURL(request.url ?? '/')} HTTP/1.1\r\n`;
  for (const [name, value] of Object.entries(headers)) for (const line of Array.isArray(value) ? value : [value]) if (line !== undefined) text += `${name}: ${String(line).replaceAll(/[\r\n]/g, '')}\r\n`;
  return `${text}\r\n`;
}

function refuse(socket: Duplex, text: string): void {
  if (socket.writableEnded || socket.destroyed) return;
  refuseUpgrade(socket, { code: 503, text: 'Service Unavailable', contentType: 'text/plain; charset=utf-8', body: `${text}\n` });
}
