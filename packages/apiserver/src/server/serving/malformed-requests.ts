import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { beginNoMore, isLingering, linger } from './linger.ts';

const badRequest = '400 Bad Request';
const unknownCoding = '501 Unsupported transfer encoding';

/**
 * What Go's server says of an HTTP/1 request that Node's parser lets through and Go's does not (net/http server.go,
 * readRequest): no version, no Host header or several of them, or one that no host can be, or a body in a coding
 * besides chunks (transfer.go, parseTransferEncoding). `undefined` for all others.
 */
export function malformed(request: IncomingMessage): string | undefined {
  if (request.httpVersionMajor > 1) return undefined;
  if (request.httpVersionMajor === 0) return badRequest;
  const { rawHeaders } = request;
  let host: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) return badRequest;
    host = rawHeaders[i + 1] as string;
  }
  const coding = request.headers['transfer-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') return unknownCoding;
  if (host === undefined)
    return request.httpVersionMinor === 0 ? undefined : `${badRequest}: missing required Host header`;
  return validHost.test(host) ? undefined : `${badRequest}: malformed Host header`;
}

/** Answers a request that is {@link malformed}; its connection ends. */
export function refuseMalformed(request: IncomingMessage, response: ServerResponse, text: string): void {
  const { socket } = request;
  // Go says less in this answer's first line than in its text.
  const [code, reason, body] =
    text === unknownCoding
      ? [501, 'Not Implemented', text.slice('501 '.length)]
      : [400, text.slice('400 '.length), text];
  response.writeHead(code, reason, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': body.length,
    connection: 'close',
  });
  beginNoMore(socket);
  response.end(body);
}

/**
 * Answers a request that expects what nobody knows (an Expect header besides `100-continue`), as Go's server does; its
 * connection ends.
 */
export function refuseExpectation({ socket }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(417, { connection: 'close', 'content-length': 0 });
  beginNoMore(socket);
  response.end();
}

/** What parsers of both refuse, but Go's server in its own words. */
function refusalOf(error: ParseError): readonly [status: string, text: string] {
  const { code, reason = '' } = error;
  switch (code) {
    case 'HPE_INVALID_HEADER_TOKEN':
      return same(isBehindName(error) ? `${badRequest}: invalid header name` : badRequest);
    case 'HPE_HEADER_OVERFLOW':
      return same('431 Request Header Fields Too Large');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return same('413 Payload Too Large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return same('408 Request Timeout');
    case 'HPE_INVALID_TRANSFER_ENCODING':
      // Beside a length it is one that is known.
      return reason.includes('Content-Length')
        ? same(badRequest)
        : ['501 Not Implemented', 'Unsupported transfer encoding'];
    case 'HPE_INVALID_VERSION':
      return same(
        reason === 'Invalid HTTP version' ? '505 HTTP Version Not Supported: unsupported protocol version' : badRequest,
      );
    default:
      return same(badRequest);
  }
}

/** Whether what cannot be read is a space within or behind the name of a header, which Go's parser lets pass at first. */
function isBehindName({ bytesParsed = 0, rawPacket }: ParseError): boolean {
  return rawPacket?.[bytesParsed] === 0x20 && (rawPacket[bytesParsed - 1] ?? 0) > 0x20;
}

function same(text: string): readonly [status: string, text: string] {
  return [text, text];
}

/** An error of Node's parser, or of the connection. */
type ParseError = NodeJS.ErrnoException & {
  readonly reason?: string;
  /** What was being read, and up to where it could be. */
  readonly rawPacket?: Uint8Array;
  readonly bytesParsed?: number;
};

/**
 * Answers bytes that Node's HTTP/1 parser cannot read, as Go's server does, unless an answer is under way; the
 * connection ends.
 */
export function refuseUnreadable(error: ParseError, socket: Duplex): void {
  // Its time for a request is over as well, some day.
  if (isLingering(socket)) return;
  const { _httpMessage: answer } = socket as SocketOfServer;
  if (!socket.writable || error.code === 'ECONNRESET') socket.destroy(error);
  else if (answer?._headerSent !== true) refuse(error, socket);
  // An answer that is on its way whole is not to be cut.
  else if (answer.writableEnded === true) linger(socket);
  else socket.destroy(error);
}

function refuse(error: ParseError, socket: Duplex): void {
  const [status, text] = refusalOf(error);
  socket.write(`HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${text}`);
  linger(socket);
}

/** The response that a connection is at, which Node's own answer to unreadable bytes looks at too. */
type SocketOfServer = Duplex & {
  readonly _httpMessage?: { readonly _headerSent?: boolean; readonly writableEnded?: boolean } | null;
} & Partial<Socket>;

/** What can stand in a host by RFC 3986 (golang.org/x/net/http/httpguts, ValidHostHeader). */
const validHost = /^[\w!$%&'()*+,\-.:;=[\]~]*$/;
