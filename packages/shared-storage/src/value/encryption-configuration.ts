import {
  append,
  FieldPath,
  aggregateMessage,
  invalidValue,
  required,
  isPlainObject,
  isFormatError,
  parseDuration,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import { EncryptionConfigurationError } from './encryption-configuration-error.ts';
import { validateResourceNames } from './encrypted-resources.ts';
import { encryptionConfigurationFields, unknownFields } from './unknown-fields.ts';

/** A named key of a provider; `secret` is decoded. */
export interface EncryptionKey {
  readonly name: string;
  readonly secret: Buffer;
}

/** A provider whose keys a KMS plugin encrypts. */
export interface KMSProvider {
  readonly kind: 'kms';
  readonly version: 'v1' | 'v2';
  readonly name: string;
  readonly endpoint: string;
  readonly timeoutMs: number;
  /** Of v1: decrypted keys that are kept; negative: none. */
  readonly cacheSize: number;
}

/** One way of writing and reading values. */
export type EncryptionProvider =
  | { readonly kind: 'identity' }
  | { readonly kind: 'aesgcm' | 'aescbc' | 'secretbox'; readonly keys: readonly EncryptionKey[] }
  | KMSProvider;

/** Providers for some resources: all of them read, the first writes. */
export interface EncryptedResources {
  /** `secrets`, `deployments.apps`, `*.apps`, `*.` or `*.*`. */
  readonly resources: readonly string[];
  readonly providers: readonly EncryptionProvider[];
}

const keyBytes = { aesgcm: [16, 24, 32], aescbc: [16, 24, 32], secretbox: [32] } as const;
const providerNames = 'KMS, AESGCM, AESCBC, Secretbox, Identity';
const defaultKMSTimeoutMs = 3_000;
/** Keys that a KMS v1 provider keeps. */
const defaultCacheSize = 1_000;

/**
 * Checks a parsed EncryptionConfiguration (apiserver.config.k8s.io/v1) with upstream's rules and texts
 * (apis/apiserver/validation).
 *
 * @param options `reloads`: the file is read again, so that names of providers must tell them apart. Default false.
 * @throws EncryptionConfigurationError
 */
export function readEncryptionConfiguration(
  document: unknown,
  { reloads = false }: { readonly reloads?: boolean } = {},
): EncryptedResources[] {
  if (!isPlainObject(document)) throw new EncryptionConfigurationError('the configuration is not an object');
  const { kind, apiVersion } = document;
  if (kind !== 'EncryptionConfiguration' || apiVersion !== 'apiserver.config.k8s.io/v1') {
    throw new EncryptionConfigurationError(
      `got unexpected config type: ${String(apiVersion)}, Kind=${String(kind)}, want ` +
        'apiserver.config.k8s.io/v1, Kind=EncryptionConfiguration',
    );
  }
  // A typing mistake must not leave secrets in clear.
  const unknown = unknownFields(document, encryptionConfigurationFields);
  if (unknown.length > 0)
    throw new EncryptionConfigurationError(
      `strict decoding error: ${unknown.map((path) => `unknown field ${JSON.stringify(path)}`).join(', ')}`,
    );
  const errors: FieldError[] = [];
  const root = FieldPath.of('resources');
  const entries = list(document['resources']);
  if (entries.length === 0) errors.push(required(root, 'at least one resources is required'));
  const kmsNames = new Set<string>();
  const configured = entries.map((entry, i): EncryptedResources => {
    const path = root.index(i);
    const fields = isPlainObject(entry) ? entry : {};
    const resources = list(fields['resources']).map(String);
    if (resources.length === 0)
      errors.push(required(path.child('resources'), `at least one ${path.child('resources').toString()} is required`));
    append(errors, validateResourceNames(resources, path.child('resources')));
    const providers = list(fields['providers']);
    if (providers.length === 0)
      errors.push(required(path.child('providers'), `at least one ${path.child('providers').toString()} is required`));
    return {
      resources,
      providers: providers.map((provider, j) =>
        readProvider(provider, path.child('providers').index(j), { errors, kmsNames, reloads }),
      ),
    };
  });
  if (errors.length > 0) throw new EncryptionConfigurationError(aggregateMessage(errors));
  return configured;
}

interface Reading {
  readonly errors: FieldError[];
  readonly kmsNames: Set<string>;
  readonly reloads: boolean;
}

function readProvider(provider: unknown, path: FieldPath, reading: Reading): EncryptionProvider {
  const fields = isPlainObject(provider) ? provider : {};
  const found = Object.keys(fields).filter((name) => fields[name] !== undefined && fields[name] !== null);
  const [name] = found;
  const { errors } = reading;
  if (found.length > 1)
    errors.push(
      invalidValue(
        path,
        'provider',
        'more than one provider specified in a single element, should split into different list elements',
      ),
    );
  switch (name) {
    case 'identity':
      return { kind: 'identity' };
    case 'aesgcm':
    case 'aescbc':
    case 'secretbox': {
      const keys = path.child(name).child('keys');
      const configuration = fields[name];
      const entries = list(isPlainObject(configuration) ? configuration['keys'] : undefined);
      if (entries.length === 0) errors.push(required(keys, 'at least one keys is required'));
      return {
        kind: name,
        keys: entries.map((entry, k) => readKey(entry, keys.index(k), { errors, sizes: keyBytes[name] })),
      };
    }
    case 'kms':
      return readKMS(fields[name], path.child('kms'), reading);
    default:
      errors.push(
        invalidValue(path, name ?? '', `provider does not contain any of the expected providers: ${providerNames}`),
      );
      return { kind: 'identity' };
  }
}

function readKey(
  entry: unknown,
  path: FieldPath,
  check: { readonly errors: FieldError[]; readonly sizes: readonly number[] },
): EncryptionKey {
  const fields = isPlainObject(entry) ? entry : {};
  const { name, secret } = fields;
  const { errors, sizes } = check;
  if (typeof name !== 'string' || name === '')
    errors.push(required(path.child('name'), 'name is a mandatory field for a key'));
  if (typeof secret !== 'string' || secret === '') {
    errors.push(required(path.child('secret'), 'secret is a mandatory field for a key'));
    return { name: String(name), secret: Buffer.alloc(0) };
  }
  const decoded = Buffer.from(secret, 'base64');
  if (decoded.toString('base64') !== secret)
    errors.push(invalidValue(path.child('secret'), 'REDACTED', 'secrets must be base64 encoded'));
  else if (!sizes.includes(decoded.length))
    errors.push(
      invalidValue(
        path.child('secret'),
        'REDACTED',
        `secret is not of the expected length, got ${decoded.length}, expected one of [${sizes.join(' ')}]`,
      ),
    );
  return { name: String(name), secret: decoded };
}

function readKMS(configuration: unknown, path: FieldPath, { errors, kmsNames, reloads }: Reading): EncryptionProvider {
  const fields = isPlainObject(configuration) ? configuration : {};
  const name = typeof fields['name'] === 'string' ? fields['name'] : '';
  const endpoint = typeof fields['endpoint'] === 'string' ? fields['endpoint'] : '';
  const apiVersion = fields['apiVersion'] ?? 'v1';
  if (name === '') errors.push(required(path.child('name'), 'name is a mandatory field for a provider'));
  if (apiVersion !== 'v1' && name.includes(':'))
    errors.push(invalidValue(path.child('name'), name, `invalid KMS provider name ${name}, must not contain ':'`));
  if ((reloads || apiVersion !== 'v1') && kmsNames.has(name))
    errors.push(invalidValue(path.child('name'), name, `duplicate KMS provider name ${name}, names must be unique`));
  kmsNames.add(name);
  if (endpoint === '') errors.push(required(path.child('endpoint'), 'endpoint is a mandatory field for a kms'));
  else if (!endpoint.startsWith('unix:'))
    errors.push(
      invalidValue(
        path.child('endpoint'),
        endpoint,
        `unsupported scheme ${JSON.stringify(endpoint.split(':')[0])} for KMS provider, only unix is supported`,
      ),
    );
  if (apiVersion !== 'v1' && apiVersion !== 'v2')
    errors.push(
      invalidValue(
        path.child('apiVersion'),
        apiVersion,
        'unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported',
      ),
    );
  const { cachesize = apiVersion === 'v1' ? defaultCacheSize : undefined } = fields;
  if (cachesize !== undefined && apiVersion !== 'v1')
    errors.push(invalidValue(path.child('cachesize'), cachesize, 'cachesize is not supported in v2'));
  if (apiVersion === 'v1' && (!Number.isInteger(cachesize) || cachesize === 0))
    errors.push(invalidValue(path.child('cachesize'), cachesize, 'cachesize should be a non-zero value'));
  const { timeout } = fields;
  const timeoutMs =
    timeout === undefined ? defaultKMSTimeoutMs : typeof timeout === 'string' ? durationMs(timeout) : Number.NaN;
  if (!(timeoutMs > 0)) errors.push(invalidValue(path.child('timeout'), timeout, 'timeout should be a positive value'));
  return {
    kind: 'kms',
    version: apiVersion === 'v1' ? 'v1' : 'v2',
    name,
    endpoint,
    timeoutMs,
    cacheSize: Number(cachesize ?? 0),
  };
}

/** Milliseconds of a Go duration such as `3s` or `1m30s`; NaN when it is none. */
function durationMs(text: string): number {
  try {
    return Number(parseDuration(text)) / 1e6;
  } catch (error) {
    if (isFormatError(error)) return Number.NaN;
    throw error;
  }
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
