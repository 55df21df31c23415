import { WireWriter } from '@kubechain/apimachinery/wire';
import { messageOf } from '@kubechain/apimachinery';
import type { Endpoint } from '../../etcd-client/endpoint.ts';
import { TransformError } from '../transform-error.ts';
import { answerDecoder, pluginEndpoint, readBytes, type KMSPluginAddress } from './plugin-endpoint.ts';

const version = 'v1beta1';
const overheadBytes = 64;

/**
 * A KMS v1 plugin (k8s.io/kms/apis/v1beta1 KeyManagementService) behind a unix socket. Calls reject with EtcdError of
 * the gRPC transport; the first one asks for the plugin's version, and with TransformError where that is another.
 */
export class KMSV1Service {
  readonly #endpoint: Endpoint;
  readonly #timeoutMs: number;
  #version: Promise<void> | undefined;

  constructor(address: KMSPluginAddress) {
    this.#endpoint = pluginEndpoint(address);
    this.#timeoutMs = address.timeoutMs;
  }

  encrypt(plain: Buffer): Promise<Buffer> {
    return this.#transform('Encrypt', plain);
  }

  decrypt(cipher: Buffer): Promise<Buffer> {
    return this.#transform('Decrypt', cipher);
  }

  close(): void {
    this.#endpoint.close();
  }

  async #transform(method: 'Decrypt' | 'Encrypt', bytes: Buffer): Promise<Buffer> {
    await this.#checkVersion();
    const writer = new WireWriter(bytes.length + overheadBytes);
    writer.bytesField(0x12, bytes);
    writer.textField(0x0a, version);
    return this.#call(method, writer, readBytes);
  }

  /** Once; again where it could not be asked. */
  async #checkVersion(): Promise<void> {
    const asked = (this.#version ??= this.#askVersion());
    try {
      await asked;
    } catch (error) {
      if (this.#version === asked) this.#version = undefined;
      throw error;
    }
  }

  async #askVersion(): Promise<void> {
    const writer = new WireWriter();
    writer.textField(0x0a, version);
    let found: string;
    try {
      found = await this.#call('Version', writer, readText);
    } catch (cause) {
      throw new TransformError(`failed get version from remote KMS provider: ${messageOf(cause)}`, { cause });
    }
    if (found !== version)
      throw new TransformError(`KMS provider api version ${found} is not supported, only ${version} is supported now`);
  }

  async #call<T>(method: string, request: WireWriter, read: (answer: Buffer) => T): Promise<T> {
    const path = `/v1beta1.KeyManagementService/${method}`;
    return read(await this.#endpoint.unary(path, request.finishFrame(), { timeoutMs: this.#timeoutMs }));
  }
}

const readText = answerDecoder((reader): string => {
  let text = '';
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 10) text = reader.text();
    else reader.skip(tag);
  }
  return text;
});
