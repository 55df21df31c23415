import {
  append,
  duplicate,
  FieldPath,
  invalidValue,
  isDNS1123Subdomain,
  notSupported,
  repeats,
  required,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { ValidatingAdmissionPolicyBinding } from '@kubechain/apimachinery/types/admissionregistration/v1';
import { validateMatchResources } from '../match-resources-validation.ts';
import { validateParamRef } from '../param-validation.ts';

const actions: readonly string[] = ['Audit', 'Deny', 'Warn'];

/** Rules of a ValidatingAdmissionPolicyBinding (validation.go, 1.36). */
export function validateValidatingBinding({ spec }: Partial<ValidatingAdmissionPolicyBinding>): FieldError[] {
  const path = FieldPath.of('spec');
  const errors = validatePolicyName(spec?.policyName ?? '', path.child('policyName'));
  append(errors, validateParamRef(spec?.paramRef, path.child('paramRef')));
  append(errors, validateMatchResources(spec?.matchResources, path.child('matchResources')));
  return [...errors, ...validateActions(spec?.validationActions ?? [], path.child('validationActions'))];
}

/** Rules of the name of the policy that a binding is for. */
export function validatePolicyName(name: string, path: FieldPath): FieldError[] {
  return name === '' ? [required(path)] : isDNS1123Subdomain(name).map((message) => invalidValue(path, name, message));
}

function validateActions(given: readonly string[], path: FieldPath): FieldError[] {
  const repeated = repeats(given);
  const errors = given.flatMap((action, i) => [
    ...(actions.includes(action) ? [] : [notSupported(path.index(i), action, actions)]),
    ...(repeated[i] === true ? [duplicate(path.index(i), action)] : []),
  ]);
  if (given.includes('Deny') && given.includes('Warn')) {
    errors.push(
      invalidValue(
        path,
        given,
        'must not contain both Deny and Warn (repeating the same validation failure information in the API ' +
          'response and headers serves no purpose)',
      ),
    );
  }
  if (given.length === 0) errors.push(required(path, 'at least one validation action is required'));
  return errors;
}
