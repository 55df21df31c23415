import { isStatusError } from '@kubechain/apimachinery';

/** The cause by which a create says that its namespace is being deleted. */
export const NAMESPACE_TERMINATING = 'NamespaceTerminating';

/** Whether a Status names a cause (apierrors.HasStatusCause). */
export function hasCause(error: unknown, reason: string): boolean {
  return isStatusError(error) && (error.status.details?.causes?.some((cause) => cause.reason === reason) ?? false);
}
