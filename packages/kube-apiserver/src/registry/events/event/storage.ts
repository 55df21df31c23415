import type { StorageProvider } from '../../storage-provider.ts';
import { eventFields, eventStrategy, newEventFields, newEventStrategy } from './strategy.ts';

const coreV1 = { group: '', version: 'v1' };

/** Serves core/v1 events. */
export const coreEventStorage: StorageProvider = (context) => {
  const store = context.store({
    group: '',
    plural: 'events',
    anyFinalizers: true,
    strategy: eventStrategy,
    fields: eventFields,
    ttlSeconds: () => context.eventTTLSeconds,
  });
  return [['events', store]];
};

/** Serves events.k8s.io/v1: the same objects under the same keys, kept and stored as core/v1. */
export const eventsEventStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'events.k8s.io',
    plural: 'events',
    memoryVersion: coreV1,
    storageVersion: coreV1,
    strategy: newEventStrategy,
    fields: newEventFields,
    ttlSeconds: () => context.eventTTLSeconds,
  });
  return [['events', store]];
};
