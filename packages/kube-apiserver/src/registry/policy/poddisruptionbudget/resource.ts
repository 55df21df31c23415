import type { PodDisruptionBudget } from '@kubechain/apimachinery/types/policy/v1';
import type { TableCell } from '@kubechain/apiserver/resources';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { keptSelectorRules } from '../../validation/kept-selectors.ts';
import { validated } from '../../validation/validate.ts';
import { validatePodDisruptionBudget, validatePodDisruptionBudgetStatus } from './validation.ts';
import { ageOf, nameOf } from '../../table/printer.ts';
import { storedResource } from '../../resource.ts';

/** Serves poddisruptionbudgets with status. */
export const podDisruptionBudgetResource = storedResource({
  group: 'policy',
  plural: 'poddisruptionbudgets',
  strategy: specStrategy({
    generation: 'spec',
    status: true,
    allowUnconditionalUpdate: false,
    rulesLeaveMetadata: true,
    ...validated<PodDisruptionBudget>({
      create: (budget) => validatePodDisruptionBudget(budget),
      update: (budget, old) => validatePodDisruptionBudget(budget, keptSelectorRules([old.spec?.selector])),
    }),
  }),
  status: statusStrategy({
    hooks: {
      allowUnconditionalUpdate: false,
      updateChecksMetadata: [],
      ...validated({ update: validatePodDisruptionBudgetStatus }),
    },
  }),
  row: (budget: PodDisruptionBudget): TableCell[] => [
    nameOf(budget),
    String(budget.spec?.minAvailable ?? 'N/A'),
    String(budget.spec?.maxUnavailable ?? 'N/A'),
    budget.status?.disruptionsAllowed ?? 0,
    ageOf(budget),
  ],
});
