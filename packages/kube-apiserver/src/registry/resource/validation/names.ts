import {
  byteLength,
  invalidValue,
  isCIdentifier,
  isDNS1123Label,
  isDNS1123Subdomain,
  isLabelValue,
  isQualifiedName,
  tooLong,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import { csiDriverName } from '../../core/pod/validation/volume-sources.ts';
import { format, needed } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';
import { maxIdentifier, maxPoolName } from './limits.ts';

/** Drivers are named as those of CSI are. */
export const driverName = csiDriverName;
/** Devices, requests, sets of counters and counters. */
export const label = format(isDNS1123Label);
export const deviceClassName = needed<string>(format(isDNS1123Subdomain));
export const nodeName = format(isDNS1123Subdomain);
/** Keys of taints and tolerations, and types of conditions. */
export const labelName = format(isQualifiedName);
export const labelValue = format(isLabelValue);

/** Subdomains with slashes between them. */
export const poolName = needed<string>((name, path) => [
  ...(byteLength(name) > maxPoolName ? [tooLong(path, maxPoolName)] : []),
  ...name.split('/').flatMap((part) => format(isDNS1123Subdomain)(part, path)),
]);

const identifier: Rule<string> = (name, path) => [
  ...(byteLength(name) > maxIdentifier ? [tooLong(path, maxIdentifier)] : []),
  ...isCIdentifier(name).map((message) => invalidValue(path, name, message)),
];

/**
 * An attribute or capacity, of the driver's own domain or of one that is named. Names with more slashes pass, as in the
 * reference.
 */
export const qualifiedName: Rule<string> = (name, path) => {
  const [domain = '', id = '', ...rest] = name.split('/');
  if (!name.includes('/')) return identifier(name, path);
  if (rest.length > 0) return [];
  return [
    ...(domain === '' ? [invalidValue(path, '', 'the domain must not be empty')] : driverName(domain, path)),
    ...(id === '' ? [invalidValue(path, '', 'the name must not be empty')] : identifier(id, path)),
  ];
};

/** The same with a domain. */
export const fullyQualifiedName: Rule<string> = (name, path) => [
  ...qualifiedName(name, path),
  ...(name.includes('/')
    ? []
    : [invalidValue(path, name, 'a fully qualified name must be a domain and a name separated by a slash')]),
];

/** An id of RFC 4122 in its normal form; what is no id at all is told in the words of google/uuid. */
export const uid: Rule<string> = (text, path): FieldError[] => {
  const problem = uuidProblem(text);
  if (problem !== undefined) return [invalidValue(path, text, `error validating uid: ${problem}`)];
  return text.length === 36 && text === text.toLowerCase()
    ? []
    : [
        invalidValue(
          path,
          text,
          'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase ' +
            'hexadecimal characters',
        ),
      ];
};

const hyphenated = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function uuidProblem(text: string): string | undefined {
  const malformed = 'invalid UUID format';
  switch (text.length) {
    case 36:
      return hyphenated.test(text) ? undefined : malformed;
    case 45:
      return text.slice(0, 9).toLowerCase() !== 'urn:uuid:'
        ? `invalid urn prefix: ${JSON.stringify(text.slice(0, 9))}`
        : hyphenated.test(text.slice(9))
          ? undefined
          : malformed;
    case 38:
      return !text.startsWith('{') || !text.endsWith('}')
        ? 'invalid bracketed UUID format'
        : hyphenated.test(text.slice(1, -1))
          ? undefined
          : malformed;
    case 32:
      return /^[0-9a-f]{32}$/i.test(text) ? undefined : malformed;
    default:
      return `invalid UUID length: ${text.length}`;
  }
}
