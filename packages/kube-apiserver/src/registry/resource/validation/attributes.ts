import { byteLength, invalidValue, tooLong } from '@kubechain/apimachinery';
import type { JSONValue } from '@kubechain/apimachinery';
import type { Device, DeviceAttribute } from '@kubechain/apimachinery/types/resource/v1';
import { internalForm } from '../../validation/internal-form.ts';
import { present } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';
import { maxAttributeText } from './limits.ts';

const identifier = String.raw`(0|[1-9]\d*)`;
const preRelease = String.raw`(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)`;
/** semver.org 2.0.0. */
const semver = new RegExp(
  String.raw`^${identifier}\.${identifier}\.${identifier}(-${preRelease}(\.${preRelease})*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$`,
);

const text: Rule<string> = (value, path) =>
  byteLength(value) > maxAttributeText ? [tooLong(path, maxAttributeText)] : [];
const version: Rule<string> = (value, path) => [
  ...(semver.test(value) ? [] : [invalidValue(path, value, 'must be a string compatible with semver.org spec 2.0.0')]),
  ...text(value, path),
];

/** The members of an attribute, of which it has one. Lists are behind a feature gate and dropped before. */
const members = ['int', 'bool', 'string', 'version'] as const;

/** One value (validateDeviceAttribute of pkg/apis/resource/validation, 1.36). */
export const attribute: Rule<DeviceAttribute> = (value, path) => {
  const count = members.filter((name) => value[name] !== undefined).length;
  return [
    ...present(text)(value.string, path.child('string')),
    ...present(version)(value.version, path.child('version')),
    ...(count === 1
      ? []
      : [invalidValue(path, count === 0 ? '' : internal(value), 'exactly one value must be specified')]),
  ];
};

/** As it is printed, under its members' inner names. */
function internal({ bool, int, string, version: versionValue }: DeviceAttribute): JSONValue {
  return internalForm('resource.DeviceAttribute', {
    intValue: int,
    boolValue: bool,
    stringValue: string,
    versionValue,
  });
}

/** How many attributes and capacities a device has. */
export function countAttributesAndCapacities({ attributes = {}, capacity = {} }: Device): number {
  return Object.keys(attributes).length + Object.keys(capacity).length;
}
