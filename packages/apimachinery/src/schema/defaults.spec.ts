import { expect } from 'chai';
import { schemaFor } from './builtin.ts';
import { applySchemaDefaults } from './defaults.ts';
import type { Field } from './schema.ts';

describe('applySchemaDefaults', () => {
  const pod = schemaFor('io.k8s.api.core.v1.Pod');

  it('fills absent and empty scalars deep inside lists', () => {
    const object = {
      spec: {
        containers: [
          {
            name: 'a',
            ports: [{ containerPort: 80 }, { containerPort: 81, protocol: 'UDP' }, { containerPort: 82, protocol: '' }],
          },
        ],
      },
    };
    applySchemaDefaults(object, pod);
    expect(object.spec.containers[0]?.ports).to.deep.equal([
      { containerPort: 80, protocol: 'TCP' },
      { containerPort: 81, protocol: 'UDP' },
      { containerPort: 82, protocol: 'TCP' },
    ]);
  });

  it('creates structs held by value, not those behind pointers', () => {
    const controller: Record<string, unknown> = {};
    applySchemaDefaults(controller, schemaFor('io.k8s.api.core.v1.ReplicationController'));
    expect(controller).to.deep.equal({ spec: { replicas: 1 } });
    const volume: Record<string, unknown> = { name: 'v' };
    applySchemaDefaults(volume, schemaFor('io.k8s.api.core.v1.Volume'));
    expect(volume).to.deep.equal({ name: 'v' });
  });

  it('keeps explicit zero values of pointers', () => {
    const volume = { azureDisk: { diskName: 'd', diskURI: 'u', readOnly: true } };
    applySchemaDefaults(volume, schemaFor('io.k8s.api.core.v1.Volume'));
    expect(volume.azureDisk).to.deep.equal({
      diskName: 'd',
      diskURI: 'u',
      readOnly: true,
      cachingMode: 'ReadWrite',
      fsType: 'ext4',
      kind: 'Shared',
    });
    const controller = { spec: { replicas: 0 } };
    applySchemaDefaults(controller, schemaFor('io.k8s.api.core.v1.ReplicationController'));
    expect(controller.spec.replicas).to.equal(0);
  });

  it('never shares a default value between objects', () => {
    const schema = {
      kind: 'struct',
      mapType: 'granular',
      fields: new Map<string, Field>([
        ['list', { name: 'list', required: false, default: [1], schema: { kind: 'any', mapType: 'granular' } }],
      ]),
    } as const;
    const a: Record<string, unknown> = {},
      b: Record<string, unknown> = {};
    applySchemaDefaults(a, schema);
    applySchemaDefaults(b, schema);
    expect(a)
      .to.deep.equal(b)
      .and.deep.equal({ list: [1] });
    expect(a['list'] === b['list']).to.equal(false);
  });
});
