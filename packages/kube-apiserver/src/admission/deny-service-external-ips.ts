import { admissionForbidden } from '@kubechain/apiserver/resources';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver/resources';
import type { Service } from '@kubechain/apimachinery/types/core/v1';
import { concerns } from './attributes.ts';

/**
 * Keeps services from taking addresses that are not theirs: those they have may stay
 * (plugin/pkg/admission/network/denyserviceexternalips, 1.36).
 */
export class DenyServiceExternalIPs implements AdmissionPlugin {
  readonly name = 'DenyServiceExternalIPs';

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  validate(attributes: AdmissionAttributes): void {
    if (!concerns(attributes, '', 'services')) return;
    const had = new Set(addressesOf(attributes.oldObject as Service | undefined));
    if (!addressesOf(attributes.object as Service).every((address) => had.has(address)))
      throw admissionForbidden(attributes, 'Use of external IPs is denied by admission control');
  }
}

function addressesOf(service: Service | undefined): readonly string[] {
  return service?.spec?.externalIPs ?? [];
}
