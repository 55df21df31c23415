import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { GroupResource } from '@kubechain/apimachinery';
import { EncryptionConfigurationError } from './encryption-configuration-error.ts';
import { KMSProviders } from './kms/kms-providers.ts';
import { readEncryptionConfiguration } from './encryption-configuration.ts';
import { ResourceTransformers } from './resource-transformers.ts';
import type { KMSTransformerFactory } from './resource-transformers.ts';
import type { Untransformed, ValueTransformer } from './transformer.ts';

export interface EncryptionFileOptions {
  /** Makes the transformers of KMS providers; for tests. */
  readonly kmsTransformer?: KMSTransformerFactory;
}

/**
 * The file of `--encryption-provider-config`. Transformers that it has handed out follow a reload, so that keys can be
 * rotated while the server runs.
 */
export class EncryptionFile {
  readonly #path: string;
  readonly #options: ReadOptions;
  readonly #handedOut = new Map<string, FollowingTransformer>();
  readonly #providers: KMSProviders;
  #transformers: ResourceTransformers;
  #hash: string;

  constructor(path: string, loaded: { readonly transformers: ResourceTransformers; readonly hash: string }, options: { readonly kmsTransformer: KMSTransformerFactory; readonly providers: KMSProviders }) {
    this.#path = path;
    this.#options = options;
    this.#providers = options.providers;
    this.#transformers = loaded.transformers;
    this.#hash = loaded.hash;
  }

  /** Reads and checks the file. @throws EncryptionConfigurationError one line that names the file */
  static async load(path: string, options: EncryptionFileOptions = {}): Promise<EncryptionFile> {
    const providers = new KMSProviders();
    const completed = { kmsTransformer: options.kmsTransformer ?? providers.transformerFor, providers };
    return new EncryptionFile(path, await read(path, completed), completed);
  }

  /** The check `kms-providers` of /healthz and /readyz; passes when there are none. @throws TransformError */
  checkHealth(): Promise<void> {
    return this.#providers.checkHealth();
  }

  /** Ends connections to KMS plugins. */
  close(): void {
    this.#providers.close();
  }

  /**
   * The transformer of a resource, undefined while none is configured for it. It stays valid when a reload changes the
   * keys; a resource that is configured only later needs a restart, as does one that is no longer.
   */
  transformerFor(resource: GroupResource): ValueTransformer | undefined {
    const current = this.#transformers.transformerFor(resource);
    if (current === undefined) return undefined;
    const name = `${resource.resource}.${resource.group}`;
    let following = this.#handedOut.get(name);
    if (following === undefined) {
      following = new FollowingTransformer(resource, current);
      this.#handedOut.set(name, following);
    }
    return following;
  }

  /**
   * Reads the file again if its content has changed (`--encryption-provider-config-automatic-reload` does so every
   * minute); resolves to whether it had.
   *
   * @throws EncryptionConfigurationError and keeps the configuration before
   */
  async reload(): Promise<boolean> {
    const loaded = await read(this.#path, this.#options, this.#hash);
    if (loaded === undefined) return false;
    for (const following of this.#handedOut.values()) {
      if (loaded.transformers.transformerFor(following.resource) === undefined) {
        throw new EncryptionConfigurationError(`${this.#path}: ${following.resource.resource} was encrypted and is no longer configured; configure the identity provider first`);
      }
    }
    for (const following of this.#handedOut.values()) following.current = loaded.transformers.transformerFor(following.resource) ?? following.current;
    this.#transformers = loaded.transformers;
    this.#hash = loaded.hash;
    return true;
  }
}

/** Passes on to the latest configuration's transformer. */
class FollowingTransformer implements ValueTransformer {
  readonly resource: GroupResource;
  current: ValueTransformer;

  constructor(resource: GroupResource, current: ValueTransformer) {
    this.resource = resource;
    this.current = current;
  }

  fromStorage(value: Uint8Array, key: string): Untransformed | Promise<Untransformed> {
    return this.current.fromStorage(value, key);
  }

  toStorage(value: Uint8Array, key: string): Uint8Array | Promise<Uint8Array> {
    return this.current.toStorage(value, key);
  }
}

interface ReadOptions { readonly kmsTransformer: KMSTransformerFactory }

interface Loaded { readonly transformers: ResourceTransformers; readonly hash: string }

async function read(path: string, options: ReadOptions): Promise<Loaded>;
async function read(path: string, options: ReadOptions, knownHash: string): Promise<Loaded | undefined>;
async function read(path: string, options: ReadOptions, knownHash?: string): Promise<Loaded | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new EncryptionConfigurationError(`error reading encryption provider configuration file ${JSON.stringify(path)}: ${messageOf(cause)}`, { cause });
  }
  if (text === '') throw new EncryptionConfigurationError(`encryption provider configuration file ${JSON.stringify(path)} is empty`);
  const hash = createHash('sha256').update(text).digest('hex');
  if (hash === knownHash) return undefined;
  try {
    // Only servers that encrypt pay for loading a YAML parser.
    const { parse } = await import('yaml');
    const configuration = readEncryptionConfiguration(parse(text));
    return { hash, transformers: new ResourceTransformers(configuration, options.kmsTransformer) };
  } catch (cause) {
    // A YAML error quotes the file over several lines.
    throw new EncryptionConfigurationError(`error while parsing encryption provider configuration file ${JSON.stringify(path)}: ${messageOf(cause).split('\n', 1)[0] ?? ''}`, { cause });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
