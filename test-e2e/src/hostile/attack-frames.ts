import { hpackHeaders, http2Flags, http2Frame, http2FrameTypes, http2Preface } from '@kubechain/apiserver/testing';
import type { HostileRow } from './row.ts';
import { uncompared } from './row.ts';
import type { Outcome, Target } from './target.ts';

/** Where clients of HTTP/2 stand before they do anything; `window` is that of their streams. */
export function opened(window = 65_535): Buffer {
  const initialWindow = Buffer.alloc(6);
  initialWindow.writeUInt16BE(4, 0);
  initialWindow.writeUInt32BE(window, 2);
  return Buffer.concat([Buffer.from(http2Preface), http2Frame(http2FrameTypes.settings, { payload: initialWindow })]);
}

/** The headers of a request of the target's user. */
export function headersOf(target: Target, path: string, method = 'GET'): Buffer {
  return hpackHeaders({
    ':method': method,
    ':scheme': 'https',
    ':authority': 'a',
    ':path': path,
    ...(target.token === '' ? {} : { authorization: `Bearer ${target.token}` }),
  });
}

/** A request whose end has been sent. */
export function asked(target: Target, stream: number, path: string): Buffer {
  const flags = http2Flags.endHeaders | http2Flags.endStream;
  return http2Frame(http2FrameTypes.headers, { flags, stream, payload: headersOf(target, path) });
}

/** So many of them, one behind the other. */
export const repeated = (times: number, make: (i: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: times }, (_, i) => make(i)));

/** A number of so many bytes. */
export function bigEndian(bytes: number, value: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}

/** A row that does as it likes; what it is answered is not compared. */
export function attack(
  name: string,
  fire: (target: Target) => Promise<Outcome>,
  as: HostileRow['as'] = 'user',
): HostileRow {
  return uncompared({ name, as, fire });
}
