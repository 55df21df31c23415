/** What a client of HTTP/2 says first. */
export const http2Preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/** Types of frames (RFC 9113, 6). */
export const http2FrameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
} as const;

/** Flags of DATA and HEADERS. */
export const http2Flags = { endStream: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const;

/** A frame as bytes; `length` may lie about the payload. */
export function http2Frame(
  type: number,
  options: {
    readonly flags?: number;
    readonly stream?: number;
    readonly payload?: Uint8Array;
    readonly length?: number;
  } = {},
): Buffer {
  const { flags = 0, payload = Buffer.alloc(0), stream = 0 } = options;
  const head = Buffer.alloc(9);
  head.writeUIntBE(options.length ?? payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** One header in HPACK, neither compressed nor kept (RFC 7541, 6.2.2). */
export function hpackLiteral(name: string | Uint8Array, value: string | Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([0]), hpackString(name), hpackString(value)]);
}

/** Headers of a request in HPACK, in their order. */
export function hpackHeaders(headers: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat(Object.entries(headers).map(([name, value]) => hpackLiteral(name, value)));
}

function hpackString(text: string | Uint8Array): Buffer {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : Buffer.from(text);
  return Buffer.concat([hpackInteger(bytes.length), bytes]);
}

/** Behind a prefix of seven bits (RFC 7541, 5.1). */
function hpackInteger(value: number): Buffer {
  if (value < 0x7f) return Buffer.from([value]);
  const bytes = [0x7f];
  let rest = value - 0x7f;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}
