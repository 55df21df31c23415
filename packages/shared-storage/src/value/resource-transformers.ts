import type { GroupResource } from '@kubechain/apimachinery';
import { EncryptionConfigurationError } from './encryption-configuration-error.ts';
import type { EncryptedResources, EncryptionProvider } from './encryption-configuration.ts';
import { parseGroupResource } from './encrypted-resources.ts';
import type { EncryptionMetrics, TransformationRecorder } from './encryption-metrics.ts';
import { identityTransformer } from './identity.ts';
import { PrefixTransformers } from './prefix-transformers.ts';
import type { PrefixedTransformer } from './prefix-transformers.ts';
import { AESCBCTransformer } from './aes-cbc.ts';
import { AESGCMTransformer } from './aes-gcm.ts';
import { SecretboxTransformer } from './secretbox.ts';
import type { ValueTransformer } from './transformer.ts';

/** Makes the transformer of a KMS provider. */
export type KMSTransformerFactory = (provider: Extract<EncryptionProvider, { kind: 'kms' }>) => ValueTransformer;

export interface ResourceTransformersOptions {
  readonly kmsTransformer: KMSTransformerFactory;
  readonly metrics: EncryptionMetrics;
}

const prefixes = {
  aesgcm: 'k8s:enc:aesgcm:v1:',
  aescbc: 'k8s:enc:aescbc:v1:',
  secretbox: 'k8s:enc:secretbox:v1:',
  kms: { v1: 'k8s:enc:kms:v1:', v2: 'k8s:enc:kms:v2:' },
} as const;
const names = { aesgcm: 'AES', aescbc: 'AES', secretbox: 'Secretbox' } as const;

/** One provider with its keys ready; its transformer depends on the resource only by what is counted. */
type ProviderFactory = (recorder: TransformationRecorder) => PrefixedTransformer;

/**
 * The transformer of each resource that a configuration names, with its wildcards (server/options/encryptionconfig).
 */
export class ResourceTransformers {
  readonly #providers = new Map<string, readonly ProviderFactory[]>();
  readonly #transformers = new Map<string, ValueTransformer>();
  readonly #metrics: EncryptionMetrics;

  /** @throws EncryptionConfigurationError when an earlier entry's wildcard hides a later entry */
  constructor(configuration: readonly EncryptedResources[], options: ResourceTransformersOptions) {
    this.#metrics = options.metrics;
    for (const { resources, providers } of configuration) {
      const factories = providers.map((provider) => providerFactory(provider, options.kmsTransformer));
      for (const name of resources) {
        const resource = parseGroupResource(name);
        for (const wildcard of [nameOf({ group: resource.group, resource: '*' }), '*.*']) {
          if (this.#providers.has(wildcard))
            throw new EncryptionConfigurationError(`resource "${name}" is masked by earlier rule "${wildcard}"`);
        }
        const full = nameOf(resource);
        this.#providers.set(full, [...(this.#providers.get(full) ?? []), ...factories]);
      }
    }
  }

  /** Undefined: the resource is not encrypted. */
  transformerFor(resource: GroupResource): ValueTransformer | undefined {
    const name = nameOf(resource);
    const known = this.#transformers.get(name);
    if (known !== undefined) return known;
    const providers =
      this.#providers.get(name) ??
      this.#providers.get(nameOf({ group: resource.group, resource: '*' })) ??
      this.#providers.get('*.*');
    if (providers === undefined) return undefined;
    const recorder = this.#metrics.transformations(resource.group === '' ? resource.resource : name);
    const transformer = new PrefixTransformers(
      providers.map((provider) => provider(recorder)),
      'no matching prefix found',
      recorder,
    );
    this.#transformers.set(name, transformer);
    return transformer;
  }
}

/** Always with a dot: `secrets.`, `*.`, `*.apps`, `*.*`. */
function nameOf(resource: GroupResource): string {
  return `${resource.resource}.${resource.group}`;
}

function providerFactory(provider: EncryptionProvider, kmsTransformer: KMSTransformerFactory): ProviderFactory {
  switch (provider.kind) {
    case 'identity':
      return () => ({ prefix: '', transformer: identityTransformer });
    case 'kms': {
      const prefixed = {
        prefix: `${prefixes.kms[provider.version]}${provider.name}:`,
        transformer: kmsTransformer(provider),
      };
      return () => prefixed;
    }
    case 'aesgcm':
    case 'aescbc':
    case 'secretbox': {
      const { kind } = provider;
      const keys = provider.keys.map(({ name, secret }) => ({
        prefix: `${name}:`,
        transformer: keyTransformer(kind, secret),
      }));
      return (recorder) => ({
        prefix: prefixes[kind],
        transformer: new PrefixTransformers(
          keys,
          `no matching key was found for the provided ${names[kind]} transformer`,
          recorder,
        ),
      });
    }
    default:
      return provider satisfies never;
  }
}

function keyTransformer(kind: 'aesgcm' | 'aescbc' | 'secretbox', key: Buffer): ValueTransformer {
  switch (kind) {
    case 'aesgcm':
      return new AESGCMTransformer(key);
    case 'aescbc':
      return new AESCBCTransformer(key);
    case 'secretbox':
      return new SecretboxTransformer(key);
    default:
      return kind satisfies never;
  }
}
