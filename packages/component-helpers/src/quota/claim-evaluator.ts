import { betaStorageClassAnnotation, Quantity } from '@kubechain/apimachinery';
import { one } from './quota-evaluator.ts';
import type { Amounts } from './amounts.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';
import type { PersistentVolumeClaim } from '@kubechain/apimachinery/types/core/v1';
import { scopeSelects } from './pod-evaluator.ts';

const counted: readonly string[] = ['persistentvolumeclaims', 'requests.storage'];
const classSuffix = '.storageclass.storage.k8s.io/';

/**
 * Claims and the storage they ask for, in all and of each class
 * (pkg/quota/v1/evaluator/core/persistent_volume_claims.go, 1.36).
 */
export const claimEvaluator: QuotaEvaluator = {
  handles: ({ subresource }) => subresource === '',
  matchingResources: (names) =>
    names.filter(
      (name) =>
        name === 'count/persistentvolumeclaims' ||
        counted.some((resource) => name === resource || name.endsWith(`${classSuffix}${resource}`)),
    ),
  matchesScope: ({ operator, scopeName, values }, object) =>
    scopeName === 'VolumeAttributesClass' &&
    attributesClasses(object as PersistentVolumeClaim).some((actual) =>
      scopeSelects(scopeName, { operator, values, actual }),
    ),
  usage: (object) => usage(object as PersistentVolumeClaim),
};

function usage({ metadata, spec, status }: PersistentVolumeClaim): Amounts {
  const result = new Map([
    ['persistentvolumeclaims', one],
    ['count/persistentvolumeclaims', one],
  ]);
  const storageClass = metadata?.annotations?.[betaStorageClassAnnotation] ?? spec?.storageClassName ?? '';
  const charge = (resource: string, quantity: Quantity): void => {
    result.set(resource, quantity);
    if (storageClass !== '') result.set(`${storageClass}${classSuffix}${resource}`, quantity);
  };
  charge('persistentvolumeclaims', one);
  const asked = spec?.resources?.requests?.['storage'];
  if (asked === undefined) return result;
  const allocated = status?.allocatedResources?.['storage'];
  const larger =
    allocated !== undefined && Quantity.parse(allocated).compare(Quantity.parse(asked)) > 0 ? allocated : asked;
  charge('requests.storage', whole(Quantity.parse(larger)));
  return result;
}

/** Storage comes in whole bytes. */
function whole(quantity: Quantity): Quantity {
  return quantity.scale < 0 ? new Quantity(quantity.wholeValue(), 0, quantity.format) : quantity;
}

/** The classes that a claim has, gets, or had; one of none where there are none. */
function attributesClasses({ spec, status }: PersistentVolumeClaim): string[] {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter((name): name is string => (name ?? '') !== '');
  return names.length === 0 ? [''] : names;
}
