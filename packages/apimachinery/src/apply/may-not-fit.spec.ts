import { expect } from 'chai';
import type { JSONValue, KubeObject } from '../object/object.ts';
import { schemaFor } from '../schema/builtin.ts';
import type { Schema } from '../schema/schema.ts';
import { atomOf } from './atom.ts';
import { FieldManager } from './field-manager.ts';
import { fits } from './fits.ts';
import { mayNotFit } from './may-not-fit.ts';
import { validateTyped } from './validate.ts';

const deployment = schemaFor('io.k8s.api.apps.v1.Deployment') as Schema;
const managed = (fieldsV1: JSONValue): JSONValue => ({ metadata: { managedFields: [{ fieldsV1 }] } });
const withTemplate = (fieldsV1: JSONValue): KubeObject => ({
  metadata: { name: 'd' },
  spec: { replicas: 1, template: managed(fieldsV1) },
});

describe('managed fields of templates', () => {
  it('are found where metadata can be, in lists too', () => {
    expect(mayNotFit(deployment, withTemplate([]))).to.equal(true);
    expect(mayNotFit(deployment, managed([]) as object)).to.equal(false);
    const volumes = [{}, { ephemeral: { volumeClaimTemplate: managed({}) } }];
    expect(mayNotFit(deployment, { spec: { template: { spec: { volumes } } } })).to.equal(true);
    const configMap = schemaFor('io.k8s.api.core.v1.ConfigMap') as Schema;
    expect(mayNotFit(configMap, managed([]) as object)).to.equal(false);
  });

  it('are not all that may not fit: items of lists may lack their keys', async () => {
    const flowSchema = schemaFor('io.k8s.api.flowcontrol.v1.FlowSchema') as Schema;
    const withConditions = (...conditions: JSONValue[]): KubeObject => ({
      metadata: { name: 'f' },
      spec: { matchingPrecedence: 1 },
      status: { conditions },
    });
    expect(mayNotFit(flowSchema, withConditions({ type: 'Dangling' }))).to.equal(false);
    expect(mayNotFit(flowSchema, withConditions({ type: 'Dangling' }, {}))).to.equal(true);
    const manager = new FieldManager({
      gvk: { group: 'flowcontrol.apiserver.k8s.io', version: 'v1', kind: 'FlowSchema' },
      schemaFor: () => flowSchema,
      convert: (object) => object,
      clock: { now: () => 0 },
    });
    const { metadata } = await manager.update(undefined, withConditions({}), 'm');
    expect(metadata?.managedFields).to.equal(undefined);
  });

  it('are objects, or nobody owns anything', async () => {
    const manager = new FieldManager({
      gvk: { group: 'apps', version: 'v1', kind: 'Deployment' },
      schemaFor: () => deployment,
      convert: (object) => object,
      clock: { now: () => 0 },
    });
    const managersOf = async (fieldsV1: JSONValue): Promise<unknown> =>
      (await manager.update(undefined, withTemplate(fieldsV1), 'm')).metadata?.managedFields?.length;
    expect(await managersOf({ 'f:data': {} })).to.equal(1);
    for (const fieldsV1 of [[], '', 1]) {
      // oxlint-disable-next-line no-await-in-loop -- one manager
      expect(await managersOf(fieldsV1)).to.equal(undefined);
      expect(fits(atomOf(deployment), withTemplate(fieldsV1) as JSONValue)).to.equal(false);
    }
    expect(() => {
      validateTyped(atomOf(deployment), withTemplate('') as JSONValue);
    }).to.throw('.spec.template.metadata.managedFields[0].fieldsV1: expected map, got &{}');
  });
});
