import { expect } from 'chai';
import { goFieldName } from './go-field-name.ts';

describe('goFieldName', () => {
  const rows: readonly (readonly [goType: string, name: string, goName: string])[] = [
    ['v1.Pod', 'spec', 'Spec'],
    ['v1.PodSpec', 'serviceAccount', 'DeprecatedServiceAccount'],
    ['v1.Subject', 'serviceAccount', 'ServiceAccount'],
    ['v1.EndpointSlice', 'endpoints', 'Endpoints'],
    ['v1.GlusterfsVolumeSource', 'endpoints', 'EndpointsName'],
    ['v1beta1.JSONSchemaProps', 'x-kubernetes-list-map-keys', 'XListMapKeys'],
    ['v1beta2.DeviceAttribute', 'int', 'IntValue'],
    ['', 'uid', 'UID'],
  ];
  for (const [goType, name, goName] of rows)
    it(`${goType}.${name}`, () => {
      expect(goFieldName(goType, name)).to.equal(goName);
    });
});
