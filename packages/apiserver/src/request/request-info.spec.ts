import { goQuote } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { BadRequestTargetError, parseRequestInfo, parseRequestTarget, RequestInfoError } from './request-info.ts';
import type { RequestInfo } from './request-context.ts';

function parse(method: string, target: string): RequestInfo {
  const { path, search } = parseRequestTarget(target);
  return parseRequestInfo(method, path, () => new URLSearchParams(search));
}

/** verb, prefix, group, version, namespace, resource, subresource, name, parts */
type Row = readonly [
  method: string,
  url: string,
  verb: string,
  prefix: string,
  group: string,
  version: string,
  namespace: string,
  resource: string,
  subresource: string,
  name: string,
  parts: readonly string[],
];
const rows: readonly Row[] = [
  ['GET', '/api/v1/namespaces', 'list', 'api', '', 'v1', '', 'namespaces', '', '', ['namespaces']],
  [
    'GET',
    '/api/v1/namespaces/other',
    'get',
    'api',
    '',
    'v1',
    'other',
    'namespaces',
    '',
    'other',
    ['namespaces', 'other'],
  ],
  ['GET', '/api/v1/namespaces/other/pods', 'list', 'api', '', 'v1', 'other', 'pods', '', '', ['pods']],
  ['GET', '/api/v1/namespaces/other/pods/foo', 'get', 'api', '', 'v1', 'other', 'pods', '', 'foo', ['pods', 'foo']],
  ['HEAD', '/api/v1/namespaces/other/pods/foo', 'get', 'api', '', 'v1', 'other', 'pods', '', 'foo', ['pods', 'foo']],
  ['GET', '/api/v1/pods', 'list', 'api', '', 'v1', '', 'pods', '', '', ['pods']],
  ['HEAD', '/api/v1/pods', 'list', 'api', '', 'v1', '', 'pods', '', '', ['pods']],
  ['PURGE', '/api/v1/pods', '', 'api', '', 'v1', '', 'pods', '', '', ['pods']],
  // special verbs
  [
    'GET',
    '/api/v1/proxy/namespaces/other/pods/foo',
    'proxy',
    'api',
    '',
    'v1',
    'other',
    'pods',
    '',
    'foo',
    ['pods', 'foo'],
  ],
  [
    'GET',
    '/api/v1/proxy/namespaces/other/pods/foo/subpath/not/a/subresource',
    'proxy',
    'api',
    '',
    'v1',
    'other',
    'pods',
    '',
    'foo',
    ['pods', 'foo', 'subpath', 'not', 'a', 'subresource'],
  ],
  ['GET', '/api/v1/watch/pods', 'watch', 'api', '', 'v1', '', 'pods', '', '', ['pods']],
  ['GET', '/api/v1/pods?watch=true', 'watch', 'api', '', 'v1', '', 'pods', '', '', ['pods']],
  ['GET', '/api/v1/pods?watch', 'watch', 'api', '', 'v1', '', 'pods', '', '', ['pods']],
  ['GET', '/api/v1/pods?watch=False', 'list', 'api', '', 'v1', '', 'pods', '', '', ['pods']],
  ['GET', '/api/v1/pods?watch=0', 'list', 'api', '', 'v1', '', 'pods', '', '', ['pods']],
  ['GET', '/api/v1/watch/namespaces/other/pods', 'watch', 'api', '', 'v1', 'other', 'pods', '', '', ['pods']],
  ['GET', '/api/v1/namespaces/other/pods?watch=1', 'watch', 'api', '', 'v1', 'other', 'pods', '', '', ['pods']],
  [
    'GET',
    '/api/v1/watch/namespaces/other/pods/foo',
    'watch',
    'api',
    '',
    'v1',
    'other',
    'pods',
    '',
    'foo',
    ['pods', 'foo'],
  ],
  // subresources
  [
    'GET',
    '/api/v1/namespaces/other/pods/foo/status',
    'get',
    'api',
    '',
    'v1',
    'other',
    'pods',
    'status',
    'foo',
    ['pods', 'foo', 'status'],
  ],
  [
    'GET',
    '/api/v1/namespaces/other/pods/foo/proxy/and/more',
    'get',
    'api',
    '',
    'v1',
    'other',
    'pods',
    'proxy',
    'foo',
    ['pods', 'foo', 'proxy', 'and', 'more'],
  ],
  [
    'PUT',
    '/api/v1/namespaces/other/finalize',
    'update',
    'api',
    '',
    'v1',
    'other',
    'namespaces',
    'finalize',
    'other',
    ['namespaces', 'other', 'finalize'],
  ],
  [
    'PUT',
    '/api/v1/namespaces/other/status',
    'update',
    'api',
    '',
    'v1',
    'other',
    'namespaces',
    'status',
    'other',
    ['namespaces', 'other', 'status'],
  ],
  // verbs
  ['PATCH', '/api/v1/namespaces/other/pods/foo', 'patch', 'api', '', 'v1', 'other', 'pods', '', 'foo', ['pods', 'foo']],
  [
    'DELETE',
    '/api/v1/namespaces/other/pods/foo',
    'delete',
    'api',
    '',
    'v1',
    'other',
    'pods',
    '',
    'foo',
    ['pods', 'foo'],
  ],
  ['POST', '/api/v1/namespaces/other/pods', 'create', 'api', '', 'v1', 'other', 'pods', '', '', ['pods']],
  ['DELETE', '/api/v1/nodes', 'deletecollection', 'api', '', 'v1', '', 'nodes', '', '', ['nodes']],
  ['DELETE', '/api/v1/namespaces/other/pods', 'deletecollection', 'api', '', 'v1', 'other', 'pods', '', '', ['pods']],
  [
    'POST',
    '/apis/extensions/v1beta3/namespaces/other/pods',
    'create',
    'apis',
    'extensions',
    'v1beta3',
    'other',
    'pods',
    '',
    '',
    ['pods'],
  ],
  // a name in the field selector
  [
    'GET',
    '/api/v1/namespaces/other/pods?fieldSelector=metadata.name=foo',
    'list',
    'api',
    '',
    'v1',
    'other',
    'pods',
    '',
    'foo',
    ['pods'],
  ],
  [
    'GET',
    '/api/v1/namespaces/other/pods?fieldSelector=a%3Db,metadata.name==foo&watch=true',
    'watch',
    'api',
    '',
    'v1',
    'other',
    'pods',
    '',
    'foo',
    ['pods'],
  ],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name!=foo', 'list', 'api', '', 'v1', '', 'pods', '', '', ['pods']],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name=a%252Fb', 'list', 'api', '', 'v1', '', 'pods', '', '', ['pods']],
  [
    'GET',
    '/api/v1/pods?fieldSelector=metadata.name=foo&limit=x',
    'list',
    'api',
    '',
    'v1',
    '',
    'pods',
    '',
    '',
    ['pods'],
  ],
  // slashes and encodings
  ['GET', '/api/v1/namespaces/other/pods/foo//', 'get', 'api', '', 'v1', 'other', 'pods', '', 'foo', ['pods', 'foo']],
  [
    'GET',
    '/api/v1/namespaces/other//pods/foo',
    'get',
    'api',
    '',
    'v1',
    'other',
    '',
    'foo',
    'pods',
    ['', 'pods', 'foo'],
  ],
  ['GET', '/api/v1/namespaces/other/%70ods%2Ffoo', 'get', 'api', '', 'v1', 'other', 'pods', '', 'foo', ['pods', 'foo']],
  ['GET', '/api/v1/namespaces/other/pods/%C3%A9+', 'get', 'api', '', 'v1', 'other', 'pods', '', 'é+', ['pods', 'é+']],
  ['GET', 'https://host:1/api/v1/nodes/n?x=1', 'get', 'api', '', 'v1', '', 'nodes', '', 'n', ['nodes', 'n']],
];

