import { notFound, type KubeObject } from '@kubechain/apimachinery';
import type { ResourceStorages } from '../../informers/resource-storage.ts';
import type { ServiceAccountTokenGetter } from './token-getter.ts';

/**
 * Looks up what tokens are bound to with consistent reads. Each answer is used for as long as the token cache keeps it.
 */
export function storageTokenGetter(storages: Pick<ResourceStorages, 'get'>): ServiceAccountTokenGetter {
  const get = async (resource: string, key: string): Promise<KubeObject> => {
    const { storage, keyRoot } = storages.get('', resource);
    const record = await storage.get(`${keyRoot}/${key}`, { resourceVersion: '', ignoreNotFound: true });
    if (record === undefined) throw notFound({ group: '', resource }, key.slice(key.lastIndexOf('/') + 1));
    return record.object();
  };
  return {
    getServiceAccount: (namespace, name) => get('serviceaccounts', `${namespace}/${name}`),
    getPod: (namespace, name) => get('pods', `${namespace}/${name}`),
    getSecret: (namespace, name) => get('secrets', `${namespace}/${name}`),
    getNode: (name) => get('nodes', name),
  };
}
