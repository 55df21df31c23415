import { ageSince, createdDescription, nameDescription } from '@kubechain/apiserver/resources';
import type { TableConvertor } from '@kubechain/apiserver/resources';
import type { APIService } from './api-service.ts';
import { availableType } from './conditions.ts';

/** How APIServices print (kube-aggregator pkg/registry/apiservice/etcd/etcd.go, 1.36). */
export const apiServiceTable: TableConvertor = {
  columnsInEvents: true,
  columns: [
    { name: 'Name', type: 'string', format: 'name', description: nameDescription, priority: 0 },
    {
      name: 'Service',
      type: 'string',
      format: '',
      description: 'The reference to the service that hosts this API endpoint.',
      priority: 0,
    },
    { name: 'Available', type: 'string', format: '', description: 'Whether this service is available.', priority: 0 },
    { name: 'Age', type: 'string', format: '', description: createdDescription, priority: 0 },
  ],
  row(object) {
    const {
      metadata,
      spec: { service },
      status,
    } = object as APIService;
    return {
      cells: [
        metadata.name ?? '',
        service === undefined ? 'Local' : `${service.namespace ?? ''}/${service.name ?? ''}`,
        availability(status?.conditions ?? []),
        ageSince(metadata.creationTimestamp),
      ],
    };
  },
};

function availability(conditions: NonNullable<NonNullable<APIService['status']>['conditions']>): string {
  const found = conditions.find(({ type }) => type === availableType);
  if (found === undefined) return 'Unknown';
  return found.status === 'True' || (found.reason ?? '') === ''
    ? found.status
    : `${found.status} (${found.reason ?? ''})`;
}
