import { append, forbiddenValue, invalidValue, required, valueNotFound } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { Container, Volume, VolumeMount } from '@kubechain/apimachinery/types/core/v1';
import { oneOfIfSet } from '../../../validation/rules.ts';
import { validateRelativePath } from './volume-files.ts';

/**
 * Mounts of volumes (ValidateVolumeMounts of pkg/apis/core/validation, 1.36). Errors about what is below a mount name
 * the list, as the reference's do.
 */
export function validateMounts(
  container: Container,
  path: FieldPath,
  volumes: ReadonlyMap<string, Volume>,
): FieldError[] {
  const errors: FieldError[] = [];
  const paths = new Set<string>();
  // Of several devices of one name the last counts.
  const devices = new Map((container.volumeDevices ?? []).map((device) => [device.name, device.devicePath]));
  const devicePaths = new Set(devices.values());
  (container.volumeMounts ?? []).forEach((mount: VolumeMount, i) => {
    const at = path.index(i);
    const name = mount.name || '';
    const mountPath = mount.mountPath || '';
    if (name === '') errors.push(required(at.child('name')));
    if (!volumes.has(name)) errors.push(valueNotFound(at.child('name'), name));
    if (mountPath === '') errors.push(required(at.child('mountPath')));
    if (paths.has(mountPath)) errors.push(invalidValue(at.child('mountPath'), mountPath, 'must be unique'));
    paths.add(mountPath);
    if (devices.has(mount.name))
      errors.push(invalidValue(at.child('name'), mount.name, 'must not already exist in volumeDevices'));
    if (devicePaths.has(mount.mountPath))
      errors.push(
        invalidValue(at.child('mountPath'), mount.mountPath, 'must not already exist as a path in volumeDevices'),
      );
    if (mount.subPath) append(errors, validateRelativePath(mount.subPath, path.child('subPath')));
    if (mount.subPathExpr) {
      if (mount.subPath)
        errors.push(
          invalidValue(at.child('subPathExpr'), mount.subPathExpr, 'subPathExpr and subPath are mutually exclusive'),
        );
      append(errors, validateRelativePath(mount.subPathExpr, path.child('subPathExpr')));
    }
    const propagationPath = path.child('mountPropagation');
    append(errors, oneOfIfSet(['Bidirectional', 'HostToContainer', 'None'])(mount.mountPropagation, propagationPath));
    if (mount.mountPropagation === 'Bidirectional' && container.securityContext?.privileged !== true)
      errors.push(
        forbiddenValue(propagationPath, 'Bidirectional mount propagation is available only to privileged containers'),
      );
    append(errors, validateRecursiveReadOnly(mount, path.child('recursiveReadOnly')));
  });
  return errors;
}

function validateRecursiveReadOnly(
  { mountPropagation, readOnly, recursiveReadOnly }: VolumeMount,
  path: FieldPath,
): FieldError[] {
  if (recursiveReadOnly !== 'Enabled' && recursiveReadOnly !== 'IfPossible')
    return oneOfIfSet(['Disabled', 'Enabled', 'IfPossible'])(recursiveReadOnly, path);
  return [
    ...(readOnly === true ? [] : [forbiddenValue(path, 'may only be specified when readOnly is true')]),
    ...(mountPropagation === undefined || mountPropagation === 'None'
      ? []
      : [forbiddenValue(path, 'may only be specified when mountPropagation is None or not specified')]),
  ];
}

/** Volumes as block devices: claims alone can be that (ValidateVolumeDevices). */
export function validateDevices(
  container: Container,
  path: FieldPath,
  volumes: ReadonlyMap<string, Volume>,
): FieldError[] {
  const errors: FieldError[] = [];
  const paths = new Set<string>();
  const names = new Set<string>();
  const mounts = new Map((container.volumeMounts ?? []).map((mount) => [mount.name, mount.mountPath]));
  const mountPaths = new Set(mounts.values());
  (container.volumeDevices ?? []).forEach(
    ({ devicePath = '', name = '' }: { devicePath?: string; name?: string }, i) => {
      const at = path.index(i);
      const volume = volumes.get(name);
      if (name === '') errors.push(required(at.child('name')));
      if (names.has(name)) errors.push(invalidValue(at.child('name'), name, 'must be unique'));
      if (volume === undefined) errors.push(valueNotFound(at.child('name'), name));
      else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined)
        errors.push(
          invalidValue(
            at.child('name'),
            name,
            'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
          ),
        );
      if (devicePath === '') errors.push(required(at.child('devicePath')));
      if (paths.has(devicePath)) errors.push(invalidValue(at.child('devicePath'), devicePath, 'must be unique'));
      if (devicePath.split('/').includes('..'))
        errors.push(invalidValue(at.child('devicePath'), devicePath, "can not contain backsteps ('..')"));
      else paths.add(devicePath);
      if (mounts.has(name)) errors.push(invalidValue(at.child('name'), name, 'must not already exist in volumeMounts'));
      if (mountPaths.has(devicePath))
        errors.push(
          invalidValue(at.child('devicePath'), devicePath, 'must not already exist as a path in volumeMounts'),
        );
      if (name !== '') names.add(name);
    },
  );
  return errors;
}
