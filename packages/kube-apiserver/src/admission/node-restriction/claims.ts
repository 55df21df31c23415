import { admissionForbidden } from '@kubechain/apiserver/resources';
import type { KubeObject } from '@kubechain/apimachinery';
import type { PersistentVolumeClaim } from '@kubechain/apimachinery/types/core/v1';
import { semanticEqual } from '../../registry/semantic-equal.ts';
import type { NodeWrite } from './node-write.ts';

/** Nodes tell how large a claim has become, and nothing else of it. */
export function checkClaim({ attributes, node }: NodeWrite): void {
  if (attributes.subresource !== 'status') throw admissionForbidden(attributes, 'may only update PVC status');
  if (attributes.operation !== 'UPDATE')
    throw admissionForbidden(attributes, `unexpected operation ${JSON.stringify(attributes.operation)}`);
  const before = withoutSize(attributes.oldObject);
  const after = withoutSize(attributes.object);
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (part) => !semanticEqual(before[part], after[part]),
  );
  if (changed.length > 0)
    throw admissionForbidden(
      attributes,
      `node ${JSON.stringify(node)} is not allowed to update fields other than status.quantity and ` +
        `status.conditions: ${changed.join(', ')}`,
    );
}

/** Metadata, spec and status without what a node may change, and without what any write changes. */
function withoutSize(object: KubeObject | undefined): Readonly<Record<string, unknown>> {
  const { metadata, spec, status } = (object ?? {}) as PersistentVolumeClaim;
  const { managedFields: _managers, resourceVersion: _version, ...identity } = metadata ?? {};
  const {
    allocatedResourceStatuses: _states,
    allocatedResources: _allocated,
    capacity: _capacity,
    conditions: _conditions,
    ...rest
  } = status ?? {};
  return { metadata: identity, spec, status: rest };
}
