import type { KubeObject, OwnerReference } from '@kubechain/apimachinery';
import type { RequestContext } from '../../request/request-context.ts';

/**
 * Removes repeated owner references and warns about them, once for what the client sent and once for what mutating
 * admission added (handlers.dedupOwnerReferencesAndAddWarning).
 */
export function dedupOwnerReferences(
  object: KubeObject,
  context: RequestContext,
  afterMutatingAdmission: boolean,
): void {
  const references = object.metadata?.ownerReferences;
  if (references === undefined || references.length < 2) return;
  const kept: OwnerReference[] = [];
  const duplicates: string[] = [];
  const seen = new Set<string>();
  for (const reference of references) {
    const { apiVersion, blockOwnerDeletion, controller, kind, name, uid } = reference;
    const key = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
    if (seen.has(key)) duplicates.push(uid);
    else kept.push(reference);
    seen.add(key);
  }
  if (duplicates.length === 0) return;
  const when = afterMutatingAdmission ? 'duplicate entries after mutating admission happens' : 'duplicate entries';
  context.addWarning(
    `.metadata.ownerReferences contains ${when}; API server dedups owner references in 1.20+, and may reject ` +
      'such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ' +
      `${duplicates.join(', ')}`,
  );
  if (object.metadata !== undefined) object.metadata.ownerReferences = kept;
}
