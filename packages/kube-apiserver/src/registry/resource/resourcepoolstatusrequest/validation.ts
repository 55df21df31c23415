import {
  byteLength,
  duplicate,
  FieldPath,
  invalidValue,
  isLongName,
  regexMessage,
  repeats,
  required,
  tooLong,
  tooMany,
  validateConditions,
} from '@kubechain/apimachinery';
import type { Condition, FieldError } from '@kubechain/apimachinery';
import { semanticEqual } from '../../semantic-equal.ts';
import { internalForm } from '../../validation/internal-form.ts';
import { fields, format, items, needed, present } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';
import type {
  PoolStatus,
  ResourcePoolStatusRequest,
  ResourcePoolStatusRequestSpec,
  ResourcePoolStatusRequestStatus,
} from './resource-pool-status-request.ts';

const specPath = FieldPath.of('spec');
const statusPath = FieldPath.of('status');
const mostPools = 1_000;
const mostConditions = 10;
const longestError = 256;

const segment = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const caseless = regexMessage(
  "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an " +
    'alphanumeric character',
  `${segment}(\\.${segment})*`,
  'Example.com',
);

/** In letters of both cases. */
const driver = needed<string>((name, path) =>
  isLongName(name.toLowerCase()).map((message) =>
    invalidValue(path, name, message.startsWith('a lowercase') ? caseless : message),
  ),
);

/** Subdomains with slashes between them, told one by one. */
const poolName = needed<string>((name, path) =>
  name
    .split('/')
    .flatMap((part, index) =>
      part === ''
        ? [invalidValue(path, name, `segment ${index}: must not be empty`)]
        : isLongName(part).map((message) => invalidValue(path, part, `segment ${index}: ${message}`)),
    ),
);

const spec: Rule<ResourcePoolStatusRequestSpec | undefined> = fields<ResourcePoolStatusRequestSpec>({
  driver,
  poolName: present(poolName),
  limit: needed(between(1, mostPools)),
});

const pool: Rule<PoolStatus> = fields<PoolStatus>({
  driver,
  poolName,
  generation: (value, path) => (value === undefined || value === 0 ? [required(path)] : between(0)(value, path)),
  resourceSliceCount: present(between(1)),
  totalDevices: present(between(0)),
  allocatedDevices: present(between(0)),
  availableDevices: present(between(0)),
  unavailableDevices: present(between(0)),
  nodeName: present(format(isLongName)),
  validationError: present((text, path) => (byteLength(text) > longestError ? [tooLong(path, longestError)] : [])),
});

function between(least: number, most = Number.MAX_SAFE_INTEGER): Rule<number> {
  return (value, path) => {
    if (value > most) return [invalidValue(path, value, `must be less than or equal to ${most}`)];
    return value < least ? [invalidValue(path, value, `must be greater than or equal to ${least}`)] : [];
  };
}

/** Rules of questions about pools (zz_generated.validations.go of resource v1alpha3, 1.36). */
export function validateResourcePoolStatusRequest(request: ResourcePoolStatusRequest): FieldError[] {
  return spec(request.spec ?? {}, specPath);
}

/** A question stays as it was asked. */
export function validateResourcePoolStatusRequestUpdate(
  request: ResourcePoolStatusRequest,
  old: ResourcePoolStatusRequest,
): FieldError[] {
  // The reference does not show what it finds.
  return semanticEqual(request.spec, old.spec) ? [] : [invalidValue(specPath, null, 'field is immutable')];
}

/** It is answered once. */
export function validateResourcePoolStatusRequestStatus(
  { status }: ResourcePoolStatusRequest,
  { status: old }: ResourcePoolStatusRequest,
): FieldError[] {
  if (old === undefined ? status === undefined : semanticEqual(status, old)) return [];
  const changed = status === undefined ? null : shown(status);
  const fixed = old === undefined ? [] : [invalidValue(statusPath, changed, 'field is immutable')];
  if (status === undefined) return fixed;
  const { conditions = [], poolCount, pools = [] } = status;
  const poolsPath = statusPath.child('pools');
  return [
    ...(old === undefined ? validateConditions(conditions, statusPath.child('conditions')) : fixed),
    ...needed(between(0))(poolCount, statusPath.child('poolCount')),
    ...(pools.length > mostPools ? [tooMany(poolsPath, pools.length, mostPools)] : items(pool)(pools, poolsPath)),
    ...(semanticEqual(conditions, old?.conditions ?? []) ? [] : validateSetOfConditions(conditions)),
  ];
}

function validateSetOfConditions(conditions: readonly Condition[]): FieldError[] {
  const path = statusPath.child('conditions');
  if (conditions.length > mostConditions) return [tooMany(path, conditions.length, mostConditions)];
  const repeated = repeats(conditions.map(({ type }) => type));
  return conditions.flatMap((condition, index) =>
    repeated[index] === true ? [duplicate(path.index(index), shownCondition(condition))] : [],
  );
}

/** As error texts show it. */
function shown(status: ResourcePoolStatusRequestStatus): object {
  const form = internalForm('resource.ResourcePoolStatusRequestStatus', status) as object;
  return status.conditions === undefined ? form : { ...form, Conditions: status.conditions.map(shownCondition) };
}

/** In Go's order. */
function shownCondition({ lastTransitionTime, message, observedGeneration, reason, status, type }: Condition): object {
  return {
    type,
    status,
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    lastTransitionTime,
    reason,
    message,
  };
}
