import type { GroupResource } from '@kubechain/apimachinery';
import { EncryptionConfigurationError } from './encryption-configuration-error.ts';
import type { EncryptedResources, EncryptionProvider } from './encryption-configuration.ts';
import { parseGroupResource } from './encrypted-resources.ts';
import { identityTransformer } from './identity.ts';
import { PrefixTransformers } from './prefix-transformers.ts';
import type { PrefixedTransformer } from './prefix-transformers.ts';
import { AESCBCTransformer } from './aes-cbc.ts';
import { AESGCMTransformer } from './aes-gcm.ts';
import { SecretboxTransformer } from './secretbox.ts';
import type { ValueTransformer } from './transformer.ts';

/** Makes the transformer of a KMS provider. */
export type KMSTransformerFactory = (provider: Extract<EncryptionProvider, { kind: 'kms' }>) => ValueTransformer;

const prefixes = { aesgcm: 'k8s:enc:aesgcm:v1:', aescbc: 'k8s:enc:aescbc:v1:', secretbox: 'k8s:enc:secretbox:v1:', kms: 'k8s:enc:kms:v2:' } as const;
const names = { aesgcm: 'AES', aescbc: 'AES', secretbox: 'Secretbox' } as const;

/** The transformer of each resource that a configuration names, with its wildcards (server/options/encryptionconfig). */
export class ResourceTransformers {
  readonly #transformers = new Map<string, ValueTransformer>();

  /** @throws EncryptionConfigurationError when an earlier entry's wildcard hides a later entry */
  constructor(configuration: readonly EncryptedResources[], kmsTransformer: KMSTransformerFactory) {
    const byResource = new Map<string, PrefixedTransformer[]>();
    for (const { resources, providers } of configuration) {
      const transformers = providers.map(provider => prefixedTransformer(provider, kmsTransformer));
      for (const name of resources) {
        const resource = parseGroupResource(name);
        for (const wildcard of [nameOf({ group: resource.group, resource: '*' }), '*.*']) {
          if (byResource.has(wildcard)) throw new EncryptionConfigurationError(`resource "${name}" is masked by earlier rule "${wildcard}"`);
        }
        const full = nameOf(resource);
        byResource.set(full, [...byResource.get(full) ?? [], ...transformers]);
      }
    }
    for (const [name, transformers] of byResource) this.#transformers.set(name, new PrefixTransformers(transformers, 'no matching prefix found'));
  }

  /** Undefined: the resource is not encrypted. */
  transformerFor(resource: GroupResource): ValueTransformer | undefined {
    return this.#transformers.get(nameOf(resource)) ?? this.#transformers.get(nameOf({ group: resource.group, resource: '*' })) ?? this.#transformers.get('*.*');
  }
}

/** Always with a dot: `secrets.`, `*.`, `*.apps`, `*.*`. */
function nameOf(resource: GroupResource): string {
  return `${resource.resource}.${resource.group}`;
}

function prefixedTransformer(provider: EncryptionProvider, kmsTransformer: KMSTransformerFactory): PrefixedTransformer {
  switch (provider.kind) {
    case 'identity': return { prefix: '', transformer: identityTransformer };
    case 'kms': return { prefix: `${prefixes.kms}${provider.name}:`, transformer: kmsTransformer(provider) };
    case 'aesgcm': case 'aescbc': case 'secretbox': {
      const keys = provider.keys.map(({ name, secret }) => ({ prefix: `${name}:`, transformer: keyTransformer(provider.kind, secret) }));
      return { prefix: prefixes[provider.kind], transformer: new PrefixTransformers(keys, `no matching key was found for the provided ${names[provider.kind]} transformer`) };
    }
    default: return provider satisfies never;
  }
}

function keyTransformer(kind: 'aesgcm' | 'aescbc' | 'secretbox', key: Buffer): ValueTransformer {
  switch (kind) {
    case 'aesgcm': return new AESGCMTransformer(key);
    case 'aescbc': return new AESCBCTransformer(key);
    case 'secretbox': return new SecretboxTransformer(key);
    default: return kind satisfies never;
  }
}
