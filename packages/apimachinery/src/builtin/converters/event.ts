import type { KubeObject } from '../../object/object.ts';
import type { Converter } from '../../runtime/converter.ts';

/** events.k8s.io/v1 name → core/v1 name, where they differ (pkg/apis/events/v1/conversion.go, Kubernetes 1.36). */
const RENAMED: readonly (readonly [events: string, core: string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
];
const TO_CORE = new Map(RENAMED);
const TO_EVENTS = new Map(RENAMED.map(([events, core]) => [core, events] as const));

/** Event lives in two groups over one storage; only names differ. */
export const eventConverters: readonly Converter[] = [
  {
    from: { group: 'events.k8s.io', version: 'v1', kind: 'Event' },
    to: { group: '', version: 'v1' },
    convert: (event) => rename(event, TO_CORE),
  },
  {
    from: { group: '', version: 'v1', kind: 'Event' },
    to: { group: 'events.k8s.io', version: 'v1' },
    convert: (event) => rename(event, TO_EVENTS),
  },
  {
    from: { group: 'events.k8s.io', version: 'v1', kind: 'EventList' },
    to: { group: '', version: 'v1' },
    convert: (list) => renameItems(list, TO_CORE),
  },
  {
    from: { group: '', version: 'v1', kind: 'EventList' },
    to: { group: 'events.k8s.io', version: 'v1' },
    convert: (list) => renameItems(list, TO_EVENTS),
  },
];

function rename(event: KubeObject, names: ReadonlyMap<string, string>): KubeObject {
  const renamed: KubeObject = {};
  for (const key in event) renamed[names.get(key) ?? key] = event[key];
  return renamed;
}

function renameItems(list: KubeObject, names: ReadonlyMap<string, string>): KubeObject {
  const items = list['items'];
  return Array.isArray(items) ? { ...list, items: items.map((item) => rename(item as KubeObject, names)) } : list;
}
