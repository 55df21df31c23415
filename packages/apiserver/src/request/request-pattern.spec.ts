import { FormatError } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { parseRequestInfo } from './request-info.ts';
import { parseRequestPattern } from './request-pattern.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';

describe('patterns of requests', () => {
  const rows: readonly (readonly [pattern: string, method: string, path: string, meant: boolean])[] = [
    ['create deployments.apps', 'POST', deployments, true],
    ['create deployments', 'POST', deployments, true],
    ['CREATE deployments.apps', 'POST', deployments, true],
    ['create deployments.apps', 'GET', deployments, false],
    ['create deployments.batch', 'POST', deployments, false],
    ['* deployments.apps', 'GET', `${deployments}/web`, true],
    ['get deployments.apps', 'GET', `${deployments}/web/status`, false],
    ['get deployments.apps/status', 'GET', `${deployments}/web/status`, true],
    ['get deployments.apps/*', 'GET', `${deployments}/web/scale`, true],
    ['get deployments.apps web', 'GET', `${deployments}/web`, true],
    ['get deployments.apps default/web', 'GET', `${deployments}/web`, true],
    ['get deployments.apps other/web', 'GET', `${deployments}/web`, false],
    ['get deployments.apps */web', 'GET', `${deployments}/web`, true],
    ['delete * default/*', 'DELETE', '/api/v1/namespaces/default/pods/a', true],
    ['get /version', 'GET', '/version', true],
    ['* /version', 'GET', '/healthz', false],
  ];
  for (const [pattern, method, path, meant] of rows)
    it(`${pattern}: ${meant ? 'means' : 'does not mean'} ${method} ${path}`, () => {
      const info = parseRequestInfo(method, path, () => new URLSearchParams());
      expect(parseRequestPattern(pattern)(info)).to.equal(meant);
    });

  for (const wrong of ['', 'create', 'create pods a b'])
    it(`cannot be read from '${wrong}'`, () => {
      expect(() => parseRequestPattern(wrong)).to.throw(FormatError, "must be 'VERB RESOURCE");
    });
});
