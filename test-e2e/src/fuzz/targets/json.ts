import { decodeJSON, encodeJSON, isDecodeError, isFormatError, parseJSONValue } from '@kubechain/apimachinery';
import { FuzzFailure, type FuzzTarget } from '../fuzz-target.ts';
import { mistaken, objectText } from './objects.ts';

/** JSON bodies of objects and patches: read or refused with Go's words; what is read comes back as it was written. */
export const json: FuzzTarget = {
  name: 'json',
  about: 'JSON bodies: decoded or refused with a text, and what was decoded is decoded the same from its encoding',
  shareOfCI: 5_000,
  open: () => ({
    attempt: (random, input) => {
      const { kind, text } = objectText(random);
      const bytes = mistaken(random, Buffer.from(text));
      input(bytes);
      const strict = random.pick(['Ignore', 'Warn', 'Strict'] as const);
      try {
        parseJSONValue(bytes);
      } catch (error) {
        if (!isFormatError(error)) throw error;
      }
      try {
        const { object } = decodeJSON(bytes, kind, { strict });
        const once = encodeJSON(object, kind.schema);
        const twice = encodeJSON(decodeJSON(once, kind).object, kind.schema);
        if (!once.equals(twice)) throw new FuzzFailure(`encodes as ${String(once)}, and then as ${String(twice)}`);
      } catch (error) {
        if (!isDecodeError(error)) throw error;
      }
    },
  }),
};
