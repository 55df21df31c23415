import type { CSIDriver, CSIDriverSpec, CSINode } from '@kubechain/apimachinery/types/storage/v1';
import { expect } from 'chai';
import { defaultCSIDriver } from './csidriver/defaults.ts';
import { validateCSIDriver, validateCSIDriverUpdate } from './csidriver/validation.ts';
import { validateCSINode, validateCSINodeUpdate } from './csinode/validation.ts';

describe('CSI drivers', () => {
  const driver = (spec: object): CSIDriver => {
    const made: CSIDriver = { spec: spec as CSIDriverSpec };
    defaultCSIDriver(made);
    return made;
  };
  const rows: readonly (readonly [what: string, spec: object, expected: readonly string[]])[] = [
    ['need nothing', {}, []],
    [
      'have known modes and policies',
      { fsGroupPolicy: 'x', volumeLifecycleModes: ['Persistent', 'x', 'Ephemeral'] },
      [
        'spec.fsGroupPolicy: Unsupported value: "x": supported values: "File", "None", "ReadWriteOnceWithFSType"',
        'spec.volumeLifecycleModes: Unsupported value: "x": supported values: "Persistent", "Ephemeral"',
      ],
    ],
    [
      'get one token for each audience, for some time',
      {
        tokenRequests: [
          { audience: 'a', expirationSeconds: 599 },
          { audience: 'a' },
          { audience: '', expirationSeconds: 4_294_967_297 },
        ],
      },
      [
        'spec.tokenRequests[0].expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
        'spec.tokenRequests[1].audience: Duplicate value: "a"',
        'spec.tokenRequests[2].expirationSeconds: Invalid value: 4294967297: may not specify a duration ' +
          'larger than 2^32 seconds',
      ],
    ],
    [
      'get tokens where they want some',
      { serviceAccountTokenInSecrets: false, nodeAllocatableUpdatePeriodSeconds: 9 },
      [
        'spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 seconds',
        'spec.serviceAccountTokenInSecrets: Invalid value: false: serviceAccountTokenInSecrets is set but no ' +
          'tokenRequests are specified',
      ],
    ],
  ];
  for (const [what, spec, expected] of rows)
    it(what, () => {
      expect(validateCSIDriver(driver(spec)).map(String)).to.deep.equal(expected);
    });

  it('attach volumes as they did', () => {
    expect(
      validateCSIDriverUpdate(
        driver({ attachRequired: false, volumeLifecycleModes: ['Ephemeral'], podInfoOnMount: true }),
        driver({}),
      ).map(String),
    ).to.deep.equal([
      'spec.attachedRequired: Invalid value: false: field is immutable',
      'spec.volumeLifecycleModes: Invalid value: ["Ephemeral"]: field is immutable',
    ]);
  });
});

describe('CSI nodes', () => {
  const node = (...drivers: object[]): Partial<CSINode> => ({
    spec: { drivers: drivers as CSINode['spec']['drivers'] },
  });
  it('tell drivers with an id and topology', () => {
    expect(
      validateCSINode(node({ name: 'd', nodeID: 'n', topologyKeys: ['a', 'b'], allocatable: { count: 1 } })),
    ).to.deep.equal([]);
    expect(
      validateCSINode(
        node(
          { name: 'd', nodeID: 'n' },
          { name: 'd', nodeID: '', topologyKeys: ['a', 'a'], allocatable: { count: -1 } },
          { name: '', nodeID: 'x'.repeat(257) },
        ),
      ).map(String),
    ).to.deep.equal([
      'spec.drivers[1].nodeID: Required value',
      'spec.drivers[1].allocatable.count: Invalid value: -1: must be greater than or equal to 0',
      'spec.drivers[1].name: Duplicate value: "d"',
      'spec.drivers[1]: Duplicate value: "a"',
      'spec.drivers[2].name: Required value',
      `spec.drivers[2].nodeID: Invalid value: "${'x'.repeat(257)}": must be 256 characters or less`,
    ]);
  });
  it('change how many volumes they attach, and nothing else of a driver', () => {
    const old = node({ name: 'd', nodeID: 'n', allocatable: { count: 1 } });
    expect(
      validateCSINodeUpdate(
        node({ name: 'd', nodeID: 'n', allocatable: { count: 2 } }, { name: 'e', nodeID: 'n' }),
        old,
      ),
    ).to.deep.equal([]);
    expect(validateCSINodeUpdate(node({ name: 'd', nodeID: 'm' }), old).map(String)).to.deep.equal([
      'spec.drivers: Invalid value: {"Name":"d","NodeID":"m","TopologyKeys":null,"Allocatable":null}: field ' +
        'is immutable',
    ]);
  });
});
