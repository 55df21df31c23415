import type { KubeObject } from '@kubechain/apimachinery';
import { createResourceCodec } from '../../storage/codec.ts';
import type { ObjectRecord, ResourceCodec } from '../../storage/interfaces.ts';

/** What the tests vary on their objects. */
export interface PodFields {
  readonly namespace?: string;
  readonly uid?: string;
  readonly labels?: Record<string, string>;
  readonly nodeName?: string;
  /** Makes the object larger. */
  readonly padding?: number;
}

/** A pod as far as storage cares. */
export function pod(name: string, fields: PodFields = {}): KubeObject {
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name,
      namespace: fields.namespace ?? 'ns',
      uid: fields.uid ?? `uid-${name}`,
      ...(fields.labels === undefined ? {} : { labels: fields.labels }),
      ...(fields.padding === undefined ? {} : { annotations: { padding: 'x'.repeat(fields.padding) } }),
    },
    spec: { nodeName: fields.nodeName ?? '' },
  };
}

function nodeName(object: KubeObject): string {
  const spec = object['spec'];
  const name: unknown = typeof spec === 'object' && spec !== null && 'nodeName' in spec ? spec.nodeName : '';
  return typeof name === 'string' ? name : '';
}

/** Codec of the tests' pods: JSON, spliced. */
export const podCodec: ResourceCodec = createResourceCodec({
  memory: { kind: 'Pod', apiVersion: 'v1' },
  decodeObject: (stored) => JSON.parse(Buffer.from(stored).toString('utf8')) as KubeObject,
  encodeObject: (object) => {
    const { kind, apiVersion, metadata, ...rest } = object;
    return Buffer.from(`${JSON.stringify({ kind, apiVersion, metadata, ...rest })}\n`);
  },
  attributes: (object) => ({
    name: object.metadata?.name ?? '',
    namespace: object.metadata?.namespace ?? '',
    labels: object.metadata?.labels,
    fields: {
      'metadata.name': object.metadata?.name ?? '',
      'metadata.namespace': object.metadata?.namespace ?? '',
      'spec.nodeName': nodeName(object),
    },
  }),
});

/** What the JSON of a record says. */
export function jsonOf(record: ObjectRecord): KubeObject {
  return JSON.parse(Buffer.from(record.json).toString('utf8')) as KubeObject;
}

/** Names in order. */
export function namesOf(records: readonly ObjectRecord[]): string[] {
  return records.map((record) => record.attributes.name);
}
