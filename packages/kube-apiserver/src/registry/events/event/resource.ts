import { eventFields, eventStrategy, newEventFields, newEventStrategy } from './strategy.ts';
import { printEvent } from './table.ts';
import { storedResource } from '../../resource.ts';

const coreV1 = { group: '', version: 'v1' };

/** core/v1 events. */
export const coreEventResource = storedResource({
  group: '',
  plural: 'events',
  anyFinalizers: true,
  strategy: eventStrategy,
  row: printEvent,
  fields: eventFields,
  store: ({ eventTTLSeconds }) => ({ ttlSeconds: () => eventTTLSeconds }),
});

/** events.k8s.io/v1: the same objects under the same keys, kept and stored as core/v1. */
export const eventsEventResource = storedResource({
  group: 'events.k8s.io',
  plural: 'events',
  memoryVersion: coreV1,
  storageVersion: coreV1,
  strategy: newEventStrategy,
  row: printEvent,
  fields: newEventFields,
  store: ({ eventTTLSeconds }) => ({ ttlSeconds: () => eventTTLSeconds }),
});
