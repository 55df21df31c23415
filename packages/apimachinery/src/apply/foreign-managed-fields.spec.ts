import { expect } from 'chai';
import type { JSONValue, KubeObject } from '../object/object.ts';
import { schemaFor } from '../schema/builtin.ts';
import type { Schema } from '../schema/schema.ts';
import { atomOf } from './atom.ts';
import { FieldManager } from './field-manager.ts';
import { fits } from './fits.ts';
import { holdsForeignManagedFields } from './foreign-managed-fields.ts';
import { validateTyped } from './validate.ts';

const deployment = schemaFor('io.k8s.api.apps.v1.Deployment') as Schema;
const managed = (fieldsV1: JSONValue): JSONValue => ({ metadata: { managedFields: [{ fieldsV1 }] } });
const withTemplate = (fieldsV1: JSONValue): KubeObject => ({
  metadata: { name: 'd' },
  spec: { replicas: 1, template: managed(fieldsV1) },
});

describe('managed fields of templates', () => {
  it('are found where metadata can be, in lists too', () => {
    expect(holdsForeignManagedFields(deployment, withTemplate([]))).to.equal(true);
    expect(holdsForeignManagedFields(deployment, managed([]) as object)).to.equal(false);
    const volumes = [{}, { ephemeral: { volumeClaimTemplate: managed({}) } }];
    expect(holdsForeignManagedFields(deployment, { spec: { template: { spec: { volumes } } } })).to.equal(true);
    const configMap = schemaFor('io.k8s.api.core.v1.ConfigMap') as Schema;
    expect(holdsForeignManagedFields(configMap, managed([]) as object)).to.equal(false);
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
