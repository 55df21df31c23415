import { notFound } from '@kubechain/apimachinery';
import type { StatusError } from '@kubechain/apimachinery';

/** What client-go's listers say of an object that is not there: they name its resource in the singular. */
export function notFoundByLister(singular: string, name: string, group = ''): StatusError {
  return notFound({ group, resource: singular }, name);
}
