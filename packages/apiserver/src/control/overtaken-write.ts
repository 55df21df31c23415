import type { ServerRequestContext } from '../request/server-request-context.ts';

const verbs: readonly string[] = ['update', 'patch', 'delete'];

/** Whether another writer of its object could be faster than a request: it changes one that it names. */
export function mayBeOvertaken({ requestInfo }: ServerRequestContext): boolean {
  const { isResourceRequest, name, verb } = requestInfo;
  return isResourceRequest && name !== '' && verbs.includes(verb);
}
