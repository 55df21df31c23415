/**
 * Fields that hold a struct itself, not a pointer to one, in the Go types of 1.36: absent and `{}` are the same there.
 */
const structFields: ReadonlySet<string> = new Set([
  'backend',
  'clientConfig',
  'conditions',
  'current',
  'daemonEndpoints',
  'deprecatedSource',
  'describedObject',
  'devices',
  'involvedObject',
  'jobTemplate',
  'kubeletEndpoint',
  'lastState',
  'limitResponse',
  'loadBalancer',
  'metadata',
  'metric',
  'nodeInfo',
  'podAffinityTerm',
  'podSelector',
  'podSignature',
  'pool',
  'port',
  'preference',
  'preferredVersion',
  'priorityLevelConfiguration',
  'reference',
  'regarding',
  'resources',
  'roleRef',
  'scaleTargetRef',
  'source',
  'spec',
  'state',
  'status',
  'strategy',
  'target',
  'template',
  'updateStrategy',
  'user',
  'userInfo',
]);
/** Fields that hold a map. */
const mapFields: ReadonlySet<string> = new Set([
  'allocatedResourceStatuses',
  'allocatedResources',
  'annotations',
  'attachmentMetadata',
  'attributes',
  'binaryData',
  'consumedCapacity',
  'counters',
  'data',
  'default',
  'defaultRequest',
  'deprecatedTopology',
  'disruptedPods',
  'extra',
  'hard',
  'labels',
  'limits',
  'matchLabels',
  'max',
  'maxLimitRequestRatio',
  'min',
  'nodeAllocatableResourceMappings',
  'options',
  'podFixed',
  'requests',
  'stringData',
  'used',
  'userAnnotations',
  'volumeAttributes',
]);

/** Fields without omitempty in Go whose zero value is valid: stored objects have it, bodies may leave it out. */
const zeroValues: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['audience', ''],
  ['divisor', '0'],
  ['serviceName', ''],
  ['start', 0],
]);

/**
 * Whether two JSON values mean the same to an API object, as equality.Semantic.DeepEqual of k8s.io/apimachinery has
 * it: absent, null and empty lists and maps are one. An empty object below a field of another name is not the same as
 * none: Go has a pointer there.
 */
export function semanticEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return isEmpty(a) && isEmpty(b);
  return (
    (Array.isArray(a)
      ? Array.isArray(b) && equalLists(a, b)
      : !Array.isArray(b) && equalMembers(a as Members, b as Members)) ||
    (isEmpty(a) && isEmpty(b))
  );
}

type Members = Readonly<Record<string, unknown>>;

function equalLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!semanticEqual(a[i], b[i])) return false;
  return true;
}

/** The same for what Go points to: one that is not there differs from an empty one. */
export function equalPointers(a: unknown, b: unknown): boolean {
  return (a === undefined || a === null) === (b === undefined || b === null) && semanticEqual(a, b);
}

function equalMembers(a: Members, b: Members): boolean {
  // The resources of a pod are behind a pointer, those of a container are not.
  // The number of an iSCSI unit is always there, that of a fibre channel is behind a pointer.
  if (('iqn' in a || 'iqn' in b) && (a['lun'] ?? 0) === (b['lun'] ?? 0) && a['lun'] !== b['lun'])
    return equalMembers({ ...a, lun: 0 }, { ...b, lun: 0 });
  if (('containers' in a || 'containers' in b) && !equalPointers(a['resources'], b['resources'])) return false;
  // So are the pods of a peer of a network policy, those of the policy are not.
  if (('namespaceSelector' in a || 'namespaceSelector' in b) && !equalPointers(a['podSelector'], b['podSelector']))
    return false;
  for (const key in a) if (!equalMember(key, a[key], b[key])) return false;
  for (const key in b) if (!(key in a) && !isEmptyMember(key, b[key]) && b[key] !== zeroValues.get(key)) return false;
  return true;
}

function equalMember(key: string, left: unknown, right: unknown): boolean {
  if (left === right) return true;
  const zero = zeroValues.get(key);
  const [a, b] = [left ?? zero, right ?? zero];
  if (a === b) return true;
  const oneIsAbsent = a === undefined || a === null || b === undefined || b === null;
  return oneIsAbsent ? isEmptyMember(key, a) && isEmptyMember(key, b) : semanticEqual(a, b);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const key in value) if (!isEmptyMember(key, (value as Members)[key])) return false;
  return true;
}

function isEmptyMember(key: string, value: unknown): boolean {
  const pointsToStruct =
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !structFields.has(key) &&
    !mapFields.has(key);
  return !pointsToStruct && isEmpty(value);
}
