import type { GroupProvider } from '../resource.ts';
import { eventsEventResource } from './event/resource.ts';

/** The events.k8s.io group. */
export const eventsGroup: GroupProvider = { group: 'events.k8s.io', resources: [eventsEventResource] };
