import { Client, credentials } from '@grpc/grpc-js';
import type { ClientDuplexStream, MethodDefinition, ServiceError } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { ServiceDefinition } from '@grpc/proto-loader';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A decoded message, field names as in rpc.proto. */
export type Message = Record<string, unknown>;

const protoDirectory = join(dirname(createRequire(import.meta.url).resolve('etcd3/package.json')), 'proto');
const definitions = loadSync('rpc.proto', {
  includeDirs: [protoDirectory],
  keepCase: true,
  longs: Number,
  enums: String,
});

/**
 * A plain gRPC client of the etcd API for tests: @grpc/grpc-js with codecs made by
 * protobufjs from etcd's own proto files, so nothing of this package checks itself.
 */
export class RawClient {
  readonly #client: Client;

  constructor(address: string, channelCredentials = credentials.createInsecure()) {
    this.#client = new Client(address.replace(/^https?:\/\//, ''), channelCredentials, {
      'grpc.max_receive_message_length': -1,
      'grpc.max_send_message_length': -1,
      'grpc.use_local_subchannel_pool': 1,
    });
  }

  /** One unary call, `KV.Put` for instance; rejects with grpc-js' ServiceError. */
  call(name: string, request: Message): Promise<Message> {
    const method = definitionOf(name);
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        request,
        (error: ServiceError | null, reply) => {
          if (error !== null) reject(error);
          else resolve(reply as Message);
        },
      );
    });
  }

  /** One streaming call. */
  stream(name: string): ClientDuplexStream<Message, Message> {
    const method = definitionOf(name);
    return this.#client.makeBidiStreamRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
    ) as ClientDuplexStream<Message, Message>;
  }

  close(): void {
    this.#client.close();
  }
}

function definitionOf(name: string): MethodDefinition<object, object> {
  const [service = '', method = ''] = name.split('.');
  const found = (definitions[`etcdserverpb.${service}`] as ServiceDefinition | undefined)?.[method];
  if (found === undefined) throw new TypeError(`no method ${name}`);
  return found;
}
