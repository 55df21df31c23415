import { expect } from 'chai';
import { definitionNames, schemaFor } from './builtin.ts';
import { UnknownDefinitionError } from './schema-table.ts';
import { goTypeOf } from './go-name.ts';
import type { Field, StructSchema } from './schema.ts';

function struct(name: string): StructSchema {
  const schema = schemaFor(name);
  if (schema.kind !== 'struct') throw new TypeError(`${name} is no struct`);
  return schema;
}

function field(definition: string, name: string): Field {
  const found = struct(definition).fields.get(name);
  if (found === undefined) throw new TypeError(`${definition} has no field ${name}`);
  return found;
}

describe('schemaFor', () => {
  it('keeps Go field order, type meta first', () => {
    expect([...struct('io.k8s.api.core.v1.Pod').fields.keys()]).to.deep.equal([
      'kind',
      'apiVersion',
      'metadata',
      'spec',
      'status',
    ]);
    expect([...struct('io.k8s.api.core.v1.PodSpec').fields.keys()].slice(0, 3)).to.deep.equal([
      'volumes',
      'initContainers',
      'containers',
    ]);
  });

  it('shares nodes, also through cycles', () => {
    expect(schemaFor('io.k8s.api.core.v1.Pod')).to.equal(schemaFor('io.k8s.api.core.v1.Pod'));
    const props = struct('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
    const not = props.fields.get('not');
    expect(not?.schema).to.equal(props);
  });

  it('knows lists, their keys and patch directives', () => {
    const containers = field('io.k8s.api.core.v1.PodSpec', 'containers');
    expect(containers).to.deep.include({ required: true, patchStrategy: ['merge'], patchMergeKey: 'name', zero: null });
    expect(containers.schema).to.deep.include({
      kind: 'list',
      listType: 'map',
      mapKeys: ['name'],
      goType: '[]v1.Container',
    });
    expect(field('io.k8s.api.core.v1.PodSpec', 'volumes').patchStrategy).to.deep.equal(['merge', 'retainKeys']);
    expect(field('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', 'finalizers').schema).to.deep.include({
      listType: 'set',
    });
  });

  it('knows structs that are atomic everywhere but in one place', () => {
    const mapTypeOf = (definition: string): unknown => {
      const schema = schemaFor(definition);
      return schema.kind === 'struct' ? schema.mapType : undefined;
    };
    const volume = schemaFor('io.k8s.api.core.v1.PersistentVolumeSpec');
    const claimRef = volume.kind === 'struct' ? volume.fields.get('claimRef')?.schema : undefined;
    expect(mapTypeOf('io.k8s.api.core.v1.ObjectReference')).to.equal('atomic');
    expect(claimRef).to.include({ kind: 'struct', mapType: 'granular' });
  });

  it('tells pointers, omitempty and zero values apart', () => {
    expect(field('io.k8s.api.apps.v1.DeploymentSpec', 'replicas')).to.deep.include({ pointer: true, number: 1 });
    expect(field('io.k8s.api.core.v1.PodSpec', 'hostNetwork')).to.deep.include({ omitEmpty: true });
    expect(field('io.k8s.api.core.v1.Container', 'resources')).to.deep.include({ zero: {} });
    expect(field('io.k8s.api.core.v1.Container', 'resources').omitEmpty).to.equal(undefined);
  });

  it('tells defaults from Go zero values', () => {
    expect(field('io.k8s.api.core.v1.ContainerPort', 'protocol').default).to.equal('TCP');
    expect(field('io.k8s.api.core.v1.ContainerPort', 'containerPort')).to.not.have.property('default');
  });

  it('names Go types of leaves', () => {
    expect(goTypeOf(field('io.k8s.api.core.v1.ResourceRequirements', 'limits').schema)).to.equal('v1.ResourceList');
    expect(goTypeOf(field('io.k8s.api.core.v1.ContainerPort', 'protocol').schema)).to.equal('v1.Protocol');
    expect(goTypeOf(field('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', 'labels').schema)).to.equal(
      'map[string]string',
    );
  });

  it('knows embedded structs and protobuf numbers', () => {
    const volume = struct('io.k8s.api.core.v1.Volume');
    expect(volume.embeds?.map(({ name, number }) => [name, number])).to.deep.equal([['VolumeSource', 2]]);
    expect(volume.fields.get('emptyDir')?.embedded?.name).to.equal('VolumeSource');
    expect(volume.protobufMessage).to.equal('k8s.io.api.core.v1.Volume');
    expect(field('io.k8s.api.core.v1.Container', 'resizePolicy').number).to.equal(23);
  });

  it('reads every definition of the table', () => {
    let fields = 0;
    for (const name of definitionNames()) {
      const schema = schemaFor(name);
      if (schema.kind === 'struct')
        for (const member of schema.fields.values()) {
          expect(member.schema.kind).to.be.a('string');
          fields++;
        }
    }
    expect(fields).to.be.greaterThan(4000);
  });

  it('refuses unknown names', () => {
    expect(() => schemaFor('io.k8s.api.core.v1.Nonsense')).to.throw(
      UnknownDefinitionError,
      '"io.k8s.api.core.v1.Nonsense"',
    );
  });
});
