import { FieldPath } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type {
  Device,
  DeviceClaim,
  ResourceClaim,
  ResourceClaimStatus,
  ResourceSliceSpec,
} from '@kubechain/apimachinery/types/resource/v1';
import { internalContext } from '@kubechain/apiserver/resources';
import type { AuthorizationAttributes } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { checkBindingRights, checkDeviceRights } from '../resourceclaim/status-rights.ts';
import { validateResourceClaimStatus } from '../resourceclaim/status-validation.ts';
import { validateResourceClaim, validateResourceClaimUpdate } from '../resourceclaim/validation.ts';
import { validateResourceClaimTemplate } from '../resourceclaimtemplate/validation.ts';
import { validateResourceSlice } from '../resourceslice/validation.ts';
import { map } from './collections.ts';
import { checkDeviceExpression } from './device-expression.ts';
import { poolName, qualifiedName, uid } from './names.ts';

const texts = (errors: readonly FieldError[]): string[] => errors.map(String);
const label = (text: string): string =>
  `Invalid value: ${JSON.stringify(text)}: a lowercase RFC 1123 label must consist of lower case alphanumeric ` +
  `characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', ` +
  `regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`;
const at = FieldPath.of('f');

describe('expressions that select devices', () => {
  const rows: readonly (readonly [what: string, source: string, expected: string | undefined])[] = [
    [
      'know driver, attributes and capacity',
      'device.driver == "d" && device.attributes["d"].model == "x" && ' +
        'device.capacity["d"].memory.compareTo(quantity("1Gi")) > 0',
      undefined,
    ],
    ['know shared devices', 'device.allowMultipleAllocations', undefined],
    ['may be an attribute, of whatever type', 'device.attributes["d"].ok', undefined],
    ['may bind what they use twice', 'cel.bind(a, device.attributes["d"], a.x == 1 || a.y == 2)', undefined],
    [
      'must be true or false',
      'device.attributes',
      'must evaluate to bool or the unknown type, not map(string, map(string, any))',
    ],
    ['must not be anything', 'dyn(true)', 'must evaluate to bool or the unknown type, not dyn'],
    [
      'know nothing else',
      'object == 1',
      "compilation failed: ERROR: <input>:1:1: undeclared reference to 'object' (in container '')\n | object " +
        '== 1\n | ^',
    ],
  ];
  for (const [what, source, expected] of rows) {
    it(what, () => {
      expect(checkDeviceExpression(source)).to.deep.equal(
        expected === undefined ? undefined : { kind: 'invalid', text: expected },
      );
    });
  }
  it('must not cost too much', () => {
    const nested = (depth: number): string =>
      depth === 0 ? 'true' : `device.attributes.all(k${depth}, ${nested(depth - 1)})`;
    expect(checkDeviceExpression(nested(2))).to.equal(undefined);
    expect(checkDeviceExpression(nested(6))).to.deep.equal({ kind: 'costly' });
  });
});

