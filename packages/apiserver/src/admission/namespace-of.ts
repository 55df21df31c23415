import { internalError, notFound } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { AdmissionAttributes } from './admission.ts';
import type { NamespaceLister } from './namespace-lister.ts';

/**
 * The namespace that a request is in: from the cache, or from the store when it is not there.
 * @throws StatusError 404 when there is none, 500 when the store cannot be asked
 */
export async function namespaceOf(
  namespaces: NamespaceLister,
  { namespace, signal }: AdmissionAttributes,
): Promise<KubeObject> {
  const known = namespaces.get(namespace);
  if (known !== undefined) return known;
  let live: KubeObject | undefined;
  try {
    live = await namespaces.getLive(namespace, signal);
  } catch (error) {
    throw internalError(error);
  }
  if (live === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  return live;
}
