import type { GroupProvider } from '../storage-provider.ts';
import { podDisruptionBudgetStorage } from './poddisruptionbudget/storage.ts';

/** The policy group. */
export const policyGroup: GroupProvider = {
  group: 'policy',
  resources: [podDisruptionBudgetStorage],
};