describe('names of dynamic resource allocation', () => {
  it('of pools are subdomains with slashes', () => {
    expect(texts(poolName('a.b/c', at))).to.deep.equal([]);
    expect(texts(poolName('', at))).to.deep.equal(['f: Required value']);
    expect(texts(poolName('a'.repeat(254), at))).to.include('f: Too long: may not be more than 253 bytes');
  });
  it('of attributes may have a domain', () => {
    for (const name of ['a_b', 'example.com/a', 'a/b/c'])
      expect(texts(qualifiedName(name, at)), name).to.deep.equal([]);
    expect(texts(qualifiedName('/', at))).to.deep.equal([
      'f: Invalid value: "": the domain must not be empty',
      'f: Invalid value: "": the name must not be empty',
    ]);
    expect(texts(qualifiedName('x'.repeat(33), at))).to.deep.equal(['f: Too long: may not be more than 32 bytes']);
  });
  it('of shares are UUIDs in their normal form', () => {
    const id = '11111111-2222-3333-4444-55555555abcd';
    expect(texts(uid(id, at))).to.deep.equal([]);
    expect(texts(uid('x', at))).to.deep.equal(['f: Invalid value: "x": error validating uid: invalid UUID length: 1']);
    expect(texts(uid(id.replace('-', 'x'), at))[0]).to.include('error validating uid: invalid UUID format');
    for (const other of [id.toUpperCase(), `{${id}}`, `urn:uuid:${id}`, id.replaceAll('-', '')])
      expect(texts(uid(other, at))[0], other).to.include('uid must be in RFC 4122 normalized form');
  });
  it('that are long are shortened in paths', () => {
    const rule = map<number>({
      max: 2,
      maxKey: 16,
      key: () => [],
      value: (value, path) =>
        value === 0 ? texts([]) && [{ toString: () => String(path) } as unknown as FieldError] : [],
    });
    expect(texts(rule({ abcdefghijklmnopqrst: 0 }, at))).to.deep.equal(['f[abcdefg...opqrst]']);
    expect(texts(rule({ a: 1, b: 1, c: 1 }, at))).to.deep.equal(['f: Too many: 3: must have at most 2 items']);
  });
});

