import { LinkEnd } from '@kubechain/apiserver/testing';
import type { FuzzRandom } from '../fuzz-random.ts';
import type { FuzzTarget } from '../fuzz-target.ts';

/** What frames are made of: sound ones, and some that are not. */
function frame(random: FuzzRandom, types: readonly number[]): Buffer {
  const type = random.chance(20) ? random.below(14) : random.pick(types);
  const payload = payloadOf(random, type);
  const head = Buffer.alloc(12);
  head[0] = type;
  head[1] = random.below(2);
  head.writeUInt32BE(random.below(6), 4);
  head.writeUInt32BE(random.chance(30) ? random.below(300) : payload.length, 8);
  return Buffer.concat([head, payload]);
}

function payloadOf(random: FuzzRandom, type: number): Buffer {
  const number = (): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(random.chance(10) ? 0xffff_ffff : random.below(6));
    return bytes;
  };
  const fields = (...first: readonly string[]): Buffer =>
    Buffer.from(
      [...first, ...random.list(4, () => random.text(['X-Remote-User', 'Audit-ID', 'a', 'Content-Length', '5'], 2))]
        .map((text) => `${text}\n`)
        .join(''),
      'latin1',
    );
  switch (type) {
    case 1:
    case 6:
      return fields();
    case 2:
      return Buffer.concat([number(), fields(random.pick(['GET', 'POST', 'HEAD']), '/api')]);
    case 4:
    case 5:
      return fields(random.pick(['200', '204', '103', 'x']));
    case 8:
      return number();
    case 9:
      return Buffer.concat([number(), ...random.list(4, number), random.bytes(40)]);
    default:
      return Buffer.from(random.bytes(random.chance(10) ? 20_000 : 40));
  }
}

/** Both ends of the link between processes, fed with frames that are nearly right. */
export const link: FuzzTarget = {
  name: 'link',
  about: 'frames of the link between processes: taken or the link closed, never an exception',
  shareOfCI: 3_000,
  open: () => ({
    attempt: async (random, input) => {
      const side = random.pick(['front', 'back'] as const);
      const frames = random.list(12, () =>
        frame(random, side === 'front' ? [3, 4, 5, 6, 7, 8, 9, 10] : [1, 2, 3, 7, 8]),
      );
      const sound = Buffer.concat(frames);
      const bytes = Buffer.from(random.chance(2) ? random.mutate(sound) : sound);
      input(bytes);
      const end = new LinkEnd(side);
      if (side === 'front') for (let i = random.below(5); i > 0; i--) end.ask();
      for (let at = 0; at < bytes.length;) {
        const size = 1 + random.below(random.chance(2) ? 20 : bytes.length);
        end.feed(bytes.subarray(at, at + size));
        at += size;
      }
      await new Promise(setImmediate);
      end.close();
      await new Promise(setImmediate);
    },
  }),
};
