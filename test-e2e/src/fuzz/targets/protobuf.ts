import {
  builtinScheme,
  decodeJSON,
  decodeProtobuf,
  encodeProtobuf,
  hasProtobuf,
  isDecodeError,
} from '@kubechain/apimachinery';
import { FuzzFailure, type FuzzTarget } from '../fuzz-target.ts';
import { mistaken, objectText } from './objects.ts';

/** Protobuf bodies of objects: read or refused with gogo's words; what is read comes back as it was written. */
export const protobuf: FuzzTarget = {
  name: 'protobuf',
  about: 'protobuf bodies: decoded or refused with a text, and what was decoded is decoded the same from its encoding',
  shareOfCI: 5_000,
  open: () => {
    const scheme = builtinScheme();
    return {
      attempt: (random, input) => {
        const { kind, text } = objectText(random);
        if (!hasProtobuf(kind.schema)) return;
        try {
          const written = encodeProtobuf(decodeJSON(Buffer.from(text), kind).object, kind.schema);
          const bytes = mistaken(random, written);
          input(bytes);
          const { object } = decodeProtobuf(bytes, kind, { scheme });
          const once = encodeProtobuf(object, kind.schema);
          const twice = encodeProtobuf(decodeProtobuf(once, kind, { scheme }).object, kind.schema);
          if (!once.equals(twice))
            throw new FuzzFailure(`encodes as ${once.toString('hex')}, and then as ${twice.toString('hex')}`);
        } catch (error) {
          if (!isDecodeError(error)) throw error;
        }
      },
    };
  },
};
