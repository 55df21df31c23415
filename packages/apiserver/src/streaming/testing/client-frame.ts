const mask = Buffer.of(1, 2, 3, 4);

/** How a frame differs from a whole message under a mask. */
export interface ClientFrameOptions {
  readonly masked?: boolean;
  /** False: more of the message follows. */
  readonly final?: boolean;
}

/** A frame as a client of a WebSocket sends it. */
export function clientFrame(
  opcode: number,
  payload: Uint8Array,
  { final = true, masked = true }: ClientFrameOptions = {},
): Buffer {
  const { length } = payload;
  const code = length < 126 ? length : length < 65_536 ? 126 : 127;
  const extended = code === 127 ? Buffer.alloc(8) : Buffer.alloc(code === 126 ? 2 : 0);
  if (code === 126) extended.writeUInt16BE(length);
  if (code === 127) extended.writeBigUInt64BE(BigInt(length));
  return Buffer.concat([
    Buffer.of((final ? 0x80 : 0) | opcode, (masked ? 0x80 : 0) | code),
    extended,
    ...(masked ? [mask, payload.map((byte, i) => byte ^ (mask[i & 3] as number))] : [payload]),
  ]);
}
