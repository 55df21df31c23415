import { isPlainObject } from '@kubechain/apimachinery';

/** What may be in an object, by name; `leaf`: nothing is looked at below. Lists are looked at item by item. */
export interface KnownFields {
  readonly [name: string]: KnownFields | 'leaf';
}

const keys: KnownFields = { keys: { name: 'leaf', secret: 'leaf' } };

/** Fields of EncryptionConfiguration (apis/apiserver/v1). */
export const encryptionConfigurationFields: KnownFields = {
  apiVersion: 'leaf',
  kind: 'leaf',
  resources: {
    resources: 'leaf',
    providers: {
      aesgcm: keys,
      aescbc: keys,
      secretbox: keys,
      identity: {},
      kms: { apiVersion: 'leaf', name: 'leaf', cachesize: 'leaf', endpoint: 'leaf', timeout: 'leaf' },
    },
  },
};

/** Paths of fields that nobody would read, in the order of the document: `resources[0].providers[1].rot13`. */
export function unknownFields(value: unknown, known: KnownFields | 'leaf', path = ''): string[] {
  if (known === 'leaf') return [];
  if (Array.isArray(value)) return value.flatMap((item, i) => unknownFields(item, known, `${path}[${i}]`));
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const below = Object.hasOwn(known, name) ? known[name] : undefined;
    return below === undefined ? [at] : unknownFields(field, below, at);
  });
}
