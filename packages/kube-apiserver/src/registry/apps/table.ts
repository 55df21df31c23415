import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
} from '@kubechain/apimachinery/types/apps/v1';
import { FormatError, controllerOf, parseGroupVersion, selectorFromObject } from '@kubechain/apimachinery';
import type { LabelSelectorObject, ObjectMeta } from '@kubechain/apimachinery';
import { containerCells, labelsCell, none, selectorCell } from '../table/cells.ts';
import { ageOf, nameOf } from '../table/printer.ts';
import type { Printer } from '../table/printer.ts';

/** Row of Deployment (pkg/printers/internalversion, 1.36). */
export const printDeployment: Printer<Deployment> = (object) => [
  nameOf(object),
  `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 0}`,
  object.status?.updatedReplicas ?? 0,
  object.status?.availableReplicas ?? 0,
  ageOf(object),
  ...containerCells(object.spec?.template?.spec?.containers),
  plainSelector(object.spec?.selector),
];

/** Deployments print their selector without words for "none". */
function plainSelector(selector: LabelSelectorObject | undefined): string {
  try {
    return selectorFromObject(selector).toString();
  } catch (error) {
    if (error instanceof FormatError) return '<invalid>';
    throw error;
  }
}

/** Row of ReplicaSet (pkg/printers/internalversion, 1.36). */
export const printReplicaSet: Printer<ReplicaSet> = (object) => [
  nameOf(object),
  object.spec?.replicas ?? 0,
  object.status?.replicas ?? 0,
  object.status?.readyReplicas ?? 0,
  ageOf(object),
  ...containerCells(object.spec?.template?.spec?.containers),
  selectorCell(object.spec?.selector),
];

/** Row of StatefulSet (pkg/printers/internalversion, 1.36). */
export const printStatefulSet: Printer<StatefulSet> = (object) => [
  nameOf(object),
  `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 0}`,
  ageOf(object),
  ...containerCells(object.spec?.template?.spec?.containers),
];

/** Row of DaemonSet (pkg/printers/internalversion, 1.36). */
export const printDaemonSet: Printer<DaemonSet> = (object) => [
  nameOf(object),
  object.status?.desiredNumberScheduled ?? 0,
  object.status?.currentNumberScheduled ?? 0,
  object.status?.numberReady ?? 0,
  object.status?.updatedNumberScheduled ?? 0,
  object.status?.numberAvailable ?? 0,
  labelsCell(object.spec?.template?.spec?.nodeSelector),
  ageOf(object),
  ...containerCells(object.spec?.template?.spec?.containers),
  selectorCell(object.spec?.selector),
];

/** Row of ControllerRevision (pkg/printers/internalversion, 1.36). */
export const printControllerRevision: Printer<ControllerRevision> = (object) => [
  nameOf(object),
  ownerCell(object.metadata),
  Number(object.revision ?? 0),
  ageOf(object),
];

function ownerCell(metadata: ObjectMeta | undefined): string {
  const owner = controllerOf(metadata ?? {});
  if (owner === undefined) return none;
  const { group } = parseGroupVersion(owner.apiVersion) ?? { group: '' };
  return `${`${owner.kind}${group === '' ? '' : `.${group}`}`.toLowerCase()}/${owner.name}`;
}
