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
interface Refusal { readonly line: string; readonly text?: string; readonly header?: string }

/**
 * Answers the opening handshake with 101, or refuses it and ends the socket; true when there is a WebSocket now.
 *
 * The checks, their order and the bare answers are those of golang.org/x/net/websocket's plain Handler, which serves
 * watches: an Origin is demanded, and a subprotocol that is offered alone is taken, whatever it is.
 */
export function acceptWebSocket(request: IncomingMessage, socket: Duplex): boolean {
  const { headers } = request;
  const protocols = protocolsOf(headers['sec-websocket-protocol']);
  const refusal = refusalOf(request, protocols);
  if (refusal !== undefined) {
    socket.end(`HTTP/1.1 ${refusal.line}\r\n${refusal.header ?? ''}\r\n${refusal.text ?? ''}`, () => { socket.destroy(); });
    return false;
  }
  const accept = createHash('sha1').update(`${headers['sec-websocket-key'] ?? ''}${GUID}`).digest('base64');
  const protocol = protocols.length === 0 ? '' : `Sec-WebSocket-Protocol: ${protocols[0]}\r\n`;
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${protocol}\r\n`);
  return true;
}

function refusalOf(request: IncomingMessage, protocols: readonly string[]): Refusal | undefined {
  const { headers } = request;
  if (request.method !== 'GET') return { line: '405 Method Not Allowed', text: 'bad method' };
  if (headers['sec-websocket-key'] === undefined || headers['sec-websocket-key'] === '') return { line: '400 Bad Request', text: 'mismatch challenge/response' };
  if (headers['sec-websocket-version'] !== '13') return { line: '400 Bad Request', header: 'Sec-WebSocket-Version: 13\r\n', text: 'missing or bad WebSocket Version' };
  if (!isOrigin(headers.origin)) return { line: '403 Forbidden' };
  return protocols.length > 1 ? { line: '400 Bad Request' } : undefined;
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
