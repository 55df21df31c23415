import {
  append,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  notSupported,
  rangeMessage,
  required,
  tooLong,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  AzureFileVolumeSource,
  CSIVolumeSource,
  CephFSVolumeSource,
  CinderVolumeSource,
  ConfigMapVolumeSource,
  DownwardAPIVolumeSource,
  FCVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  GitRepoVolumeSource,
  GlusterfsVolumeSource,
  HostPathVolumeSource,
  ISCSIVolumeSource,
  ImageVolumeSource,
  LocalObjectReference,
  NFSVolumeSource,
  PersistentVolumeClaimVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
  RBDVolumeSource,
  ScaleIOVolumeSource,
  SecretVolumeSource,
  StorageOSVolumeSource,
  Volume,
  VsphereVirtualDiskVolumeSource,
} from '@kubechain/apimachinery/types/core/v1';
import { validateClaimTemplate } from '../../persistentvolumeclaim/claim-spec.ts';
import {
  each,
  fields,
  filled,
  format,
  inRange,
  items,
  needed,
  oneOf,
  oneOfIfSet,
  present,
} from '../../../validation/rules.ts';
import type { Rule } from '../../../validation/rules.ts';
import { validateDownwardAPIFile } from './downward-api.ts';
import { fileMode, keyToPath, validateRelativePath } from './volume-files.ts';

/** None is 0. */
const partition = inRange(0, 255, rangeMessage(1, 255));

/** Number of a logical unit. */
export const unit = inRange(0, 255, rangeMessage(0, 255));

/** A path that does not leave where it starts. */
export const noBacksteps: Rule<string> = (text, path) =>
  text.split('/').includes('..') ? [invalidValue(path, text, "must not contain '..'")] : [];
const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];
const namedSecret = present(fields<LocalObjectReference>({ name: needed() }));

/** The forms of names of iSCSI initiators and targets. */
export const iscsiNames: readonly (readonly [prefix: string, form: RegExp])[] = [
  ['iqn', /^iqn\.\d{4}-\d{2}\.[a-zA-Z0-9.-]+:[^,;*&$|\s]+$/],
  ['eui', /^eui.[a-zA-Z0-9]{16}$/],
  ['naa', /^naa.[a-zA-Z0-9]{32}$/],
];

function iscsiName(name: string, path: FieldPath): FieldError[] {
  const form = iscsiNames.find(([prefix]) => name.startsWith(prefix));
  if (form === undefined) return [invalidValue(path, name, 'must be valid format starting with iqn, eui, or naa')];
  return form[1].test(name) ? [] : [invalidValue(path, name, 'must be valid format')];
}

const maxDriver = 63;
/** Name of a CSI driver (ValidateCSIDriverName). */
export const csiDriverName = needed<string>((name, path) => [
  ...(name.length > maxDriver ? [tooLong(path, maxDriver)] : []),
  ...isDNS1123Subdomain(name.toLowerCase()).map((message) => invalidValue(path, name, message)),
]);

const cachingModes = ['None', 'ReadOnly', 'ReadWrite'];
const diskKinds = ['Dedicated', 'Managed', 'Shared'];

const azureDisk: Rule<AzureDiskVolumeSource> = (disk, path) => {
  const { diskURI = '', kind } = disk as Partial<AzureDiskVolumeSource>;
  const uri = (supported: string): FieldError => notSupported(path.child('diskURI'), diskURI, [supported]);
  return [
    ...fields<AzureDiskVolumeSource>({
      diskName: needed(),
      diskURI: needed(),
      cachingMode: oneOfIfSet(cachingModes),
      kind: oneOfIfSet(diskKinds),
    })(disk, path),
    ...(kind === 'Managed' && !diskURI.startsWith('/subscriptions/')
      ? [uri('/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}')]
      : []),
    ...(kind !== undefined && kind !== 'Managed' && !diskURI.startsWith('https://')
      ? [uri('https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd')]
      : []),
  ];
};

