import type { AdmissionAttributes } from '@kubechain/apiserver/resources';

/** Whether a write is to this resource itself, not to one of its subresources. */
export function concerns(attributes: AdmissionAttributes, group: string, resource: string): boolean {
  return (
    attributes.subresource === '' && attributes.resource.resource === resource && attributes.resource.group === group
  );
}
