import {
  byteLength,
  duplicate,
  FieldPath,
  invalidValue,
  isQualifiedName,
  repeats,
  required,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { CSINode, CSINodeDriver } from '@kubechain/apimachinery/types/storage/v1';
import { csiDriverName } from '../../core/pod/validation/volume-sources.ts';
import { semanticEqual } from '../../semantic-equal.ts';
import { internalForm } from '../../validation/internal-form.ts';
import { notNegative } from '../../validation/rules.ts';

const driversPath = FieldPath.of('spec', 'drivers');
const maxNodeID = 256;

/** Rules of what a node can do for CSI drivers (ValidateCSINode of pkg/apis/storage/validation, 1.36). */
export function validateCSINode({ spec }: Partial<CSINode>): FieldError[] {
  const drivers: readonly CSINodeDriver[] = (spec as CSINode['spec'] | undefined)?.drivers ?? [];
  const repeated = repeats(drivers.map(({ name }) => name || ''));
  return drivers.flatMap((driver, i) => validateDriver(driver, repeated[i] === true, driversPath.index(i)));
}

/** A driver stays as it was told, but for how many volumes it can attach. */
export function validateCSINodeUpdate(node: Partial<CSINode>, old: Partial<CSINode>): FieldError[] {
  const drivers: readonly CSINodeDriver[] = (node.spec as CSINode['spec'] | undefined)?.drivers ?? [];
  const before: readonly CSINodeDriver[] = (old.spec as CSINode['spec'] | undefined)?.drivers ?? [];
  const driversOf = Map.groupBy(drivers, ({ name }) => name);
  return [
    ...validateCSINode(node),
    ...before.flatMap((was) =>
      (driversOf.get(was.name) ?? []).flatMap((driver) => {
        const { allocatable: _allocatable, ...rest } = driver;
        const { allocatable: _wasAllocatable, ...wasRest } = was;
        return semanticEqual(rest, wasRest)
          ? []
          : [invalidValue(driversPath, internalForm('storage.CSINodeDriver', rest), 'field is immutable')];
      }),
    ),
  ];
}

function validateDriver(driver: Partial<CSINodeDriver>, repeated: boolean, path: FieldPath): FieldError[] {
  const { allocatable, name = '', nodeID = '' } = driver;
  // Go writes null for a list that nobody gave.
  const topologyKeys = driver.topologyKeys ?? [];
  const repeatedKeys = repeats(topologyKeys);
  const idPath = path.child('nodeID');
  return [
    ...csiDriverName(name, path.child('name')),
    ...(nodeID === '' ? [required(idPath)] : []),
    ...(byteLength(nodeID) > maxNodeID
      ? [invalidValue(idPath, nodeID, `must be ${maxNodeID} characters or less`)]
      : []),
    ...notNegative(allocatable?.count, path.child('allocatable', 'count')),
    ...(repeated ? [duplicate(path.child('name'), name)] : []),
    ...topologyKeys.flatMap((key, i) => [
      ...(key === '' ? [required(path)] : []),
      ...(repeatedKeys[i] === true ? [duplicate(path, key)] : []),
      ...isQualifiedName(key).map((message) => invalidValue(path, key, message)),
    ]),
  ];
}
