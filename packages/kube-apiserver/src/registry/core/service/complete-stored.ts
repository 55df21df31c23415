import { isIPv6 } from 'node:net';
import type { KubeObject } from '@kubechain/apimachinery';
import type { Service } from '@kubechain/apimachinery/types/core/v1';
import type { StoredCompletion } from '@kubechain/apiserver/resources';
import type { IPFamily } from '../../service-allocation/ip-range.ts';
import { normalizeClusterIPs } from '../../service-allocation/linked-fields.ts';
import { headless, needsClusterIP, specOf } from '../../service-allocation/service-view.ts';

const families = Buffer.from('"ipFamilies":');
const external = Buffer.from('"type":"ExternalName"');
const internalPolicy = Buffer.from('"internalTrafficPolicy":');

/**
 * What services lack that were stored before clusterIPs and ipFamilies came, and a policy that those without an address
 * should not have (defaultOnRead of pkg/registry/core/service/storage, 1.36).
 * @param primary the cluster's first family
 */
export function storedServiceCompletion(primary: () => IPFamily): StoredCompletion {
  return {
    isComplete: (stored) =>
      stored.includes(families) || (stored.includes(external) && !stored.includes(internalPolicy)),
    complete: (object) => {
      completeService(object, primary());
    },
  };
}

function completeService(object: KubeObject, primary: IPFamily): void {
  const service = object as Service;
  const spec = specOf(service);
  normalizeClusterIPs(service, undefined);
  if (!needsClusterIP(service)) delete spec.internalTrafficPolicy;
  else if ((spec.ipFamilies?.length ?? 0) === 0) {
    spec.ipFamilies = spec.clusterIP === headless ? headlessFamilies(service, primary) : familiesOf(spec.clusterIPs);
    if (spec.ipFamilies.length > 0)
      spec.ipFamilyPolicy = spec.ipFamilies.length === 1 ? 'SingleStack' : 'RequireDualStack';
  }
}

/** Whoever writes the endpoints of a service that selects nothing may write those of either family. */
function headlessFamilies({ spec }: Service, primary: IPFamily): IPFamily[] {
  return Object.keys(spec?.selector ?? {}).length > 0 ? [primary] : [primary, primary === 'IPv4' ? 'IPv6' : 'IPv4'];
}

function familiesOf(clusterIPs: readonly string[] = []): IPFamily[] {
  return clusterIPs.map((ip) => (isIPv6(ip) ? 'IPv6' : 'IPv4'));
}
