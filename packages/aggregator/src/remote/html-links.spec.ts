import { expect } from 'chai';
import { absoluteURL, rewriteLinks } from './html-links.ts';

describe('links of extension API servers', () => {
  it('are completed where they begin with a slash', () => {
    expect(absoluteURL('/x', 'h:1')).to.equal('https://h:1/x');
    for (const link of ['x', '//other/x', 'https://other/x', '']) expect(absoluteURL(link, 'h:1')).to.equal(link);
  });
  it('are found in the attributes of their elements, and nowhere else', () => {
    expect(rewriteLinks('<a class="/c" href="/x">/y</a><img src=\'/i.png\'><b href="/z"><!-- /q -->', 'h:1')).to.equal('<a class="/c" href="https://h:1/x">/y</a><img src=\'https://h:1/i.png\'><b href="/z"><!-- /q -->');
  });
});