describe('claims of devices', () => {
  const claimOf = (devices: object): Partial<ResourceClaim> => ({ spec: { devices: devices as DeviceClaim } });
  const exactly = { deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 };
  const rows: readonly (readonly [what: string, devices: object, expected: readonly string[]])[] = [
    ['may be empty', {}, []],
    [
      'ask for one thing at a time',
      { requests: [{ name: 'a', exactly, firstAvailable: [{ name: 'x', ...exactly }] }, { name: 'b' }] },
      [
        'spec.devices.requests[0]: Invalid value: null: exactly one of `exactly` or `firstAvailable` is ' +
          'required, but multiple fields are set',
        'spec.devices.requests[1]: Required value: exactly one of `exactly` or `firstAvailable` is required',
      ],
    ],
    [
      'name each request once',
      {
        requests: [
          { name: 'a', exactly },
          { name: 'a', exactly },
          { name: 'A', exactly },
        ],
      },
      [`spec.devices.requests[2].name: ${label('A')}`, 'spec.devices.requests[1]: Duplicate value: "a"'],
    ],
    [
      'count devices',
      {
        requests: [
          { name: 'a', exactly: { deviceClassName: '', allocationMode: 'All', count: 2 } },
          { name: 'b', exactly: { ...exactly, count: -1 } },
          { name: 'c', exactly: { ...exactly, allocationMode: 'x' } },
        ],
      },
      [
        'spec.devices.requests[0].exactly.deviceClassName: Required value',
        "spec.devices.requests[0].exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'",
        'spec.devices.requests[1].exactly.count: Invalid value: -1: must be greater than zero',
        'spec.devices.requests[2].exactly.allocationMode: Unsupported value: "x": supported values: "All", ' +
          '"ExactCount"',
      ],
    ],
    [
      'tolerate taints',
      {
        requests: [
          {
            name: 'a',
            exactly: {
              ...exactly,
              tolerations: [
                { operator: 'Exists', value: 'x' },
                { key: 'k', operator: 'Equal', value: 'v', effect: 'None' },
                { operator: 'y', effect: 'z' },
                {},
              ],
            },
          },
        ],
      },
      [
        'spec.devices.requests[0].exactly.tolerations[0].value: Invalid value: "x": must be empty for ' +
          'operator `Exists`',
        'spec.devices.requests[0].exactly.tolerations[2].operator: Unsupported value: "y": supported values: ' +
          '"Equal", "Exists"',
        'spec.devices.requests[0].exactly.tolerations[2].effect: Unsupported value: "z": supported values: ' +
          '"NoExecute", "NoSchedule", "None"',
        'spec.devices.requests[0].exactly.tolerations[3].operator: Required value',
      ],
    ],
    [
      'refer to their own requests',
      {
        requests: [{ name: 'a', firstAvailable: [{ name: 'x', ...exactly }] }],
        constraints: [{ requests: ['a', 'a/x', 'a/y', 'a/b/c', 'a'], matchAttribute: 'd/x' }],
      },
      [
        'spec.devices.constraints[0].requests[2]: Invalid value: "a/y": must be the name of a request in the ' +
          "claim or the name of a request and a subrequest separated by '/'",
        'spec.devices.constraints[0].requests[3]: Invalid value: "a/b/c": must be the name of a request in ' +
          "the claim or the name of a request and a subrequest separated by '/'",
        'spec.devices.constraints[0].requests[4]: Duplicate value: "a"',
      ],
    ],
    [
      'match by an attribute',
      { constraints: [{}, { matchAttribute: 'x' }, { distinctAttribute: 'd/x' }] },
      [
        'spec.devices.constraints[0]: Required value: exactly one of "matchAttribute" or "distinctAttribute" ' +
          'is required, but multiple fields are set',
        'spec.devices.constraints[1].matchAttribute: Invalid value: "x": a fully qualified name must be a ' +
          'domain and a name separated by a slash',
      ],
    ],
    [
      'configure drivers',
      {
        config: [
          {},
          { opaque: { driver: 'd', parameters: [] } },
          { opaque: { driver: 'd', parameters: { a: 'x'.repeat(10_240) } } },
          { opaque: { driver: 'd', parameters: 9007199254740993n } },
        ],
      },
      [
        'spec.devices.config[0].opaque: Required value',
        'spec.devices.config[1].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object',
        'spec.devices.config[2].opaque.parameters: Too long: may not be more than 10240 bytes',
        'spec.devices.config[3].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object',
      ],
    ],
    [
      'are not too many',
      { requests: Array.from({ length: 33 }, () => ({})) },
      ['spec.devices.requests: Too many: 33: must have at most 32 items'],
    ],
  ];
  for (const [what, devices, expected] of rows)
    it(what, () => {
      expect(texts(validateResourceClaim(claimOf(devices)))).to.deep.equal(expected);
    });

  it('stay as they are', () => {
    const claim = claimOf({ requests: [{ name: 'a', exactly }] });
    expect(validateResourceClaimUpdate(claim, structuredClone(claim))).to.deep.equal([]);
    expect(texts(validateResourceClaimUpdate(claimOf({}), claim))).to.deep.equal([
      'spec: Invalid value: {"Devices":{"Requests":null,"Constraints":null,"Config":null}}: field is immutable',
    ]);
  });

  it('are made by templates, which have labels and annotations', () => {
    expect(
      texts(
        validateResourceClaimTemplate({
          spec: { metadata: { name: 'x', labels: { a: 'b' } }, spec: { devices: { requests: [{ name: 'b' }] } } },
        }),
      ),
    ).to.deep.equal([
      'spec.metadata.name: Forbidden: cannot be set',
      'spec.spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required',
    ]);
  });
});

