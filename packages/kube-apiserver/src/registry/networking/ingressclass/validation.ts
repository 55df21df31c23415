import {
  FieldPath,
  byteLength,
  forbiddenValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  isPathSegmentName,
  notSupported,
  required,
  tooLong,
  validateDomainPrefixedPath,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { IngressClass, IngressClassParametersReference } from '@kubechain/apimachinery/types/networking/v1';
import { immutable } from '../../validation/immutable.ts';
import { fields, format, needed, present } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';

const specPath = FieldPath.of('spec');
const maxController = 250;
const scopes = ['Cluster', 'Namespace'];

const parameters: Rule<IngressClassParametersReference> = (reference, path) => {
  const { namespace, scope } = reference;
  const at = path.child('namespace');
  const errors = fields<IngressClassParametersReference>({
    apiGroup: present(format(isDNS1123Subdomain)),
    kind: needed(format(isPathSegmentName)),
    name: needed(format(isPathSegmentName)),
  })(reference, path);
  if (scope === undefined) return [...errors, required(path.child('scope'))];
  if (!scopes.includes(scope)) return [...errors, notSupported(path.child('scope'), scope, scopes, { plain: true })];
  if (scope === 'Namespace')
    return [
      ...errors,
      ...(namespace === undefined
        ? [required(at, "`parameters.scope` is set to 'Namespace'")]
        : format(isDNS1123Label)(namespace, at)),
    ];
  return namespace === undefined ? errors : [...errors, forbiddenValue(at, "`parameters.scope` is set to 'Cluster'")];
};

/** Rules of ingress classes (ValidateIngressClass of pkg/apis/networking/validation, 1.36). */
export function validateIngressClass({ spec }: IngressClass): FieldError[] {
  const controller = spec?.controller ?? '';
  const path = specPath.child('controller');
  return [
    ...(byteLength(controller) > maxController ? [tooLong(path, maxController)] : []),
    ...validateDomainPrefixedPath(path, controller),
    ...present(parameters)(spec?.parameters, specPath.child('parameters')),
  ];
}

/** The controller stays (ValidateIngressClassUpdate). */
export function validateIngressClassChange(ingressClass: IngressClass, old: IngressClass): FieldError[] {
  return immutable(specPath.child('controller'), ingressClass.spec?.controller ?? '', old.spec?.controller ?? '');
}
