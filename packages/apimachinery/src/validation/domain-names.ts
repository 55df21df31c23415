import type { FieldError } from '../errors/field-error.ts';
import { invalidValue, required } from '../errors/field-error.ts';
import type { FieldPath } from '../errors/field-path.ts';
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName, regexMessage } from './names.ts';

/** A name of at least three segments, such as a CSI driver's class parameter (upstream IsFullyQualifiedName). */
export function validateFullyQualifiedName(path: FieldPath, name: string): FieldError[] {
  if (name === '') return [required(path)];
  const messages = isDNS1123Subdomain(name);
  if (messages.length > 0) return [invalidValue(path, name, messages.join(','))];
  return name.split('.').length < 3
    ? [invalidValue(path, name, 'should be a domain with at least three segments separated by dots')]
    : [];
}

/** A domain of at least two segments; one dot at the end is allowed (upstream IsFullyQualifiedDomainName). */
export function validateFullyQualifiedDomainName(path: FieldPath, name: string): FieldError[] {
  if (name === '') return [required(path)];
  const domain = name.endsWith('.') ? name.slice(0, -1) : name;
  const messages = isDNS1123Subdomain(domain);
  if (messages.length > 0) return [invalidValue(path, domain, messages.join(','))];
  const labels = domain.split('.');
  if (labels.length < 2)
    return [invalidValue(path, domain, 'should be a domain with at least two segments separated by dots')];
  for (const label of labels) {
    const labelMessages = isDNS1123Label(label);
    if (labelMessages.length > 0) return [invalidValue(path, label, labelMessages.join(','))];
  }
  return [];
}

const httpPath = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const httpPathRegex = new RegExp(`^${httpPath}$`);

/** `acme.io/foo`: a domain and an HTTP path, such as an acceptable CSR signer (upstream IsDomainPrefixedPath). */
export function validateDomainPrefixedPath(path: FieldPath, value: string): FieldError[] {
  if (value === '') return [required(path)];
  const slash = value.indexOf('/');
  const host = value.slice(0, slash);
  const rest = value.slice(slash + 1);
  if (slash <= 0 || rest === '')
    return [invalidValue(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const errors = isDNS1123Subdomain(host).map((message) => invalidValue(path, host, message));
  if (!httpPathRegex.test(rest)) errors.push(invalidValue(path, rest, regexMessage('Invalid path', httpPath)));
  return errors;
}

/** `acme.io/foo`: a domain and a name, such as a field manager of a job (upstream IsDomainPrefixedKey). */
export function validateDomainPrefixedKey(path: FieldPath, key: string): FieldError[] {
  if (key === '') return [required(path)];
  const errors = isQualifiedName(key).map((message) => invalidValue(path, key, message));
  if (errors.length > 0) return errors;
  return key.split('/').length === 2
    ? []
    : [invalidValue(path, key, 'must be a domain-prefixed key (such as "acme.io/foo")')];
}
