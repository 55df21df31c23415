import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Of every WebSocket (RFC 6455 1.3). */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Whether a request asks for a WebSocket (httpstream/wsstream IsWebSocketRequest). */
export function isWebSocketRequest({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && /upgrade/i.test(headers.connection ?? '');
}

/** Why a handshake fails: a status line, and text after it where the reference sends any. */
interface Refusal {
  readonly line: string;
  readonly text?: string;
  readonly header?: string;
}

/**
 * Answers the opening handshake with 101, or refuses it and ends the socket; true when there is a WebSocket now.
 *
 * The checks, their order and the bare answers are those of golang.org/x/net/websocket's plain Handler, which serves
 * watches: an Origin is demanded, and a subprotocol that is offered alone is taken, whatever it is.
 */
export function acceptWebSocket(request: IncomingMessage, socket: Duplex): boolean {
  const protocols = offeredProtocols(request);
  const refusal =
    refusalOf(request) ??
    (isOrigin(request.headers.origin) ? undefined : { line: '403 Forbidden' }) ??
    (protocols.length > 1 ? { line: '400 Bad Request' } : undefined);
  if (refusal === undefined) accept(request, socket, protocols[0]);
  else refuse(socket, refusal);
  return refusal === undefined;
}

/**
 * The same for endpoints that choose among subprotocols (httpstream/wsstream): the first offered one that is supported
 * is taken and returned; undefined when the handshake was refused, with 403 where there is none. A client that offers
 * nothing offers ''. No Origin is demanded.
 */
export function acceptWebSocketProtocol(
  request: IncomingMessage,
  socket: Duplex,
  supported: readonly string[],
): string | undefined {
  const offered = offeredProtocols(request);
  const chosen = (offered.length === 0 ? [''] : offered).find((protocol) => supported.includes(protocol));
  const refusal = refusalOf(request) ?? (chosen === undefined ? { line: '403 Forbidden' } : undefined);
  if (refusal === undefined) accept(request, socket, chosen);
  else refuse(socket, refusal);
  return refusal === undefined ? chosen : undefined;
}

/** The same where the subprotocol is settled already; undefined is none. */
export function acceptWebSocketUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  protocol: string | undefined,
): boolean {
  const refusal = refusalOf(request);
  if (refusal === undefined) accept(request, socket, protocol);
  else refuse(socket, refusal);
  return refusal === undefined;
}

/** Subprotocols that the client offers, in its order. */
export function offeredProtocols({ headers }: IncomingMessage): string[] {
  return protocolsOf(headers['sec-websocket-protocol']);
}

function accept({ headers }: IncomingMessage, socket: Duplex, protocol: string | undefined): void {
  const digest = createHash('sha1')
    .update(`${headers['sec-websocket-key'] ?? ''}${GUID}`)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ` +
      `${digest}\r\n${protocol === undefined ? '' : `Sec-WebSocket-Protocol: ${protocol}\r\n`}\r\n`,
  );
}

function refuse(socket: Duplex, { line, header = '', text = '' }: Refusal): void {
  socket.end(`HTTP/1.1 ${line}\r\n${header}\r\n${text}`, () => {
    socket.destroy();
  });
}

function refusalOf(request: IncomingMessage): Refusal | undefined {
  const { headers } = request;
  if (request.method !== 'GET') return { line: '405 Method Not Allowed', text: 'bad method' };
  if (headers['sec-websocket-key'] === undefined || headers['sec-websocket-key'] === '')
    return { line: '400 Bad Request', text: 'mismatch challenge/response' };
  return headers['sec-websocket-version'] === '13'
    ? undefined
    : { line: '400 Bad Request', header: 'Sec-WebSocket-Version: 13\r\n', text: 'missing or bad WebSocket Version' };
}

function protocolsOf(header: string | undefined): string[] {
  const trimmed = header?.trim() ?? '';
  return trimmed === '' ? [] : trimmed.split(',').map((protocol) => protocol.trim());
}

/** What Go's url.ParseRequestURI takes: an absolute path, or a URL with a scheme. */
function isOrigin(origin: string | undefined): boolean {
  if (origin === undefined || origin === '') return false;
  if (origin.startsWith('/')) return true;
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(origin) ? URL.canParse(origin) : /^[a-z][a-z0-9+.-]*:./i.test(origin);
}
