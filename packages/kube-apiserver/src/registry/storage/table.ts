import type {
  CSIDriver,
  CSINode,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from '@kubechain/apimachinery/types/storage/v1';
import { none, unset } from '../table/cells.ts';
import { ageOf, nameOf } from '../table/printer.ts';
import type { Printer } from '../table/printer.ts';

const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
] as const;

/** Row of StorageClass (pkg/printers/internalversion, 1.36). */
export const printStorageClass: Printer<StorageClass> = (object) => {
  const isDefault = defaultAnnotations.some((annotation) => object.metadata?.annotations?.[annotation] === 'true');
  return [
    isDefault ? `${nameOf(object)} (default)` : nameOf(object),
    object.provisioner || '',
    object.reclaimPolicy ?? 'Delete',
    object.volumeBindingMode ?? 'Immediate',
    object.allowVolumeExpansion ?? false,
    ageOf(object),
  ];
};

/** Row of CSIDriver (pkg/printers/internalversion, 1.36). */
export const printCSIDriver: Printer<CSIDriver> = (driver) => {
  const { spec } = driver;
  return [
    nameOf(driver),
    spec?.attachRequired ?? true,
    spec?.podInfoOnMount ?? false,
    spec?.storageCapacity ?? false,
    spec?.tokenRequests === undefined ? unset : spec.tokenRequests.map((request) => request.audience).join(','),
    spec?.requiresRepublish ?? false,
    (spec?.volumeLifecycleModes ?? []).join(',') || none,
    ageOf(driver),
  ];
};

/** Row of VolumeAttachment (pkg/printers/internalversion, 1.36). */
export const printVolumeAttachment: Printer<VolumeAttachment> = (object) => [
  nameOf(object),
  object.spec?.attacher ?? '',
  object.spec?.source?.persistentVolumeName ?? '',
  object.spec?.nodeName ?? '',
  object.status?.attached ?? false,
  ageOf(object),
];

/** Row of CSINode. */
export const printCSINode: Printer<CSINode> = (node) => [nameOf(node), node.spec?.drivers?.length ?? 0, ageOf(node)];

/** Row of VolumeAttributesClass. */
export const printVolumeAttributesClass: Printer<VolumeAttributesClass> = (object) => [
  nameOf(object),
  object.driverName ?? '',
  ageOf(object),
];
