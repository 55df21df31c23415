import type { FieldRequirement, KubeObject } from '@kubechain/apimachinery';
import type { StorageResourceConfig } from '../../storage/rest-options.ts';
import { createResourceCodec } from '../../storage/codec.ts';
import type { SelectionPredicate, WatchEvent, WatchSink } from '../../storage/interfaces.ts';
import type { WatchEnd } from '../../storage/watch-end.ts';

/** Something like pods: namespaced, with labels, and with one indexed field. */
export const podCodec = createResourceCodec({
  decodeObject: (stored) => JSON.parse(Buffer.from(stored).toString()) as KubeObject,
  encodeObject: (object) => Buffer.from(JSON.stringify(object)),
  attributes: (object) => {
    const { name = '', namespace = '', labels } = object.metadata ?? {};
    const nodeName = (object['spec'] as { nodeName?: string } | undefined)?.nodeName ?? '';
    return {
      name,
      namespace,
      labels,
      fields: { 'metadata.name': name, 'metadata.namespace': namespace, 'spec.nodeName': nodeName },
    };
  },
  memory: { kind: 'Pod', apiVersion: 'v1' },
});

export const KEY_ROOT = '/registry/pods';

export const podConfig: StorageResourceConfig = {
  groupResource: { group: '', resource: 'pods' },
  resourcePrefix: '/pods',
  codec: podCodec,
  namespaced: true,
  indexers: { 'spec.nodeName': ({ fields }) => fields['spec.nodeName'] },
};

export function podKey(namespace: string, name: string): string {
  return `${KEY_ROOT}/${namespace}/${name}`;
}

export function pod(
  namespace: string,
  name: string,
  content: { readonly labels?: Record<string, string>; readonly nodeName?: string; readonly data?: string } = {},
): KubeObject {
  const { labels, nodeName, data } = content;
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name, namespace, uid: `uid-${namespace}-${name}`, ...(labels === undefined ? {} : { labels }) },
    spec: { ...(nodeName === undefined ? {} : { nodeName }), ...(data === undefined ? {} : { data }) },
  };
}

/** Selects by equality of labels and fields. */
export function select(labels: Record<string, string>, fields: Record<string, string> = {}): SelectionPredicate {
  const requirements: FieldRequirement[] = Object.entries(fields).map(([field, value]) => ({
    field,
    operator: '=',
    value,
  }));
  const matchesLabels = (actual: Readonly<Record<string, string>> | undefined): boolean =>
    Object.entries(labels).every(([name, value]) => actual?.[name] === value);
  const matchesFields = (actual: Readonly<Record<string, string>> | undefined): boolean =>
    requirements.every(({ field, value }) => actual?.[field] === value);
  const text = (pairs: Record<string, string>): string =>
    Object.entries(pairs)
      .map(([name, value]) => `${name}=${value}`)
      .join(',');
  return {
    label: { empty: text(labels) === '', matches: matchesLabels, toString: () => text(labels) },
    field: { empty: requirements.length === 0, requirements, matches: matchesFields, toString: () => text(fields) },
    empty: text(labels) === '' && requirements.length === 0,
    matches: (attributes) => matchesLabels(attributes.labels) && matchesFields(attributes.fields),
  };
}

/** Collects a watch. Takes everything at once, or nothing more once `capacity` events are waiting to be `take`n. */
export class Recorder implements WatchSink {
  readonly events: WatchEvent[] = [];
  capacity = Infinity;
  readonly reasons: WatchEnd[] = [];

  event(event: WatchEvent): boolean {
    if (this.reasons.length > 0) throw new Error('event after end');
    this.events.push(event);
    return this.events.length < this.capacity;
  }

  end(reason: WatchEnd): void {
    this.reasons.push(reason);
  }

  get ends(): number {
    return this.reasons.length;
  }

  /** `ADDED default/a@5`, `BOOKMARK@9`, … */
  get lines(): string[] {
    return this.events.map((event) => {
      switch (event.type) {
        case 'BOOKMARK':
          return `BOOKMARK@${event.revision}${event.initialEventsEnd ? ' end' : ''}`;
        case 'ERROR':
          return `ERROR ${event.error.message}`;
        default:
          return (
            `${event.type} ${event.record.attributes.namespace}/` +
            `${event.record.attributes.name}@${event.record.revision}`
          );
      }
    });
  }
}
