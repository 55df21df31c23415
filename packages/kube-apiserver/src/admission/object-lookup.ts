import { goQuote, isNotFound, nameIsPathSegment, unclassifiedError } from '@kubechain/apimachinery';
import type { GroupResource, KubeObject } from '@kubechain/apimachinery';
import { everything, internalContext } from '@kubechain/apiserver/resources';
import type { RESTContext, Store } from '@kubechain/apiserver/resources';

/** How plugins see objects of one resource that their decisions depend on. Objects must not be changed. */
export interface ObjectLookup {
  /**
   * From the watch cache, which may be a little stale; asks the store for what is not there. undefined: there is none.
   * @throws StatusError with client-go's words for what cannot be a name
   */
  get(name: string, namespace?: string): Promise<KubeObject | undefined>;
  /** All objects of one namespace, or of all, from the watch cache. */
  list(namespace?: string): Promise<readonly KubeObject[]>;
}

/** Refuses to look for what cannot be a name, as clients do (client-go's rest.Request, 1.36). @throws StatusError */
export function checkLookedUp(name: string): void {
  if (name === '') throw unclassifiedError('resource name may not be empty');
  const problems = nameIsPathSegment(name, false);
  if (problems.length > 0) throw unclassifiedError(`invalid resource name ${goQuote(name)}: [${problems.join(' ')}]`);
}

/** Looks objects up in a store of this process, with the rights of the server itself; asks for the store at first use. */
export function lookupIn(storeOf: () => Store): ObjectLookup {
  const groupResourceOf = ({ spec: { group, plural } }: Store): GroupResource => ({ group, resource: plural });
  const find = async (context: RESTContext, name: string, resourceVersion: string): Promise<KubeObject | undefined> => {
    try {
      return (await storeOf().get(context, name, { resourceVersion })).object();
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
  return {
    async get(name, namespace = '') {
      checkLookedUp(name);
      const context = internalContext({ groupResource: groupResourceOf(storeOf()), namespace });
      return (await find(context, name, '0')) ?? find(context, name, '');
    },
    async list(namespace = '') {
      const store = storeOf();
      const { items } = await store.list(internalContext({ groupResource: groupResourceOf(store), namespace }), {
        predicate: everything,
        resourceVersion: '0',
        resourceVersionMatch: '',
        limit: 0,
        continue: '',
      });
      return items.map((record) => record.object());
    },
  };
}
