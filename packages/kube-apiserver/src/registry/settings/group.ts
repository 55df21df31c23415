import type { GroupProvider } from '../resource.ts';
import { podPresetResource } from './podpreset/resource.ts';

/** The settings group, which 1.20 has removed. */
export const settingsGroup: GroupProvider = { group: 'settings.k8s.io', resources: [podPresetResource] };