describe('the status of claims', () => {
  const result = { request: 'a', driver: 'd', pool: 'p', device: 'x' };
  const allocation = { devices: { results: [result] } };
  const claim = (status: object, metadata = {}): ResourceClaim => ({
    metadata,
    spec: { devices: { requests: [{ name: 'a' }] } },
    status: status as ResourceClaimStatus,
  });
  const rows: readonly (readonly [what: string, status: object, old: object, expected: readonly string[]])[] = [
    ['is an allocation to requests', { allocation }, {}, []],
    [
      "is of the claim's requests",
      {
        allocation: {
          devices: {
            results: [{ ...result, request: 'b' }],
            config: [{ source: 'x', opaque: { driver: 'd', parameters: {} } }],
          },
        },
      },
      {},
      [
        'status.allocation.devices.results[0].request: Invalid value: "b": must be the name of a request in ' +
          "the claim or the name of a request and a subrequest separated by '/'",
        'status.allocation.devices.config[0].source: Unsupported value: "x": supported values: "FromClaim", ' +
          '"FromClass"',
      ],
    ],
    [
      'keeps its allocation',
      { allocation: { devices: {} } },
      { allocation },
      [
        'status.allocation: Invalid value: {"Devices":{"Results":null,"Config":null},"NodeSelector":null,' +
          '"AllocationTimestamp":null}: field is immutable',
      ],
    ],
    [
      'reserves what is allocated',
      { reservedFor: [{ resource: 'pods', name: 'p', uid: '1' }, { uid: '1' }] },
      {},
      [
        'status.reservedFor[1].resource: Required value',
        'status.reservedFor[1].name: Required value',
        'status.reservedFor[1]: Duplicate value: "1"',
        'status.reservedFor: Forbidden: may not be specified when `allocated` is not set',
      ],
    ],
    [
      'reports on allocated devices',
      {
        allocation,
        devices: [
          { driver: 'd', pool: 'p', device: 'y', data: [] },
          { driver: 'd', pool: 'p', device: 'x', networkData: { ips: ['10.0.0.1/8', '10.0.0.1', '010.0.0.2/8'] } },
        ],
      },
      { allocation },
      [
        'status.devices[0]: Invalid value: {"Driver":"d","Pool":"p","Device":"y","ShareID":""}: must be an ' +
          'allocated device in the claim',
        'status.devices[0].data: Invalid value: "<value omitted>": must be a valid JSON object',
        'status.devices[1].networkData.ips[1]: Invalid value: "10.0.0.1": must be a valid address in CIDR ' +
          'form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)',
        'status.devices[1].networkData.ips[2]: Invalid value: "010.0.0.2/8": must be in canonical form ("10.0.0.2/8")',
      ],
    ],
    [
      'has binding conditions of both kinds',
      {
        allocation: {
          devices: {
            results: [
              { ...result, bindingConditions: ['a', 'a'], bindingFailureConditions: ['a'] },
              { ...result, bindingConditions: ['a'] },
            ],
          },
        },
      },
      {},
      [
        'status.allocation.devices.results[0].bindingConditions[1]: Duplicate value: "a"',
        'status.allocation.devices.results[0].bindingFailureConditions[0]: Invalid value: "a": ' +
          'bindingFailureConditions must not overlap with bindingConditions',
        'status.allocation.devices.results[1].bindingFailureConditions: Invalid value: null: ' +
          'bindingFailureConditions are required to use bindingConditions',
      ],
    ],
  ];
  for (const [what, status, old, expected] of rows)
    it(what, () => {
      expect(texts(validateResourceClaimStatus(claim(status), claim(old)))).to.deep.equal(expected);
    });

  it('reserves nothing new while it goes away', () => {
    const reserved = { allocation, reservedFor: [{ resource: 'pods', name: 'p', uid: '1' }] };
    expect(
      texts(validateResourceClaimStatus(claim(reserved, { deletionTimestamp: 'x' }), claim({ allocation }))),
    ).to.deep.equal([
      'status.reservedFor: Forbidden: new entries may not be added while `deallocationRequested` or ' +
        '`deletionTimestamp` are set',
    ]);
    expect(validateResourceClaimStatus(claim(reserved, { deletionTimestamp: 'x' }), claim(reserved))).to.deep.equal([]);
  });

  describe('and who may write it', () => {
    const asked: string[] = [];
    const allow = (
      granted: readonly string[],
    ): { authorize: (attributes: AuthorizationAttributes) => { decision: 'Allow' | 'NoOpinion'; reason: string } } => ({
      authorize: ({ name, namespace, subresource, verb }) => {
        const right = `${verb} ${subresource} ${namespace}/${name}`;
        asked.push(right);
        return { decision: granted.includes(right) ? 'Allow' : 'NoOpinion', reason: '' };
      },
    });
    beforeEach(() => {
      asked.length = 0;
    });
    const context = (extra: Record<string, string[]> = {}): ReturnType<typeof internalContext> => {
      const base = internalContext({
        groupResource: { group: 'resource.k8s.io', resource: 'resourceclaims' },
        namespace: 'n',
        user: { name: 'system:serviceaccount:n:driver', groups: [], extra },
      });
      return {
        ...base,
        request: {
          ...base.request,
          requestInfo: { ...base.request.requestInfo, verb: 'update', name: 'c', subresource: 'status' },
        },
      };
    };

    it('allocates with a right to bind', async () => {
      expect(await checkBindingRights(context(), allow([]), {}, {})).to.deep.equal([]);
      expect(await checkBindingRights(context(), allow(['update binding /']), { allocation }, {})).to.deep.equal([]);
      expect(texts(await checkBindingRights(context(), allow([]), { allocation }, {}))).to.deep.equal([
        'status.allocation: Forbidden: changing status.allocation or status.reservedFor requires ' +
          'resource="resourceclaims/binding", verb="update" permission: resourceclaims.resource.k8s.io is ' +
          'forbidden: User "system:serviceaccount:n:driver" cannot update resource "resourceclaims/binding" in ' +
          'API group "resource.k8s.io" at the cluster scope',
      ]);
    });

    it('reports on the devices of its drivers, on its own node or on all', async () => {
      const onNode = {
        ...allocation,
        nodeSelector: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In' as const, values: ['node-1'] }] }],
        },
      };
      const status: ResourceClaimStatus = { allocation: onNode, devices: [{ driver: 'd', pool: 'p', device: 'x' }] };
      expect(
        await checkDeviceRights(
          context({ 'authentication.kubernetes.io/node-name': ['node-1'] }),
          allow(['associated-node:update driver n/d']),
          status,
          { allocation: onNode },
        ),
      ).to.deep.equal([]);
      expect(asked).to.deep.equal(['associated-node:update driver n/d']);
      asked.length = 0;
      expect(texts(await checkDeviceRights(context(), allow([]), status, { allocation: onNode }))[0]).to.include(
        'status.devices: Forbidden: changing status.devices requires resource="resourceclaims/driver", ' +
          'verb="[arbitrary-node:update]" permission: resourceclaims.resource.k8s.io "d" is forbidden: User',
      );
      expect(asked).to.deep.equal(['arbitrary-node:update driver n/d']);
      expect(await checkDeviceRights(context(), allow([]), status, status)).to.deep.equal([]);
    });
  });
});

