import { forbidden } from '@kubechain/apimachinery';
import { overriding } from '@kubechain/apiserver/resources';
import type { RESTStorage, Store } from '@kubechain/apiserver/resources';
import type { PriorityClass } from '@kubechain/apimachinery/types/scheduling/v1';
import type { TableCell } from '@kubechain/apiserver/resources';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validatePriorityClass, validatePriorityClassUpdate } from './validation.ts';
import { defaultPriorityClass } from './defaults.ts';
import { ageOf, nameOf } from '../../table/printer.ts';
import { storedResource } from '../../resource.ts';

/** Serves priorityclasses. */
export const priorityClassResource = storedResource({
  group: 'scheduling.k8s.io',
  plural: 'priorityclasses',
  strategy: specStrategy({
    generation: 'creation',
    ...validated({ create: validatePriorityClass, update: validatePriorityClassUpdate }),
  }),
  defaults: { v1: defaultPriorityClass },
  row: (priority: PriorityClass): TableCell[] => [
    nameOf(priority),
    priority.value ?? 0,
    priority.globalDefault ?? false,
    ageOf(priority),
    priority.preemptionPolicy ?? '',
  ],
  main: (store) => keepingSystemClasses(store),
});

const systemClasses: ReadonlySet<string> = new Set(['system-node-critical', 'system-cluster-critical']);

/** The server's own classes stay (pkg/registry/scheduling/priorityclass/storage Delete, 1.36). */
function keepingSystemClasses(store: Store): RESTStorage {
  return overriding(store, {
    delete(context, name, validate, options) {
      if (systemClasses.has(name))
        throw forbidden(
          { group: store.spec.group, resource: store.spec.plural },
          name,
          'this is a system priority class and cannot be deleted',
        );
      return store.delete(context, name, validate, options);
    },
  });
}
