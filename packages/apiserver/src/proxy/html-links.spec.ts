import { expect } from 'chai';
import { rewriteLinks } from './html-links.ts';
import { rewriteLink, type LinkRewriting } from './link-rewriter.ts';

describe('links of proxied pages', () => {
  const outside: LinkRewriting = { scheme: 'https', host: 'h:1', prefix: '', backendHost: 'h:1', requestHost: 'h:1' };
  const pod: LinkRewriting = {
    scheme: '',
    host: '',
    prefix: '/api/v1/namespaces/n/pods/p/proxy',
    backendHost: '10.1.2.3:80',
    requestHost: 'localhost:8001',
  };
  const rows: readonly (readonly [what: string, link: string, rewriting: LinkRewriting, expected: string])[] = [
    ['an absolute path', '/x', outside, 'https://h:1/x'],
    ['the backend by name', '//h:1/x', outside, 'https://h:1/x'],
    ['a relative path', 'x', outside, 'x'],
    ['another host', '//other/x', outside, '//other/x'],
    ['another host with a scheme', 'https://other/x', outside, 'https://other/x'],
    ['nothing', '', outside, ''],
    ['an absolute path of a pod', '/x/?a=1#b', pod, '/api/v1/namespaces/n/pods/p/proxy/x/?a=1#b'],
    ['the pod by address', 'http://10.1.2.3:80/x', pod, '/api/v1/namespaces/n/pods/p/proxy/x'],
    [
      'the host that was asked',
      'http://localhost:8001/x',
      pod,
      'http://localhost:8001/api/v1/namespaces/n/pods/p/proxy/x',
    ],
    ['a path with the prefix', '/api/v1/namespaces/n/pods/p/proxy/x', pod, '/api/v1/namespaces/n/pods/p/proxy/x'],
    ['a path that goes up', '/a/../x', pod, '/api/v1/namespaces/n/pods/p/proxy/x'],
    ['a link of another kind', 'mailto:a@b', pod, 'mailto:a@b'],
  ];
  for (const [what, link, rewriting, expected] of rows)
    it(`rewrites ${what}`, () => {
      expect(rewriteLink(link, rewriting)).to.equal(expected);
    });

  it('are found in the attributes of their elements, and nowhere else', () => {
    const rewritten = rewriteLinks(
      '<a class="/c" href="/x">/y</a><img src=\'/i.png\'><b href="/z"><!-- /q -->',
      (link) => `H${link}`,
    );
    expect(rewritten).to.equal('<a class="/c" href="H/x">/y</a><img src=\'H/i.png\'><b href="/z"><!-- /q -->');
  });
});
