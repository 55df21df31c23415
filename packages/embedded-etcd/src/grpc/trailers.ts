import type { OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { EtcdError } from '../errors/etcd-error.ts';

const HEADERS: OutgoingHttpHeaders = { ':status': 200, 'content-type': 'application/grpc' };
const OK: OutgoingHttpHeaders = { 'grpc-status': '0' };
const WITH_TRAILERS = { waitForTrailers: true };

function sendOk(this: ServerHttp2Stream): void {
  this.sendTrailers(OK);
}

/** Opens a successful reply: its trailers with status OK follow the last byte. */
export function respondOk(stream: ServerHttp2Stream): void {
  stream.respond(HEADERS, WITH_TRAILERS);
  stream.once('wantTrailers', sendOk);
}

/** Ends a call with an error: as headers when none were sent, else as trailers. */
export function respondError(stream: ServerHttp2Stream, error: EtcdError): void {
  if (stream.destroyed || stream.closed) return;
  const status = { 'grpc-status': String(error.code), 'grpc-message': escapeMessage(error.message) };
  if (!stream.headersSent) {
    stream.respond({ ...HEADERS, ...status }, { endStream: true });
    return;
  }
  stream.removeListener('wantTrailers', sendOk);
  stream.once('wantTrailers', () => stream.sendTrailers(status));
  stream.end();
}

/** gRPC's percent-encoding of status messages: printable ASCII but `%` stays. */
function escapeMessage(message: string): string {
  let escaped = '';
  for (const byte of Buffer.from(message, 'utf8')) {
    const printable = byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
    escaped += printable ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}
