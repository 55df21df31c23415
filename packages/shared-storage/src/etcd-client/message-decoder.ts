import { isWireError, WireReader } from '@kubechain/apimachinery/wire';
import { EtcdError } from './etcd-error.ts';

/**
 * Makes a reader of whole messages of one.
 *
 * @param sender who is at fault, in the text of the error
 * @returns a function that throws EtcdError `Internal` for bytes that are no such message
 */
export function decoder<T>(read: (reader: WireReader) => T, sender = 'etcd'): (message: Buffer) => T {
  return (message) => {
    try {
      return read(new WireReader(message));
    } catch (cause) {
      if (!isWireError(cause)) throw cause;
      throw new EtcdError('Internal', `${sender} sent a malformed message: ${cause.message}`, { cause });
    }
  };
}
