import { duplicate, forbiddenValue, invalidValue, isDNS1123Label, required } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { KeyToPath, Volume } from '@kubechain/apimachinery/types/core/v1';

/** Sources in the order in which the reference looks for them: the first wins, and the others are refused. */
const sources = [
  'emptyDir', 'hostPath', 'gitRepo', 'gcePersistentDisk', 'awsElasticBlockStore', 'secret', 'nfs', 'iscsi', 'glusterfs', 'flocker', 'persistentVolumeClaim', 'rbd', 'cinder', 'cephfs', 'quobyte',
  'downwardAPI', 'fc', 'flexVolume', 'configMap', 'azureFile', 'vsphereVolume', 'photonPersistentDisk', 'portworxVolume', 'azureDisk', 'storageos', 'projected', 'scaleIO', 'csi', 'ephemeral', 'image',
] as const;
/** Fields that the reference's errors spell otherwise. */
const spelled: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };
const modeMessage = 'must be a number between 0 and 0777 (octal), both inclusive';

/** Volumes of a pod; gives the names of those that mounts may refer to (ValidateVolumes of pkg/apis/core/validation, 1.36). */
export function validateVolumes(volumes: readonly Volume[] | undefined, path: FieldPath): { readonly errors: FieldError[]; readonly names: ReadonlySet<string> } {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  (volumes ?? []).forEach((volume, i) => {
    const at = path.index(i);
    const own = validateSource(volume, at);
    const name = volume.name || '';
    if (name === '') own.push(required(at.child('name')));
    else own.push(...isDNS1123Label(name).map((message) => invalidValue(at.child('name'), name, message)));
    if (names.has(name)) own.push(duplicate(at.child('name'), name));
    if (own.length === 0) names.add(name);
    errors.push(...own);
  });
  return { errors, names };
}

function validateSource(volume: Volume, path: FieldPath): FieldError[] {
  const [first, ...more] = sources.filter((source) => volume[source] !== undefined);
  if (first === undefined) return [required(path, 'must specify a volume type')];
  return [...validateFields(volume, path), ...more.map((source) => forbiddenValue(path.child(spelled[source] ?? source), 'may not specify more than 1 volume type'))];
}

/** Rules of the commonest sources. */
function validateFields(volume: Volume, path: FieldPath): FieldError[] {
  const { configMap, emptyDir, hostPath, persistentVolumeClaim, secret } = volume;
  if (emptyDir !== undefined) return emptyDir.sizeLimit?.startsWith('-') === true ? [forbiddenValue(path.child('emptyDir', 'sizeLimit'), 'SizeLimit field must be a valid resource quantity')] : [];
  if (hostPath !== undefined) return validateHostPath(hostPath.path, path.child('hostPath', 'path'));
  if (secret !== undefined) return [...(secret.secretName ? [] : [required(path.child('secret', 'secretName'))]), ...validateFiles(secret, path.child('secret'))];
  if (persistentVolumeClaim !== undefined) return !persistentVolumeClaim.claimName ? [required(path.child('persistentVolumeClaim', 'claimName'))] : [];
  if (configMap !== undefined) return [...(configMap.name ? [] : [required(path.child('configMap', 'name'))]), ...validateFiles(configMap, path.child('configMap'))];
  return [];
}

function validateHostPath(hostPath: string, path: FieldPath): FieldError[] {
  if (!hostPath) return [required(path)];
  return hostPath.split('/').includes('..') ? [invalidValue(path, hostPath, "must not contain '..'")] : [];
}

function validateFiles({ defaultMode, items = [] }: { readonly defaultMode?: number; readonly items?: readonly KeyToPath[] }, path: FieldPath): FieldError[] {
  const errors = validateMode(defaultMode, path.child('defaultMode'));
  items.forEach((item, i) => {
    const at = path.child('items').index(i);
    const file = item.path || '';
    if (!item.key) errors.push(required(at.child('key')));
    if (file === '') errors.push(required(at.child('path')));
    errors.push(...validateRelativePath(file, at.child('path')));
    if (file.startsWith('..') && !file.startsWith('../')) errors.push(invalidValue(at.child('path'), file, "must not start with '..'"));
    errors.push(...validateMode(item.mode, at.child('mode')));
  });
  return errors;
}

function validateMode(mode: number | undefined, path: FieldPath): FieldError[] {
  return mode === undefined || (mode >= 0 && mode <= 0o777) ? [] : [invalidValue(path, mode, modeMessage)];
}

/** A path below a directory that must not lead out of it. */
export function validateRelativePath(text: string, path: FieldPath): FieldError[] {
  return [
    ...(text.startsWith('/') ? [invalidValue(path, text, 'must be a relative path')] : []),
    ...(text.split('/').includes('..') ? [invalidValue(path, text, "must not contain '..'")] : []),
  ];
}