describe('RequestInfo', () => {
  for (const [
    method,
    url,
    verb,
    apiPrefix,
    apiGroup,
    apiVersion,
    namespace,
    resource,
    subresource,
    name,
    parts,
  ] of rows) {
    it(`${method} ${url}`, () => {
      const info = parse(method, url);
      expect(info).to.deep.include({
        isResourceRequest: true,
        verb,
        apiPrefix,
        apiGroup,
        apiVersion,
        namespace,
        resource,
        subresource,
        name,
        parts,
      });
    });
  }

  for (const [method, path, verb] of [
    ['GET', '/', 'get'],
    ['GET', '/api', 'get'],
    ['GET', '/api/v1', 'get'],
    ['GET', '/apis/apps/v1/', 'get'],
    ['POST', '/healthz', 'post'],
    ['OPTIONS', '/x/y/z/q', 'options'],
    ['GET', '', 'get'],
  ] as const) {
    it(`${method} ${path} is no resource request`, () => {
      expect(parse(method, path)).to.deep.include({ isResourceRequest: false, verb, path, resource: '' });
    });
  }

  it('carries selectors for authorization, but not with the verb in the path', () => {
    expect(parse('GET', '/api/v1/pods?fieldSelector=a%3Db&labelSelector=c')).to.include({
      fieldSelector: 'a=b',
      labelSelector: 'c',
    });
    expect(parse('GET', '/api/v1/watch/pods?fieldSelector=a%3Db')).not.to.have.property('fieldSelector');
    expect(parse('GET', '/api/v1/namespaces/x/pods/p?fieldSelector=a%3Db')).not.to.have.property('fieldSelector');
  });

  it('refuses a special verb without a resource', () => {
    expect(() => parse('GET', '/api/v1/watch')).to.throw(
      RequestInfoError,
      'unable to determine kind and namespace from url, /api/v1/watch',
    );
  });

  it('refuses bad percent encoding, and keeps bytes that are no UTF-8 harmless', () => {
    expect(() => parseRequestTarget('/api/v1/pods/a%zz')).to.throw(BadRequestTargetError);
    expect(goQuote(parseRequestTarget('/a/%FFb%C3%A4').path)).to.equal(String.raw`"/a/\xffbä"`);
    expect(goQuote(parseRequestTarget('/a/\u00C3\u00A4\u00FF').path)).to.equal(String.raw`"/a/ä\xff"`);
    expect(parseRequestTarget('http://host?a=b')).to.deep.equal({ path: '', search: 'a=b' });
  });
});
