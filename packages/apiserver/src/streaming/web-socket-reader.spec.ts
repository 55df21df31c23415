import { expect } from 'chai';
import fc from 'fast-check';
import { clientFrame } from './testing/client-frame.ts';
import { WebSocketReader } from './web-socket-reader.ts';

/** What a reader tells of bytes that come `step` by `step`. */
function read(bytes: Uint8Array, { step, messages = true }: { step: number; messages?: boolean }): string[] {
  const seen: string[] = [];
  const reader = new WebSocketReader({
    ...(messages
      ? {
          message: (payload, kind) => {
            seen.push(`${kind} ${payload.length} ${payload.toString('latin1', 0, 3)}`);
          },
        }
      : {}),
    ping: (payload) => {
      seen.push(`ping ${payload.toString('latin1')}`);
    },
    closed: (reason) => {
      seen.push(reason);
    },
  });
  for (let i = 0; i < bytes.length; i += step) reader.push(bytes.subarray(i, i + step));
  return seen;
}

const frameLengths = fc.array(fc.constantFrom(0, 1, 125, 126, 400, 65_535, 65_536), { maxLength: 4 });
const steps = fc.integer({ min: 1, max: 70_000 });
const text = (length: number): Buffer => Buffer.alloc(length, 'abc');

describe('WebSocketReader', () => {
  it('skips messages of any length that nobody wants, however they are cut', () => {
    fc.assert(
      fc.property(frameLengths, steps, (lengths, step) => {
        const frames = lengths.flatMap((length) => [
          clientFrame(2, text(length)),
          clientFrame(9, Buffer.from(String(length))),
        ]);
        const bytes = Buffer.concat([
          ...frames,
          clientFrame(8, Buffer.of(3, 232)),
          clientFrame(9, Buffer.from('late')),
        ]);
        expect(read(bytes, { step, messages: false })).to.deep.equal([
          ...lengths.map((length) => `ping ${length}`),
          'close',
        ]);
      }),
      { numRuns: 30 },
    );
  });

  it('hands over messages of one frame, however they are cut', () => {
    fc.assert(
      fc.property(frameLengths, steps, (lengths, step) => {
        const bytes = Buffer.concat(lengths.map((length) => clientFrame(1, text(length))));
        expect(read(bytes, { step })).to.deep.equal(
          lengths.map((length) => `text ${length} ${text(Math.min(length, 3)).toString()}`),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('puts messages of several frames together, whatever comes between', () => {
    fc.assert(
      fc.property(frameLengths, steps, (lengths, step) => {
        const frames = lengths.flatMap((length, i) => [
          clientFrame(i === 0 ? 2 : 0, text(length), { final: false }),
          clientFrame(9, Buffer.from('p')),
        ]);
        const bytes = Buffer.concat([...frames, clientFrame(lengths.length === 0 ? 2 : 0, Buffer.from('end'))]);
        const length = lengths.reduce((sum, each) => sum + each, 3);
        const message = Buffer.concat([...lengths.map(text), Buffer.from('end')]);
        expect(read(bytes, { step })).to.deep.equal([
          ...lengths.map(() => 'ping p'),
          `binary ${length} ${message.toString('latin1', 0, 3)}`,
        ]);
      }),
      { numRuns: 30 },
    );
  });

  it('skips pongs and frames that nobody has agreed on', () => {
    const bytes = Buffer.concat([
      clientFrame(10, Buffer.from('x')),
      clientFrame(3, Buffer.from('x')),
      clientFrame(1, Buffer.from('m')),
    ]);
    expect(read(bytes, { step: 5 })).to.deep.equal(['text 1 m']);
  });

  it('keeps 125 bytes of a ping', () => {
    expect(read(clientFrame(9, Buffer.alloc(400, 'p')), { step: 100 })).to.deep.equal([`ping ${'p'.repeat(125)}`]);
  });

  it('ends at a frame without a mask', () => {
    expect(read(clientFrame(1, Buffer.from('x'), { masked: false }), { step: 1 })).to.deep.equal(['unmasked']);
  });

  it('ends at a message that is too large, wanted or not', () => {
    const bytes = Buffer.of(0x82, 0xff, 0, 0, 0, 0, 2, 0, 0, 1, 1, 2, 3, 4);
    expect(read(bytes, { step: 3 })).to.deep.equal(['too large']);
    expect(read(bytes, { step: 3, messages: false })).to.deep.equal(['too large']);
  });

  it('ends at a message that becomes too large by its frames', () => {
    const part = clientFrame(2, Buffer.alloc(1 << 24), { final: false });
    const more = clientFrame(0, Buffer.alloc(1 << 24), { final: false });
    const last = clientFrame(0, Buffer.from('x'));
    expect(read(Buffer.concat([part, more, last]), { step: 1 << 20 })).to.deep.equal(['too large']);
  });
});
