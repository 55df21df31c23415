import type { WithMetadata } from './with-metadata.ts';

/** `namespace/name`, or `name` for what has no namespace (client-go's MetaNamespaceKeyFunc). */
export function keyOf({ metadata }: WithMetadata): string {
  const { namespace, name = '' } = metadata ?? {};
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/** The reverse of keyOf. */
export function splitKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return slash === -1 ? { namespace: '', name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
