import type { DiscoveryManager, ObjectInformer } from '@kubechain/apiserver';
import type { APIService } from '../apiservice/api-service.ts';
import { apiServiceName } from '../apiservice/api-service.ts';
import { customPriority, localPriorities } from '../autoregister/local-priorities.ts';

export interface MergedDiscoveryOptions {
  /** What this server says about everything. */
  readonly merged: DiscoveryManager;
  /** What the chain behind it serves, pushed. */
  readonly delegated: DiscoveryManager;
  readonly services: ObjectInformer<APIService>;
}

/**
 * Keeps the merged discovery: every local group version that the chain serves, in the order that its APIService says.
 * Pushed in, kept in memory: no request for discovery goes further than this process. Returns the way to stop.
 */
export function mergeDiscovery({ merged, delegated, services }: MergedDiscoveryOptions): () => void {
  const update = (group: string, version: string): void => {
    const resources = delegated.resources({ group, version });
    const service = services.get(apiServiceName(group, version));
    if (resources === undefined || service?.spec.service !== undefined) {
      merged.removeGroupVersion({ group, version });
      return;
    }
    const builtIn = localPriorities.get(group === '' ? version : `${group}/${version}`) ?? customPriority;
    const priority = service === undefined ? builtIn : { group: service.spec.groupPriorityMinimum, version: service.spec.versionPriority };
    merged.setGroupVersion({ group, version }, resources, { priority, qualifiedKinds: delegated.hasQualifiedKinds({ group, version }) });
  };
  services.onChange((change) => {
    const { spec } = change.kind === 'set' ? change.value : change.previous;
    if (spec.group !== 'apiregistration.k8s.io') update(spec.group ?? '', spec.version ?? '');
  });
  return delegated.onChange(({ groupVersion }) => { if (groupVersion.group !== 'apiregistration.k8s.io') update(groupVersion.group, groupVersion.version); });
}
