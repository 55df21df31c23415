import type { WireReader } from '@kubechain/apimachinery/wire';
import { patientKeepalive } from '../../etcd-client/endpoint-options.ts';
import { Endpoint } from '../../etcd-client/endpoint.ts';
import { decoder } from '../../etcd-client/message-decoder.ts';

/** Who sends the answers, in the texts of errors. */
const plugin = 'the KMS plugin';

/** Where the plugin of a provider is called. */
export interface KMSPluginAddress {
  /** `unix:///path` */
  readonly endpoint: string;
  readonly timeoutMs: number;
}

/** A connection to a plugin, opened by the first call. */
export function pluginEndpoint({ endpoint, timeoutMs }: KMSPluginAddress): Endpoint {
  return new Endpoint(endpoint, { connectTimeoutMs: timeoutMs, ...patientKeepalive });
}

/** Reads answers of a plugin. */
export function answerDecoder<T>(read: (reader: WireReader) => T): (answer: Buffer) => T {
  return decoder(read, plugin);
}

/** Field 1 of an answer: what was encrypted or decrypted, in both versions. */
export const readBytes = answerDecoder((reader): Buffer => {
  let bytes: Buffer = Buffer.alloc(0);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 10) bytes = reader.bytes();
    else reader.skip(tag);
  }
  return bytes;
});
