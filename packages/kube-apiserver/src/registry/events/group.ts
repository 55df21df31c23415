import type { GroupProvider } from '../storage-provider.ts';
import { eventsEventStorage } from './event/storage.ts';

/** The events.k8s.io group. */
export const eventsGroup: GroupProvider = { group: 'events.k8s.io', resources: [eventsEventStorage] };
