import type { RuntimeClass } from '@kubechain/apimachinery/types/node/v1';
import type { TableCell } from '@kubechain/apiserver/resources';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { runtimeClassWarnings, validateRuntimeClass, validateRuntimeClassChange } from './validation.ts';
import { ageOf, nameOf } from '../../table/printer.ts';
import { storedResource } from '../../resource.ts';

/** Serves runtimeclasses. */
export const runtimeClassResource = storedResource({
  group: 'node.k8s.io',
  plural: 'runtimeclasses',
  anyFinalizers: true,
  strategy: specStrategy({
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
    ...validated({
      create: validateRuntimeClass,
      update: validateRuntimeClass,
      change: validateRuntimeClassChange,
    }),
    warningsOnCreate: (runtimeClass) => runtimeClassWarnings(runtimeClass as RuntimeClass),
    warningsOnUpdate: (runtimeClass) => runtimeClassWarnings(runtimeClass as RuntimeClass),
  }),
  row: (runtimeClass: RuntimeClass): TableCell[] => [
    nameOf(runtimeClass),
    runtimeClass.handler ?? '',
    ageOf(runtimeClass),
  ],
});
