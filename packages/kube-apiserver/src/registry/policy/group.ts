import type { GroupProvider } from '../resource.ts';
import { podDisruptionBudgetResource } from './poddisruptionbudget/resource.ts';

/** The policy group. */
export const policyGroup: GroupProvider = {
  group: 'policy',
  resources: [podDisruptionBudgetResource],
};
