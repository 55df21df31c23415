import { FieldPath, invalidValue } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { DeviceClass, DeviceClassConfiguration, DeviceClassSpec } from '@kubechain/apimachinery/types/resource/v1';
import { isExtendedResource } from '../../core/resource-name.ts';
import { semanticEqual } from '../../semantic-equal.ts';
import { list } from '../validation/collections.ts';
import { deviceConfiguration, type Seen } from '../validation/configuration.ts';
import { maxConfigs } from '../validation/limits.ts';
import { selectors } from '../validation/selectors.ts';

const specPath = FieldPath.of('spec');

/** Rules of new classes (ValidateDeviceClass of pkg/apis/resource/validation, 1.36). */
export function validateDeviceClass({ spec }: Partial<DeviceClass>): FieldError[] {
  return validateSpec(spec ?? {}, { stored: false });
}

/** What stays as it is may be longer than what is new. */
export function validateDeviceClassUpdate(
  { spec }: Partial<DeviceClass>,
  { spec: old }: Partial<DeviceClass>,
): FieldError[] {
  return validateSpec(spec ?? {}, { stored: semanticEqual(spec?.config, old?.config) });
}

function validateSpec(
  { config, extendedResourceName: name, selectors: selected }: DeviceClassSpec,
  seen: Seen,
): FieldError[] {
  return [
    ...selectors(selected, specPath.child('selectors')),
    ...list<DeviceClassConfiguration>(maxConfigs, (each, path) => deviceConfiguration(each, path, seen))(
      config,
      specPath.child('config'),
    ),
    ...(name === undefined || isExtendedResource(name)
      ? []
      : [invalidValue(specPath.child('extendedResourceName'), name, 'must be a valid extended resource name')]),
  ];
}
