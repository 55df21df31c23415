import {
  byteLength,
  duplicate,
  FieldPath,
  forbiddenValue,
  invalidValue,
  isValidUserId,
  notSupported,
  required,
  tooLong,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type {
  Container,
  ContainerStatus,
  LinuxContainerUser,
  Pod,
  ResourceStatus,
} from '@kubechain/apimachinery/types/core/v1';

const statusPath = FieldPath.of('status');
const lists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const;
const healthValues = ['Healthy', 'Unhealthy', 'Unknown'];
const maxMessageBytes = 1024;

/**
 * Rules of what a kubelet reports of containers: whose processes run in them, and which devices they have
 * (pkg/apis/core/validation, 1.36).
 */
export function validateContainerStatuses({ spec, status }: Pod): FieldError[] {
  const os: string = spec?.os === undefined ? 'linux' : spec.os.name || '';
  return [
    ...lists.flatMap((list) => validateUsers(status?.[list] ?? [], os, statusPath.child(list))),
    ...validateAllocated(
      status?.containerStatuses ?? [],
      spec?.containers ?? [],
      statusPath.child('containerStatuses'),
    ),
    ...validateAllocated(
      status?.initContainerStatuses ?? [],
      spec?.initContainers ?? [],
      statusPath.child('initContainerStatuses'),
    ),
    ...(status?.ephemeralContainerStatuses ?? []).flatMap(({ allocatedResourcesStatus }, i) =>
      (allocatedResourcesStatus?.length ?? 0) === 0
        ? []
        : [
            forbiddenValue(
              statusPath.child('ephemeralContainerStatuses').index(i).child('allocatedResourcesStatus'),
              'must not be specified in container status',
            ),
          ],
    ),
  ];
}

function validateUsers(statuses: readonly ContainerStatus[], os: string, path: FieldPath): FieldError[] {
  return statuses.flatMap(({ user }, i) => {
    const at = path.index(i).child('user', 'linux');
    if (user?.linux === undefined) return [];
    if (os === 'windows') return [forbiddenValue(at, 'cannot be set for a windows pod')];
    return os === 'linux' ? validateLinuxUser(user.linux, at) : [];
  });
}

function validateLinuxUser(
  { gid = 0, supplementalGroups = [], uid = 0 }: Partial<LinuxContainerUser>,
  path: FieldPath,
): FieldError[] {
  const id = (value: number, at: FieldPath): FieldError[] =>
    isValidUserId(value).map((message) => invalidValue(at, value, message));
  return [
    ...id(uid, path.child('uid')),
    ...id(gid, path.child('gid')),
    ...supplementalGroups.flatMap((group, i) => id(group, path.child('supplementalGroups').index(i))),
  ];
}

function validateAllocated(
  statuses: readonly ContainerStatus[],
  containers: readonly Container[],
  path: FieldPath,
): FieldError[] {
  return statuses.flatMap(({ allocatedResourcesStatus = [], name }, i) =>
    allocatedResourcesStatus.flatMap((allocated, j) => {
      const at = path.index(i).child('allocatedResourcesStatus').index(j);
      const container = containers.find((candidate) => (candidate.name || '') === (name || ''));
      return [
        ...(container === undefined ? [] : validateAllocatedName(allocated.name || '', container, at.child('name'))),
        ...validateHealth(allocated, at.child('resources')),
      ];
    }),
  );
}

/** Something that the container asks for. */
function validateAllocatedName(name: string, { resources }: Container, path: FieldPath): FieldError[] {
  if (!name.startsWith('claim:'))
    return resources?.requests?.[name] === undefined
      ? [invalidValue(path, name, "must match one of the container's resource requests")]
      : [];
  const known = (resources?.claims ?? []).some(
    (claim) => name === `claim:${claim.name}${claim.request ? `/${claim.request}` : ''}`,
  );
  return known
    ? []
    : [
        invalidValue(
          path,
          name,
          "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or " +
            "'claim:<claimName>' if request is empty",
        ),
      ];
}

function validateHealth({ resources = [] }: ResourceStatus, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return resources.flatMap(
    ({ health = '', message, resourceID = '' }: { health?: string; message?: string; resourceID?: string }, i) => {
      const at = path.index(i);
      const errors: FieldError[] = healthValues.includes(health)
        ? []
        : [notSupported(at.child('health'), health, healthValues)];
      if (message === '') errors.push(required(at.child('message'), 'must be non-empty if specified'));
      else if (message !== undefined && byteLength(message) > maxMessageBytes)
        errors.push(tooLong(at.child('message'), maxMessageBytes));
      if (seen.has(resourceID)) errors.push(duplicate(at.child('resourceID'), resourceID));
      seen.add(resourceID);
      return errors;
    },
  );
}
