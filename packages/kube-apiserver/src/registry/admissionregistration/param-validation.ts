import {
  append,
  forbiddenValue,
  invalidValue,
  isDNS1035Label,
  isDNS1123Subdomain,
  isPathSegmentName,
  notSupported,
  required,
  validateLabelSelector,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { ParamKind, ParamRef } from '@kubechain/apimachinery/types/admissionregistration/v1';

/** Rules of the kind of a policy's params (validateParamKind, 1.36). */
export function validateParamKind({ apiVersion = '', kind = '' }: ParamKind, path: FieldPath): FieldError[] {
  const errors = validateAPIVersion(apiVersion, path.child('apiVersion'));
  if (kind === '') errors.push(required(path.child('kind')));
  else {
    const messages = isDNS1035Label(kind.toLowerCase());
    if (messages.length > 0)
      errors.push(
        invalidValue(
          path.child('kind'),
          kind,
          `may have mixed case, but should otherwise match: ${messages.join(',')}`,
        ),
      );
  }
  return errors;
}

function validateAPIVersion(apiVersion: string, path: FieldPath): FieldError[] {
  if (apiVersion === '') return [required(path)];
  const parts = apiVersion === '/' ? ['', ''] : apiVersion.split('/');
  if (parts.length > 2) return [invalidValue(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const group = parts.length === 2 ? (parts[0] ?? '') : '',
    version = parts.at(-1) ?? '';
  const errors: FieldError[] = [];
  const groupMessages = group === '' ? [] : isDNS1123Subdomain(group);
  if (groupMessages.length > 0) errors.push(invalidValue(path, group, groupMessages.join(',')));
  if (version === '') errors.push(invalidValue(path, apiVersion, 'version must be specified'));
  else {
    const messages = isDNS1035Label(version);
    if (messages.length > 0) errors.push(invalidValue(path, version, messages.join(',')));
  }
  return errors;
}

/** Rules of what a binding says about params (validateParamRef, 1.36). */
export function validateParamRef(ref: ParamRef | undefined, path: FieldPath): FieldError[] {
  if (ref === undefined) return [];
  const { name = '', parameterNotFoundAction = '', selector } = ref;
  const errors: FieldError[] = [];
  const exclusive = (field: string): void => {
    if (name !== '' && selector !== undefined)
      errors.push(forbiddenValue(path.child(field), 'name and selector are mutually exclusive'));
  };
  if (name !== '')
    for (const message of isPathSegmentName(name)) errors.push(invalidValue(path.child('name'), name, message));
  exclusive('name');
  if (selector !== undefined) append(errors, validateLabelSelector(selector, path.child('selector')));
  exclusive('selector');
  if (name === '' && selector === undefined) errors.push(required(path, 'one of name or selector must be specified'));
  if (parameterNotFoundAction === '') errors.push(required(path.child('parameterNotFoundAction')));
  else if (!['Deny', 'Allow'].includes(parameterNotFoundAction))
    errors.push(notSupported(path.child('parameterNotFoundAction'), parameterNotFoundAction, ['Deny', 'Allow']));
  return errors;
}
