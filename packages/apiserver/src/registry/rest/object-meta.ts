import { badRequest } from '@kubechain/apimachinery';
import type { ObjectMeta } from '@kubechain/apimachinery';

/** Removes what only the server sets, from an object that is about to be created (rest.WipeObjectMetaSystemFields). */
export function wipeSystemFields(metadata: ObjectMeta): void {
  delete metadata.creationTimestamp;
  delete metadata.uid;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}

/**
 * Gives the object the request's namespace ('' for cluster scope), or refuses one that names another
 * (rest.EnsureObjectNamespaceMatchesRequestNamespace).
 * @throws StatusError BadRequest
 */
export function ensureNamespaceMatches(requestNamespace: string, metadata: ObjectMeta): void {
  const own = metadata.namespace ?? '';
  if (own === requestNamespace) return;
  if (own === '') metadata.namespace = requestNamespace;
  else if (requestNamespace === '') delete metadata.namespace;
  else throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/** Parses a decimal resourceVersion; '' and '0' are 0. undefined: not a number. */
export function parseResourceVersion(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return 0;
  return /^\d{1,20}$/.test(text) ? Number(text) : undefined;
}
