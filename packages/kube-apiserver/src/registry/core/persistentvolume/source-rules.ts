import { invalidValue, isDNS1123Label, isDNS1123Subdomain, required } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type {
  AzureFilePersistentVolumeSource,
  CSIPersistentVolumeSource,
  CephFSPersistentVolumeSource,
  CinderPersistentVolumeSource,
  FlexPersistentVolumeSource,
  GlusterfsPersistentVolumeSource,
  ISCSIPersistentVolumeSource,
  LocalVolumeSource,
  ObjectReference,
  PersistentVolumeSpec,
  RBDPersistentVolumeSource,
  ScaleIOPersistentVolumeSource,
  SecretReference,
  StorageOSPersistentVolumeSource,
} from '@kubechain/apimachinery/types/core/v1';
import { fields, filled, format, needed, present } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';
import {
  csiDriverName,
  flex,
  iscsiNames,
  noBacksteps,
  sourceRules as podSourceRules,
  unit,
} from '../pod/validation/volume-sources.ts';

const maxPortal = 64;

/**
 * Fields of a volume that say what it is, in the order in which the reference looks for them: the first wins, and the
 * others are refused.
 */
export const volumeSources = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const satisfies readonly (keyof PersistentVolumeSpec)[];

type Sources = { readonly [K in (typeof volumeSources)[number]]: Rule<NonNullable<PersistentVolumeSpec[K]>> };

/** A secret by name and namespace. */
const namespacedSecret = present(fields<SecretReference & ObjectReference>({ name: needed(), namespace: needed() }));
const checkedSecret = present(
  fields<SecretReference>({ name: needed(format(isDNS1123Subdomain)), namespace: needed(format(isDNS1123Label)) }),
);
const someMonitors: Rule<readonly string[] | undefined> = (list, path) =>
  (list?.length ?? 0) === 0 ? [required(path)] : [];

function iscsiName(name: string, path: FieldPath): FieldError[] {
  const form = iscsiNames.find(([prefix]) => name.startsWith(prefix));
  return form?.[1].test(name) === true ? [] : [invalidValue(path, name, 'must be valid format')];
}

/**
 * Rules of a volume's source, which differ from those of a pod's volumes where secrets are named with a namespace
 * (pkg/apis/core/validation, 1.36).
 */
export function persistentSourceRules(volumeName: string): Sources {
  const {
    awsElasticBlockStore,
    azureDisk,
    fc,
    flocker,
    gcePersistentDisk,
    hostPath,
    nfs,
    photonPersistentDisk,
    portworxVolume,
    quobyte,
    vsphereVolume,
  } = podSourceRules as Required<typeof podSourceRules>;
  return {
    hostPath,
    gcePersistentDisk,
    awsElasticBlockStore,
    flocker,
    nfs,
    quobyte,
    fc,
    vsphereVolume,
    photonPersistentDisk,
    portworxVolume,
    azureDisk,
    glusterfs: fields<GlusterfsPersistentVolumeSource>({
      endpoints: needed(),
      path: needed(),
      endpointsNamespace: present((name, path) =>
        name === ''
          ? [invalidValue(path, name, 'if the endpointnamespace is set, it must be a valid namespace name')]
          : format(isDNS1123Label)(name, path),
      ),
    }),
    rbd: fields<RBDPersistentVolumeSource>({ monitors: someMonitors, image: needed() }),
    cephfs: fields<CephFSPersistentVolumeSource>({ monitors: someMonitors }),
    iscsi: (source, path) => validateISCSI(source, path, volumeName),
    cinder: fields<CinderPersistentVolumeSource>({ volumeID: needed(), secretRef: namespacedSecret }),
    flexVolume: ({ driver, options }: FlexPersistentVolumeSource, path) =>
      flex({ driver, ...(options === undefined ? {} : { options }) }, path),
    azureFile: fields<AzureFilePersistentVolumeSource>({
      secretName: needed(),
      shareName: needed(),
      secretNamespace: present(needed()),
    }),
    scaleIO: fields<ScaleIOPersistentVolumeSource>({ gateway: needed(), system: needed(), volumeName: needed() }),
    local: fields<LocalVolumeSource>({ path: needed(noBacksteps) }),
    storageos: fields<StorageOSPersistentVolumeSource>({
      volumeName: needed(format(isDNS1123Label)),
      volumeNamespace: filled(format(isDNS1123Label)),
      secretRef: namespacedSecret,
    }),
    csi: fields<CSIPersistentVolumeSource>({
      driver: csiDriverName,
      volumeHandle: needed(),
      controllerPublishSecretRef: checkedSecret,
      controllerExpandSecretRef: checkedSecret,
      nodePublishSecretRef: checkedSecret,
      nodeExpandSecretRef: checkedSecret,
    }),
  };
}

function validateISCSI(source: ISCSIPersistentVolumeSource, path: FieldPath, volumeName: string): FieldError[] {
  const { chapAuthDiscovery, chapAuthSession, initiatorName, secretRef, targetPortal } = source;
  const tooLong = initiatorName !== undefined && `${volumeName}:${targetPortal}`.length > maxPortal;
  return [
    ...needed()(targetPortal, path.child('targetPortal')),
    ...(tooLong
      ? [
          invalidValue(
            path.child('targetportal'),
            targetPortal,
            'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if ' +
              'iscsi.initiatorName is specified.',
          ),
        ]
      : []),
    ...fields<ISCSIPersistentVolumeSource>({ iqn: needed(iscsiName), lun: unit })(source, path),
    ...((chapAuthDiscovery === true || chapAuthSession === true) && secretRef === undefined
      ? [required(path.child('secretRef'))]
      : []),
    ...(secretRef === undefined ? [] : needed()(secretRef.name, path.child('secretRef', 'name'))),
    ...present(iscsiName)(initiatorName, path.child('initiatorname')),
  ];
}
