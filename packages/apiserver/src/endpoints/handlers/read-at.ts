import { notFound, parseFieldSelector } from '@kubechain/apimachinery';
import type { RequestContext } from '../../request/request-context.ts';
import { selectionPredicate } from '../../registry/rest/selection-predicate.ts';
import type { ListOptions, RESTResult, RESTStorage } from '../../registry/rest/storage.ts';
import { RequestRESTContext } from './rest-context.ts';

/** Has a list read what was at a revision. */
export function listedAt(revision: number): Pick<ListOptions, 'resourceVersion' | 'resourceVersionMatch'> {
  return { resourceVersion: String(revision), resourceVersionMatch: 'Exact' };
}

/**
 * An object as it was at a revision, which gets cannot ask for: the only item of a list of that name.
 * @throws StatusError 404 where there was none
 */
export async function getAt(
  list: NonNullable<RESTStorage['list']>,
  context: RequestContext,
  { name, revision }: { readonly name: string; readonly revision: number },
): Promise<RESTResult> {
  const { items } = await list(new RequestRESTContext(context), {
    predicate: selectionPredicate(undefined, parseFieldSelector(`metadata.name=${name}`)),
    ...listedAt(revision),
    limit: 0,
    continue: '',
    name,
  });
  const [found] = items;
  if (found !== undefined) return found;
  const { apiGroup: group, resource } = context.requestInfo;
  throw notFound({ group, resource }, name);
}
