import { badRequest, ensureMeta } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { ensureNamespaceMatches } from '../../registry/rest/object-meta.ts';
import type { RequestScope } from './request-scope.ts';

/**
 * Gives an object the request's namespace, or refuses one that names another. Namespaces are in no namespace although
 * their requests name one.
 * @throws StatusError BadRequest
 */
export function ensureNamespace(scope: RequestScope, object: KubeObject, namespace: string): void {
  const { group, resource } = scope.groupResource;
  ensureNamespaceMatches(resource === 'namespaces' && group === '' ? '' : namespace, ensureMeta(object));
}

/** Refuses an object whose name is not the one in the URL. @throws StatusError BadRequest */
export function checkName(object: KubeObject, name: string, namespace: string): void {
  const own = object.metadata?.name ?? '';
  if (own === '')
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (own !== name) throw badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`);
  const ownNamespace = object.metadata?.namespace ?? '';
  if (namespace !== '' && ownNamespace !== '' && ownNamespace !== namespace) {
    throw badRequest(
      `the namespace of the object (${ownNamespace}) does not match the namespace on the request (${namespace})`,
    );
  }
}
