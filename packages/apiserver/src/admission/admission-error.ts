import { StatusError, forbidden, isForbidden, messageOf } from '@kubechain/apimachinery';
import type { StatusCause } from '@kubechain/apimachinery';
import type { AdmissionAttributes } from './admission.ts';

/** Name that a refusal speaks of; before a name is generated, its prefix. */
function nameOf(attributes: AdmissionAttributes): string {
  if (attributes.name !== '') return attributes.name;
  const metadata = attributes.object?.metadata;
  return metadata?.name ?? metadata?.generateName ?? 'Unknown';
}

/**
 * 403 of a plugin: `pods "a" is forbidden: <reason>`, with causes where the plugin has some (admission.NewForbidden).
 */
export function admissionForbidden(
  attributes: AdmissionAttributes,
  reason: string,
  causes: readonly StatusCause[] = [],
): StatusError {
  const { group, resource } = attributes.resource;
  const error = forbidden({ group, resource }, nameOf(attributes), reason);
  if (causes.length === 0) return error;
  const { details, message = '' } = error.status;
  return new StatusError({
    status: 'Failure',
    code: 403,
    reason: 'Forbidden',
    message,
    details: { ...details, causes: [...causes] },
  });
}

/** The same around any error; a 403 stays as it is. */
export function admissionForbiddenError(attributes: AdmissionAttributes, error: unknown): StatusError {
  return isForbidden(error) ? error : admissionForbidden(attributes, messageOf(error));
}
