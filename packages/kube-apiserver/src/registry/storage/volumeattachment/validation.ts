import {
  byteLength,
  FieldPath,
  forbiddenValue,
  invalidValue,
  isDNS1123Subdomain,
  rangeMessage,
  required,
  tooLong,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type {
  VolumeAttachment,
  VolumeAttachmentSource,
  VolumeAttachmentStatus,
  VolumeError,
} from '@kubechain/apimachinery/types/storage/v1';
import { validateVolumeSpec } from '../../core/persistentvolume/validation.ts';
import { csiDriverName } from '../../core/pod/validation/volume-sources.ts';
import { semanticEqual } from '../../semantic-equal.ts';
import { internalForm } from '../../validation/internal-form.ts';
import { format } from '../../validation/rules.ts';

const specPath = FieldPath.of('spec');
const sourcePath = specPath.child('source');
const namePath = sourcePath.child('persistentVolumeName');
const statusPath = FieldPath.of('status');
const maxMetadataSize = 256 * 1024;
/** Bytes; the reference's answer gives the other limit. */
const maxMessageSize = 1024;
const maxInt32 = 2 ** 31 - 1;
const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
const subdomain = format(isDNS1123Subdomain);

/** Rules of attachments of volumes (ValidateVolumeAttachment of pkg/apis/storage/validation, 1.36). */
export function validateVolumeAttachment({ spec, status }: VolumeAttachment): FieldError[] {
  const name = spec?.source?.persistentVolumeName;
  return [
    ...csiDriverName(spec?.attacher, specPath.child('attacher')),
    ...validateSource(spec?.source ?? {}),
    ...subdomain(spec?.nodeName, specPath.child('nodeName')),
    ...validateStatus(status),
    ...(name === undefined ? [] : subdomain(name, namePath)),
  ];
}

/** What is attached where never changes. */
export function validateVolumeAttachmentUpdate(attachment: VolumeAttachment, old: VolumeAttachment): FieldError[] {
  const same = semanticEqual(attachment.spec, old.spec);
  return [
    ...validateVolumeAttachment(attachment),
    ...(same
      ? []
      : [invalidValue(specPath, internalForm('storage.VolumeAttachmentSpec', attachment.spec), 'field is immutable')]),
  ];
}

function validateSource({ inlineVolumeSpec, persistentVolumeName }: VolumeAttachmentSource): FieldError[] {
  if (inlineVolumeSpec !== undefined && persistentVolumeName !== undefined)
    return [forbiddenValue(sourcePath, exactlyOne)];
  if (inlineVolumeSpec !== undefined)
    return validateVolumeSpec(inlineVolumeSpec, sourcePath.child('inlineVolumeSpec'), { inline: true, volumeName: '' });
  if (persistentVolumeName === undefined) return [required(sourcePath, exactlyOne)];
  return persistentVolumeName === '' ? [required(namePath, 'must specify non empty persistentVolumeName')] : [];
}

function validateStatus(status: Partial<VolumeAttachmentStatus> = {}): FieldError[] {
  const size = Object.entries(status.attachmentMetadata ?? {}).reduce(
    (sum, [key, value]) => sum + byteLength(key) + byteLength(value),
    0,
  );
  return [
    ...(size > maxMetadataSize ? [tooLong(statusPath.child('attachmentMetadata'), maxMetadataSize)] : []),
    ...validateError(status.attachError, statusPath.child('attachError')),
    ...validateError(status.detachError, statusPath.child('detachError')),
  ];
}

function validateError(error: VolumeError | undefined, path: FieldPath): FieldError[] {
  const { errorCode = 0, message = '' } = error ?? {};
  return [
    ...(byteLength(message) > maxMessageSize ? [tooLong(path.child('message'), maxMetadataSize)] : []),
    ...(errorCode < 0 ? [invalidValue(path.child('errorCode'), errorCode, rangeMessage(0, maxInt32))] : []),
  ];
}
