import {
  append,
  goQuote,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  required,
  tooLong,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';

const longestDomain = 253;
/** A domain, `/`, and a namespace with an object's name. */
const longest = longestDomain + 1 + 63 + 1 + 253;

/** Whether a signer is of Kubernetes itself (IsKubernetesSignerName of pkg/apis/core/validation, 1.37). */
export function isKubernetesSigner(name: string): boolean {
  const [domain = ''] = name.split('/');
  return domain === 'kubernetes.io' || domain.endsWith('.kubernetes.io');
}

/**
 * What is wrong with the name of a signer, `example.com/signer` (ValidateSignerName of pkg/apis/core/validation, 1.36).
 */
export function validateSignerName(path: FieldPath, name: string): FieldError[] {
  if (name === '') return [required(path)];
  const segments = name.split('/');
  if (segments.length !== 2)
    return [
      invalidValue(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ];
  const [domain = '', rest = ''] = segments;
  const errors: FieldError[] = [];
  if (domain.length > longestDomain) errors.push(tooLong(path, longestDomain));
  append(errors, firstBadLabel(path, domain, isDNS1123Label));
  if (!domain.includes('.'))
    errors.push(invalidValue(path, domain, 'should be a domain with at least two segments separated by dots'));
  append(errors, firstBadLabel(path, rest, isDNS1123Subdomain));
  if (name.length > longest) errors.push(tooLong(path, longest));
  return errors;
}

function firstBadLabel(path: FieldPath, segment: string, check: (label: string) => readonly string[]): FieldError[] {
  const bad = segment.split('.').find((label) => check(label).length > 0);
  return bad === undefined
    ? []
    : check(bad).map((message) => invalidValue(path, segment, `validating label ${goQuote(bad)}: ${message}`));
}
