import { expect } from 'chai';
import { operationIdAndTag } from './operation-id.ts';

describe('operationIdAndTag', () => {
  const cases: readonly (readonly [operation: string, path: string, operationId: string, tag: string])[] = [
    ['listNamespacedPod', '/api/v1/namespaces/{namespace}/pods', 'listCoreV1NamespacedPod', 'core_v1'],
    [
      'deletecollectionNamespacedPod',
      '/api/v1/namespaces/{namespace}/pods',
      'deleteCoreV1CollectionNamespacedPod',
      'core_v1',
    ],
    [
      'connectGetNamespacedPodExec',
      '/api/v1/namespaces/{namespace}/pods/{name}/exec',
      'connectCoreV1GetNamespacedPodExec',
      'core_v1',
    ],
    ['getAPIGroup', '/apis/rbac.authorization.k8s.io/', 'getRbacAuthorizationAPIGroup', 'rbacAuthorization'],
    ['getAPIVersions', '/apis/', 'getAPIVersions', 'apis'],
    ['getCodeVersion', '/version/', 'getCodeVersion', 'version'],
    [
      'readNamespacedThing',
      '/apis/orbs-openapi.crd.test/v1/things/{name}',
      'readOrbsOpenapiCrdTestV1NamespacedThing',
      'orbsOpenapiCrdTest_v1',
    ],
  ];
  for (const [operation, path, operationId, tag] of cases) {
    it(`${operation} of ${path}`, () => {
      expect(operationIdAndTag(operation, path)).to.deep.equal({ operationId, tag });
    });
  }
});
