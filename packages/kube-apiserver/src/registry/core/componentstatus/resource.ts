import { notFound } from '@kubechain/apimachinery';
import type { ComponentStatus } from '@kubechain/apimachinery/types/core/v1';
import { JSONRecord, parseJSONObject, selects } from '@kubechain/shared-storage';
import type { ObjectRecord } from '@kubechain/shared-storage';
import { answeredResource } from '../../resource.ts';
import { tableOf } from '../../table/table-of.ts';
import { printComponentStatus } from '../table.ts';
import type { ComponentHealth } from '../../component-check.ts';

/**
 * Serves componentstatuses, which are not stored: each request asks the parts of the control plane how they are.
 * A list asks all of them at once and takes as long as the slowest, 20 s at most.
 */
export const componentStatusResource = answeredResource(({ components }) => [
  [
    'componentstatuses',
    {
      kind: 'ComponentStatus',
      namespaced: false,
      singularName: 'componentstatus',
      shortNames: ['cs'],
      deprecationWarning: 'v1 ComponentStatus is deprecated in v1.19+',
      table: tableOf('ComponentStatus', printComponentStatus),
      async get(_context, name) {
        const check = components().get(name);
        if (check === undefined) throw notFound({ group: '', resource: 'componentstatus' }, name);
        return componentStatus(name, await check());
      },
      async list(_context, { predicate }) {
        const records = await Promise.all(
          [...components()].map(async ([name, check]) => recordOf(name, componentStatus(name, await check()))),
        );
        return {
          items: records.filter((record) => selects(predicate, record)),
          resourceVersion: '',
          continue: '',
        };
      },
    },
  ],
]);

function componentStatus(name: string, { status, message, error }: ComponentHealth): ComponentStatus {
  const texts = { ...(message === '' ? {} : { message }), ...(error === '' ? {} : { error }) };
  return {
    kind: 'ComponentStatus',
    apiVersion: 'v1',
    metadata: { name },
    conditions: [{ type: 'Healthy', status, ...texts }],
  };
}

/** Lists are made of records; these never were in a store. */
function recordOf(name: string, { metadata, conditions }: ComponentStatus): ObjectRecord {
  return new JSONRecord(name, 0, {
    json: Buffer.from(JSON.stringify({ metadata, conditions })),
    attributes: { name, namespace: '', labels: undefined, fields: { 'metadata.name': name, 'metadata.namespace': '' } },
    parse: parseJSONObject,
  });
}
