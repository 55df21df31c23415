import {
  append,
  FieldPath,
  invalidValue,
  isConfigMapKey,
  required,
  syntaxError,
  tooLong,
  parseJSON,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { Secret } from '@kubechain/apimachinery/types/core/v1';
import { immutable } from '../../validation/immutable.ts';
import { base64Size, frozen, maxDataSize } from '../configmap/validation.ts';

const dataPath = FieldPath.of('data');
const accountAnnotation = 'kubernetes.io/service-account.name';

/** Rules of secrets, with those of each known type (ValidateSecret of pkg/apis/core/validation, 1.36). */
export function validateSecret(secret: Secret): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(secret.data ?? {})) {
    for (const message of isConfigMapKey(key)) errors.push(invalidValue(dataPath.key(key), key, message));
    size += base64Size(value);
  }
  if (size > maxDataSize) errors.push(tooLong(dataPath, maxDataSize));
  append(errors, validateType(secret));
  return errors;
}

/** What an update may not do; the new object's own rules follow. */
export function validateSecretChange(secret: Secret, old: Secret): FieldError[] {
  return [...immutable('type', secret.type ?? '', old.type ?? ''), ...frozen(secret, old, ['data'])];
}

function validateType(secret: Secret): FieldError[] {
  const data = secret.data ?? {};
  const missing = (...keys: readonly string[]): FieldError[] =>
    keys.filter((key) => data[key] === undefined).map((key) => required(dataPath.key(key)));
  switch (secret.type) {
    case 'kubernetes.io/service-account-token':
      return secret.metadata?.annotations?.[accountAnnotation]
        ? []
        : [required(FieldPath.of('metadata', 'annotations').key(accountAnnotation))];
    case 'kubernetes.io/dockercfg':
      return [...missing('.dockercfg'), ...notJSON(secret, '.dockercfg')];
    case 'kubernetes.io/dockerconfigjson':
      return [...missing('.dockerconfigjson'), ...notJSON(secret, '.dockerconfigjson')];
    case 'kubernetes.io/basic-auth': {
      const absent = missing('username', 'password');
      return absent.length === 2 ? absent : [];
    }
    case 'kubernetes.io/ssh-auth':
      return data['ssh-privatekey'] ? [] : [required(dataPath.key('ssh-privatekey'))];
    case 'kubernetes.io/tls':
      return missing('tls.crt', 'tls.key');
    default:
      return [];
  }
}

/** What is wrong with a value that must be a JSON object, in Go's words; the value itself is not shown. */
function notJSON({ data }: Secret, key: string): FieldError[] {
  const text = data?.[key];
  if (text === undefined) return [];
  const bytes = Buffer.from(text, 'base64');
  const problem = jsonProblem(bytes);
  return problem === undefined ? [] : [invalidValue(dataPath.key(key), '<secret contents redacted>', problem)];
}

function jsonProblem(bytes: Buffer): string | undefined {
  let value: unknown;
  try {
    value = parseJSON(bytes.toString('utf8')) as unknown;
  } catch {
    return syntaxError(bytes) ?? 'unexpected end of JSON input';
  }
  if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined;
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
}
