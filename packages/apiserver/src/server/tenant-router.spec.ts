import { expect } from 'chai';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TenantRouter, tenantPath, type RequestTargets } from './tenant-router.ts';

describe('TenantRouter', () => {
  const rows: readonly (readonly [url: string, expected: string])[] = [
    ['/tenants/a/api/v1/pods?limit=1', 'a /api/v1/pods?limit=1'],
    ['/tenants/a', 'a /'],
    ['/tenants/a?x=1', 'a /?x=1'],
    ['/tenants/a/', 'a /'],
    ['/tenants/ab/api', 'own /tenants/ab/api'],
    ['/tenants/gone/api', 'own /tenants/gone/api'],
    ['/tenants/', 'own /tenants/'],
    ['/api/tenants/a', 'own /api/tenants/a'],
    ['/tenants/a/tenants/a/api', 'a /tenants/a/api'],
  ];
  const heard: string[] = [];
  const targets = (name: string): RequestTargets => ({
    request: ({ url }) => void heard.push(`${name} ${url}`),
    upgrade: ({ url }) => void heard.push(`${name} upgrade ${url}`),
  });
  const router = new TenantRouter();
  router.add('a', targets('a'));
  router.add('gone', targets('gone'));
  router.remove('gone');
  const { request, upgrade } = router.before(targets('own'));

  for (const [url, expected] of rows)
    it(`hands ${url} to ${expected}`, () => {
      heard.length = 0;
      request({ url } as IncomingMessage, {} as ServerResponse);
      upgrade({ url } as IncomingMessage, undefined as never, Buffer.alloc(0));
      expect(heard).to.deep.equal([expected, expected.replace(' ', ' upgrade ')]);
    });

  it('says where a tenant is', () => {
    expect(tenantPath('a')).to.equal('/tenants/a');
  });
});
