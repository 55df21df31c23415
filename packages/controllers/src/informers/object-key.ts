import type { ObjectMeta } from '@kubechain/apimachinery';

/** `namespace/name`, or `name` for what has no namespace (client-go's MetaNamespaceKeyFunc). */
export function keyOf(object: { readonly metadata?: ObjectMeta | undefined }): string {
  const { namespace, name = '' } = object.metadata ?? {};
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/** The reverse of keyOf. */
export function splitKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return slash === -1 ? { namespace: '', name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