describe('slices of devices', () => {
  const spec = { driver: 'd', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, allNodes: true };
  const sliceOf = (more: object): { spec: ResourceSliceSpec } => ({ spec: { ...spec, ...more } });
  const device = (more: object): { devices: Device[] } => ({ devices: [{ name: 'x', ...more }] });
  const shared = (requestPolicy: object, value = '10'): object =>
    device({ allowMultipleAllocations: true, capacity: { c: { value, requestPolicy } } });
  const policyPath = 'spec.devices[0].capacity[c].requestPolicy';
  const rows: readonly (readonly [what: string, more: object, expected: readonly string[]])[] = [
    [
      'are for one kind of nodes',
      { allNodes: false, nodeSelector: { nodeSelectorTerms: [] }, nodeName: '' },
      [
        'spec.nodeName: Invalid value: "": must be either unset or set to a non-empty string',
        'spec.nodeSelector.nodeSelectorTerms: Required value: must have at least one node selector term',
        'spec.nodeSelector.nodeSelectorTerms: Invalid value: []: must have exactly one node selector term',
        'spec.allNodes: Invalid value: false: must be either unset or set to true',
      ],
    ],
    [
      'have devices with nodes of their own where they say so',
      {
        allNodes: undefined,
        perDeviceNodeSelection: true,
        devices: [{ name: 'a' }, { name: 'b', nodeName: 'n' }, { name: 'c', nodeName: 'n', allNodes: true }],
      },
      [
        'spec.devices[0]: Required value: exactly one of `nodeName`, `nodeSelector`, or `allNodes` is ' +
          'required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
        'spec.devices[2]: Invalid value: "{`nodeName`, `allNodes`}": exactly one of `nodeName`, ' +
          '`nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ' +
          'ResourceSlice spec',
      ],
    ],
    [
      'have no such devices otherwise',
      device({ allNodes: true }),
      [
        'spec.devices[0]: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if ' +
          '`perDeviceNodeSelection` is set to true in the ResourceSlice spec',
      ],
    ],
    [
      'have counters or devices',
      { sharedCounters: [{ name: 's', counters: { c: { value: '1' } } }, { name: '' }], devices: [] },
      [
        'spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed',
        'spec.sharedCounters[1].name: Required value',
        'spec.sharedCounters[1].counters: Required value',
      ],
    ],
    [
      'have devices that use counters',
      device({
        consumesCounters: [
          { counterSet: 's', counters: { c: { value: '1' } } },
          { counterSet: 's', counters: {} },
        ],
      }),
      [
        'spec.devices[0].consumesCounters[1].counters: Required value',
        'spec.devices[0].consumesCounters[1]: Duplicate value: "s"',
      ],
    ],
    [
      'have devices with few attributes',
      device({ attributes: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`a${i}`, { int: i }])) }),
      ['spec.devices[0]: Invalid value: 33: the total number of attributes and capacities must not exceed 32'],
    ],
    [
      'have fewer devices with taints',
      { devices: Array.from({ length: 65 }, (_, i) => ({ name: `x${i}`, taints: [{ key: 'k', effect: 'None' }] })) },
      ['spec.devices: Too many: 65: must have at most 64 items'],
    ],
    [
      'give parts of shared devices alone',
      device({ capacity: { c: { value: '1', requestPolicy: {} } } }),
      [`${policyPath}: Forbidden: allowMultipleAllocations must be true`],
    ],
    [
      'have one policy',
      shared({ default: '1', validValues: ['1'], validRange: { min: '1' } }),
      [
        `${policyPath}: Forbidden: exactly one policy can be specified, cannot specify "validValues" and ` +
          '"validRange" at the same time',
      ],
    ],
    [
      'give one of some parts',
      shared({ default: '3', validValues: ['4', '1', '11', '1'] }),
      [
        `${policyPath}.validValues[1]: Invalid value: "1": values must be sorted in ascending order`,
        `${policyPath}.validValues[3]: Invalid value: "1": values must be sorted in ascending order`,
        `${policyPath}.validValues[2]: Invalid value: "11": option is larger than capacity value: 10`,
        `${policyPath}.validValues[3]: Duplicate value: "1"`,
        `${policyPath}.validValues: Invalid value: "3": default value is not valid according to the requestPolicy`,
      ],
    ],
    [
      'give parts of a range',
      shared({ default: '9', validRange: { min: '2', max: '8', step: '4' } }),
      [
        `${policyPath}.validRange.max: Invalid value: "9": default is more than max: 8`,
        `${policyPath}.validRange.step: Invalid value: "9": value is not a multiple of a given step (4) from (2)`,
        `${policyPath}.validRange.step: Invalid value: "8": value is not a multiple of a given step (4) from (2)`,
      ],
    ],
    [
      'need a default for parts',
      shared({ validRange: { min: '1' } }),
      [`${policyPath}.default: Required value: required when validRange is defined`],
    ],
  ];
  for (const [what, more, expected] of rows)
    it(what, () => {
      expect(texts(validateResourceSlice(sliceOf(more)))).to.deep.equal(expected);
    });
});
