import { invalidValue, notSupported, required } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type {
  DeviceClaim,
  DeviceClaimConfiguration,
  DeviceConstraint,
  DeviceRequest,
  DeviceSubRequest,
  ExactDeviceRequest,
  ResourceClaimSpec,
} from '@kubechain/apimachinery/types/resource/v1';
import { items } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';
import { list, set } from './collections.ts';
import { deviceConfiguration, type Seen } from './configuration.ts';
import { maxAlternatives, maxConfigs, maxConstraints, maxRequests } from './limits.ts';
import { deviceClassName, fullyQualifiedName, label } from './names.ts';
import { selectors } from './selectors.ts';
import { toleration } from './taints.ts';

const oneOfTwo = 'exactly one of `exactly` or `firstAvailable` is required';
const noRequest =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

/** What a claim asks for (validateResourceClaimSpec of pkg/apis/resource/validation, 1.36). */
export function validateClaimSpec({ devices = {} }: ResourceClaimSpec, path: FieldPath): FieldError[] {
  const devicesPath = path.child('devices');
  const names = requestNames(devices);
  return [
    ...set<DeviceRequest>(
      maxRequests,
      request,
      ({ name = '' }: Partial<DeviceRequest>) => name,
    )(devices.requests, devicesPath.child('requests')),
    ...list<DeviceConstraint>(maxConstraints, constraint(names))(devices.constraints, devicesPath.child('constraints')),
    ...list<DeviceClaimConfiguration>(maxConfigs, (config, at) =>
      claimConfiguration(config, { names, stored: false }, at),
    )(devices.config, devicesPath.child('config')),
  ];
}

/** Names of requests, and `request/subrequest` where a request has alternatives. */
export function requestNames({ requests = [] }: DeviceClaim): ReadonlySet<string> {
  return new Set(
    requests.flatMap(({ firstAvailable = [], name }) => [
      name,
      ...firstAvailable.map((alternative) => `${name}/${alternative.name}`),
    ]),
  );
}

/** Something about some requests: each is named once. */
function requestReferences(names: ReadonlySet<string>): Rule<readonly string[] | undefined> {
  return set<string>(maxRequests, requestReference(names), (name) => name);
}

/** A request of the claim, or one of its alternatives. */
export function requestReference(names: ReadonlySet<string>): Rule<string> {
  return (given: string | undefined, path) => {
    const name = given ?? '';
    const parts = name.split('/');
    if (parts.length > 2) return [invalidValue(path, name, noRequest)];
    return [
      ...parts.flatMap((part) => label(part, path)),
      ...(names.has(name) ? [] : [invalidValue(path, name, noRequest)]),
    ];
  };
}

/** What drivers are told for some requests. */
export function claimConfiguration(
  config: DeviceClaimConfiguration,
  { names, ...seen }: Seen & { readonly names: ReadonlySet<string> },
  path: FieldPath,
): FieldError[] {
  return [
    ...requestReferences(names)(config.requests, path.child('requests')),
    ...deviceConfiguration(config, path, seen),
  ];
}

const request: Rule<DeviceRequest> = ({ exactly, firstAvailable = [], name }, path) => {
  const errors = label(name, path.child('name'));
  if (exactly !== undefined && firstAvailable.length > 0)
    return [...errors, invalidValue(path, null, `${oneOfTwo}, but multiple fields are set`)];
  if (exactly !== undefined) return [...errors, ...devicesWanted(exactly, path.child('exactly'))];
  if (firstAvailable.length === 0) return [...errors, required(path, oneOfTwo)];
  return [
    ...errors,
    ...set<DeviceSubRequest>(
      maxAlternatives,
      alternative,
      (each: Partial<DeviceSubRequest>) => each.name ?? '',
    )(firstAvailable, path.child('firstAvailable')),
  ];
};

const alternative: Rule<DeviceSubRequest> = (value, path) => [
  ...label(value.name, path.child('name')),
  ...devicesWanted(value, path),
];

const devicesWanted: Rule<ExactDeviceRequest | DeviceSubRequest> = (wanted, path) => [
  ...deviceClassName(wanted.deviceClassName, path.child('deviceClassName')),
  ...selectors(wanted.selectors, path.child('selectors')),
  ...count(wanted, path),
  ...items(toleration)(wanted.tolerations, path.child('tolerations')),
];

const count: Rule<{ readonly allocationMode?: string; readonly count?: number }> = (
  { allocationMode = '', count: number = 0 },
  path,
) => {
  const countPath = path.child('count');
  switch (allocationMode) {
    case 'All':
      return number === 0
        ? []
        : [invalidValue(countPath, number, "must not be specified when allocationMode is 'All'")];
    case 'ExactCount':
      return number > 0 ? [] : [invalidValue(countPath, number, 'must be greater than zero')];
    default:
      return [notSupported(path.child('allocationMode'), allocationMode, ['All', 'ExactCount'])];
  }
};

function constraint(names: ReadonlySet<string>): Rule<DeviceConstraint> {
  return ({ distinctAttribute, matchAttribute, requests }, path) => [
    ...requestReferences(names)(requests, path.child('requests')),
    ...(matchAttribute !== undefined
      ? fullyQualifiedName(matchAttribute, path.child('matchAttribute'))
      : distinctAttribute !== undefined
        ? fullyQualifiedName(distinctAttribute, path.child('distinctAttribute'))
        : [
            required(
              path,
              'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set',
            ),
          ]),
  ];
}