const quobyte: Rule<QuobyteVolumeSource> = (
  { registry = '', tenant = '', volume }: Partial<QuobyteVolumeSource>,
  path,
) => {
  const pairs = 'must be a host:port pair or multiple pairs separated by commas';
  const errors =
    registry === ''
      ? [required(path.child('registry'), pairs)]
      : tenant.length >= 65
        ? [required(path.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters')]
        : registry
            .split(',')
            .flatMap((pair) =>
              /^([^:[\]]*|\[[^\]]*\]):[^:]*$/.test(pair) ? [] : [invalidValue(path.child('registry'), registry, pairs)],
            );
  return [...errors, ...needed()(volume, path.child('volume'))];
};

const fibreChannel: Rule<FCVolumeSource> = ({ lun, targetWWNs = [], wwids = [] }, path) => {
  const errors =
    targetWWNs.length === 0 && wwids.length === 0
      ? [required(path.child('targetWWNs'), 'must specify either targetWWNs or wwids, but not both')]
      : [];
  if (targetWWNs.length > 0 && wwids.length > 0)
    errors.push(
      invalidValue(path.child('targetWWNs'), targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'),
    );
  if (targetWWNs.length > 0)
    append(
      errors,
      lun === undefined
        ? [required(path.child('lun'), 'lun is required if targetWWNs is specified')]
        : unit(lun, path.child('lun')),
    );
  return errors;
};

const flocker: Rule<FlockerVolumeSource> = ({ datasetName = '', datasetUUID = '' }, path) => [
  ...(datasetName === '' && datasetUUID === ''
    ? [required(path, 'one of datasetName and datasetUUID is required')]
    : []),
  ...(datasetName !== '' && datasetUUID !== ''
    ? [invalidValue(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously')]
    : []),
  ...(datasetName.includes('/') ? [invalidValue(path.child('datasetName'), datasetName, "must not contain '/'")] : []),
];

/** A volume of a driver that is no part of Kubernetes. */
export const flex: Rule<FlexVolumeSource> = ({ driver, options = {} }, path) => [
  ...needed()(driver, path.child('driver')),
  ...Object.keys(options)
    .filter((key) => /\.(kubernetes|k8s)\.io$/.test(`.${(key.split('/')[0] ?? '').toLowerCase()}`))
    .map((key) =>
      invalidValue(path.child('options').key(key), key, 'kubernetes.io and k8s.io namespaces are reserved'),
    ),
];

const iscsi: Rule<ISCSIVolumeSource> = (source, path) => [
  ...fields<ISCSIVolumeSource>({ targetPortal: needed(), iqn: needed(iscsiName), lun: unit })(source, path),
  ...((source.chapAuthDiscovery === true || source.chapAuthSession === true) && source.secretRef === undefined
    ? [required(path.child('secretRef'))]
    : []),
  ...present(iscsiName)(source.initiatorName, path.child('initiatorname')),
];

/** Rules of each source of a volume; the table's keys are the fields of a volume. */
export const sourceRules: { readonly [K in keyof Volume]?: Rule<NonNullable<Volume[K]>> } = {
  hostPath: (source, path) =>
    source.path
      ? fields<HostPathVolumeSource>({
          path: (text, at) => noBacksteps(text ?? '', at),
          type: oneOfIfSet(hostPathTypes),
        })(source, path)
      : [required(path.child('path'))],
  gitRepo: fields<GitRepoVolumeSource>({
    repository: needed(),
    directory: (text, path) => validateRelativePath(text ?? '', path),
  }),
  gcePersistentDisk: fields<GCEPersistentDiskVolumeSource>({ pdName: needed(), partition }),
  awsElasticBlockStore: fields<AWSElasticBlockStoreVolumeSource>({ volumeID: needed(), partition }),
  secret: fields<SecretVolumeSource>({ secretName: needed(), defaultMode: fileMode, items: items(keyToPath) }),
  nfs: fields<NFSVolumeSource>({
    server: needed(),
    path: (text = '', path) => [
      ...needed()(text, path),
      ...(text.startsWith('/') ? [] : [invalidValue(path, text, 'must be an absolute path')]),
    ],
  }),
  iscsi,
  glusterfs: fields<GlusterfsVolumeSource>({ endpoints: needed(), path: needed() }),
  flocker,
  persistentVolumeClaim: fields<PersistentVolumeClaimVolumeSource>({ claimName: needed() }),
  rbd: fields<RBDVolumeSource>({
    monitors: (list, path) => ((list?.length ?? 0) === 0 ? [required(path)] : []),
    image: needed(),
  }),
  cinder: fields<CinderVolumeSource>({ volumeID: needed(), secretRef: namedSecret }),
  cephfs: fields<CephFSVolumeSource>({ monitors: (list, path) => ((list?.length ?? 0) === 0 ? [required(path)] : []) }),
  quobyte,
  // Errors about files of the downward API name the volume.
  downwardAPI: ({ defaultMode, items: files = [] }: DownwardAPIVolumeSource, path) => [
    ...fileMode(defaultMode, path.child('defaultMode')),
    ...each(files, (file) => validateDownwardAPIFile(file, path)),
  ],
  fc: fibreChannel,
  flexVolume: flex,
  configMap: fields<ConfigMapVolumeSource>({ name: needed(), defaultMode: fileMode, items: items(keyToPath) }),
  azureFile: fields<AzureFileVolumeSource>({ secretName: needed(), shareName: needed() }),
  vsphereVolume: fields<VsphereVirtualDiskVolumeSource>({ volumePath: needed() }),
  photonPersistentDisk: fields<PhotonPersistentDiskVolumeSource>({ pdID: needed() }),
  portworxVolume: fields<PortworxVolumeSource>({ volumeID: needed() }),
  azureDisk,
  storageos: fields<StorageOSVolumeSource>({
    volumeName: needed(format(isDNS1123Label)),
    volumeNamespace: filled(format(isDNS1123Label)),
    secretRef: namedSecret,
  }),
  scaleIO: fields<ScaleIOVolumeSource>({ gateway: needed(), system: needed(), volumeName: needed() }),
  csi: ({ driver, nodePublishSecretRef }: CSIVolumeSource, path) => [
    ...csiDriverName(driver, path.child('driver')),
    ...present<LocalObjectReference>(({ name }) =>
      name
        ? format(isDNS1123Subdomain)(name, path.child('name'))
        : [required(path.child('nodePublishSecretRef', 'name'))],
    )(nodePublishSecretRef, path),
  ],
  ephemeral: ({ volumeClaimTemplate }, path) =>
    volumeClaimTemplate === undefined
      ? [required(path.child('volumeClaimTemplate'))]
      : validateClaimTemplate(volumeClaimTemplate, path.child('volumeClaimTemplate')),
  image: fields<ImageVolumeSource>({ pullPolicy: oneOf(['Always', 'IfNotPresent', 'Never']) }),
};
