import { notFound, type KubeObject, type LabelSelector } from '@kubechain/apimachinery';
import type { AdmissionAttributes } from '../admission.ts';
import type { NamespaceLister } from '../namespace-lister.ts';

/**
 * Whether a request's namespace has the labels asked for. What has no namespace always has, except namespaces, which
 * show their own labels (webhook/predicates/namespace, 1.36).
 * @throws StatusError NotFound for a namespace that does not exist
 */
export async function matchesNamespace(
  selector: LabelSelector,
  attributes: AdmissionAttributes,
  namespaces: NamespaceLister,
): Promise<boolean> {
  const { namespace, object, operation, resource, signal, subresource } = attributes;
  if (namespace === '' && resource.resource !== 'namespaces') return true;
  if (selector.empty) return true;
  // A namespace that is written is not in the cache as it will be.
  if (resource.resource === 'namespaces' && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'))
    return selector.matches(object?.metadata?.labels);
  const found = namespaces.get(namespace) ?? (await namespaces.getLive(namespace, signal));
  if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  return selector.matches(found.metadata?.labels);
}

/** Whether the object as it was, or as it is to be, has the labels asked for (webhook/predicates/object, 1.36). */
export function matchesObject(
  selector: LabelSelector,
  { object, oldObject }: Pick<AdmissionAttributes, 'object' | 'oldObject'>,
): boolean {
  const labelled = (candidate: KubeObject | undefined): boolean =>
    candidate !== undefined && selector.matches(candidate.metadata?.labels);
  return selector.empty || labelled(object) || labelled(oldObject);
}
